/** Lines of a text file that comes in pieces, with their numbers and places. */
import { countBytes, decodeLatin1, WireError } from "../../../wire/index.ts";
import { ByteWindow } from "../../file/byte-window.ts";

/** The longest line: a body of 1 MiB has 3 characters a byte. */
export const MAX_LINE_BYTES = 4_194_304;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

export interface Line {
  /** From 1. */
  readonly number: number;
  /** In the file. */
  readonly byteOffset: number;
  /** A character for each byte, without the line end. */
  readonly text: string;
}

/** Lines end as .NET's reader ends them: at LF, CR, or both in this order. */
export class LineReader {
  readonly #window = new ByteWindow();
  readonly #take: (line: Line) => void;
  #number = 0;
  /** Bytes of the window in which no line end is. */
  #searched = 0;

  constructor(take: (line: Line) => void) {
    this.#take = take;
  }

  /** Throws `WireError` for a line that is too long, and what the receiver of lines throws. */
  push(bytes: Uint8Array): void {
    this.#window.push(bytes);
    this.#read(false);
    this.#window.detach();
  }

  /** What is left is the last line, where it is not empty. */
  end(): void {
    this.#read(true);
    if (this.#window.length > 0) this.#give(this.#window.length, 0);
  }

  #read(isEnd: boolean): void {
    const window = this.#window;
    for (;;) {
      const { at, bytes } = window;
      let end = at + this.#searched;
      while (end < bytes.length && bytes[end] !== LINE_FEED && bytes[end] !== CARRIAGE_RETURN) end += 1;
      this.#searched = end - at;
      if (this.#searched > MAX_LINE_BYTES) {
        const why = `it has over ${countBytes(MAX_LINE_BYTES)} at byte ${window.offset}`;
        throw new WireError("limit", `Cannot read line ${this.#number + 1}: ${why}`, window.offset * 8);
      }
      // After CR, LF may follow in the next piece.
      const isOpen = bytes[end] === CARRIAGE_RETURN && end + 1 === bytes.length && !isEnd;
      if (end === bytes.length || isOpen) return;
      const isPair = bytes[end] === CARRIAGE_RETURN && bytes[end + 1] === LINE_FEED;
      this.#give(end - at, isPair ? 2 : 1);
    }
  }

  #give(length: number, endBytes: number): void {
    const window = this.#window;
    const byteOffset = window.offset;
    const text = decodeLatin1(window.bytes, window.at, window.at + length);
    window.skip(length + endBytes);
    this.#searched = 0;
    this.#number += 1;
    this.#take({ number: this.#number, byteOffset, text });
  }
}

/** Why a line is refused. */
export function refusedLine(line: Line, code: "bad-value" | "bad-length" | "bad-state", why: string): WireError {
  const text = `Cannot read line ${line.number}: ${why} at byte ${line.byteOffset}`;
  return new WireError(code, text, line.byteOffset * 8);
}
