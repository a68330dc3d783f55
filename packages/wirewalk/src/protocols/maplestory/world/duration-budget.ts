/**
 * A **duration budget**: how much movement a client may report. Paths carry durations; their sum must not exceed the time
 * that has passed on the server, plus what a slow connection may have held back.
 *
 * It is a token bucket. Scrap Mechanic's time budget is another thing: it schedules numbered ticks and estimates the peer's
 * clock from them. A path has no tick number, so only the sum of its durations can be compared.
 *
 * ```ts
 * const budget = new DurationBudget(0);
 * budget.available(1000); // 1010
 * budget.spend(510, 1000);
 * budget.available(1000); // 500
 * ```
 */

/** Milliseconds that can be saved up: the longest delay after which a connection delivers everything at once. */
const MAX_CREDIT_MS = 5000;
/** A client's clock may run this much faster than ours: quartz does not, the timer of a busy machine does. */
const CLOCK_TOLERANCE = 1.01;

/** A duration budget as plain data. */
export interface SavedDurationBudget {
  readonly creditMs: number;
  readonly atMs: number;
}

export class DurationBudget {
  #creditMs: number;
  #atMs: number;

  /** Starts now, with credit where the client may have started earlier. */
  constructor(nowMs: number, creditMs = 0) {
    this.#atMs = nowMs;
    this.#creditMs = creditMs;
  }

  static restore({ creditMs, atMs }: SavedDurationBudget): DurationBudget {
    return new DurationBudget(atMs, creditMs);
  }

  save(): SavedDurationBudget {
    return { creditMs: this.#creditMs, atMs: this.#atMs };
  }

  /** Milliseconds that the client may still report. */
  available(nowMs: number): number {
    return Math.min(MAX_CREDIT_MS, this.#creditMs + Math.max(0, nowMs - this.#atMs) * CLOCK_TOLERANCE);
  }

  /** Spends. The budget never goes below zero: a debt would flag every later path for the same excess again. */
  spend(ms: number, nowMs: number): void {
    this.#creditMs = Math.max(0, this.available(nowMs) - ms);
    this.#atMs = nowMs;
  }
}
