/**
 * **Correction record**: when corrections of one player add up to a penalty. One correction is not evidence, and many of
 * them are, however slowly they come: a few in a minute, or more of them in hours.
 *
 * ```ts
 * import { CorrectionRecord } from "wirewalk/motion";
 *
 * const record = new CorrectionRecord({ apartMs: 1000, limits: [{ count: 5, withinMs: 60_000 }] });
 * for (let ms = 0; ms < 50_000; ms += 10_000) record.add(ms);
 * record.exceeded(50_000); // => undefined
 * record.add(50_000);
 * record.exceeded(50_000); // => { count: 5, withinMs: 60000 }
 * ```
 *
 * @module
 */

/** More than `count` corrections less than `withinMs` old are a penalty. */
export interface CorrectionLimit {
  readonly count: number;
  readonly withinMs: number;
}

export interface CorrectionRecordOptions {
  readonly limits: readonly CorrectionLimit[];
  /** Corrections closer than this to the last one that counted are the same event. Default 0: each one counts. */
  readonly apartMs?: number;
}

/** The corrections of one player. Holds one time more than the largest count. */
export class CorrectionRecord {
  readonly #limits: readonly CorrectionLimit[];
  readonly #apartMs: number;
  readonly #capacity: number;
  /** Milliseconds, oldest first. */
  #times: number[];

  /** @param saved what {@link save} returned. Throws `RangeError` for more times than a record holds. */
  constructor({ limits, apartMs = 0 }: CorrectionRecordOptions, saved: readonly number[] = []) {
    this.#limits = limits;
    this.#apartMs = apartMs;
    this.#capacity = Math.max(...limits.map(({ count }) => count), 0) + 1;
    if (saved.length > this.#capacity) throw new RangeError(`Cannot restore: ${saved.length} times of corrections`);
    this.#times = [...saved];
  }

  /** Whether nothing is recorded. */
  get isEmpty(): boolean {
    return this.#times.length === 0;
  }

  /** Records a correction. False when it is part of the last one. Times must not decrease. */
  add(nowMs: number): boolean {
    const last = this.#times.at(-1);
    if (last !== undefined && nowMs - last < this.#apartMs) return false;
    if (this.#times.length === this.#capacity) this.#times.shift();
    this.#times.push(nowMs);
    return true;
  }

  /** The first limit that is exceeded, if any. */
  exceeded(nowMs: number): CorrectionLimit | undefined {
    return this.#limits.find(({ count, withinMs }) => this.count(nowMs, withinMs) > count);
  }

  /** Corrections less than `withinMs` old. */
  count(nowMs: number, withinMs: number): number {
    let count = 0;
    for (const time of this.#times) if (nowMs - time < withinMs) count++;
    return count;
  }

  /** When nothing that is recorded counts any more; -Infinity for an empty record. */
  get forgottenMs(): number {
    const longestMs = Math.max(...this.#limits.map(({ withinMs }) => withinMs), 0);
    return (this.#times.at(-1) ?? Number.NEGATIVE_INFINITY) + longestMs;
  }

  /** After a penalty. */
  clear(): void {
    this.#times = [];
  }

  save(): number[] {
    return [...this.#times];
  }
}
