import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { exportsIn, findExamples, runExample } from "../../../wire/testing/run-examples.ts";

const maps = await exportsIn(new URL(".", import.meta.url));

test("the example of collision.ts is true", () => {
  const examples = findExamples(readFileSync(new URL("collision.ts", import.meta.url), "utf8"));
  expect(examples).toHaveLength(1);
  for (const example of examples) runExample(example, maps);
});
