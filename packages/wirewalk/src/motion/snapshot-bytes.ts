/** Bytes of track snapshots while they are written. */

/** The most bytes of one number. */
const NUMBER_BYTES = 8;

/** Bytes that grow, reused for every snapshot. */
export class SnapshotBytes {
  #bytes = new Uint8Array(1024);
  #length = 0;

  reset(): void {
    this.#length = 0;
  }

  byte(byte: number): void {
    this.#room(1);
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  /** A whole number from 0 up to 2^53: seven bits a byte, the low ones first. */
  number(number: number): void {
    this.#room(NUMBER_BYTES);
    let left = number;
    let at = this.#length;
    for (; left >= 0x80; left = left < 0x8000_0000 ? left >>> 7 : Math.floor(left / 0x80)) {
      this.#bytes[at] = (left % 0x80) | 0x80;
      at += 1;
    }
    this.#bytes[at] = left;
    this.#length = at + 1;
  }

  /** A whole number with a sign: 0, -1, 1, -2 are 0, 1, 2, 3. */
  signed(number: number): void {
    this.number(number < 0 ? -2 * number - 1 : 2 * number);
  }

  /** A signed number with a kind in its low two bits. */
  tagged(number: number, kind: number): void {
    this.number((number < 0 ? -2 * number - 1 : 2 * number) * 4 + kind);
  }

  text(text: string): void {
    this.number(text.length);
    this.characters(text);
  }

  /** UTF-16 code units: one byte each for ASCII. */
  characters(text: string): void {
    for (let at = 0; at < text.length; at += 1) this.number(text.charCodeAt(at));
  }

  /** Zeros, to be set later. */
  skip(count: number): number {
    this.#room(count);
    const at = this.#length;
    this.#bytes.fill(0, at, at + count);
    this.#length = at + count;
    return at;
  }

  setBit(at: number, bit: number): void {
    this.#bytes[at] = (this.#bytes[at] ?? 0) | (1 << bit);
  }

  /** A copy of these bytes and those that follow. */
  with(others: SnapshotBytes): Uint8Array {
    const all = new Uint8Array(this.#length + others.#length);
    all.set(this.#bytes.subarray(0, this.#length));
    all.set(others.#bytes.subarray(0, others.#length), this.#length);
    return all;
  }

  #room(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
