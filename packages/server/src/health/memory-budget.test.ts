import { describe, expect, test } from "vitest";
import { VirtualClock } from "wirewalk/net";
import { type MemoryUse, processMemory } from "wirewalk/node";
import { MemoryBudget } from "./memory-budget.ts";

const MIB = 1024 * 1024;

/** A process with a heap of 100 MB: `live` is kept by a collection, `garbage` is not. */
function startProcess(live = 10, garbage = 0) {
  const clock = new VirtualClock();
  const state = { live, garbage, collections: 0, freed: 0, usedUp: [] as string[] };
  let collected = (_durationMs: number): void => {};
  const budget = new MemoryBudget({
    clock,
    memory: {
      uses: (): MemoryUse[] => [
        { kind: "heap", usedBytes: (state.live + state.garbage) * MIB, limitBytes: 100 * MIB },
        { kind: "process", usedBytes: 10 * MIB, limitBytes: 1000 * MIB },
      ],
      collect() {
        state.garbage = 0;
        state.collections += 1;
      },
      onCollected(call) {
        collected = call;
        return () => {};
      },
    },
  });
  const stop = budget.start({
    free() {
      state.freed += 1;
    },
    usedUp: (problem) => void state.usedUp.push(problem),
  });
  const levelAfter = (ms = 1_000): number => {
    clock.advanceBy(ms);
    return budget.level;
  };
  return { clock, state, budget, stop, levelAfter, collect: (durationMs: number) => collected(durationMs) };
}

describe("the budget of memory", () => {
  test("is short from two thirds of the heap on, and enough again below", () => {
    const { state, budget, levelAfter } = startProcess();
    expect([levelAfter(), budget.problem]).toEqual([0, undefined]);
    state.live = 70;
    expect(levelAfter()).toBe(1);
    expect(budget.problem).toBe("70 of 100 MB of the heap are in use (--max-old-space-size)");
    expect(state.freed).toBeGreaterThan(0);
    state.live = 60;
    expect([levelAfter(), budget.problem]).toEqual([0, undefined]);
    expect(state.usedUp).toEqual([]);
  });

  test("counts no garbage", () => {
    const { state, levelAfter } = startProcess();
    for (let second = 0; second < 60; second += 1) {
      state.garbage = 85;
      expect(levelAfter()).toBe(0);
    }
  });

  test("is used up once, before V8 counts its last collections, and says so once", () => {
    const { state, levelAfter } = startProcess();
    state.live = 79;
    expect(levelAfter()).toBe(2);
    state.live = 10;
    expect(levelAfter()).toBe(2);
    expect(state.usedUp).toEqual(["79 of 100 MB of the heap are in use (--max-old-space-size)"]);
  });

  test("asks for no collection while V8 makes its own", () => {
    const { state, collect, levelAfter } = startProcess();
    for (let quarter = 0; quarter < 100; quarter += 1) {
      state.garbage = 60;
      levelAfter(240);
      state.garbage = 0;
      collect(50);
    }
    expect(state.collections).toBe(0);
  });

  test("a long collection is seldom asked for", () => {
    const { state, collect, levelAfter } = startProcess();
    collect(2_000);
    state.live = 70;
    levelAfter(39_000);
    expect(state.collections).toBe(0);
    levelAfter(2_000);
    expect(state.collections).toBeGreaterThan(0);
  });

  test("where it may be used up nobody comes in until that is known", () => {
    const { state, collect, levelAfter } = startProcess();
    collect(2_000);
    state.garbage = 80;
    expect(levelAfter(1_000)).toBe(1);
    state.garbage = 0;
    collect(100);
    expect(levelAfter(1_000)).toBe(0);
    expect(state.usedUp).toEqual([]);
  });

  test("refuses to start where nothing is left for sessions, and names the least limit", () => {
    expect(() => startProcess(57).budget.checkStart()).not.toThrow();
    expect(() => startProcess(59).budget.checkStart()).toThrow(
      "Cannot start with this heap: 59 of 100 MB are in use before anyone has connected; --max-old-space-size must be at least 104 MB",
    );
  });

  test("collects garbage at the start only where it takes the room of the first sessions", () => {
    for (const [live, garbage, collections] of [
      [20, 37, 0],
      [20, 60, 1],
    ] as const) {
      const { budget, state } = startProcess(live, garbage);
      expect(() => budget.checkStart()).not.toThrow();
      expect(state.collections).toBe(collections);
    }
  });

  test("stops to look", () => {
    const { clock, stop } = startProcess();
    stop();
    expect(clock.nextMs).toBeUndefined();
  });
});

test("a process says what it has of memory", () => {
  const memory = processMemory();
  const [heap] = memory.uses();
  expect(heap?.kind).toBe("heap");
  expect(heap?.usedBytes).toBeGreaterThan(MIB);
  expect(heap?.limitBytes).toBeGreaterThan(heap?.usedBytes ?? 0);
});
