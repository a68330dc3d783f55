import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as wire from "../../../wire/index.ts";
import { exportsIn, findExamples, runExample } from "../../../wire/testing/run-examples.ts";
import * as cp1252 from "../../../wire/windows-1252.ts";
import { osrs } from "../osrs.ts";

const playerInfo = await exportsIn(new URL(".", import.meta.url));

test.each([
  "wire/client-state.ts",
  "wire/client.ts",
  "wire/decoder.ts",
  "movement/demo-map.ts",
  "wire/dialect.ts",
  "wire/engine/engine.ts",
  "index.ts",
  "stream.ts",
  "stream-writer.ts",
  "wire/masks/appearance.ts",
  "wire/masks/mask-codec.ts",
  "wire/message.ts",
  "wire/masks/mask-revision.ts",
  "wire/masks/parse-mask-revision.ts",
  "movement/playback.ts",
  "world/shadow-bodies.ts",
  "world/shown-blocks.ts",
  "world/world.ts",
])("the examples of %s are true", (name) => {
  const examples = findExamples(readFileSync(new URL(name, import.meta.url), "utf8"));
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) runExample(example, { ...wire, ...playerInfo, ...cp1252, osrs });
});
