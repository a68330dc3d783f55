/** `docs/rules.md` and `docs/errors.md` are what the code says. `UPDATE_DOCS=1` writes them anew. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runCommand } from "../packages/cli/src/testing/run-command.ts";
import { errorsPage, rulesPage } from "./made-pages.ts";

const docs = fileURLToPath(new URL("../docs/", import.meta.url));

test.each([
  ["rules.md", async () => rulesPage()],
  ["errors.md", () => errorsPage(async (args, input) => (await runCommand(args, input)).stdout)],
])("docs/%s", async (name, made) => {
  const text = await made();
  if (process.env.UPDATE_DOCS !== undefined) writeFileSync(docs + name, text);
  expect(readFileSync(docs + name, "utf8")).toBe(text);
});
