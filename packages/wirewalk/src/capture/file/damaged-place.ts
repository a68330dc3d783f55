/** A damaged place of a capture file: where it begins, and the search for its end, which may take several chunks. */
import type { ByteWindow } from "./byte-window.ts";
import type { CaptureSink } from "./packet.ts";

/** What a format is made of. */
export interface Unit {
  /** In words: `packet header`. */
  readonly name: string;
  /** Fewer bytes cannot be told to be one. */
  readonly leastBytes: number;
  /** Whether one begins at an index of the window's bytes; undefined when more bytes are needed. */
  isAt(at: number, isEnd: boolean): boolean | undefined;
}

export class DamagedPlace {
  readonly #window: ByteWindow;
  readonly #sink: CaptureSink;
  readonly #unit: Unit;
  #begin: number | undefined;

  constructor(window: ByteWindow, sink: CaptureSink, unit: Unit) {
    this.#window = window;
    this.#sink = sink;
    this.#unit = unit;
  }

  /** True while the end is being searched. */
  get isOpen(): boolean {
    return this.#begin !== undefined;
  }

  /** The window begins with a damaged place. */
  open(): void {
    this.#begin = this.#window.offset;
  }

  /** Nothing can be read of what is left, for this reason. */
  cut(text: string): void {
    this.#sink.fault({ byteOffset: this.#window.offset, text: `${text}; nothing follows` });
    this.#window.skip(this.#window.length);
  }

  /**
   * Searches for the end of the damaged place, which begins at the window unless it is open. True when the window begins with a unit.
   * `why` is said when none follows up to the end of the file.
   */
  search(isEnd: boolean, why?: string): boolean {
    const window = this.#window;
    const { name, leastBytes } = this.#unit;
    const begin = this.#begin ?? window.offset;
    const { at: from, bytes } = window;
    for (let at = from + 1; at + leastBytes <= bytes.length; at++) {
      const isUnit = this.#unit.isAt(at, isEnd);
      if (isUnit === undefined) {
        // Undecided without more bytes: what is before it is given up.
        window.skip(at - 1 - from);
        this.#begin = begin;
        return false;
      }
      if (!isUnit) continue;
      window.skip(at - from);
      this.#begin = undefined;
      const lost = window.offset - begin;
      this.#sink.fault({
        byteOffset: begin,
        text: `damaged: no ${name} can be read; ${lost} bytes skipped, reading goes on at byte ${window.offset}`,
      });
      return true;
    }
    if (!isEnd) {
      this.#begin = begin;
      window.skip(Math.max(0, bytes.length - from - leastBytes));
      return false;
    }
    window.skip(window.length);
    this.#begin = undefined;
    const text = why ?? `damaged: no ${name} can be read in the last ${window.offset - begin} bytes`;
    this.#sink.fault({ byteOffset: begin, text: `${text}; nothing follows` });
    return false;
  }
}
