import { describe, expect, test } from "vitest";
import { VirtualClock } from "wirewalk/net";
import { type HeapControl, limitMemory } from "./limit-memory.ts";

const MIB = 1024 * 1024;

/** A process whose young generation doubles every second while it may. */
function startProcess() {
  const clock = new VirtualClock();
  const state = { sessions: 0, youngBytes: MIB, mayGrow: true, releases: [] as number[] };
  const heap: HeapControl = {
    youngBytes: () => state.youngBytes,
    mayGrow: (may) => {
      state.mayGrow = may;
    },
    release: () => void state.releases.push(clock.now()),
  };
  const stop = limitMemory(clock, () => state.sessions, heap);
  return { clock, state, stop };
}

describe("the young generation", () => {
  test("grows to 16 MiB, and again when V8 has made it smaller", () => {
    const { clock, state } = startProcess();
    const live = (seconds: number): void => {
      for (let second = 0; second < seconds; second += 1) {
        clock.advanceBy(1_000);
        if (state.mayGrow) state.youngBytes *= 2;
      }
    };
    live(20);
    expect(state.youngBytes).toBe(16 * MIB);
    state.youngBytes = 2 * MIB;
    live(20);
    expect(state.youngBytes).toBe(16 * MIB);
  });

  test("may grow again without a limit when the server has stopped", () => {
    const { clock, state, stop } = startProcess();
    state.youngBytes = 64 * MIB;
    clock.advanceBy(1_000);
    expect(state.mayGrow).toBe(false);
    stop();
    expect(state.mayGrow).toBe(true);
  });

  test("is that of a real process", () => {
    const clock = new VirtualClock();
    const stop = limitMemory(clock, () => 0);
    clock.advanceBy(2_000);
    stop();
    expect(clock.nextMs).toBeUndefined();
  });
});

describe("free memory", () => {
  test("is given back once when most clients of a crowd have been away for ten seconds", () => {
    const { clock, state } = startProcess();
    state.sessions = 2_000;
    clock.advanceBy(60_000);
    state.sessions = 201;
    clock.advanceBy(60_000);
    expect(state.releases).toEqual([]);
    state.sessions = 200;
    const awayMs = clock.now();
    clock.advanceBy(60_000);
    expect(state.releases.length).toBe(1);
    expect((state.releases[0] ?? 0) - awayMs).toBeGreaterThanOrEqual(10_000);
    expect((state.releases[0] ?? 0) - awayMs).toBeLessThanOrEqual(11_000);
    // What is left is a crowd of its own.
    state.sessions = 20;
    clock.advanceBy(60_000);
    expect(state.releases.length).toBe(2);
  });

  test("is kept where others come in their place, and where there was no crowd", () => {
    const { clock, state } = startProcess();
    for (let times = 0; times < 5; times += 1) {
      state.sessions = 1_000;
      clock.advanceBy(5_000);
      state.sessions = 0;
      clock.advanceBy(9_000);
    }
    state.sessions = 1_000;
    clock.advanceBy(5_000);
    expect(state.releases).toEqual([]);
    const small = startProcess();
    small.state.sessions = 99;
    small.clock.advanceBy(5_000);
    small.state.sessions = 0;
    small.clock.advanceBy(60_000);
    expect(small.state.releases).toEqual([]);
  });
});
