import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as wire from "./index.ts";
import { findExamples, runExample } from "./testing/run-examples.ts";

const folder = new URL(".", import.meta.url);
/** The list of exports, and modules of types alone, which have nothing to run. */
const withoutExample = ["index.ts", "carrier.ts", "json.ts"];
/** The modules in folders that have an example. */
const inFolders = [
  ...[
    "describe.ts",
    "dialects.ts",
    "layout.ts",
    "layout-of.ts",
    "node.ts",
    "parse-node.ts",
    "readings.ts",
    "structs.ts",
    "variants.ts",
  ].map((name) => `describe/${name}`),
  "interpret/interpret.ts",
  "xml/xml-reader.ts",
];
const modules = [...readdirSync(folder), ...inFolders].filter(
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !withoutExample.includes(name),
);

test.each(modules)("the example of %s is true", (name) => {
  const examples = findExamples(readFileSync(new URL(name, folder), "utf8"));
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) runExample(example, wire);
});

test("an example that is not true fails", () => {
  expect(() => runExample('formatHex(new Uint8Array([1])); // => "02"\n', wire)).toThrow();
  expect(() => runExample('parseHex("01"); // throws bad-hex: x\n', wire)).toThrow();
});
