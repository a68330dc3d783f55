import { expect, test } from "vitest";
import { isTeleport, STEP_MS, Steps } from "./steps.ts";

const step = (atMs: number, toX = 1, toZ = 0) => ({ fromX: 0, fromZ: 0, x: toX, z: toZ, level: 0, atMs });

test("steps are forgotten when they are no longer drawn", () => {
  const steps = new Steps();
  for (const atMs of [0, 600, 1_200]) steps.add(step(atMs));
  steps.prune(600 + STEP_MS);
  expect(steps.all.map(({ atMs }) => atMs)).toEqual([600, 1_200]);
  steps.prune(10_000);
  expect(steps.all).toEqual([]);
});

test("of a full world with very short ticks the last steps are kept", () => {
  const steps = new Steps();
  for (let at = 0; at < 20_000; at++) steps.add(step(at / 100));
  steps.prune(200);
  expect(steps.all.length).toBeLessThan(7_000);
  expect(steps.all.at(-1)?.atMs).toBe(199.99);
});

test("a run of two tiles is a step, three are a teleport", () => {
  expect(isTeleport(step(0, 2, -2))).toBe(false);
  expect(isTeleport(step(0, 3, 0))).toBe(true);
  expect(isTeleport(step(0, 0, -3))).toBe(true);
});
