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
  /**
   * A binary heap: no timer is earlier than its parent, which has the place (place - 1) >> 1. What is compared lies side by side:
   * times, and the order of planning, in which calls at equal times are made.
   */
  readonly #heap: Timer[] = [];
  readonly #times: number[] = [];
  readonly #orders: number[] = [];
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
    return this.#times[0];
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
      for (let atMs = this.#times[0]; atMs !== undefined && atMs <= ms; atMs = this.#times[0]) {
        const timer = this.#heap[0] as Timer;
        this.#nowMs = atMs;
        if (timer.periodMs === undefined) this.#remove(timer);
        else this.#sink(0, timer, atMs + timer.periodMs, this.#planned++);
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
    const timer: Timer = { call, periodMs, place };
    const atMs = this.#nowMs + delayMs;
    const order = this.#planned++;
    this.#heap.push(timer);
    this.#times.push(atMs);
    this.#orders.push(order);
    this.#rise(place, timer, atMs, order);
    return () => this.#remove(timer);
  }

  #remove(timer: Timer): void {
    const { place } = timer;
    if (place < 0) return;
    const last = this.#heap.pop() as Timer;
    const atMs = this.#times.pop() as number;
    const order = this.#orders.pop() as number;
    timer.place = -1;
    if (last === timer) return;
    // Into the free place, or from there towards the first.
    this.#sink(place, last, atMs, order);
    if (last.place === place) this.#rise(place, last, atMs, order);
  }

  /** Puts a timer at a place, or at one that is nearer to the first. */
  #rise(from: number, timer: Timer, atMs: number, order: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#isAfter(parent, atMs, order)) break;
      this.#move(parent, place);
      place = parent;
    }
    this.#put(place, timer, atMs, order);
  }

  /** Puts a timer at a place, or at one that is further from the first. */
  #sink(from: number, timer: Timer, atMs: number, order: number): void {
    const { length } = this.#heap;
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= length) break;
      const right = child + 1;
      if (right < length && this.#isAfter(child, this.#times[right] as number, this.#orders[right] as number))
        child = right;
      if (this.#isAfter(child, atMs, order)) break;
      this.#move(child, place);
      place = child;
    }
    this.#put(place, timer, atMs, order);
  }

  #isAfter(place: number, atMs: number, order: number): boolean {
    const own = this.#times[place] as number;
    return own > atMs || (own === atMs && (this.#orders[place] as number) > order);
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#heap[from] as Timer, this.#times[from] as number, this.#orders[from] as number);
  }

  #put(place: number, timer: Timer, atMs: number, order: number): void {
    this.#heap[place] = timer;
    this.#times[place] = atMs;
    this.#orders[place] = order;
    timer.place = place;
  }
}
