import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as motion from "../../../motion/index.ts";
import * as wire from "../../../wire/index.ts";
import { exportsIn, findExamples, runExample } from "../../../wire/testing/run-examples.ts";
import { osrs } from "../osrs.ts";
import { FakeCanvas } from "./testing/fake-canvas.ts";

const mouse = await exportsIn(new URL(".", import.meta.url));

test.each([
  "bots/bot.ts",
  "wire/dialect.ts",
  "index.ts",
  "world/kinematics.ts",
  "stream.ts",
  "wire/packet-description.ts",
  "bots/movers.ts",
  "wire/packet.ts",
  "movement/pointer-recorder.ts",
  "movement/recorder.ts",
  "movement/sampler.ts",
  "world/hand.ts",
  "world/stroke.ts",
  "world/stroke-measures.ts",
  "world/stroke-memory.ts",
  "wire/trace.ts",
  "movement/tracker.ts",
  "world/world.ts",
])("the examples of %s are true", (name) => {
  const examples = findExamples(readFileSync(new URL(name, import.meta.url), "utf8"));
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) runExample(example, { ...motion, ...wire, ...mouse, osrs, canvas: new FakeCanvas() });
});
