/**
 * Kaitai Struct specifications: one file for the packets of each side of a dialect.
 *
 * ```ts
 * import { kaitaiSpec } from "wirewalk/export";
 * import { slimeOnline2 } from "wirewalk/slime-online-2";
 *
 * const { types } = kaitaiSpec({ protocol: slimeOnline2, dialects: ["v0106"] }, "v0106", "client");
 * types.client_player_stop.seq.map(({ id, type }) => `${id}: ${type}`); // => ["x: u2le", "y: u2le"]
 * ```
 *
 * @module
 */
import type { Side } from "../../protocols/index.ts";
import type { JsonObject, JsonValue } from "../../wire/index.ts";
import { type ExportFormat, type ExportScope, formatId, messagesOf } from "../format.ts";
import { snakeCase } from "../words.ts";
import { addEnd, KsyBuilder } from "./builder.ts";
import { floatPowers } from "./numbers.ts";
import { TypeScope } from "./spec.ts";
import { formatYaml } from "./yaml.ts";

const sides: readonly Side[] = ["client", "server"];

/** The specification of the packets that one side of a dialect sends. Throws `TypeError` for a layout that Kaitai has no form for. */
export function kaitaiSpec(scope: ExportScope, dialect: string, sender: Side): JsonObject {
  const { protocol } = scope;
  const codec = protocol.codec(dialect);
  const messages = messagesOf({ ...scope, sender }, codec);
  const builder = new KsyBuilder();
  const root = new TypeScope("packet");
  const idName = snakeCase(codec.id.name);
  const { node } = codec.id;
  if (node.kind !== "integer") throw new TypeError(`an id that is a ${node.kind}`);
  const type = `u${node.bits / 8}${node.bits === 8 ? "" : node.order}`;
  root.field({ id: idName, doc: "which message follows", type, valid: { "any-of": messages.map(({ id }) => id) } });
  const cases = messages.map((message): [string, string] => [
    String(message.id),
    builder.typeOf(message.node, `${sender}_${snakeCase(message.message)}`),
  ]);
  root.field({ id: "body", type: { "switch-on": idName, cases: Object.fromEntries(cases) } });
  addEnd(root);
  if (builder.names.usesFloatPowers) {
    root.instance("float_powers", {
      doc: "what the exponents of 32-bit floats stand for, 2 to the power of -149 to 104",
      value: `[${floatPowers.map((power) => (Number.isInteger(power) ? power.toExponential() : String(power))).join(", ")}]`,
    });
  }
  const { seq, instances } = root.type();
  const { types, enums } = builder.names;
  const list = messages.map(({ id, message, summary }) => `${formatId(id)} ${message}: ${summary}`);
  const about = [
    `Packets from the ${sender} of ${protocol.title}, dialect ${dialect}, without frame and cipher.`,
    "",
    ...list,
    ...(builder.gaps.size === 0 ? [] : ["", ...builder.gaps]),
  ];
  return {
    meta: {
      id: snakeCase(`${protocol.name}_${dialect}_${sender}`),
      title: `${protocol.title}, dialect ${dialect}, from the ${sender}`,
      "ks-version": "0.11",
      "bit-endian": "be",
    },
    doc: about.join("\n"),
    seq: seq as readonly JsonValue[],
    ...(instances === undefined ? {} : { instances }),
    types: types as unknown as JsonObject,
    ...(Object.keys(enums).length === 0 ? {} : { enums }),
  };
}

/** One file for each dialect and side. */
export const kaitai: ExportFormat = {
  name: "kaitai",
  summary: "Kaitai Struct (.ksy 0.11) of the packets of one side, without frame and cipher",
  holdsAllDialects: false,
  files: (scope) =>
    scope.dialects.flatMap((dialect) =>
      sides
        .filter((side) => messagesOf(scope, scope.protocol.codec(dialect)).some(({ sender }) => sender === side))
        .map((side) => ({
          name: `${snakeCase(`${scope.protocol.name}_${dialect}_${side}`)}.ksy`,
          text: formatYaml(kaitaiSpec(scope, dialect, side)),
        })),
    ),
};
