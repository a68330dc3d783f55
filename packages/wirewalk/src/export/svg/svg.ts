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
import { blocksOf, cellsOf } from "./blocks.ts";
import { drawBlocks } from "./draw.ts";

/** The picture of one message. Throws `RangeError` for a message that the side does not send. */
export function messageDiagram(protocol: Protocol, dialect: string, sender: Side, message: string): string {
  return diagramOf(protocol, dialect, messageOf(protocol, dialect, sender, message));
}

/** A field of a diagram, for a table beside it. */
export interface DiagramField {
  /** Its cells in the picture have this number as `data-field`. */
  readonly number: number;
  /** `start.x`; of a field within a list without the name of the list. */
  readonly name: string;
  /** Titles of the groups around it, from the outermost: `code 1, 2: leftPress`. */
  readonly groups: readonly string[];
  /** Undefined where the width differs. */
  readonly bits: number | undefined;
  /** `u16le, px`; empty where there is nothing to say. */
  readonly detail: string;
  /** From the description; empty where it has none. */
  readonly meaning: string;
  /** Section of the standard; empty where the description names none. */
  readonly section: string;
}

/** The fields of {@link messageDiagram}, in the order in which they are drawn. Throws `RangeError` as that does. */
export function diagramFields(
  protocol: Protocol,
  dialect: string,
  sender: Side,
  message: string,
): readonly DiagramField[] {
  const { node } = messageOf(protocol, dialect, sender, message);
  // `(type 1, 2) fragments[].x`: the cases that a row holds for, the list that it is in, and its name.
  const rows = describeNode(node).map((row) => {
    const [, cases = "", path = ""] = /^(?:\((.*?)\) )?(.*)$/.exec(row.path) ?? [];
    return { ...row, cases, path };
  });
  return cellsOf(blocksOf(node)).map(({ block, groups }, number) => {
    const name = block.name.replace(/ = .*$| count$|\[\d+\]$/, "");
    const named = rows.filter(({ path }) => {
      // Flags are one row and several cells.
      const parent = name.slice(0, Math.max(0, name.lastIndexOf(".")));
      return [path, path.split("[].").at(-1), path.replace("[]", "")].some(
        (each) => each !== "" && (each === name || (each === parent && block.kind === "field" && block.bits === 1)),
      );
    });
    const row = named.find(({ cases }) => cases !== "" && groups.some((title) => title.startsWith(cases))) ?? named[0];
    const isUnused = block.kind === "field" && block.isUnused === true;
    return {
      number,
      name: block.name,
      groups,
      bits: block.kind === "field" ? block.bits : undefined,
      detail: block.detail,
      meaning: isUnused ? "unused" : (row?.meaning ?? ""),
      section: row?.section ?? "",
    };
  });
}

function messageOf(protocol: Protocol, dialect: string, sender: Side, message: string): ScopedMessage {
  const scope = { protocol, dialects: [dialect], sender, message };
  const [found] = messagesOf(scope, protocol.codec(dialect));
  if (found === undefined) throw new RangeError(`a ${sender} of ${protocol.name} ${dialect} sends no ${message}`);
  return found;
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
