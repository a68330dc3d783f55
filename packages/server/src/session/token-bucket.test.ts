import { expect, test } from "vitest";
import type { Cancel, Clock } from "wirewalk/net";
import { Stalls } from "../runtime/stalls.ts";
import { TokenBucket } from "./token-bucket.ts";

/** A clock whose timers come late when the process is not there. */
class StallingClock implements Clock {
  nowMs = 0;
  #calls: { readonly everyMs: number; dueMs: number; readonly call: () => void }[] = [];

  now(): number {
    return this.nowMs;
  }
  after(): Cancel {
    return () => {};
  }
  every(everyMs: number, call: () => void): Cancel {
    this.#calls.push({ everyMs, dueMs: everyMs, call });
    return () => {};
  }
  /** Time goes by and timers come as they should. */
  run(ms: number): void {
    for (const end = this.nowMs + ms; this.nowMs < end; ) {
      this.nowMs += 1;
      for (const each of this.#calls) {
        if (this.nowMs < each.dueMs) continue;
        each.dueMs = this.nowMs + each.everyMs;
        each.call();
      }
    }
  }
  /** Time goes by and nothing of ours runs. */
  stall(ms: number): void {
    this.nowMs += ms;
  }
}

test("a bucket gives its burst, then what time fills in", () => {
  const clock = new StallingClock();
  const bucket = new TokenBucket({ perSecond: 10, burst: 5 }, new Stalls(clock));
  expect(bucket.take(5)).toBe(true);
  expect(bucket.take(1)).toBe(false);
  clock.run(100);
  expect(bucket.take(1)).toBe(true);
  expect(bucket.take(1)).toBe(false);
  clock.run(10_000);
  expect(bucket.take(6)).toBe(false);
  expect(bucket.take(5)).toBe(true);
});

test("a backlog from a stall of the process is allowed, before and after the timer measures the stall", () => {
  const clock = new StallingClock();
  const bucket = new TokenBucket({ perSecond: 100, burst: 100 }, new Stalls(clock));
  clock.run(1_000);
  clock.stall(10_000);
  // 10 s at 100 a second came in one lump; the sockets are read before the timers run.
  for (let index = 0; index < 500; index += 1) expect(bucket.take(1)).toBe(true);
  clock.run(30);
  for (let index = 0; index < 490; index += 1) expect(bucket.take(1)).toBe(true);
  for (let index = 0; index < 200; index += 1) bucket.take(1);
  expect(bucket.take(1)).toBe(false);
});

test("an honest client that a stall of its own line held back for three seconds never trips", () => {
  const clock = new StallingClock();
  const bucket = new TokenBucket({ perSecond: 120, burst: 600 }, new Stalls(clock));
  for (let minute = 0; minute < 20; minute += 1) {
    for (let index = 0; index < 60 * 3; index += 1) expect(bucket.take(1)).toBe(true);
    for (let frame = 0; frame < 240; frame += 1) {
      expect(bucket.take(1)).toBe(true);
      clock.run(17);
    }
  }
});

test("fair time leaves stalls out and never runs backwards", () => {
  const clock = new StallingClock();
  const stalls = new Stalls(clock);
  clock.run(1_000);
  const before = stalls.fairNow();
  clock.stall(5_000);
  const during = stalls.fairNow();
  clock.run(100);
  const after = stalls.fairNow();
  expect(during - before).toBeLessThan(40);
  expect(after - before).toBeGreaterThanOrEqual(90);
  expect(after - before).toBeLessThan(140);
  expect(stalls.stalledMs()).toBeGreaterThan(4_900);
  expect(stalls.worstMs).toBeGreaterThan(4_900);
});
