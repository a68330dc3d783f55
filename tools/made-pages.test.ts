/** `docs/rules.md`, `docs/errors.md` and the tables of rules in the guides are what the code says. `UPDATE_DOCS=1` writes them anew. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runCommand } from "../packages/cli/src/testing/run-command.ts";
import { errorsPage, ruleGuides, rulesPage, withRules } from "./made-pages.ts";

const docs = fileURLToPath(new URL("../docs/", import.meta.url));

const pages: readonly (readonly [name: string, made: () => Promise<string>])[] = [
  ["rules.md", async () => rulesPage()],
  ...ruleGuides.map(([guide, protocol]) => [`${guide}.md`, async () => withRules(guide, protocol)] as const),
  ["errors.md", () => errorsPage(async (args, input) => (await runCommand(args, input)).stdout)],
];

test.each(pages)("docs/%s", async (name, made) => {
  const text = await made();
  if (process.env.UPDATE_DOCS !== undefined) writeFileSync(docs + name, text);
  expect(readFileSync(docs + name, "utf8")).toBe(text);
});
