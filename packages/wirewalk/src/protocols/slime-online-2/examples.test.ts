import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as wire from "../../wire/index.ts";
import { findExamples, runExample } from "../../wire/testing/run-examples.ts";
import * as messageJson from "../message-json.ts";
import * as slime from "./index.ts";

test.each([
  "../message-json.ts",
  "wire/channel.ts",
  "wire/codec.ts",
  "movement/demo-rooms.ts",
  "wire/dialect.ts",
  "index.ts",
  "wire/messages.ts",
  "wire/move-player.ts",
  "world/world.ts",
])("the example of %s is true", (name) => {
  const examples = findExamples(readFileSync(new URL(name, import.meta.url), "utf8"));
  expect(examples).toHaveLength(1);
  for (const example of examples) runExample(example, { ...wire, ...messageJson, ...slime });
});
