/**
 * A cursor that reads bits, most significant bit of each byte first.
 *
 * ```ts
 * import { BitReader } from "wirewalk/wire";
 *
 * const reader = new BitReader(new Uint8Array([0b1011_1000, 7]));
 * reader.read(1); // => 1
 * reader.readSigned(3); // => 3
 * reader.align();
 * reader.byteOffset; // => 1
 * reader.read(8); // => 7
 * reader.read(1); // throws truncated: Cannot read bits: 1 bit needed, 0 left at byte 2
 * ```
 *
 * @module
 */

import { WireError } from "./wire-error.ts";

/** Bit offsets are handled as unsigned 32-bit integers, which hold those of this many bytes. */
const MAX_BYTES = 2 ** 29 - 1;

/**
 * Reads the bits of `bytes` from byte `start` up to, not including, byte `end`. Reads past the end throw
 * {@link WireError} `truncated` and consume nothing; a width out of 1..32 is the caller's error, a RangeError.
 *
 * To go on with bytes after the bits: `align()`, then a `ByteReader` at `byteOffset`.
 */
export class BitReader {
  readonly #bytes: Uint8Array;
  readonly #endBit: number;
  #bit: number;

  /** Throws RangeError when `start` and `end` do not lie in order within `bytes`, or lie past 512 MiB. */
  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    const inOrder = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end;
    if (!inOrder || end > bytes.length || end > MAX_BYTES) {
      throw new RangeError(
        `start and end must lie in 0..${Math.min(bytes.length, MAX_BYTES)}, got ${start} and ${end}`,
      );
    }
    this.#bytes = bytes;
    this.#bit = start * 8;
    this.#endBit = end * 8;
  }

  /** The offset of the next bit, from the start of `bytes`. */
  get bitOffset(): number {
    return this.#bit;
  }

  /** The offset of the next byte of which no bit has been read; the next bit's byte when aligned. */
  get byteOffset(): number {
    return (this.#bit + 7) >>> 3;
  }

  /** How many bits are left. */
  get remainingBits(): number {
    return this.#endBit - this.#bit;
  }

  /** The next `width` bits as an unsigned integer. */
  read(width: number): number {
    if (!(width >= 1 && width <= 32 && Number.isInteger(width))) {
      throw new RangeError(`width must be an integer in 1..32, got ${width}`);
    }
    if (width > this.#endBit - this.#bit) this.#refuse(width);
    // 25 bits may lie in 4 bytes with 7 bits before them: 32 bits, the most that shifts can hold.
    if (width > 25) return this.#readShort(width - 16) * 0x1_0000 + this.#readShort(16);
    return this.#readShort(width);
  }

  #readShort(width: number): number {
    const first = this.#bit & 7;
    let at = this.#bit >>> 3;
    let value = (this.#bytes[at] as number) & (0xff >>> first);
    let have = 8 - first;
    while (have < width) {
      value = (value << 8) | (this.#bytes[++at] as number);
      have += 8;
    }
    this.#bit += width;
    return value >>> (have - width);
  }

  #refuse(width: number): never {
    const left = this.#endBit - this.#bit;
    const bit = this.#bit & 7;
    const place = `byte ${this.#bit >>> 3}${bit === 0 ? "" : ` bit ${bit}`}`;
    const why = `${width === 1 ? "1 bit" : `${width} bits`} needed, ${left} left at ${place}`;
    throw new WireError("truncated", `Cannot read bits: ${why}`, this.#bit);
  }

  /** The next `width` bits as a two's complement integer. */
  readSigned(width: number): number {
    const value = this.read(width);
    return (value << (32 - width)) >> (32 - width);
  }

  /** Goes on to the next byte boundary, and returns the bits passed over: a strict caller refuses anything but 0. */
  align(): number {
    const rest = -this.#bit & 7;
    return rest === 0 ? 0 : this.read(rest);
  }
}
