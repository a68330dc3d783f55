/**
 * The time of what is drawn: the page's own, and for a recording as fast as it is played. So trails, verdicts and movement
 * between messages are drawn at its speed, and stand still with it.
 */
export class SceneClock {
  #rate = 1;
  #fromMs = 0;
  #sceneMs = 0;

  /** Milliseconds of the scene in a millisecond of the page; 0 while it stands still. */
  get rate(): number {
    return this.#rate;
  }

  /** From here on. */
  setRate(rate: number, nowMs: number): void {
    this.#sceneMs = this.at(nowMs);
    this.#fromMs = nowMs;
    this.#rate = rate;
  }

  /** The scene's time at a time of the page. */
  at(nowMs: number): number {
    // A frame may have begun before the change.
    return this.#sceneMs + Math.max(0, nowMs - this.#fromMs) * this.#rate;
  }
}
