/** The time for which this thread could run: without the time for which the machine did other things. */

const PERIOD_MS = 10;
/** A timer is late by this much on a machine that does nothing else. */
const TOLERANCE_MS = 5;

/** A clock and a timer that finds by how much it is late. Only for a thread that does little itself. */
export class RunningTime {
  readonly #now: () => number;
  #dueMs: number;
  #lateMs = 0;

  constructor(now = (): number => performance.now()) {
    this.#now = now;
    this.#dueMs = now() + PERIOD_MS;
  }

  start(): void {
    setInterval(() => this.looked(), PERIOD_MS).unref();
  }

  /** The timer has run. */
  looked(): void {
    this.#lateMs += this.#lateNow();
    this.#dueMs = this.#now() + PERIOD_MS;
  }

  /** Milliseconds. A thread that runs again reads first: the lateness of its timer counts already. */
  now(): number {
    return this.#now() - this.#lateMs - this.#lateNow();
  }

  #lateNow(): number {
    return Math.max(0, this.#now() - this.#dueMs - TOLERANCE_MS);
  }
}
