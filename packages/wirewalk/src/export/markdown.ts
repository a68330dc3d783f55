/** Tables of messages in Markdown: one row a field, as in `docs/messages.md`. */
import { describeNode, formatSize, sizeOf } from "../wire/index.ts";
import { type ExportFormat, type ExportScope, formatId, messagesOf, type ScopedMessage } from "./format.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|");

/** The fields of a description in wire order, as a table. */
function fieldTable({ node }: ScopedMessage): readonly string[] {
  const rows = describeNode(node).map(({ path, type, size, unit, meaning, section }) =>
    [`\`${path}\``, type, size, unit, meaning, section].map(cell).join(" | "),
  );
  if (rows.length === 0) return ["No fields."];
  return [
    "| field | type | size | unit | meaning | standard |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows.map((row) => `| ${row} |`),
  ];
}

function messageLines(message: ScopedMessage): readonly string[] {
  const { id, sender, summary, node } = message;
  const title = `#### ${message.message} (${formatId(id)}), from the ${sender}`;
  const size = `${summary}. ${formatSize(sizeOf(node))} after the id.`;
  return [title, "", size, "", ...fieldTable(message), ""];
}

/**
 * The messages of a protocol, dialect by dialect, under a heading of the second level:
 *
 * ```ts
 * import { markdownTables } from "wirewalk/export";
 * import { slimeOnline2 } from "wirewalk/slime-online-2";
 *
 * const tables = markdownTables({ protocol: slimeOnline2, dialects: ["v0106"], message: "playerStop" });
 * tables.includes("| `x` | u16le | 2 bytes |"); // => true
 * ```
 */
export function markdownTables(scope: ExportScope): string {
  const { protocol, dialects } = scope;
  const sections = dialects.flatMap((dialect) => [
    `### \`${protocol.name}\`, dialect \`${dialect}\``,
    "",
    ...messagesOf(scope, protocol.codec(dialect)).flatMap(messageLines),
  ]);
  return [`## ${protocol.title}`, "", ...sections].join("\n");
}

/** One page a protocol. */
export const markdown: ExportFormat = {
  name: "markdown",
  summary: "tables of all fields, for documentation",
  holdsAllDialects: true,
  files: (scope) => [{ name: `${scope.protocol.name}.md`, text: markdownTables(scope) }],
};
