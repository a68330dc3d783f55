/**
 * **Stalls**: time in which this process did not run, measured by a timer that came late. Deadlines of sessions are
 * measured in *fair* time, which leaves stalls out, so that no session ends because this process did not read.
 */
import type { Cancel, Clock } from "wirewalk/net";

/** Between two checks of the clock. A shorter period costs wake-ups, a longer one sees short stalls later. */
const PERIOD_MS = 25;
/** A timer is late by this much on a machine that does nothing else. */
const TOLERANCE_MS = 5;
/** The worst lag is that of the current and the last such span, so that every scrape of the metrics sees it. */
const WORST_SPAN_MS = 15_000;

export class Stalls {
  readonly #clock: Clock;
  readonly #cancel: Cancel;
  #totalMs = 0;
  #dueMs: number;
  #worstMs = 0;
  #lastWorstMs = 0;
  #spanEndsMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    const nowMs = clock.now();
    this.#dueMs = nowMs + PERIOD_MS;
    this.#spanEndsMs = nowMs + WORST_SPAN_MS;
    this.#cancel = clock.every(PERIOD_MS, () => this.#check());
  }

  now(): number {
    return this.#clock.now();
  }

  /** All stalls so far, the one that just ended included: never runs backwards. */
  stalledMs(): number {
    // After a stall the loop first handles what has arrived, and runs timers later: the lateness of the timer counts already.
    return this.#totalMs + Math.max(0, this.#clock.now() - this.#dueMs - TOLERANCE_MS);
  }

  /** The clock without the stalls. */
  fairNow(): number {
    return this.#clock.now() - this.stalledMs();
  }

  /** The greatest delay of a timer in the last 15 to 30 seconds. */
  get worstMs(): number {
    return Math.max(this.#worstMs, this.#lastWorstMs);
  }

  stop(): void {
    this.#cancel();
  }

  #check(): void {
    const nowMs = this.#clock.now();
    const lateMs = Math.max(0, nowMs - this.#dueMs);
    this.#totalMs += Math.max(0, lateMs - TOLERANCE_MS);
    this.#dueMs = nowMs + PERIOD_MS;
    if (nowMs >= this.#spanEndsMs) {
      this.#lastWorstMs = this.#worstMs;
      this.#worstMs = 0;
      this.#spanEndsMs = nowMs + WORST_SPAN_MS;
    }
    this.#worstMs = Math.max(this.#worstMs, lateMs);
  }
}
