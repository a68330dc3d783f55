import { StringDecoder } from "node:string_decoder";

/**
 * The longest line that is read, in characters, and so the most that a line can make the command hold. As hex it is more
 * than seven times the largest payload of any game here (64 KiB).
 */
export const LINE_LIMIT = 1_048_576;

/** A line without its end, or `undefined` for one over the limit. */
export type InputLine = string | undefined;

/** Lines out of chunks of UTF-8, ended by LF or CRLF. What is held is at most one line. */
export class LineSplitter {
  readonly #decoder = new StringDecoder("utf8");
  #partial = "";
  #isOverlong = false;
  #isStart = true;

  /** The lines that the chunk completes. */
  push(chunk: Uint8Array | string): InputLine[] {
    let text = typeof chunk === "string" ? chunk : this.#decoder.write(chunk as Buffer);
    // Some editors and shells begin a text with a byte order mark.
    if (this.#isStart && text !== "") {
      this.#isStart = false;
      if (text.startsWith("\ufeff")) text = text.slice(1);
    }
    const lines: InputLine[] = [];
    let from = 0;
    for (let to = text.indexOf("\n"); to >= 0; to = text.indexOf("\n", from)) {
      this.#extend(text.slice(from, to));
      lines.push(this.#take());
      from = to + 1;
    }
    this.#extend(text.slice(from));
    return lines;
  }

  /** The last line, when nothing ended it. */
  end(): InputLine[] {
    this.#extend(this.#decoder.end());
    return this.#partial === "" && !this.#isOverlong ? [] : [this.#take()];
  }

  #extend(text: string): void {
    if (this.#isOverlong) return;
    if (this.#partial.length + text.length > LINE_LIMIT) {
      this.#partial = "";
      this.#isOverlong = true;
    } else {
      this.#partial += text;
    }
  }

  #take(): InputLine {
    const line = this.#isOverlong ? undefined : this.#partial.replace(/\r$/, "");
    this.#partial = "";
    this.#isOverlong = false;
    return line;
  }
}
