/**
 * A cursor that writes bits, most significant bit of each byte first, into memory that grows.
 *
 * ```ts
 * import { BitWriter } from "wirewalk/wire";
 *
 * const writer = new BitWriter();
 * writer.write(1, 1);
 * writer.writeSigned(3, -2);
 * writer.align();
 * writer.bytes(new Uint8Array([7]));
 * writer.toBytes(); // => new Uint8Array([0b1110_0000, 7])
 * writer.write(3, 8); // throws RangeError: 3 bits must be an integer in 0..7, got 8
 * ```
 *
 * @module
 */

import { WRITER_LIMIT_BYTES } from "./byte-writer.ts";
import { countBytes } from "./wire-error.ts";

/** Bit offsets are handled as signed 32-bit integers, which hold those of this many bytes. */
const MAX_LIMIT_BYTES = 2 ** 28 - 1;

/**
 * Writes bits one after another. A width out of 1..32, a value out of the width's range and growing over `limit` bytes
 * throw RangeError (TypeError when the value is not a number) and write nothing. Bits of the last byte not yet written are
 * 0.
 */
export class BitWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #bit = 0;
  readonly #limit: number;

  /** Throws RangeError unless `limit` is a whole number of bytes under 256 MiB. */
  constructor(initialCapacity = 64, limit = WRITER_LIMIT_BYTES) {
    if (!(Number.isInteger(limit) && limit >= 0 && limit <= MAX_LIMIT_BYTES)) {
      throw new RangeError(`limit must be a whole number of bytes in 0..${MAX_LIMIT_BYTES}, got ${limit}`);
    }
    this.#limit = limit;
    this.#bytes = new Uint8Array(Math.min(initialCapacity, limit));
  }

  /** How many bits have been written. */
  get bitOffset(): number {
    return this.#bit;
  }

  /** How many bytes have been begun: the size of {@link toBytes}. */
  get byteOffset(): number {
    return (this.#bit + 7) >>> 3;
  }

  /** The low `width` bits of an unsigned integer in 0..2^width - 1. */
  write(width: number, value: number): void {
    checkWidth(width);
    if (!(value >= 0 && value < 2 ** width && Number.isInteger(value))) refuse(width, value, 0, 2 ** width - 1);
    this.#put(width, value);
  }

  /** An integer in -2^(width - 1)..2^(width - 1) - 1 as two's complement. */
  writeSigned(width: number, value: number): void {
    checkWidth(width);
    const half = 2 ** (width - 1);
    if (!(value >= -half && value < half && Number.isInteger(value))) refuse(width, value, -half, half - 1);
    this.#put(width, value < 0 ? value + 2 ** width : value);
  }

  #put(width: number, value: number): void {
    this.#reserve((this.#bit + width + 7) >>> 3);
    const bytes = this.#bytes;
    let left = width;
    while (left > 0) {
      const used = this.#bit & 7;
      const take = Math.min(8 - used, left);
      const piece = (value >>> (left - take)) & (0xff >>> (8 - take));
      const at = this.#bit >>> 3;
      // The first bits of a byte replace what a reset left there.
      const before = used === 0 ? 0 : (bytes[at] as number);
      bytes[at] = before | (piece << (8 - used - take));
      this.#bit += take;
      left -= take;
    }
  }

  #reserve(needed: number): void {
    if (needed <= this.#bytes.length) return;
    if (needed > this.#limit) {
      throw new RangeError(`message must be at most ${countBytes(this.#limit)}, got ${needed}`);
    }
    const grown = new Uint8Array(Math.min(Math.max(needed, this.#bytes.length * 2), this.#limit));
    grown.set(this.#bytes.subarray(0, this.byteOffset));
    this.#bytes = grown;
  }

  /** Fills up with 0 to the next byte boundary. */
  align(): void {
    this.#bit = (this.#bit + 7) & ~7;
  }

  /** Whole bytes, at a byte boundary: throws RangeError elsewhere, call {@link align} first. */
  bytes(value: Uint8Array): void {
    if ((this.#bit & 7) !== 0) throw new RangeError(`bytes must start at a byte boundary, got bit ${this.#bit}`);
    this.#reserve((this.#bit >>> 3) + value.length);
    this.#bytes.set(value, this.#bit >>> 3);
    this.#bit += value.length * 8;
  }

  /** Starts again from nothing; the memory is kept. */
  reset(): void {
    this.#bit = 0;
  }

  /** What was written, copied to exactly its size. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.byteOffset);
  }

  /** What was written, not copied: valid until the next write or reset. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.byteOffset);
  }
}

function checkWidth(width: number): void {
  if (!(width >= 1 && width <= 32 && Number.isInteger(width))) {
    throw new RangeError(`width must be an integer in 1..32, got ${width}`);
  }
}

function refuse(width: number, value: unknown, min: number, max: number): never {
  const message = `${width === 1 ? "1 bit" : `${width} bits`} must be an integer in ${min}..${max}, got ${String(value)}`;
  throw typeof value === "number" ? new RangeError(message) : new TypeError(message);
}
