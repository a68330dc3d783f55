import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { type SavedTimeBudget, TimeBudget } from "./time-budget.ts";

const TICK_MS = 25;
const MINUTE_MS = 60_000;

interface Line {
  /** The peer's clock: 1.02 counts 1.02 seconds a second. */
  clock: number;
  minutes: number;
  seed?: number;
  jitterMs?: number;
  loss?: number;
  /** Latency by the time of sending. */
  latencyMs?: (ms: number) => number;
  /** Nothing leaves between these times. */
  stall?: readonly [number, number];
  /** For so long the server stands for half of each second. */
  starvedMs?: number;
}

interface Played {
  readonly budget: TimeBudget;
  readonly overdrawnMs: number | undefined;
  /** Ticks that were due at the end, counted from the first. */
  readonly ticks: number;
  /** The longest that a tick lay there before it was due, after the first ten seconds. */
  readonly longestWaitMs: number;
}

/** A peer that says each of its ticks over a bad line, in order, to a server that asks every 25 ms what is due. */
function play({
  clock,
  minutes,
  seed = 1,
  jitterMs = 0,
  loss = 0,
  latencyMs = () => 100,
  stall,
  starvedMs,
}: Line): Played {
  const budget = new TimeBudget({ tickMs: TICK_MS });
  const stalledAt = (ms: number): number => Math.min(ms, starvedMs ?? 0) / 2;
  const random = createRandom(seed);
  const arrivals: { tick: number; atMs: number }[] = [];
  let floor = 0;
  const first = 1000;
  if (starvedMs !== undefined) budget.begin(first, 0);
  for (let tick = 0; (tick * TICK_MS) / clock < minutes * MINUTE_MS; tick++) {
    if (random.chance(loss)) continue;
    let sentMs = (tick * TICK_MS) / clock;
    if (stall !== undefined && sentMs >= stall[0] && sentMs < stall[1]) sentMs = stall[1];
    floor = Math.max(floor, sentMs + latencyMs(sentMs) + random.next() * jitterMs);
    arrivals.push({ tick: tick + first, atMs: floor });
  }
  let next = 0;
  let overdrawnMs: number | undefined;
  let longestWaitMs = 0;
  let due = Number.NEGATIVE_INFINITY;
  for (let nowMs = 0; nowMs < minutes * MINUTE_MS; nowMs += TICK_MS) {
    for (let each = arrivals[next]; each !== undefined && each.atMs <= nowMs; each = arrivals[++next]) {
      budget.arrived(each.tick, each.atMs, stalledAt(each.atMs));
      if (nowMs > 10_000) longestWaitMs = Math.max(longestWaitMs, budget.dueMs(each.tick) - each.atMs);
    }
    due = Math.max(due, budget.dueTick(nowMs, stalledAt(nowMs)));
    if (budget.isOverdrawn) overdrawnMs ??= nowMs;
  }
  return { budget, overdrawnMs, ticks: due - first, longestWaitMs };
}

describe("an honest clock", () => {
  it("whose first five seconds were held back, and come over a slow line that varies by half a second, is not too fast", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = createRandom(seed);
      const budget = new TimeBudget({ tickMs: TICK_MS, maxDelayMs: 1000 });
      budget.begin(0, 0);
      const arrivals: number[] = [];
      for (let tick = 0, lineMs = 0, atMs = 0; tick < 1200; tick++) {
        // 300 ms after the beginning, or when the line has sent what was before it: 10 ms a packet.
        lineMs = Math.max(300 + tick * TICK_MS, 5300, lineMs + 10);
        atMs = Math.max(atMs, lineMs + 50 + random.next() * 500);
        arrivals.push(atMs);
      }
      let tick = 0;
      for (let nowMs = 0; nowMs < 30_000; nowMs += TICK_MS) {
        for (; (arrivals[tick] ?? Infinity) <= nowMs; tick++) budget.arrived(tick, arrivals[tick] as number);
        budget.advance(nowMs);
        expect(budget.isOverdrawn, `seed ${seed} at ${nowMs} ms`).toBe(false);
      }
    }
  });

  it("is played as it comes, after as long as the network holds packets back", () => {
    for (const jitterMs of [0, 50, 200]) {
      const { budget, overdrawnMs, longestWaitMs } = play({ clock: 1, minutes: 2, jitterMs });
      expect(overdrawnMs).toBeUndefined();
      expect(budget.delayMs).toBeGreaterThanOrEqual(jitterMs * 0.7);
      expect(longestWaitMs).toBeLessThanOrEqual(jitterMs + 1);
    }
  });

  it("waits for packets that come much later no longer than about the most it may", () => {
    const { longestWaitMs } = play({ clock: 1, minutes: 2, jitterMs: 1500 });
    // A packet that is 0.3 s before the slowest of the last seconds waits for as much again that is kept from before.
    expect(longestWaitMs).toBeLessThanOrEqual(600);
  });

  it.each([0.999, 1.001, 1.004])("that is off (%d) is never overdrawn, and never waits longer and longer", (clock) => {
    for (let seed = 1; seed <= 5; seed++) {
      const { budget, overdrawnMs, longestWaitMs } = play({ clock, minutes: 10, seed, jitterMs: 200, loss: 0.05 });
      expect(overdrawnMs).toBeUndefined();
      expect(longestWaitMs).toBeLessThan(330);
      expect(budget.rate).toBeCloseTo(clock, 2);
    }
  });

  it("is not overdrawn by stalls, wherever they come", () => {
    for (const start of [0, 10, 2000, 4000, 20_000]) {
      const { overdrawnMs } = play({ clock: 1.001, minutes: 2, jitterMs: 100, stall: [start, start + 2000] });
      expect(overdrawnMs).toBeUndefined();
    }
  });

  it("is not overdrawn by a network that gets worse and worse and then well again", () => {
    const latencyMs = (ms: number): number => (ms % 60_000 < 30_000 ? (ms % 60_000) / 4 : 50);
    const { overdrawnMs, budget } = play({ clock: 1.001, minutes: 5, jitterMs: 100, latencyMs });
    expect(overdrawnMs).toBeUndefined();
    expect(budget.delayMs).toBeLessThan(200);
  });

  it("is not overdrawn by a way through the network that gets shorter, and is played earlier then", () => {
    const latencyMs = (ms: number): number => (ms < 30_000 ? 380 : 30);
    const { overdrawnMs, budget } = play({ clock: 1, minutes: 2, jitterMs: 20, latencyMs });
    expect(overdrawnMs).toBeUndefined();
    expect(budget.delayMs).toBeLessThan(25);
  });
});

describe("a peer that begins while the server is starved, and reads it seconds late", () => {
  const latencyMs = (ms: number): number => (ms < 30_000 ? 4000 : 100);

  it("is not overdrawn when it is read in time again, and gains nothing", () => {
    const line = { clock: 1, minutes: 3, jitterMs: 100, latencyMs };
    const { overdrawnMs, ticks } = play({ ...line, starvedMs: 30_000 });
    expect(overdrawnMs).toBeUndefined();
    expect(ticks).toBeLessThanOrEqual((3 * MINUTE_MS) / TICK_MS);
    // A server that ran well all the time: the way through the network became shorter by 3.9 s.
    expect(play({ ...line, starvedMs: 0 }).overdrawnMs).toBeGreaterThan(30_000);
  });

  it("is overdrawn all the same when its clock is fast", () => {
    const { overdrawnMs } = play({ clock: 1.05, minutes: 4, jitterMs: 100, latencyMs, starvedMs: 30_000 });
    expect(overdrawnMs).toBeGreaterThan(0);
  });
});

describe("a fast clock", () => {
  it.each([1.02, 1.05, 1.5, 2])("(%d) is overdrawn within a minute", (clock) => {
    for (let seed = 1; seed <= 5; seed++) {
      const { overdrawnMs, budget } = play({ clock, minutes: 2, seed, jitterMs: 200, loss: 0.05 });
      expect(overdrawnMs).toBeLessThan(MINUTE_MS);
      expect(budget.rate).toBeCloseTo(clock, 1);
    }
  });

  it.each([1.02, 2])("(%d) buys half a percent and its slack, no more", (clock) => {
    const minutes = 10;
    const { ticks } = play({ clock, minutes, jitterMs: 200 });
    const honest = (minutes * MINUTE_MS) / TICK_MS;
    // What it may gain in the first seconds, it gains once.
    expect(ticks).toBeLessThan(honest * 1.005 + 2400 / TICK_MS);
    expect(ticks).toBeGreaterThan(honest);
  });

  it("cannot be saved up: a player slow for minutes catches up ten seconds and its slack, no more", () => {
    const budget = new TimeBudget({ tickMs: TICK_MS });
    let tick = 0;
    let gained = 0;
    for (let nowMs = 0; nowMs < 5 * MINUTE_MS; nowMs += TICK_MS) {
      const slow = nowMs < 3 * MINUTE_MS;
      tick += slow ? 0.9 : 1.5;
      budget.arrived(Math.floor(tick), nowMs);
      if (nowMs === 3 * MINUTE_MS) gained = -budget.dueTick(nowMs);
      else budget.advance(nowMs);
    }
    gained += budget.dueTick(5 * MINUTE_MS);
    const honest = (2 * MINUTE_MS) / TICK_MS;
    expect(gained).toBeLessThan(honest * 1.005 + 10_500 / TICK_MS);
    expect(gained).toBeGreaterThan(honest + 9000 / TICK_MS);
  });
});

it("after a restart grants nothing", () => {
  const budget = new TimeBudget({ tickMs: TICK_MS });
  expect(budget.dueTick(0)).toBe(Number.NEGATIVE_INFINITY);
  budget.arrived(10, 0);
  budget.restart(5000, 1000);
  expect(budget.dueTick(1000)).toBe(4999);
  expect(budget.dueMs(5000)).toBe(1025);
  expect(budget.allowanceMs).toBeLessThan(1);
  budget.arrived(5000, 1000);
  expect(budget.allowanceMs).toBeLessThan(1);
  expect(budget.rate).toBeUndefined();
});

it("saved and restored at any moment goes on as the one that was not", () => {
  const step = (budget: TimeBudget, ms: number): readonly unknown[] => {
    if (ms % 100 < 75) budget.arrived(Math.floor((ms * 1.02) / TICK_MS), ms + ((ms * 7) % 130));
    const due = budget.dueTick(ms + 130);
    return [due, budget.delayMs, budget.allowanceMs, budget.aheadMs, budget.isOverdrawn, budget.rate];
  };
  const times = Array.from({ length: 2000 }, (_, index) => index * TICK_MS);
  const played = new TimeBudget({ tickMs: TICK_MS });
  const saves = new Map<number, SavedTimeBudget>();
  const steps = times.map((ms, index) => {
    if (index % 39 === 0) saves.set(index, played.save());
    return step(played, ms);
  });
  expect(played.isOverdrawn).toBe(true);
  for (const [index, saved] of saves) {
    const restored = new TimeBudget({ tickMs: TICK_MS });
    restored.arrived(5, 3);
    restored.restore(structuredClone(saved));
    expect(times.slice(index).map((ms) => step(restored, ms))).toEqual(steps.slice(index));
    expect(restored.save()).toEqual(played.save());
  }
});
