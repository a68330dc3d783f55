/**
 * **Link pace**: how late the messages of one player may be by now. A stall of a connection, or of our own process, delays
 * what was sent, and while it lasts nothing arrives: so a message can be later than the connection's usual jitter only after
 * a silence. A rule that measures by arrival gives this much credit, and no more.
 *
 * ```ts
 * import { LinkPace } from "wirewalk/motion";
 *
 * const pace = new LinkPace(0);
 * pace.arrived(3000); // after three seconds of silence
 * pace.lateMs; // => 3000
 * pace.arrived(3000); // the rest of the burst
 * pace.lateMs; // => 3000
 * for (let ms = 3100; ms <= 3800; ms += 100) pace.arrived(ms); // messages at their usual pace: the link works
 * pace.lateMs; // => 0
 * ```
 *
 * A burst may come in parts, when a packet of it is lost again. So silences add up, and only messages that are less than
 * `QUIET_MS` apart for `LIVE_MS` show that nothing is held back any more.
 *
 * @module
 */

/** From here on a gap between two messages may be a lost packet: the shortest time after which Linux sends one again. */
const QUIET_MS = 200;
/** Messages without such a gap for this long: the link works. Longer than what a jitter of 500 ms spreads a burst over. */
const LIVE_MS = 700;
/** The ceiling of the credit: a stall of 5 s, and a second for packets of it that are lost again. */
const MAX_LATE_MS = 6000;
/** The most that stalls of our own process add to the ceiling. */
const MAX_STALLED_MS = 6000;

/** The state as plain data. Times are milliseconds. */
export interface SavedLinkPace {
  /** When the last message arrived. */
  readonly atMs: number;
  /** When the last silence ended. */
  readonly quietEndMs: number;
  /** How late messages may be since then. */
  readonly lateMs: number;
}

/** The pace of one player's messages. Times must not decrease. */
export class LinkPace {
  #atMs: number;
  #quietEndMs: number;
  #lateMs: number;

  /** @param start when the player joined, or what {@link save} returned. Nothing is late that came before. */
  constructor(start: number | SavedLinkPace) {
    const saved = typeof start === "number" ? { atMs: start, quietEndMs: start, lateMs: 0 } : start;
    this.#atMs = saved.atMs;
    this.#quietEndMs = saved.quietEndMs;
    this.#lateMs = saved.lateMs;
  }

  /** When the last message arrived. */
  get atMs(): number {
    return this.#atMs;
  }

  /** The longest that the message which arrived last may have been held back, milliseconds: 0 to 12 s. */
  get lateMs(): number {
    return this.#lateMs;
  }

  /**
   * A message has arrived.
   *
   * @param stalledMs how long our own process has stalled since the last one (`FairClock`): raises the ceiling.
   */
  arrived(nowMs: number, stalledMs = 0): void {
    const gapMs = Math.max(0, nowMs - this.#atMs);
    this.#atMs = Math.max(this.#atMs, nowMs);
    if (gapMs >= QUIET_MS) {
      const ceilingMs = MAX_LATE_MS + Math.min(MAX_STALLED_MS, Math.max(0, stalledMs));
      this.#lateMs = Math.min(ceilingMs, this.#lateMs + gapMs);
      this.#quietEndMs = nowMs;
    } else if (nowMs - this.#quietEndMs >= LIVE_MS) this.#lateMs = 0;
  }

  save(): SavedLinkPace {
    return { atMs: this.#atMs, quietEndMs: this.#quietEndMs, lateMs: this.#lateMs };
  }
}
