/**
 * The time that the drawing shows. Spectators see everything with a delay, so that its packets have arrived and the truth is
 * known; a player sees the present. The clock never runs backwards: to add delay it runs slower.
 */

/** A monster's packet is sent 1,080 ms after its first step; the rest is for the network. */
export const SPECTATOR_DELAY_MS = 1_300;

/** The speed of the clock while it adds delay. */
const SLOW = 0.5;

export class ViewClock {
  #shownMs: number | undefined;
  #nowMs = 0;

  /** The time shown at `nowMs` of the page's clock, with a delay of `delayMs`. */
  at(nowMs: number, delayMs: number): number {
    const wantedMs = nowMs - delayMs;
    const passedMs = Math.max(0, nowMs - this.#nowMs);
    this.#shownMs = this.#shownMs === undefined ? wantedMs : Math.max(wantedMs, this.#shownMs + passedMs * SLOW);
    this.#nowMs = nowMs;
    return this.#shownMs;
  }
}
