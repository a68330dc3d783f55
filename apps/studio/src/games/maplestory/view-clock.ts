/**
 * The time that the drawing shows. Onlookers see everything a moment late, so that the packets about it are here and the
 * truth is known; who plays sees the present. The clock never runs backwards: to fall behind it runs slower.
 */

/** A monster's packet comes 1,080 ms after its first step; a little more for the way here. */
export const ONLOOKER_DELAY_MS = 1_300;

/** How fast the clock runs while it falls behind. */
const SLOW = 0.5;

export class ViewClock {
  #shownMs: number | undefined;
  #nowMs = 0;

  /** What is shown at `nowMs` of the page's clock, meant to be `delayMs` late. */
  at(nowMs: number, delayMs: number): number {
    const wantedMs = nowMs - delayMs;
    const passedMs = Math.max(0, nowMs - this.#nowMs);
    this.#shownMs = this.#shownMs === undefined ? wantedMs : Math.max(wantedMs, this.#shownMs + passedMs * SLOW);
    this.#nowMs = nowMs;
    return this.#shownMs;
  }
}
