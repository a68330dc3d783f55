/** A budget per time: fills steadily up to a burst, and is taken from. */
import type { Stalls } from "./stalls.ts";

/** What a bucket is made of; many buckets share one. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/**
 * A token bucket that starts full. What piles up at our door while this process does not run comes in one lump, so
 * time in which it did not run fills the bucket beyond its burst.
 */
export class TokenBucket {
  readonly #rate: Rate;
  readonly #stalls: Stalls;
  #tokens: number;
  #atMs: number;
  #stalledMs: number;

  constructor(rate: Rate, stalls: Stalls) {
    this.#rate = rate;
    this.#stalls = stalls;
    this.#tokens = rate.burst;
    this.#atMs = stalls.now();
    this.#stalledMs = stalls.stalledMs();
  }

  /** Takes so many; false when there are not enough, and then takes none. */
  take(count: number): boolean {
    const nowMs = this.#stalls.now();
    const stalledMs = this.#stalls.stalledMs();
    const { perSecond, burst } = this.#rate;
    const stalled = stalledMs - this.#stalledMs;
    const ran = Math.max(0, nowMs - this.#atMs - stalled);
    // An earlier credit is kept until it is used, but no quiet time is added on top of it.
    const filled = Math.max(this.#tokens, Math.min(burst, this.#tokens + (ran * perSecond) / 1000));
    this.#tokens = filled + (stalled * perSecond) / 1000;
    this.#atMs = nowMs;
    this.#stalledMs = stalledMs;
    if (this.#tokens < count) return false;
    this.#tokens -= count;
    return true;
  }
}
