import { expect, test } from "vitest";
import { FixedStep } from "./fixed-step.ts";

test.each([30, 60, 75, 144, 240])("a second is sixty steps on a display of %i Hz", (hertz) => {
  const steps = new FixedStep(60, 5_000);
  let played = steps.due(0);
  for (let frame = 1; frame <= hertz; frame++) played += steps.due((frame * 1000) / hertz);
  expect(played).toBe(60);
});

test("after a pause longer than the limit the excess steps are dropped", () => {
  const steps = new FixedStep(60, 1_000);
  steps.due(0);
  expect(steps.due(3_600_000)).toBe(60);
  expect(steps.due(3_600_000)).toBe(0);
});

test("a clock that starts again plays nothing of what has passed", () => {
  const steps = new FixedStep(100, 1_000);
  steps.due(0);
  steps.restart(95);
  expect(steps.due(104)).toBe(0);
  expect(steps.due(105)).toBe(1);
});

test("a clock that jumps back plays nothing", () => {
  const steps = new FixedStep(60, 1_000);
  steps.due(1_000);
  expect(steps.due(900)).toBe(0);
  expect(steps.part(900)).toBe(0);
});

test("the part of the next step lies between none and all", () => {
  const steps = new FixedStep(50, 1_000);
  expect(steps.part(5)).toBe(0);
  steps.due(0);
  expect(steps.part(10)).toBe(0.5);
  expect(steps.part(99)).toBe(1);
});
