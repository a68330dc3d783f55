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

import { number, type StateOf, state } from "../../world-kit/index.ts";
import { mapleRuleDefaults } from "./limits.ts";

/** Milliseconds that can be saved up where the caller knows no better: a delay after which a connection delivers all at once. */
const MAX_CREDIT_MS = 5000;

/** A duration budget as plain data. */
export const savedDurationBudget = state({ creditMs: number, atMs: number });
export type SavedDurationBudget = StateOf<typeof savedDurationBudget>;

export class DurationBudget {
  readonly #clockTolerance: number;
  #creditMs: number;
  #atMs: number;

  /** Starts now, with credit where the client may have started earlier. */
  constructor(nowMs: number, creditMs = 0, clockTolerance: number = mapleRuleDefaults.clockTolerance) {
    this.#clockTolerance = clockTolerance;
    this.#atMs = nowMs;
    this.#creditMs = creditMs;
  }

  static restore({ creditMs, atMs }: SavedDurationBudget, clockTolerance: number): DurationBudget {
    return new DurationBudget(atMs, creditMs, clockTolerance);
  }

  save(): SavedDurationBudget {
    return { creditMs: this.#creditMs, atMs: this.#atMs };
  }

  /**
   * Milliseconds that the client may still report.
   * @param ceilingMs the most that can be saved up, as far as the connection has shown.
   */
  available(nowMs: number, ceilingMs: number = MAX_CREDIT_MS): number {
    return Math.min(ceilingMs, this.#creditMs + Math.max(0, nowMs - this.#atMs) * this.#clockTolerance);
  }

  /** Spends. The budget never goes below zero: a debt would flag every later path for the same excess again. */
  spend(ms: number, nowMs: number, ceilingMs: number = MAX_CREDIT_MS): void {
    this.#creditMs = Math.max(0, this.available(nowMs, ceilingMs) - ms);
    this.#atMs = nowMs;
  }
}
