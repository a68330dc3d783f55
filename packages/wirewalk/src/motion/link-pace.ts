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
 * pace.arrived(3010); // the rest of the burst
 * pace.lateMs; // => 3010
 * for (let ms = 3100; ms <= 3800; ms += 100) pace.arrived(ms); // messages at a quick pace: the line works
 * pace.lateMs; // => 0
 * ```
 *
 * A burst may come in parts, when a packet of it is lost again and everything behind it waits. So what follows a silence keeps
 * its credit for `BURST_MS`, and one more silence that begins within that time takes it along.
 *
 * @module
 */

/** A gap between two messages from here on may be a lost packet: the shortest time after which Linux sends one again. */
const QUIET_MS = 200;
/** How long after its first message the rest of a burst may take: a jitter of 500 ms, or two retransmissions (600 ms). */
const BURST_MS = 700;
/** The ceiling of the credit: a stall of 5 s, and a second for packets of it that are lost again. */
const MAX_LATE_MS = 6000;
/** The most that stalls of our own process add to the ceiling. */
const MAX_STALLED_MS = 6000;

/** The state as plain data. Times are milliseconds. */
export interface SavedLinkPace {
  /** When the last message arrived. */
  readonly atMs: number;
  /** The end of the silence that the credit is for, and how late the first message after it may have been. */
  readonly burstMs: number;
  readonly burstLateMs: number;
  /** Whether that credit contains one of an earlier silence. */
  readonly carried: boolean;
  /** How late the last message may have been. */
  readonly lateMs: number;
}

/** The pace of one player's messages. Times must not decrease. */
export class LinkPace {
  #state: SavedLinkPace;

  /** @param start when the player joined, or what {@link save} returned. Nothing is late that came before. */
  constructor(start: number | SavedLinkPace) {
    this.#state =
      typeof start === "number"
        ? { atMs: start, burstMs: start, burstLateMs: 0, carried: true, lateMs: 0 }
        : { ...start };
  }

  /** When the last message arrived. */
  get atMs(): number {
    return this.#state.atMs;
  }

  /** The longest that the message which arrived last may have been held back, milliseconds: 0 to 12 s. */
  get lateMs(): number {
    return this.#state.lateMs;
  }

  /**
   * A message has arrived.
   *
   * @param stalledMs how long our own process has stalled since the last one (`FairClock`): raises the ceiling.
   */
  arrived(nowMs: number, stalledMs = 0): void {
    const { atMs, burstMs, burstLateMs, carried } = this.#state;
    const gapMs = Math.max(0, nowMs - atMs);
    const ceilingMs = Math.max(
      // A ceiling that was raised holds for the rest of the burst.
      burstLateMs,
      MAX_LATE_MS + Math.min(MAX_STALLED_MS, Math.max(0, stalledMs)),
    );
    const togetherMs = Math.min(ceilingMs, burstLateMs + Math.max(0, nowMs - burstMs));
    const isBurst = nowMs - burstMs <= BURST_MS;
    if (isBurst && !(gapMs >= QUIET_MS && gapMs >= burstLateMs)) {
      this.#state = { atMs: nowMs, burstMs, burstLateMs, carried, lateMs: togetherMs };
      return;
    }
    const isPart = isBurst || (gapMs > BURST_MS && atMs - burstMs <= BURST_MS && !carried);
    const ownMs = gapMs >= QUIET_MS ? Math.min(ceilingMs, gapMs) : 0;
    const lateMs = isPart ? togetherMs : ownMs;
    this.#state = { atMs: nowMs, burstMs: nowMs, burstLateMs: lateMs, carried: isPart, lateMs };
  }

  save(): SavedLinkPace {
    return { ...this.#state };
  }
}
