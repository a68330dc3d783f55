/**
 * Smooth corrections: the drawn position stays when the prediction is corrected, and then moves to the corrected position.
 *
 * ```ts
 * import { ErrorSmoother } from "wirewalk/motion";
 *
 * const smoother = new ErrorSmoother({ axes: 2, halfLifeMs: 50, snap: 3 });
 * smoother.corrected([1, 0], [0, 0], 1000); // was drawn at (1, 0), is truly at (0, 0)
 * [...smoother.offset(1000)]; // => [1, 0]
 * [...smoother.offset(1050)]; // => [0.5, 0]
 * smoother.corrected([9, 0], [0, 0], 1050); // too far to glide
 * [...smoother.offset(1050)]; // => [0, 0]
 * ```
 *
 * @module
 */

export interface SmoothingOptions {
  /** Numbers of a position. */
  readonly axes: number;
  /** After this time half of the error is left, in milliseconds. */
  readonly halfLifeMs: number;
  /** An error longer than this is shown at once, in the unit of positions: gliding through walls looks worse than a jump. */
  readonly snap: number;
}

/** The offset between the drawn and the predicted position of one player. */
export class ErrorSmoother {
  readonly #options: SmoothingOptions;
  readonly #offset: Float64Array;
  #atMs = 0;

  constructor(options: SmoothingOptions) {
    this.#options = options;
    this.#offset = new Float64Array(options.axes);
  }

  /** The prediction of now changed from one position to another. Times must not decrease. */
  corrected(before: ArrayLike<number>, after: ArrayLike<number>, nowMs: number): void {
    this.#fade(nowMs);
    let squares = 0;
    for (let axis = 0; axis < this.#offset.length; axis++) {
      const offset = (this.#offset[axis] as number) + (before[axis] as number) - (after[axis] as number);
      this.#offset[axis] = offset;
      squares += offset * offset;
    }
    if (!(squares <= this.#options.snap ** 2)) this.#offset.fill(0);
  }

  /** The offset by now. Read it, do not keep it. */
  offset(nowMs: number): Readonly<Float64Array> {
    this.#fade(nowMs);
    return this.#offset;
  }

  #fade(nowMs: number): void {
    const left = 2 ** (-Math.max(0, nowMs - this.#atMs) / this.#options.halfLifeMs);
    for (let axis = 0; axis < this.#offset.length; axis++) this.#offset[axis] = (this.#offset[axis] as number) * left;
    this.#atMs = Math.max(this.#atMs, nowMs);
  }
}
