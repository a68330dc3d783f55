import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as wire from "../../wire/index.ts";
import { exportsIn, findExamples, runExample } from "../../wire/testing/run-examples.ts";

const game = await exportsIn(new URL(".", import.meta.url));

test.each([
  "wire/channel.ts",
  "wire/codec.ts",
  "maps/demo-rooms.ts",
  "wire/dialect.ts",
  "movement/index.ts",
  "index.ts",
  "wire/messages.ts",
  "wire/move-player.ts",
  "world/world.ts",
])("the example of %s is true", (name) => {
  const examples = findExamples(readFileSync(new URL(name, import.meta.url), "utf8"));
  expect(examples).toHaveLength(1);
  for (const example of examples) runExample(example, { ...wire, ...game });
});
