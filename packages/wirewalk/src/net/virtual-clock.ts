/**
 * A **virtual clock**: time passes only when it is advanced, so ten minutes of play take as long as their computation, and
 * every run is the same.
 *
 * ```ts
 * import { VirtualClock } from "wirewalk/net";
 *
 * const clock = new VirtualClock();
 * const calls = [];
 * clock.every(100, () => calls.push(clock.now()));
 * clock.after(250, () => calls.push("once"));
 * clock.advanceTo(300);
 * calls; // => [100, 200, "once", 300]
 * clock.now(); // => 300
 * ```
 *
 * @module
 */
import type { Cancel, Clock } from "./clock.ts";

/** A planned call. */
interface Timer {
  atMs: number;
  /** Order of planning: calls at equal times are made in this order. */
  order: number;
  readonly call: () => void;
  /** Undefined for a single call. */
  readonly periodMs: number | undefined;
  /** Index in the heap, so that it can be removed without a search; -1 outside the heap. */
  place: number;
}

/**
 * Calls are made in the order of their times, at equal times in the order of planning; a periodic call is planned again
 * just before it is made. Planning, cancelling and calling take O(log n) for n planned calls.
 */
export class VirtualClock implements Clock {
  /** A binary heap: no timer is earlier than its parent, which has the place (place - 1) >> 1. */
  readonly #heap: Timer[] = [];
  #nowMs: number;
  #planned = 0;
  #advancing = false;

  constructor(startMs = 0) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  /** When the next planned call is made; undefined when none is planned. */
  get nextMs(): number | undefined {
    return this.#heap[0]?.atMs;
  }

  /** A delay below 0 counts as 0. Throws `RangeError` for NaN. */
  after(delayMs: number, call: () => void): Cancel {
    if (Number.isNaN(delayMs)) throw new RangeError("Cannot plan: delayMs is not a number");
    return this.#plan(Math.max(0, delayMs), undefined, call);
  }

  /** Throws `RangeError` unless `periodMs` is above 0: otherwise time would not advance. */
  every(periodMs: number, call: () => void): Cancel {
    if (!(periodMs > 0)) throw new RangeError(`Cannot plan: periodMs must be above 0, got ${periodMs}`);
    return this.#plan(periodMs, periodMs, call);
  }

  /**
   * Makes every call up to and including this time, also those planned by these calls. When a call throws, the clock stays
   * at that call's time and may be advanced again.
   * Throws `RangeError` for a time in the past, `Error` when called from within a call.
   */
  advanceTo(ms: number): void {
    if (!(ms >= this.#nowMs)) throw new RangeError(`Cannot advance to ${ms} ms: it is ${this.#nowMs} ms`);
    if (this.#advancing) throw new Error("Cannot advance: the clock is being advanced");
    this.#advancing = true;
    try {
      for (let timer = this.#heap[0]; timer !== undefined && timer.atMs <= ms; timer = this.#heap[0]) {
        this.#nowMs = timer.atMs;
        if (timer.periodMs === undefined) {
          this.#remove(timer);
        } else {
          timer.atMs += timer.periodMs;
          timer.order = this.#planned++;
          this.#sink(timer);
        }
        timer.call();
      }
      this.#nowMs = ms;
    } finally {
      this.#advancing = false;
    }
  }

  /** Like `advanceTo`, counted from now. */
  advanceBy(ms: number): void {
    this.advanceTo(this.#nowMs + ms);
  }

  #plan(delayMs: number, periodMs: number | undefined, call: () => void): Cancel {
    const place = this.#heap.length;
    const timer: Timer = { atMs: this.#nowMs + delayMs, order: this.#planned++, call, periodMs, place };
    this.#heap.push(timer);
    this.#rise(timer);
    return () => this.#remove(timer);
  }

  #remove(timer: Timer): void {
    if (timer.place < 0) return;
    const last = this.#heap.pop() as Timer;
    if (last !== timer) {
      last.place = timer.place;
      this.#heap[last.place] = last;
      this.#rise(last);
      this.#sink(last);
    }
    timer.place = -1;
  }

  #rise(timer: Timer): void {
    let place = timer.place;
    while (place > 0) {
      const parent = this.#heap[(place - 1) >> 1] as Timer;
      if (!isBefore(timer, parent)) break;
      this.#heap[place] = parent;
      [parent.place, place] = [place, parent.place];
    }
    this.#heap[place] = timer;
    timer.place = place;
  }

  #sink(timer: Timer): void {
    let place = timer.place;
    for (;;) {
      const left = this.#heap[2 * place + 1];
      const right = this.#heap[2 * place + 2];
      const child = left !== undefined && right !== undefined && isBefore(right, left) ? right : left;
      if (child === undefined || !isBefore(child, timer)) break;
      this.#heap[place] = child;
      [child.place, place] = [place, child.place];
    }
    this.#heap[place] = timer;
    timer.place = place;
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
