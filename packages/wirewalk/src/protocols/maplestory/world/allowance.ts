/**
 * An **allowance**: an amount that grows back with time up to a ceiling, and is spent. It measures what an honest client
 * may do now and then and a cheat does all the time.
 *
 * ```ts
 * const asks = new Allowance({ most: 2, perSecond: 1 }, 0);
 * asks.spend(1, 0); // true
 * asks.spend(1, 0); // true
 * asks.spend(1, 0); // false: nothing is left, and nothing is spent
 * asks.spend(1, 1000); // true
 * ```
 */
import { number, type StateOf, state } from "../../world-kit/index.ts";

/** The limits of an allowance. */
export interface AllowanceLimits {
  /** The ceiling, and the amount at the beginning. */
  readonly most: number;
  readonly perSecond: number;
}

/** An allowance as plain data. */
export const savedAllowance = state({ left: number, atMs: number });
export type SavedAllowance = StateOf<typeof savedAllowance>;

export class Allowance {
  readonly #limits: AllowanceLimits;
  #left: number;
  #atMs: number;

  /** A full one. */
  constructor(limits: AllowanceLimits, nowMs: number) {
    this.#limits = limits;
    this.#left = limits.most;
    this.#atMs = nowMs;
  }

  static restore(limits: AllowanceLimits, { left, atMs }: SavedAllowance): Allowance {
    const allowance = new Allowance(limits, atMs);
    allowance.#left = left;
    return allowance;
  }

  save(): SavedAllowance {
    return { left: this.#left, atMs: this.#atMs };
  }

  left(nowMs: number): number {
    const { most, perSecond } = this.#limits;
    return Math.min(most, this.#left + (Math.max(0, nowMs - this.#atMs) * perSecond) / 1000);
  }

  /** Spends an amount. Where less is left it returns false and changes nothing. */
  spend(amount: number, nowMs: number): boolean {
    const left = this.left(nowMs);
    if (left < amount) return false;
    this.#left = left - amount;
    this.#atMs = nowMs;
    return true;
  }
}
