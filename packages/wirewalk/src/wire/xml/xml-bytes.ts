/** The bytes of an XML text, one after the other: read in chunks, with the line. */
import { XmlError, type XmlSource } from "./xml-source.ts";

/** A real map is read in one to twenty chunks. */
const CHUNK_BYTES = 64 * 1024;

export class XmlBytes {
  readonly #source: XmlSource;
  #chunk: Uint8Array = new Uint8Array();
  #at = 0;
  /** Where the next chunk begins in the source. */
  #offset = 0;
  /** Of the byte that comes next, from 1. */
  line = 1;

  constructor(source: XmlSource) {
    this.#source = source;
  }

  /** The next byte, which is taken; -1 at the end. */
  take(): number {
    if (this.#at === this.#chunk.length && !this.#refill()) return -1;
    const byte = this.#chunk[this.#at++] as number;
    if (byte === 0x0a) this.line += 1;
    return byte;
  }

  /** The next byte, which stays; -1 at the end. */
  peek(): number {
    if (this.#at === this.#chunk.length && !this.#refill()) return -1;
    return this.#chunk[this.#at] as number;
  }

  /** Takes all up to and with a byte. False where the source ends before it. */
  skipPast(wanted: number): boolean {
    for (;;) {
      const chunk = this.#chunk;
      let at = this.#at;
      let lines = 0;
      while (at < chunk.length) {
        const byte = chunk[at++];
        if (byte === 0x0a) lines += 1;
        if (byte === wanted) {
          this.#at = at;
          this.line += lines;
          return true;
        }
      }
      this.line += lines;
      this.#at = at;
      if (!this.#refill()) return false;
    }
  }

  /** Takes all up to and with `-->` and the like: a `>` after so many of a byte. False where the source ends before it. */
  skipPastEnd(mark: number, count: number): boolean {
    for (let marks = 0; ; ) {
      const byte = this.take();
      if (byte < 0) return false;
      if (byte === 0x3e && marks >= count) return true;
      marks = byte === mark ? marks + 1 : 0;
    }
  }

  refuse(reason: string, line = this.line): never {
    throw new XmlError(reason, line);
  }

  #refill(): boolean {
    const { size } = this.#source;
    if (this.#offset >= size) return false;
    const chunk = this.#source.read(this.#offset, Math.min(CHUNK_BYTES, size - this.#offset));
    if (chunk.length === 0) return false;
    this.#chunk = chunk;
    this.#offset += chunk.length;
    this.#at = 0;
    return true;
  }
}
