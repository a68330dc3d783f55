import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findExamples, runExample } from "../../wire/testing/run-examples.ts";
import * as worldKit from "./index.ts";

test("the example of index.ts is true", () => {
  const examples = findExamples(readFileSync(new URL("index.ts", import.meta.url), "utf8"));
  expect(examples).toHaveLength(1);
  for (const example of examples) runExample(example, worldKit);
});
