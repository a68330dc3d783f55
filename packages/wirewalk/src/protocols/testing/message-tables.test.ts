/**
 * The tables of `docs/messages.md` are the layouts' own descriptions.
 *
 * `UPDATE_DOCS=1 npx vitest run packages/wirewalk/src/protocols/testing/message-tables.test.ts` writes them anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeNode, formatSize, sizeOf } from "../../wire/index.ts";
import type { PayloadCodec, Side } from "../codec.ts";
import { protocols } from "../table.ts";

const page = new URL("../../../../../docs/messages.md", import.meta.url);

const cell = (text: string): string => text.replaceAll("|", "\\|");

/** One message: its fields in wire order. */
function messageText(codec: PayloadCodec, sender: Side, message: string): string {
  const info = codec.messages.find((each) => each.sender === sender && each.message === message);
  const layout = codec.layouts?.[sender][message];
  if (info === undefined || layout === undefined) return "";
  const rows = describeNode(layout.node).map(({ path, type, size, unit, meaning, section }) =>
    [`\`${path}\``, type, size, unit, meaning, section].map(cell).join(" | "),
  );
  const id = `0x${info.id.toString(16).toUpperCase().padStart(2, "0")}`;
  const table = ["| field | type | size | unit | meaning | standard |", "| --- | --- | --- | --- | --- | --- |"];
  const fields = rows.length === 0 ? ["No fields."] : [...table, ...rows.map((each) => `| ${each} |`)];
  const title = `#### ${message} (${id}), from the ${sender}`;
  return [title, "", `${info.summary}. ${formatSize(sizeOf(layout.node))} after the id.`, "", ...fields, ""].join("\n");
}

function pageText(): string {
  const parts = [
    "# Every message, field by field",
    "",
    "Made from the layouts that read and write the messages. In brackets: when a field is there.",
    "",
  ];
  for (const { title, name, dialects, codec: codecOf } of Object.values(protocols)) {
    parts.push(`## ${title}`, "");
    for (const { name: dialect } of dialects) {
      const codec = codecOf(dialect);
      parts.push(`### \`${name}\`, dialect \`${dialect}\``, "");
      for (const { sender, message } of codec.messages) parts.push(messageText(codec, sender, message));
    }
  }
  return parts.filter((part, index) => part !== "" || parts[index - 1] !== "").join("\n");
}

it("the tables of the documentation are made from the layouts", () => {
  if (process.env.UPDATE_DOCS !== undefined) writeFileSync(page, pageText());
  expect(readFileSync(page, "utf8")).toBe(pageText());
});
