import { expect, test } from "vitest";
import { Silence } from "./silence.ts";

/** A silence, looked at after each step of the clock, of which a share is fair. Gives the time at which it was over. */
function overAfter(stepMs: number, fairShare: number): number {
  let [nowMs, fairMs] = [0, 0];
  const silence = new Silence({ now: () => nowMs, fairNow: () => fairMs });
  while (!silence.exceeds(20_000)) {
    nowMs += stepMs;
    fairMs += stepMs * fairShare;
  }
  return nowMs;
}

test("a silence lasts so long in fair time", () => {
  expect(overAfter(100, 1)).toBe(20_100);
  expect(overAfter(100, 0.75)).toBe(26_700);
});

test("in a process that is always late it lasts twice as long at most", () => {
  expect(overAfter(100, 0.01)).toBe(40_100);
  expect(overAfter(500, 0)).toBe(40_500);
});

test("a stall of the process is no silence, however long", () => {
  expect(overAfter(60_000, 0)).toBe(19 * 60_000);
});

test("it may start anew", () => {
  let nowMs = 0;
  const silence = new Silence({ now: () => nowMs, fairNow: () => nowMs });
  nowMs = 21_000;
  expect(silence.exceeds(20_000)).toBe(true);
  silence.restart();
  expect(silence.exceeds(20_000)).toBe(false);
});
