import { expect, test } from "vitest";
import { systemClock } from "./clock.ts";

test("the machine's clock never runs backwards", () => {
  let last = systemClock.now();
  for (let index = 0; index < 1000; index++) {
    const now = systemClock.now();
    expect(now).toBeGreaterThanOrEqual(last);
    last = now;
  }
});

test("a call comes once, a periodic one until it is taken back, a cancelled one never", async () => {
  let once = 0;
  let periodic = 0;
  let cancelled = 0;
  systemClock.after(1, () => once++);
  systemClock.after(1, () => cancelled++)();
  await new Promise<void>((resolve) => {
    const cancel = systemClock.every(1, () => {
      periodic += 1;
      if (periodic < 3) return;
      cancel();
      systemClock.after(20, resolve);
    });
  });
  expect([once, periodic, cancelled]).toEqual([1, 3, 0]);
});
