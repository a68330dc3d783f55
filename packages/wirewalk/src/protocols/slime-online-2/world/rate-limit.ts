/**
 * At most sixty movement messages a second from one player.
 *
 * ```ts
 * const limiter = new MovementRateLimiter();
 * limiter.allow(0); // true, and fifty-nine times more within the second
 * ```
 *
 * Source: docs/protocols/slime-online-2.md 8.2.
 */

/** The document's number: one message per frame. */
export const maxMovesPerSecond = 60;

const windowMs = 1000;

/**
 * Records each message and refuses it when more than {@link maxMovesPerSecond} lie in the last second: exactly sixty
 * pass. A refused message does not stay in the history, so a flood never locks its sender out for longer than a second.
 * A ring of the last sixty times; allocates nothing per message.
 */
export class MovementRateLimiter {
  readonly #times = new Float64Array(maxMovesPerSecond).fill(-Infinity);
  /** Index of the oldest time. */
  #oldest = 0;

  /** @param saved what {@link save} returned. Throws `RangeError` for more times than a limiter holds. */
  constructor(saved: ArrayLike<number> = []) {
    if (saved.length > maxMovesPerSecond) throw new RangeError(`Cannot restore: ${saved.length} times of messages`);
    this.#times.set(saved, maxMovesPerSecond - saved.length);
  }

  /** The times of accepted messages, oldest first. */
  save(): Float64Array {
    const times = new Float64Array(maxMovesPerSecond);
    times.set(this.#times.subarray(this.#oldest));
    times.set(this.#times.subarray(0, this.#oldest), maxMovesPerSecond - this.#oldest);
    const first = times.findIndex((time) => time !== -Infinity);
    return first < 0 ? new Float64Array() : times.slice(first);
  }

  /** Whether a message at `now` (milliseconds, never decreasing) is within the limit; if so it is remembered. */
  allow(now: number): boolean {
    // One more than the ring holds is one too many exactly while the oldest is less than a second old.
    if (now - (this.#times[this.#oldest] as number) < windowMs) return false;
    this.#times[this.#oldest] = now;
    this.#oldest = (this.#oldest + 1) % maxMovesPerSecond;
    return true;
  }

  /** How many accepted messages are less than a second old at `now`: the measured value of a verdict is one more. */
  count(now: number): number {
    let count = 0;
    for (const time of this.#times) if (now - time < windowMs) count++;
    return count;
  }
}
