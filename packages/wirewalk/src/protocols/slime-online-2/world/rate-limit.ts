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
import { number, type StateOf, state, typedArray } from "../../world-kit/index.ts";
import { slimeLimitTable } from "./limits.ts";

/** The document's number: one message per frame. */
const DOCUMENTED_MOVES = slimeLimitTable.maxMovesPerSecond.default;

const WINDOW_MS = 1000;

/** The state as plain data. */
export const savedRate = state({
  /** The times of accepted messages that may still count, oldest first. */
  times: typedArray("Float64Array"),
  /** Messages that were not sent in the silence before, and up to when they are counted. */
  spare: number,
  atMs: number,
});
export type SavedRate = StateOf<typeof savedRate>;

/**
 * Records each message and refuses it when more than the limit lie in the last second: exactly sixty pass. A refused message does not stay in the history, so a flood never locks its sender out for longer than a second.
 * After a silence that may have been a stall, messages that could have been sent in it pass too: as many for each second of
 * it. A ring of the last times; allocates nothing per message.
 */
export class MovementRateLimiter {
  readonly #most: number;
  readonly #times: Float64Array;
  /** Index of the oldest time. */
  #oldest = 0;
  #spare = 0;
  #atMs: number;

  /**
   * @param start when the player joined, or what {@link save} returned. Throws `RangeError` for more times than a limiter
   *   holds.
   * @param most messages in a second.
   */
  constructor(start: number | SavedRate = 0, most: number = DOCUMENTED_MOVES) {
    this.#most = most;
    this.#times = new Float64Array(most).fill(-Infinity);
    if (typeof start === "number") {
      this.#atMs = start;
      return;
    }
    const { times, spare, atMs } = start;
    if (times.length > most) throw new RangeError(`Cannot restore: ${times.length} times of messages`);
    this.#times.set(times, most - times.length);
    this.#spare = spare;
    this.#atMs = atMs;
  }

  save(): SavedRate {
    const [ring, oldest, most] = [this.#times, this.#oldest, this.#most];
    // Empty places come first, from the oldest one on. One array is made: four of them took half the time of saving a world.
    let empty = 0;
    while (empty < most && ring[(oldest + empty) % most] === -Infinity) empty += 1;
    const times = new Float64Array(most - empty);
    for (let at = 0; at < times.length; at += 1) times[at] = ring[(oldest + empty + at) % most] as number;
    return { times, spare: this.#spare, atMs: this.#atMs };
  }

  /**
   * Whether a message at `now` (milliseconds, never decreasing) is within the limit; if so it is remembered.
   *
   * @param lateMs how late it may be: see `LinkPace`.
   */
  allow(now: number, lateMs = 0): boolean {
    const unsent = this.#spare + ((now - this.#atMs) * this.#most) / WINDOW_MS;
    const spare = Math.min(unsent, (lateMs * this.#most) / WINDOW_MS);
    this.#atMs = now;
    this.#spare = spare;
    // One more than the ring holds is one too many exactly while the oldest is less than a second old.
    if (now - (this.#times[this.#oldest] as number) < WINDOW_MS && spare < 1) return false;
    this.#spare = Math.max(0, spare - 1);
    this.#times[this.#oldest] = now;
    this.#oldest = (this.#oldest + 1) % this.#most;
    return true;
  }

  /** How many accepted messages are less than a second old at `now`: the measured value of a verdict is one more. */
  count(now: number): number {
    let count = 0;
    for (const time of this.#times) if (now - time < WINDOW_MS) count++;
    return count;
  }
}
