/**
 * **Accumulated advantage**: the time or distance that a player has gained over what the rules allow. One late message is
 * no evidence of a cheat; a gain that grows is. Each claim of a player is paid from the time that has passed, and the gain that
 * is left may never exceed one tolerance: a claim above it is refused, and the server's correction takes the gain back.
 * Here the claims are seconds of travel:
 *
 * ```ts
 * import { AccumulatedAdvantage } from "wirewalk/motion";
 *
 * const advantage = new AccumulatedAdvantage({ tolerance: 0.75 });
 * advantage.take({ claimed: 1.5, moved: 1, waited: 0, credit: 0 }); // => { accepted: true, held: 0.5, allowed: 1.75 }
 * advantage.take({ claimed: 1.5, moved: 1, waited: 0, credit: 0 }).accepted; // => false
 * advantage.held; // => 0.5
 * ```
 *
 * Why an honest player is never refused: let two of its messages have delays d1 and d2. They are sent `s` apart and arrive
 * `s + d2 - d1` apart, and what lies between them takes at most `s`. So its gain is never above the range of its delays:
 * the tolerance covers what a working connection varies by, and the credit (`LinkPace.lateMs`) covers stalls.
 *
 * @module
 */

/** Limits of a measure. Both are of the unit of the claims: seconds, pixels, ticks. */
export interface AdvantageLimits {
  /** The most that a player may hold at any time, above 0. */
  readonly tolerance: number;
  /**
   * The share of moved time that is forgiven while a gain is held, 0 <= forgiven < 1: what is smaller than this is never
   * found, such as a crystal that is off by 0.0001. Default 0.
   */
  readonly forgiven?: number;
}

/** What one message claims, and what the rules allow for it. */
export interface AdvantageClaim {
  /** What the message used, at least. */
  readonly claimed: number;
  /** What was allowed since the last accepted claim, because the player was known to move. */
  readonly moved: number;
  /** The same while the player was believed to rest: saved up to `credit` alone. */
  readonly waited: number;
  /** The most that may be saved for later: how late the next messages may be. Bound it to a few seconds. */
  readonly credit: number;
}

/** The answer for one claim. */
export interface AdvantageJudgement {
  readonly accepted: boolean;
  /** The gain after the claim, accepted or not; below 0 it is credit. */
  readonly held: number;
  /** The most that could have been claimed. */
  readonly allowed: number;
}

/** The state as plain data. The limits are no part of it. */
export interface SavedAdvantage {
  readonly held: number;
}

/** A judgement of a claim by a player that holds `held`. For judges that keep states as plain data; changes nothing. */
export function judgeAdvantage(limits: AdvantageLimits, held: number, claim: AdvantageClaim): AdvantageJudgement {
  const { tolerance, forgiven = 0 } = limits;
  const credit = Math.max(0, claim.credit);
  // Old credit above the ceiling is lost too: it was given for messages that have arrived by now.
  const rested = Math.max(-credit, held - Math.max(0, claim.waited));
  const moved = Math.max(0, claim.moved);
  const faded = rested > 0 ? Math.max(0, rested - moved * forgiven) : rested;
  const before = faded - moved;
  const after = before + claim.claimed;
  return { accepted: after <= tolerance, held: Math.max(-credit, after), allowed: tolerance - before };
}

/** The advantage of one player by one measure. */
export class AccumulatedAdvantage {
  readonly #limits: AdvantageLimits;
  #held: number;

  /** @param saved what {@link save} returned. Throws `RangeError` for impossible limits or a `held` that is no number. */
  constructor(limits: AdvantageLimits, saved: SavedAdvantage = { held: 0 }) {
    const { tolerance, forgiven = 0 } = limits;
    if (!(tolerance > 0)) throw new RangeError(`tolerance must be above 0, got ${tolerance}`);
    if (!(forgiven >= 0 && forgiven < 1)) throw new RangeError(`forgiven must be within 0..1, got ${forgiven}`);
    if (!Number.isFinite(saved.held)) throw new RangeError(`Cannot restore: held must be finite, got ${saved.held}`);
    this.#limits = limits;
    this.#held = saved.held;
  }

  /** The gain; below 0 it is credit. Never above the tolerance. */
  get held(): number {
    return this.#held;
  }

  /** The judgement of a claim. Changes nothing. */
  judge(claim: AdvantageClaim): AdvantageJudgement {
    return judgeAdvantage(this.#limits, this.#held, claim);
  }

  /** Judges a claim and, when it is accepted, keeps what the player holds after it. A refused claim changes nothing. */
  take(claim: AdvantageClaim): AdvantageJudgement {
    const judgement = this.judge(claim);
    if (judgement.accepted) this.#held = judgement.held;
    return judgement;
  }

  save(): SavedAdvantage {
    return { held: this.#held };
  }
}
