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
 * for (let ms = 3100; ms <= 4600; ms += 100) pace.arrived(ms); // messages at a quick pace: the line works
 * pace.lateMs; // => 0
 * ```
 *
 * A burst may come in parts, when a packet of it is lost again and everything behind it waits. So what follows a silence keeps
 * its credit for `BURST_MS`, and a silence that begins within that time takes it along: once, or as often as silences are long
 * or messages come at once.
 *
 * @module
 */

/** A gap between two messages from here on may be a lost packet: the shortest time after which Linux sends one again. */
const QUIET_MS = 200;
/** How long after its first message the rest of a burst may take: a jitter of 500 ms and two retransmissions (600 ms). */
const BURST_MS = 1500;
/** Messages closer than this have waited for each other. A client sends one per frame of 16 ms at most. */
const TOGETHER_MS = 10;
/** So many of them show that a silence was a stall, and not a player that rests. */
const MANY = 3;
/** And so does a silence of this length: three retransmissions. */
const LONG_MS = 2000;
/** A silence of this length within a burst begins its time anew: more than two retransmissions. */
const PART_MS = 700;
/** Ceilings of the credit. */
export interface LinkPaceLimits {
  /** Default 6,000: a stall of 5 s, and a second for packets of it that are lost again. */
  readonly maxLateMs: number;
  /** The most that stalls of our own process add. Default 6,000. */
  readonly maxStalledMs: number;
}

const defaults: LinkPaceLimits = { maxLateMs: 6000, maxStalledMs: 6000 };

/** The state as plain data. Times are milliseconds. */
export interface SavedLinkPace {
  /** When the last message arrived. */
  readonly atMs: number;
  /** The end of the silence that the credit is for, and how late the first message after it may have been. */
  readonly burstMs: number;
  readonly burstLateMs: number;
  /** Whether that credit contains one of an earlier silence, and the silence between was short. */
  readonly carried: boolean;
  /** Messages since then that came together with the one before them. */
  readonly together: number;
  /** How late the last message may have been. */
  readonly lateMs: number;
}

/** The pace of one player's messages. Times must not decrease. */
export class LinkPace {
  readonly #limits: LinkPaceLimits;
  #state: SavedLinkPace;

  /** @param start when the player joined, or what {@link save} returned. Nothing is late that came before. */
  constructor(start: number | SavedLinkPace, limits: LinkPaceLimits = defaults) {
    this.#limits = limits;
    this.#state =
      typeof start === "number"
        ? { atMs: start, burstMs: start, burstLateMs: 0, carried: true, together: 0, lateMs: 0 }
        : { ...start };
  }

  /** When the last message arrived. */
  get atMs(): number {
    return this.#state.atMs;
  }

  /** The longest that the message which arrived last may have been held back, milliseconds: 0 to the sum of both limits. */
  get lateMs(): number {
    return this.#state.lateMs;
  }

  /**
   * A message has arrived.
   *
   * @param stalledMs how long our own process has stalled since the last one (`FairClock`): raises the ceiling.
   */
  arrived(nowMs: number, stalledMs = 0): void {
    const { atMs, burstMs, burstLateMs, carried, together } = this.#state;
    const gapMs = Math.max(0, nowMs - atMs);
    // A ceiling that was raised holds for the rest of the burst, and not after a silence as long as the longest stall: or who
    // sends all at once, after one silence and before the next, would keep it for ever.
    const { maxLateMs, maxStalledMs } = this.#limits;
    const raisedMs = maxLateMs + Math.min(maxStalledMs, Math.max(0, stalledMs));
    const ceilingMs = gapMs >= maxLateMs ? raisedMs : Math.max(burstLateMs, raisedMs);
    const bothMs = Math.min(ceilingMs, burstLateMs + Math.max(0, nowMs - burstMs));
    const isBurst = nowMs - burstMs <= BURST_MS;
    const wasStall = !carried || together >= MANY;
    const isSilence = gapMs >= QUIET_MS && (gapMs >= burstLateMs || (gapMs >= PART_MS && wasStall));
    if (isBurst && !isSilence) {
      const count = together + (gapMs < TOGETHER_MS ? 1 : 0);
      this.#state = { atMs: nowMs, burstMs, burstLateMs, carried, together: count, lateMs: bothMs };
      return;
    }
    const isPart = isBurst || (gapMs >= PART_MS && atMs - burstMs <= BURST_MS && wasStall);
    const ownMs = gapMs >= QUIET_MS ? Math.min(raisedMs, gapMs) : 0;
    const lateMs = isPart ? bothMs : ownMs;
    this.#state = {
      atMs: nowMs,
      burstMs: nowMs,
      burstLateMs: lateMs,
      carried: isPart && gapMs < LONG_MS,
      together: 0,
      lateMs,
    };
  }

  save(): SavedLinkPace {
    return { ...this.#state };
  }
}
