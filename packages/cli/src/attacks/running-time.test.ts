import { expect, test } from "vitest";
import { RunningTime } from "./running-time.ts";

test("time in which the thread did not run is left out, before and after its timer has run", () => {
  let nowMs = 1_000;
  const time = new RunningTime(() => nowMs);
  const run = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 10) {
      nowMs += 10;
      time.looked();
    }
  };
  run(100);
  const sentMs = time.now();
  run(50);
  // The thread stands still for 2 s, then reads before its timer runs.
  nowMs += 2_000;
  expect(time.now() - sentMs).toBe(50 + 15);
  time.looked();
  expect(time.now() - sentMs).toBe(50 + 15);
  run(40);
  expect(time.now() - sentMs).toBe(50 + 15 + 40);
});
