/** A rate limit: tokens arrive steadily, up to a burst. */
import type { Stalls } from "../runtime/stalls.ts";

/** The rate of a bucket; many buckets share one. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/**
 * A token bucket that starts full. What a peer sends while this process does not run arrives all at once, so that time
 * fills the bucket beyond its burst.
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

  /** Takes tokens; false, and takes none, when there are too few. */
  take(count: number): boolean {
    const nowMs = this.#stalls.now();
    const stalledMs = this.#stalls.stalledMs();
    const { perSecond, burst } = this.#rate;
    const stalled = stalledMs - this.#stalledMs;
    const ran = Math.max(0, nowMs - this.#atMs - stalled);
    // An earlier credit is kept until it is used, but idle time adds nothing to it.
    const filled = Math.max(this.#tokens, Math.min(burst, this.#tokens + (ran * perSecond) / 1000));
    this.#tokens = filled + (stalled * perSecond) / 1000;
    this.#atMs = nowMs;
    this.#stalledMs = stalledMs;
    if (this.#tokens < count) return false;
    this.#tokens -= count;
    return true;
  }
}
