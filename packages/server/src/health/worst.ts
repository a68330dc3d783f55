/** The greatest of the values noted in the last one to two spans of time, so that every reader sees it for one span at least. */
const SPAN_MS = 15_000;

export class Worst {
  #current = 0;
  #last = 0;
  #spanEndsMs: number;

  constructor(nowMs: number) {
    this.#spanEndsMs = nowMs + SPAN_MS;
  }

  note(value: number, nowMs: number): void {
    this.#turn(nowMs);
    this.#current = Math.max(this.#current, value);
  }

  /** 0 when nothing was noted. */
  at(nowMs: number): number {
    this.#turn(nowMs);
    return Math.max(this.#current, this.#last);
  }

  #turn(nowMs: number): void {
    if (nowMs < this.#spanEndsMs) return;
    this.#last = nowMs < this.#spanEndsMs + SPAN_MS ? this.#current : 0;
    this.#current = 0;
    this.#spanEndsMs = nowMs + SPAN_MS;
  }
}
