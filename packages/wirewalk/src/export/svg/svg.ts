/**
 * Diagrams of messages as SVG: 32 bits a row, each field as wide as its bits. Solid frames stand around what is repeated,
 * dotted frames around what is there only sometimes; dashed cells are not to scale.
 *
 * ```ts
 * import { messageDiagram } from "wirewalk/export";
 * import { slimeOnline2 } from "wirewalk/slime-online-2";
 *
 * const text = messageDiagram(slimeOnline2, "v0106", "client", "playerStop");
 * text.startsWith("<svg "); // => true
 * ```
 *
 * @module
 */
import type { Protocol, Side } from "../../protocols/index.ts";
import { describeNode, formatSize, sizeOf } from "../../wire/index.ts";
import { type ExportFormat, formatId, messagesOf, type ScopedMessage } from "../format.ts";
import { blocksOf } from "./blocks.ts";
import { drawBlocks } from "./draw.ts";

/** The picture of one message. Throws `RangeError` for a message that the side does not send. */
export function messageDiagram(protocol: Protocol, dialect: string, sender: Side, message: string): string {
  const scope = { protocol, dialects: [dialect], sender, message };
  const [found] = messagesOf(scope, protocol.codec(dialect));
  if (found === undefined) throw new RangeError(`a ${sender} of ${protocol.name} ${dialect} sends no ${message}`);
  return diagramOf(protocol, dialect, found);
}

function diagramOf(protocol: Protocol, dialect: string, { node, message, sender, id, summary }: ScopedMessage): string {
  const fields = describeNode(node).map(({ path, type, size }) => `${path}: ${type}, ${size}`);
  const blocks = blocksOf(node);
  return drawBlocks(blocks.length === 0 ? [{ kind: "note", text: "no fields" }] : blocks, {
    id: `${protocol.name}-${dialect}-${sender}-${message}`,
    title: `${message} (${formatId(id)}) from the ${sender}, ${protocol.title} ${dialect}`,
    description: `${summary}. ${formatSize(sizeOf(node))} after the id. ${fields.length === 0 ? "No fields" : fields.join("; ")}.`,
  });
}

/** One picture a message. */
export const svg: ExportFormat = {
  name: "svg",
  summary: "a diagram of each message, its bits to scale, for light and dark pages",
  holdsAllDialects: false,
  files: (scope) =>
    scope.dialects.flatMap((dialect) =>
      messagesOf(scope, scope.protocol.codec(dialect)).map((message) => ({
        name: `${scope.protocol.name}.${dialect}.${message.sender}.${message.message}.svg`,
        text: diagramOf(scope.protocol, dialect, message),
      })),
    ),
};
