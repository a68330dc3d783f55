import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Cancel, Clock } from "./clock.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** The same rules over a list that is sorted for every call. */
class SortedListClock implements Clock {
  #nowMs = 0;
  #order = 0;
  #timers: { atMs: number; order: number; periodMs: number | undefined; call: () => void }[] = [];

  now = (): number => this.#nowMs;
  after = (delayMs: number, call: () => void): Cancel => this.#plan(delayMs, undefined, call);
  every = (periodMs: number, call: () => void): Cancel => this.#plan(periodMs, periodMs, call);

  advanceTo(ms: number): void {
    for (;;) {
      const [timer] = this.#timers.toSorted((a, b) => a.atMs - b.atMs || a.order - b.order);
      if (timer === undefined || timer.atMs > ms) break;
      this.#nowMs = timer.atMs;
      if (timer.periodMs === undefined) this.#timers = this.#timers.filter((each) => each !== timer);
      else {
        timer.atMs += timer.periodMs;
        timer.order = this.#order++;
      }
      timer.call();
    }
    this.#nowMs = ms;
  }

  #plan(delayMs: number, periodMs: number | undefined, call: () => void): Cancel {
    const timer = { atMs: this.#nowMs + delayMs, order: this.#order++, periodMs, call };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }
}

type Step =
  | { readonly step: "after"; readonly delayMs: number; readonly inner: readonly Step[] }
  | { readonly step: "every"; readonly periodMs: number }
  | { readonly step: "cancel"; readonly which: number };

const { steps } = fc.letrec<{ steps: Step[]; step: Step }>((tie) => ({
  // Few different times, so that many calls meet.
  step: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ step: fc.constant("cancel" as const), which: fc.nat(40) }),
    fc.record({ step: fc.constant("every" as const), periodMs: fc.integer({ min: 3, max: 20 }) }),
    fc.record({ step: fc.constant("after" as const), delayMs: fc.nat(20), inner: tie("steps") }),
  ),
  steps: fc.array(tie("step"), { maxLength: 12 }),
}));

/** What the steps write into a log, each with its time. */
function play(
  clock: Clock & { advanceTo(ms: number): void },
  plan: readonly Step[],
  stops: readonly number[],
): string[] {
  const log: string[] = [];
  const cancels: Cancel[] = [];
  const take = (each: Step): void => {
    const name = cancels.length;
    if (each.step === "cancel") cancels[each.which]?.();
    else if (each.step === "every") cancels.push(clock.every(each.periodMs, () => log.push(`${name} ${clock.now()}`)));
    else
      cancels.push(
        clock.after(each.delayMs, () => {
          log.push(`${name} ${clock.now()}`);
          each.inner.forEach(take);
        }),
      );
  };
  plan.forEach(take);
  for (const ms of stops) {
    clock.advanceTo(ms);
    log.push(`at ${clock.now()}`);
  }
  return log;
}

describe("VirtualClock", () => {
  test("any plan is kept as a sorted list would keep it", () => {
    const stops = fc.uniqueArray(fc.nat(100), { maxLength: 4 }).map((each) => each.sort((a, b) => a - b));
    fc.assert(
      fc.property(steps, stops, (plan, times) => {
        expect(play(new VirtualClock(), plan, times)).toEqual(play(new SortedListClock(), plan, times));
      }),
      { numRuns: 500 },
    );
  });

  test("time stands still until the clock is advanced, and no timer is called early", () => {
    const clock = new VirtualClock(1000);
    const events: number[] = [];
    clock.after(0, () => events.push(clock.now()));
    clock.after(10, () => events.push(clock.now()));
    expect([clock.now(), events]).toEqual([1000, []]);
    clock.advanceBy(9.5);
    expect([clock.now(), events]).toEqual([1009.5, [1000]]);
    clock.advanceTo(1010);
    expect(events).toEqual([1000, 1010]);
  });

  test("calls at the same time come in the order of planning", () => {
    const clock = new VirtualClock();
    const events: string[] = [];
    clock.after(5, () => events.push("first"));
    clock.after(2, () => clock.after(3, () => events.push("third")));
    clock.after(5, () => events.push("second"));
    clock.advanceTo(5);
    expect(events).toEqual(["first", "second", "third"]);
  });

  test("a call may cancel others, itself, and what it has just planned", () => {
    const clock = new VirtualClock();
    const events: number[] = [];
    const cancelOther = clock.after(5, () => events.push(-1));
    const cancelSelf = clock.every(2, () => {
      events.push(clock.now());
      if (clock.now() < 4) return;
      cancelOther();
      cancelSelf();
      clock.after(0, () => events.push(-2))();
    });
    clock.advanceTo(100);
    expect(events).toEqual([2, 4]);
  });

  test("cancelling twice, or after the call, takes nothing else out", () => {
    const clock = new VirtualClock();
    const events: string[] = [];
    const cancelCalled = clock.after(1, () => events.push("called"));
    const cancelled = clock.after(2, () => events.push("cancelled"));
    clock.after(3, () => events.push("stays"));
    clock.advanceTo(1);
    cancelCalled();
    cancelled();
    cancelled();
    clock.advanceTo(10);
    expect(events).toEqual(["called", "stays"]);
  });

  test("a call that throws leaves the clock at its time, ready to go on", () => {
    const clock = new VirtualClock();
    const events: number[] = [];
    clock.after(1, () => {
      throw new Error("broken");
    });
    clock.after(2, () => events.push(clock.now()));
    expect(() => clock.advanceTo(10)).toThrow("broken");
    expect([clock.now(), events]).toEqual([1, []]);
    clock.advanceTo(10);
    expect(events).toEqual([2]);
  });

  test("time does not run backwards, not from within a call, and periods must take time", () => {
    const clock = new VirtualClock(5);
    expect(() => clock.advanceTo(4)).toThrow(RangeError);
    expect(() => clock.advanceTo(Number.NaN)).toThrow(RangeError);
    expect(() => clock.every(0, () => {})).toThrow(RangeError);
    expect(() => clock.after(Number.NaN, () => {})).toThrow(RangeError);
    clock.after(0, () => clock.advanceBy(1));
    expect(() => clock.advanceBy(1)).toThrow("being advanced");
  });
});
