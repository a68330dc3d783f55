/**
 * Two kinds of prediction error: **drift** is an error that keeps its sign (the two ends do not compute the same),
 * **jitter** one that comes and goes (inputs that got lost, or came late). Drift needs a programmer, jitter a better line.
 *
 * ```ts
 * import { PredictionErrors } from "wirewalk/scrap-mechanic/movement";
 *
 * const errors = new PredictionErrors({ axes: 1, samples: 4 });
 * for (const error of [1, -1, 1, -1]) errors.add([error]);
 * [errors.drift, errors.jitter]; // => [0, 1]
 * for (let count = 0; count < 4; count++) errors.add([2]);
 * [errors.drift, errors.jitter]; // => [2, 0]
 * ```
 *
 * @module
 */

export interface PredictionErrorOptions {
  /** Numbers of an error. */
  readonly axes: number;
  /** How many of the last errors count. */
  readonly samples: number;
}

/** The last errors of one player's prediction: truth less prediction, by axis. */
export class PredictionErrors {
  readonly #axes: number;
  readonly #errors: Float64Array;
  #count = 0;

  /** Throws `RangeError` unless both options are whole numbers above 0. */
  constructor({ axes, samples }: PredictionErrorOptions) {
    if (!(Number.isInteger(axes) && axes > 0 && Number.isInteger(samples) && samples > 0)) {
      throw new RangeError(`axes and samples must be above 0, got ${axes} and ${samples}`);
    }
    this.#axes = axes;
    this.#errors = new Float64Array(axes * samples);
  }

  /** An error, or none: zeros count too. */
  add(error: ArrayLike<number>): void {
    const at = (this.#count * this.#axes) % this.#errors.length;
    for (let axis = 0; axis < this.#axes; axis++) this.#errors[at + axis] = error[axis] as number;
    this.#count += 1;
  }

  /** How many errors count now. */
  get count(): number {
    return Math.min(this.#count, this.#errors.length / this.#axes);
  }

  /** The length of the mean error. */
  get drift(): number {
    return Math.hypot(...this.#means());
  }

  /** How far the errors lie from their mean, as a root of the mean square. */
  get jitter(): number {
    const { count } = this;
    if (count === 0) return 0;
    const means = this.#means();
    let squares = 0;
    for (let at = 0; at < count * this.#axes; at++) {
      squares += ((this.#errors[at] as number) - (means[at % this.#axes] as number)) ** 2;
    }
    return Math.sqrt(squares / count);
  }

  #means(): number[] {
    const { count } = this;
    const means = new Array<number>(this.#axes).fill(0);
    for (let at = 0; at < count * this.#axes; at++) {
      means[at % this.#axes] = (means[at % this.#axes] as number) + (this.#errors[at] as number) / count;
    }
    return means;
  }
}
