/** Logs that a peer cannot fill: so many lines a minute, then one with the number of lines left out. */
import type { Clock } from "wirewalk/net";

const MINUTE_MS = 60_000;

type Level = "info" | "warn" | "error";

/** Where lines go: a logger, or another budget. */
export interface LogSink {
  isLevelEnabled(level: Level): boolean;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

export interface LogBudgetOptions {
  readonly clock: Clock;
  readonly linesPerMinute: number;
  /** Fields of every line. Default: none. */
  readonly fields?: object;
}

/** A logger with a budget. Lines over it are counted; the count is logged before the next minute's first line. */
export class LogBudget implements LogSink {
  readonly #sink: LogSink;
  readonly #options: LogBudgetOptions;
  #minuteEndsMs = Number.NEGATIVE_INFINITY;
  #lines = 0;
  #suppressed = 0;

  constructor(sink: LogSink, options: LogBudgetOptions) {
    this.#sink = sink;
    this.#options = options;
  }

  isLevelEnabled(level: Level): boolean {
    return this.#sink.isLevelEnabled(level);
  }

  info(fields: object, text: string): void {
    this.#write("info", fields, text);
  }

  warn(fields: object, text: string): void {
    this.#write("warn", fields, text);
  }

  error(fields: object, text: string): void {
    this.#write("error", fields, text);
  }

  /** Logs how many lines were left out, if any. Call it at the end of a session. */
  finish(): void {
    const suppressed = this.#suppressed;
    this.#suppressed = 0;
    if (suppressed > 0) this.#sink.warn({ ...this.#options.fields, suppressed }, `suppressed ${suppressed}`);
  }

  #write(level: Level, fields: object, text: string): void {
    // What nobody reads is not missed.
    if (!this.#sink.isLevelEnabled(level)) return;
    if (this.#mayWrite()) this.#sink[level]({ ...this.#options.fields, ...fields }, text);
  }

  #mayWrite(): boolean {
    const { clock, linesPerMinute } = this.#options;
    const nowMs = clock.now();
    if (nowMs >= this.#minuteEndsMs) {
      this.finish();
      this.#minuteEndsMs = nowMs + MINUTE_MS;
      this.#lines = 0;
    }
    if (this.#lines >= linesPerMinute) {
      this.#suppressed += 1;
      return false;
    }
    this.#lines += 1;
    return true;
  }
}
