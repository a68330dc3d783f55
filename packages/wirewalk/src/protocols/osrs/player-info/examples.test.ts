import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as wire from "../../../wire/index.ts";
import { findExamples, runExample } from "../../../wire/testing/run-examples.ts";
import * as playerInfo from "./index.ts";
import * as cp1252 from "./wire/masks/cp1252.ts";
import * as maskCodec from "./wire/masks/mask-codec.ts";

test.each([
  "client-state.ts",
  "client.ts",
  "cp1252.ts",
  "decoder.ts",
  "demo-map.ts",
  "dialect.ts",
  "engine.ts",
  "index.ts",
  "lines.ts",
  "mask-codec.ts",
  "message.ts",
  "mask-revision.ts",
  "parse-mask-revision.ts",
  "playback.ts",
  "world.ts",
])("the examples of %s are true", (name) => {
  const examples = findExamples(readFileSync(new URL(name, import.meta.url), "utf8"));
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) runExample(example, { ...wire, ...playerInfo, ...maskCodec, ...cp1252 });
});
