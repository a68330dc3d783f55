/** What the readers of text logs have in common: lines in, records out, and an end at the first fault. */
import { WireError } from "../../../wire/index.ts";
import type { SessionReader, SessionRecord, SessionSink } from "../session.ts";
import { type Line, LineReader } from "./line-reader.ts";

/** Takes the lines of one format. Both throw `WireError` for what it is not. */
export interface LineFormat {
  /** A record, or undefined for a line that is none. */
  line(line: Line): Omit<SessionRecord, "number" | "byteOffset"> | undefined;
  /** The file ends. */
  end(): void;
}

export class TextLogReader implements SessionReader {
  readonly #sink: SessionSink;
  readonly #format: LineFormat;
  readonly #lines: LineReader;
  #number = 0;
  #isOver = false;

  constructor(sink: SessionSink, format: LineFormat) {
    this.#sink = sink;
    this.#format = format;
    this.#lines = new LineReader((line) => this.#line(line));
  }

  push(bytes: Uint8Array): void {
    if (!this.#isOver) this.#try(() => this.#lines.push(bytes));
  }

  end(): void {
    if (this.#isOver) return;
    this.#try(() => {
      this.#lines.end();
      this.#format.end();
    });
    this.#isOver = true;
  }

  #line(line: Line): void {
    const record = this.#format.line(line);
    if (record === undefined) return;
    this.#number += 1;
    this.#sink.record({ number: this.#number, byteOffset: line.byteOffset, ...record });
  }

  #try(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#isOver = true;
      this.#sink.fault(error, Math.floor(error.bitOffset / 8));
    }
  }
}
