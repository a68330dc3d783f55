/**
 * **Fair clock**: the stalls of our own process, as a world sees them: its ticks come late. Times of a world are those of the
 * real clock, since players move on while we stall; what a stall delays is credit, and `LinkPace` and the rules of a game
 * ask here for how much.
 *
 * ```ts
 * import { FairClock } from "wirewalk/motion";
 *
 * const clock = new FairClock({ tickMs: 50 });
 * clock.tick(0);
 * clock.tick(52); // a little late
 * clock.stalledMs(90); // => 0
 * clock.stalledMs(3122); // => 3000
 * clock.tick(3122); // the tick that was due at 102
 * clock.stalledMs(3150); // => 3000
 * clock.fairMs(3150); // => 150
 * ```
 *
 * @module
 */

export interface FairClockOptions {
  /** Milliseconds between two ticks. */
  readonly tickMs: number;
  /** This much of a delay is not a stall. Default 20: timers of a busy process are late by that. */
  readonly toleranceMs?: number;
}

/** The state as plain data. */
export interface SavedFairClock {
  /** When the last tick came, milliseconds; undefined before the first. */
  readonly tickedMs: number | undefined;
  /** All stalls before that tick, milliseconds. */
  readonly totalMs: number;
}

/** One for each world. Times must not decrease. */
export class FairClock {
  readonly #tickMs: number;
  readonly #toleranceMs: number;
  #tickedMs: number | undefined;
  #totalMs: number;

  /** @param saved what {@link save} returned. */
  constructor(
    { tickMs, toleranceMs = 20 }: FairClockOptions,
    saved: SavedFairClock = { tickedMs: undefined, totalMs: 0 },
  ) {
    this.#tickMs = tickMs;
    this.#toleranceMs = toleranceMs;
    this.#tickedMs = saved.tickedMs;
    this.#totalMs = saved.totalMs;
  }

  /** A tick of the world. */
  tick(nowMs: number): void {
    this.#totalMs = this.stalledMs(nowMs);
    this.#tickedMs = nowMs;
  }

  /**
   * All stalls until now, milliseconds; never decreases, and nor does `fairMs`. A message that is read right after a stall comes before the late
   * tick: that tick is overdue already and counts. 0 before the first tick.
   */
  stalledMs(nowMs: number): number {
    if (this.#tickedMs === undefined) return this.#totalMs;
    return this.#totalMs + Math.max(0, nowMs - this.#tickedMs - this.#tickMs - this.#toleranceMs);
  }

  /** The clock without our stalls: for deadlines, which must not pass while we could not read. */
  fairMs(nowMs: number): number {
    return nowMs - this.stalledMs(nowMs);
  }

  save(): SavedFairClock {
    return { tickedMs: this.#tickedMs, totalMs: this.#totalMs };
  }
}
