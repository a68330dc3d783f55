/**
 * What a client's packets may contain (standard 3.1 and 6.2), as soft rules: breaking one is flagged and not punished, since
 * a lost packet can make an honest client look odd (standard 8.3).
 *
 * ```ts
 * import { ConsistencyCheck, keySets } from "wirewalk/scrap-mechanic";
 *
 * const rules = new ConsistencyCheck();
 * const movement = (tick, keys, direction) => ({ tick, keys: keySets[keys], direction, yaw: 0, pitch: 64 });
 * rules.judge(movement(1, 4, 64), 1, false); // => []
 * rules.judge(movement(2, 12, 64), 2, false); // => []
 * rules.judge(movement(3, 8, 64), 3, false); // => []
 * rules.judge(movement(4, 8, 0), 4, false).map(({ rule }) => rule); // => ["sprint-standing", "direction-standing"]
 * ```
 */
import { maybe, number, type StateOf, state } from "../../world-kit/index.ts";
import { packBits, unpackMovement } from "../movement/packed-movement.ts";
import { keysByte, type PlayerMovement } from "../wire/player-movement.ts";
import { type ScrapLimits, scrapLimitDefaults } from "./limits.ts";

/** Names of the rules about single packets. */
export const consistencyRules = [
  "pitch",
  "sprint-standing",
  "sprint-start",
  "direction-standing",
  "keys-seated",
] as const;

/** What a packet did that no client does. */
export interface Inconsistency {
  readonly rule: (typeof consistencyRules)[number];
  readonly reason: string;
  readonly measured: number;
  readonly allowed: number;
  readonly unit: string;
}

/** The state of a `ConsistencyCheck`, as plain data. */
export const savedConsistency = state({
  /** The last movement, packed. */
  last: maybe(number),
  lastTick: number,
  sprintsStanding: number,
  /** Odd pairs of packets with a gap between, less what was forgiven until `gapTick`. */
  gaps: number,
  gapTick: number,
});
type SavedConsistency = StateOf<typeof savedConsistency>;

/** Judges one player's packets in the order of their ticks. */
export class ConsistencyCheck {
  readonly #limits: ScrapLimits;
  #last: PlayerMovement | undefined;
  readonly #state: Omit<SavedConsistency, "last"> = { lastTick: 0, sprintsStanding: 0, gaps: 0, gapTick: 0 };

  constructor(limits: ScrapLimits = scrapLimitDefaults) {
    this.#limits = limits;
  }

  /** `tick` is the movement's, counted on over 2^32. `seated`: the character has been seated for long enough that its client knows. */
  judge(movement: PlayerMovement, tick: number, seated: boolean): readonly Inconsistency[] {
    const found: Inconsistency[] = [];
    const { keys, pitch } = movement;
    const { maxPitch, maxSprintsStanding } = this.#limits;
    const before = this.#last;

    if (pitch > maxPitch) {
      found.push({
        rule: "pitch",
        reason: "Looks further up than straight up",
        measured: pitch,
        allowed: maxPitch,
        unit: "1/256 turn",
      });
    }
    this.#state.sprintsStanding = keys.sprint && !keys.horizontal ? this.#state.sprintsStanding + 1 : 0;
    const odd = before === undefined ? [] : this.#judgePair(before, movement);
    // What lies between two packets that do not follow each other may be lost, or was never sent: once is no evidence.
    if (tick === this.#state.lastTick + 1 || (odd.length > 0 && this.#countGap(tick))) found.push(...odd);
    if (this.#state.sprintsStanding > maxSprintsStanding && !found.some(({ rule }) => rule === "sprint-standing")) {
      found.push(this.#sprintStanding());
    }
    if (seated && keysByte(keys) !== 0) {
      found.push({
        rule: "keys-seated",
        reason: "Presses keys while seated",
        measured: keysByte(keys),
        allowed: 0,
        unit: "key bits",
      });
    }
    this.#last = movement;
    this.#state.lastTick = tick;
    return found;
  }

  /** What is odd about two packets of which one follows the other. */
  #judgePair(before: PlayerMovement, { keys, direction }: PlayerMovement): readonly Inconsistency[] {
    const odd: Inconsistency[] = [];
    if (!before.keys.horizontal && this.#state.sprintsStanding > 0) odd.push(this.#sprintStanding());
    if (keys.horizontal && keys.sprint && !before.keys.horizontal && !before.keys.sprint) {
      odd.push({
        rule: "sprint-start",
        reason: "Sprints in the very first packet from standstill",
        measured: 0,
        allowed: 1,
        unit: "packets without sprint",
      });
    }
    if (!keys.horizontal && direction !== before.direction) {
      const turned = Math.abs(((direction - before.direction + 128) & 255) - 128);
      odd.push({
        rule: "direction-standing",
        reason: "Changes the direction of walking while standing",
        measured: turned,
        allowed: 0,
        unit: "1/256 turn",
      });
    }
    return odd;
  }

  #sprintStanding(): Inconsistency {
    return {
      rule: "sprint-standing",
      reason: "Sprints on the spot for more than the one packet after stopping",
      measured: this.#state.sprintsStanding,
      allowed: 1,
      unit: "packets",
    };
  }

  /** An odd pair with a gap between, up to this tick. True when there are more of them than a network makes. */
  #countGap(tick: number): boolean {
    const { maxOddGaps, oddGapTicks } = this.#limits;
    this.#state.gaps = Math.max(0, this.#state.gaps - (tick - this.#state.gapTick) / oddGapTicks) + 1;
    this.#state.gapTick = tick;
    if (this.#state.gaps <= maxOddGaps) return false;
    this.#state.gaps = maxOddGaps;
    return true;
  }

  save(): SavedConsistency {
    return { last: this.#last && packBits(this.#last), ...this.#state };
  }

  /** Takes over a state. Throws `RangeError` for bits that are not a movement. */
  restore({ last, ...state }: SavedConsistency): void {
    this.#last = last === undefined ? undefined : unpackMovement({ tick: state.lastTick >>> 0, bits: last });
    Object.assign(this.#state, state);
  }
}
