/**
 * The codec of a revision that has a table: every message of the table has a name in it. Those that are described here have fields; of
 * the others the name is the table's, `IF_SETTEXT`, and the body is bytes.
 *
 * A message may have several forms: with the initialisation of player info in front or without, and in revisions of passage an old and a
 * new opcode. All have one name, under which `messages` has the newest form. A payload says by opcode and length which form it is, and a
 * value by its members.
 */
import type { CompiledDialect } from "../../../wire/compiled/index.ts";
import { type JsonObject, type Layout, u8, WireError } from "../../../wire/index.ts";
import type { PayloadCodec, Side, WireMessage } from "../../codec.ts";
import { type MessageRow, type MessageTable, messageTable } from "../../message-table.ts";
import type { RevisionTable } from "../../revisions.ts";
import { mouseRules } from "../mouse/wire/dialect.ts";
import type { MousePacket } from "../mouse/wire/packet-description.ts";
import { addMouseWords } from "../mouse/wire/trace.ts";
import { playerInfoLayouts } from "../player-info/wire/message.ts";
import { OPCODE_BYTES } from "./framing.ts";
import * as generated from "./generated/messages.ts";
import { formIn, LEAST_WITH_INIT, undescribedBody } from "./revision-layouts.ts";

/** A form of a message beside the one in the main table: a table of its own, for it has the same name. */
interface OtherForm {
  readonly row: MessageRow;
  readonly table: MessageTable<MessageRow>;
  /** Whether it has the initialisation in front: then its payloads are longer than those of the form with the same opcode. */
  readonly hasInit: boolean;
  /** Members of {@link telling} that its values have. */
  readonly members: ReadonlySet<string>;
}

/** Members of a value that tell its form. */
const telling = ["init", "keys", "type"] as const;

const sides: readonly Side[] = ["client", "server"];

export interface RevisionCodecOptions {
  readonly dialect: string;
  readonly table: RevisionTable;
  /** Ours: in the game the login has the index. */
  readonly playerIndexOpcode: number;
}

/** Throws `RangeError` for an opcode that two messages have. */
export function revisionCodec({ dialect, table, playerIndexOpcode }: RevisionCodecOptions): PayloadCodec {
  const { rows, others, undescribed } = rowsOf({ dialect, table, playerIndexOpcode });
  const tableOf = (some: readonly MessageRow[]): MessageTable<MessageRow> =>
    messageTable({ dialect, idName: "opcode", id: u8, rows: some, compiled: compiledFor(dialect) });
  const main = tableOf(rows);
  const forms: readonly OtherForm[] = others.map(({ row, hasInit }) => {
    return { row, hasInit, table: tableOf([row]), members: membersOf(row.layout) };
  });
  const formsOf = (sender: Side): ReadonlyMap<number, readonly OtherForm[]> =>
    Map.groupBy(
      forms.filter(({ row }) => row.sender === sender),
      ({ row }) => row.id,
    );
  const formsByOpcode = { client: formsOf("client"), server: formsOf("server") };

  const byPayload = (sender: Side, payload: Uint8Array): MessageTable<MessageRow> => {
    const own = formsByOpcode[sender].get(payload[0] ?? Number.NaN);
    if (own === undefined) return main;
    const hasInit = payload.length - OPCODE_BYTES >= LEAST_WITH_INIT;
    return (own.find((form) => form.hasInit === hasInit) ?? own.find((form) => !form.hasInit))?.table ?? main;
  };
  const byValue = (sender: Side, message: string, value: unknown): MessageTable<MessageRow> => {
    const own = forms.filter(({ row }) => row.sender === sender && row.message === message);
    if (own.length === 0 || typeof value !== "object" || value === null) return main;
    const all = [...new Set(own.flatMap(({ members }) => [...members]))];
    const given = value as Readonly<Record<string, unknown>>;
    const form = own.find(({ members }) => all.every((name) => members.has(name) === (given[name] !== undefined)));
    return form?.table ?? main;
  };
  const refuseUnknown = (sender: Side, [opcode]: Uint8Array): void => {
    if (opcode === undefined || table[sender].has(opcode)) return;
    if (sender === "server" && opcode === playerIndexOpcode) return;
    const why = `Cannot read opcode: ${opcode} is no message of revision ${table.revision} at byte 0`;
    throw new WireError("unknown-message", why, 0, "opcode");
  };

  return {
    ...main,
    read(sender: Side, payload: Uint8Array) {
      refuseUnknown(sender, payload);
      return byPayload(sender, payload).read(sender, payload);
    },
    write: (sender: Side, message: WireMessage) =>
      byValue(sender, message.message, message.value).write(sender, message),
    trace(sender: Side, payload: Uint8Array) {
      const trace = byPayload(sender, payload).trace(sender, payload);
      const { message, fields } = trace;
      const rules = message === undefined ? undefined : mouseRulesOf(message.message, dialect);
      if (message !== undefined && rules !== undefined) {
        addMouseWords(mouseRules(rules), message.value as MousePacket, { fields, before: 1 }, payload);
      }
      return trace;
    },
    fromJson: (sender: Side, json: JsonObject) =>
      byValue(sender, String(json.message), json.value).fromJson(sender, json),
    toJson: (sender: Side, message: WireMessage) =>
      byValue(sender, message.message, message.value).toJson(sender, message),
    // Not by taking the payload apart: that is an iterator for every message of a session.
    undescribed: (sender, payload) => undescribed[sender].get(payload[0] ?? Number.NaN),
  };
}

/** The dialect of the mouse in which a message is: that of its opcode. Undefined for other messages. */
export function mouseRulesOf(message: string, dialect: string): string | undefined {
  if (message === "nativeMouseMove") return "native";
  if (message !== "mouseMove") return undefined;
  return dialect === "documented" ? dialect : "client";
}

function membersOf({ node }: Layout<object>): ReadonlySet<string> {
  const names = node.kind === "struct" ? node.fields.map(({ name }) => name) : [];
  const inner = node.kind === "struct" ? node.fields.filter(({ name }) => name === "") : [];
  const within = inner.flatMap((field) => [...membersOf({ node: field.node } as Layout<object>)]);
  return new Set([...names, ...within].filter((name) => (telling as readonly string[]).includes(name)));
}

/** Ours on top of the table's. A form whose name is taken, or that begins with an initialisation, stands beside the table. */
function rowsOf({ dialect, table, playerIndexOpcode }: RevisionCodecOptions) {
  const index: MessageRow = {
    message: "playerIndex",
    sender: "server",
    id: playerIndexOpcode,
    summary: "the client's own player index (ours: in the game the login has it)",
    layout: playerInfoLayouts.playerIndex,
  };
  const rows: MessageRow[] = [index];
  const others: { readonly row: MessageRow; readonly hasInit: boolean }[] = [];
  const undescribed = { client: new Map<number, string>(), server: new Map<number, string>() };
  const taken = new Set<string>();
  for (const sender of sides) {
    // The newest form of a message has its name in the main table: _V2 comes before _V1.
    for (const [id, { name, size }] of [...table[sender]].sort(([, a], [, b]) => (a.name < b.name ? 1 : -1))) {
      const form = formIn(table.revision, name, dialect);
      if (form === undefined || form.sender !== sender) {
        const summary = "not described here";
        rows.push({ message: name, sender, id, summary, layout: undescribedBody(size) });
        undescribed[sender].set(id, name);
        continue;
      }
      const { message, summary, layout, withInit } = form;
      const row: MessageRow = { message, sender, id, summary, layout };
      if (taken.has(`${sender} ${message}`)) others.push({ row, hasInit: false });
      else rows.push(row);
      taken.add(`${sender} ${message}`);
      if (withInit !== undefined) others.push({ row: { ...row, layout: withInit }, hasInit: true });
    }
  }
  return { rows, others, undescribed };
}

/** Stands for a number: every revision has its own. */
const NATIVE_MOUSE_MOVE = -1;

/** The generated readers and writers of the bodies that are the same in all revisions, by the layouts that opcodes have. */
function compiledFor(dialect: string): CompiledDialect {
  const base = dialect === "documented" ? generated.documented : generated.client;
  const { ids, read, write } = base as unknown as CompiledDialect;
  const { native } = generated;
  const message = "nativeMouseMove";
  return {
    ...base,
    ids: { ...ids, client: { ...ids.client, [message]: NATIVE_MOUSE_MOVE } },
    read(sender: Side, payload: Uint8Array, id?: number, at?: number) {
      if (id !== NATIVE_MOUSE_MOVE) return read(sender, payload, id, at);
      return { message, value: native.read("client", payload, native.ids.client.mouseMove, at).value };
    },
    write(sender: Side, given: WireMessage, before?: number) {
      if (given.message !== message) return write(sender, given, before);
      return native.write("client", { message: "mouseMove", value: given.value as never }, before);
    },
  };
}
