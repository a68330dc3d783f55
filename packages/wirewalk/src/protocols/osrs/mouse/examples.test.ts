import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as motion from "../../../motion/index.ts";
import * as wire from "../../../wire/index.ts";
import { findExamples, runExample } from "../../../wire/testing/run-examples.ts";
import * as mouse from "./index.ts";
import { FakeCanvas } from "./testing/fake-canvas.ts";

test.each([
  "bot.ts",
  "dialect.ts",
  "index.ts",
  "kinematics.ts",
  "lines.ts",
  "message.ts",
  "movers.ts",
  "packet.ts",
  "pointer-recorder.ts",
  "recorder.ts",
  "sampler.ts",
  "stroke.ts",
  "trace.ts",
  "tracker.ts",
  "world.ts",
])("the examples of %s are true", (name) => {
  const examples = findExamples(readFileSync(new URL(name, import.meta.url), "utf8"));
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) runExample(example, { ...motion, ...wire, ...mouse, canvas: new FakeCanvas() });
});
