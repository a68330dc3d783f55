/**
 * All messages of a dialect as plain data: what the compiler of codecs and other programs take.
 *
 * ```ts
 * import { dialect, struct, u8, u16le } from "wirewalk/wire";
 *
 * const made = dialect({
 *   dialect: "v1",
 *   idName: "type",
 *   id: u8,
 *   messages: [{ sender: "client", id: 1, message: "step", summary: "a step", layout: struct({ x: u16le }) }],
 * });
 * made.messages[0].node.kind; // => "struct"
 * ```
 *
 * @module
 */
import { checkCount, checkWholeBytes } from "./check-sizes.ts";
import { type Layout, only } from "./layout.ts";
import type { DialectNode, IdFormat, MessageNode } from "./node.ts";
import { checkNames } from "./option-names.ts";
import { refuseRange } from "./refusals.ts";
import { canBe, valuesText } from "./values.ts";

/** One message with its layout. */
export interface MessageOptions extends Omit<MessageNode, "node"> {
  readonly layout: Layout<object>;
}

/** A dialect out of layouts. */
export interface DialectOptions extends Omit<DialectNode, "id" | "messages"> {
  readonly id: Layout<number>;
  readonly messages: readonly MessageOptions[];
}

/** The description of a dialect. Throws `TypeError` or `RangeError` for ids that cannot be and messages of one id or name. */
export function dialect(options: DialectOptions): DialectNode {
  checkNames<DialectOptions>("dialect", options, {
    dialect: true,
    idName: true,
    id: true,
    idFormat: true,
    messages: true,
  });
  const { dialect: name, idName, id, idFormat, messages } = options;
  if (idFormat !== undefined) {
    checkNames<IdFormat>(idName, idFormat, { base: true, digits: true, upperCase: true }, "its format");
  }
  checkCount(idName, "an id", id.node);
  checkWholeBytes(id.node, idName);
  const known = new Set<string>();
  for (const { sender, message, id: number, layout } of messages) {
    if (!canBe(id.node, number))
      refuseRange(message, `its ${idName} is ${number}, which is not ${valuesText(id.node)}`);
    for (const each of [`the ${idName} ${number}`, `the name ${message}`]) {
      if (known.has(`${sender} ${each}`)) refuseRange(message, `a ${sender} has two messages of ${each}`);
      known.add(`${sender} ${each}`);
    }
    checkWholeBytes(layout.node, message);
  }
  return {
    dialect: name,
    idName,
    id: id.node,
    ...only({ idFormat }),
    messages: messages.map(({ sender, id: number, message, summary, layout }) => {
      return { sender, id: number, message, summary, node: layout.node };
    }),
  };
}
