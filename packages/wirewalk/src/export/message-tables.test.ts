/**
 * The tables of `docs/messages.md` are the layouts' own descriptions.
 *
 * `UPDATE_DOCS=1 npx vitest run packages/wirewalk/src/export/message-tables.test.ts` writes them anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { protocols } from "../protocols/table.ts";
import { describeNode } from "../wire/index.ts";
import { markdownTables } from "./markdown.ts";

const page = new URL("../../../../docs/messages.md", import.meta.url);

function pageText(): string {
  const head = [
    "# Every message, field by field",
    "",
    "For authors of codecs, servers and tools: the fields of each message on the wire. Made from the layouts that read and write the messages. In brackets: when a field is there.",
    "",
  ];
  const tables = Object.values(protocols).map((protocol) =>
    markdownTables({ protocol, dialects: protocol.dialects.map(({ name }) => name) }),
  );
  return [...head, ...tables].join("\n");
}

it("every field says what it means", () => {
  const dumb = Object.values(protocols).flatMap(({ name, dialects, codec }) =>
    dialects.flatMap(({ name: dialect }) =>
      codec(dialect).messages.flatMap(({ message, sender }) =>
        describeNode(codec(dialect).layouts[sender][message]?.node ?? { kind: "struct", fields: [] })
          .filter(({ meaning }) => meaning === "")
          .map(({ path }) => `${name} ${dialect}: ${path} of ${message}, from the ${sender}`),
      ),
    ),
  );
  expect(dumb).toEqual([]);
});

it("the tables of the documentation are made from the layouts", () => {
  if (process.env.UPDATE_DOCS !== undefined) writeFileSync(page, pageText());
  expect(readFileSync(page, "utf8")).toBe(pageText());
});
