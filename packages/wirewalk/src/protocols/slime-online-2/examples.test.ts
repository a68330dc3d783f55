import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as wire from "../../wire/index.ts";
import { findExamples, runExample } from "../../wire/testing/run-examples.ts";
import * as messageJson from "../message-json.ts";
import * as slime from "./index.ts";

test.each([
  "../message-json.ts",
  "channel.ts",
  "codec.ts",
  "demo-rooms.ts",
  "dialect.ts",
  "index.ts",
  "messages.ts",
  "move-player.ts",
  "world.ts",
])("the example of %s is true", (name) => {
  const examples = findExamples(readFileSync(new URL(name, import.meta.url), "utf8"));
  expect(examples).toHaveLength(1);
  for (const example of examples) runExample(example, { ...wire, ...messageJson, ...slime });
});
