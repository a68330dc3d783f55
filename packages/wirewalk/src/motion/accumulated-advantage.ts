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
 * advantage.take({ claimed: 1.5, passed: 1, credit: 0 }); // => { accepted: true, held: 0.5, allowed: 1.75 }
 * advantage.take({ claimed: 1.5, passed: 1, credit: 0 }).accepted; // => false
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
   * The share of what passes that is forgiven while a gain is held, 0 <= forgiven < 1: a smaller gain is never found, such
   * as a crystal that is off by 0.0001. Default 0.
   */
  readonly forgiven?: number;
}

/** What one message claims, and what the rules allow for it. */
export interface AdvantageClaim {
  /** What the message used, at least. */
  readonly claimed: number;
  /**
   * What the rules allow for the time since the last accepted claim. Bound it to a few seconds where the player was believed
   * to rest: a player that waited for ten minutes has not been moving for ten minutes.
   */
  readonly passed: number;
  /** The most that may be saved for later claims: how late the next messages may be (`LinkPace.lateMs`). */
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

/** The state as plain data. The limits are not part of it. */
export interface SavedAdvantage {
  readonly held: number;
}

/** A judgement of a claim by a player that holds `held`. For judges that keep states as plain data; changes nothing. */
export function judgeAdvantage(limits: AdvantageLimits, held: number, claim: AdvantageClaim): AdvantageJudgement {
  const { tolerance, forgiven = 0 } = limits;
  const passed = Math.max(0, claim.passed);
  const faded = held > 0 ? Math.max(0, held - passed * forgiven) : held;
  const before = faded - passed;
  const after = before + claim.claimed;
  // Bounded after it is paid: what this message claims may have begun with the last one, which was late by the old credit.
  return {
    accepted: after <= tolerance,
    held: Math.max(0 - Math.max(0, claim.credit), after),
    allowed: tolerance - before,
  };
}

/** The advantage of one player by one measure. */
export class AccumulatedAdvantage {
  readonly #limits: AdvantageLimits;
  #held: number;

  /** @param saved what {@link save} returned. Throws `RangeError` for impossible limits or a `held` that is not a number. */
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
