/**
 * Turns the display's frames into a game's own: a fixed number of steps per second whatever the screen does.
 *
 * ```ts
 * const steps = new FixedStep(60, 5_000);
 * steps.due(0); // 0: the first call starts the clock
 * steps.due(50); // 3
 * steps.due(51); // 0
 * ```
 */
export class FixedStep {
  readonly #stepMs: number;
  readonly #longestMs: number;
  #doneMs: number | undefined;

  /** `longestMs`: after a longer pause (a sleeping laptop) the excess steps are dropped instead of played at once. */
  constructor(stepsPerSecond: number, longestMs: number) {
    this.#stepMs = 1000 / stepsPerSecond;
    this.#longestMs = longestMs;
  }

  /** Steps to play until `nowMs`; they count as played. */
  due(nowMs: number): number {
    if (this.#doneMs === undefined) {
      this.#doneMs = nowMs;
      return 0;
    }
    if (nowMs - this.#doneMs > this.#longestMs) this.#doneMs = nowMs - this.#longestMs;
    // The small share keeps a display of exactly the same rate from missing a step to rounding.
    const steps = Math.max(0, Math.floor((nowMs - this.#doneMs) / this.#stepMs + 1e-6));
    this.#doneMs += steps * this.#stepMs;
    return steps;
  }

  /** Starts the clock again: what has passed since the last step is not played. */
  restart(nowMs: number): void {
    this.#doneMs = nowMs;
  }

  /** How far `nowMs` is into the next step, 0 to 1: for drawing between two steps. */
  part(nowMs: number): number {
    if (this.#doneMs === undefined) return 0;
    return Math.min(1, Math.max(0, (nowMs - this.#doneMs) / this.#stepMs));
  }
}
