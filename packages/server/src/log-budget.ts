/** Logs that a peer cannot fill: so many lines a minute, then one with the number of lines left out. */
import type { Logger } from "pino";
import type { Clock } from "wirewalk/net";

const MINUTE_MS = 60_000;

/** A logger with a budget. Lines over it are counted; the count is logged before the next minute's first line. */
export class LogBudget {
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #linesPerMinute: number;
  #minuteEndsMs = Number.NEGATIVE_INFINITY;
  #lines = 0;
  #suppressed = 0;

  constructor(log: Logger, clock: Clock, linesPerMinute: number) {
    this.#log = log;
    this.#clock = clock;
    this.#linesPerMinute = linesPerMinute;
  }

  info(fields: object, text: string): void {
    if (this.#mayWrite()) this.#log.info(fields, text);
  }

  warn(fields: object, text: string): void {
    if (this.#mayWrite()) this.#log.warn(fields, text);
  }

  error(fields: object, text: string): void {
    if (this.#mayWrite()) this.#log.error(fields, text);
  }

  /** Logs how many lines were left out, if any. Call it at the end of a session. */
  finish(): void {
    if (this.#suppressed > 0) this.#log.warn({ suppressed: this.#suppressed }, `suppressed ${this.#suppressed}`);
    this.#suppressed = 0;
  }

  #mayWrite(): boolean {
    const nowMs = this.#clock.now();
    if (nowMs >= this.#minuteEndsMs) {
      this.finish();
      this.#minuteEndsMs = nowMs + MINUTE_MS;
      this.#lines = 0;
    }
    if (this.#lines >= this.#linesPerMinute) {
      this.#suppressed += 1;
      return false;
    }
    this.#lines += 1;
    return true;
  }
}
