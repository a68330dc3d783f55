/**
 * A cursor that writes bytes into memory that grows. It refuses values that do not fit instead of cutting them.
 *
 * ```ts
 * import { ByteWriter } from "wirewalk/wire";
 *
 * const writer = new ByteWriter();
 * writer.u8(2);
 * writer.u16le(448);
 * writer.toBytes(); // => new Uint8Array([2, 0xc0, 0x01])
 * writer.u8(256); // throws RangeError: u8 must be an integer in 0..255, got 256
 * ```
 *
 * @module
 */

import { putLatin1 } from "./latin1.ts";
import { countBytes } from "./wire-error.ts";

/** What one message may grow to unless its writer says otherwise: no packet of the five protocols exceeds 64 KiB. */
export const WRITER_LIMIT_BYTES = 1024 * 1024;

const U64_MAX = 0xffff_ffff_ffff_ffffn;

const float = new Float32Array(1);
const floatBits = new Uint32Array(float.buffer);

/**
 * Writes values one after another. A value of the wrong type throws TypeError, one out of range RangeError, and so does
 * growing over `limit` bytes; a refused write writes nothing. Reuse one writer with {@link reset} on hot paths.
 */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;
  readonly #limit: number;

  /** Throws RangeError unless 0 <= `initialCapacity` and 0 <= `limit`, both whole numbers of bytes. */
  constructor(initialCapacity = 64, limit = WRITER_LIMIT_BYTES) {
    if (!(Number.isInteger(limit) && limit >= 0)) {
      throw new RangeError(`limit must be a whole number of bytes, got ${limit}`);
    }
    this.#limit = limit;
    this.#bytes = new Uint8Array(Math.min(initialCapacity, limit));
  }

  /** How many bytes have been written. */
  get length(): number {
    return this.#length;
  }

  /** Moves past `count` bytes and returns where they begin. */
  #take(count: number): number {
    const at = this.#length;
    const needed = at + count;
    if (needed > this.#bytes.length) this.#grow(needed);
    this.#length = needed;
    return at;
  }

  #grow(needed: number): void {
    if (needed > this.#limit) {
      throw new RangeError(`message must be at most ${countBytes(this.#limit)}, got ${needed}`);
    }
    // Doubling copies each byte about once in all, however small the steps are.
    const grown = new Uint8Array(Math.min(Math.max(needed, this.#bytes.length * 2), this.#limit));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }

  /** An integer in 0..255. */
  u8(value: number): void {
    // Masking changes every value that does not fit: fractions, NaN and non-numbers too. So one test checks all.
    if ((value & 0xff) !== value) refuseInteger(value, "u8", 0, 0xff);
    this.#byte(value);
  }

  /** An integer in -128..127. */
  i8(value: number): void {
    if ((value << 24) >> 24 !== value) refuseInteger(value, "i8", -0x80, 0x7f);
    this.#byte(value);
  }

  /** An integer in 0..65535, low byte first. */
  u16le(value: number): void {
    if ((value & 0xffff) !== value) refuseInteger(value, "u16le", 0, 0xffff);
    this.#half(value, true);
  }

  /** An integer in 0..65535, high byte first. */
  u16be(value: number): void {
    if ((value & 0xffff) !== value) refuseInteger(value, "u16be", 0, 0xffff);
    this.#half(value, false);
  }

  /** An integer in -32768..32767, low byte first. */
  i16le(value: number): void {
    if ((value << 16) >> 16 !== value) refuseInteger(value, "i16le", -0x8000, 0x7fff);
    this.#half(value, true);
  }

  /** An integer in -32768..32767, high byte first. */
  i16be(value: number): void {
    if ((value << 16) >> 16 !== value) refuseInteger(value, "i16be", -0x8000, 0x7fff);
    this.#half(value, false);
  }

  /** An integer in 0..4294967295, low byte first. */
  u32le(value: number): void {
    if (value >>> 0 !== value) refuseInteger(value, "u32le", 0, 0xffff_ffff);
    this.#word(value, true);
  }

  /** An integer in 0..4294967295, high byte first. */
  u32be(value: number): void {
    if (value >>> 0 !== value) refuseInteger(value, "u32be", 0, 0xffff_ffff);
    this.#word(value, false);
  }

  /** An integer in -2147483648..2147483647, low byte first. */
  i32le(value: number): void {
    if ((value | 0) !== value) refuseInteger(value, "i32le", -0x8000_0000, 0x7fff_ffff);
    this.#word(value, true);
  }

  /** An integer in -2147483648..2147483647, high byte first. */
  i32be(value: number): void {
    if ((value | 0) !== value) refuseInteger(value, "i32be", -0x8000_0000, 0x7fff_ffff);
    this.#word(value, false);
  }

  /** A bigint in 0..2^64 - 1, low byte first. */
  u64le(value: bigint): void {
    if (typeof value !== "bigint") throw new TypeError(`u64le must be a bigint, got ${String(value)}`);
    if (value < 0n || value > U64_MAX) throw new RangeError(`u64le must be in 0..${U64_MAX}, got ${value}`);
    const at = this.#take(8);
    this.#wordAt(at, Number(value & 0xffff_ffffn), true);
    this.#wordAt(at + 4, Number(value >> 32n), true);
  }

  /** Any number, rounded to the nearest 32-bit float, low byte first. */
  f32le(value: number): void {
    this.#word(bitsOf(value, "f32le"), true);
  }

  /** Any number, rounded to the nearest 32-bit float, high byte first. */
  f32be(value: number): void {
    this.#word(bitsOf(value, "f32be"), false);
  }

  #byte(value: number): void {
    // Taking comes first: it may replace the memory.
    const at = this.#take(1);
    this.#bytes[at] = value;
  }

  #half(value: number, littleEndian: boolean): void {
    const at = this.#take(2);
    this.#bytes[at] = littleEndian ? value : value >> 8;
    this.#bytes[at + 1] = littleEndian ? value >> 8 : value;
  }

  #word(value: number, littleEndian: boolean): void {
    this.#wordAt(this.#take(4), value, littleEndian);
  }

  #wordAt(at: number, value: number, littleEndian: boolean): void {
    const bytes = this.#bytes;
    if (littleEndian) {
      bytes[at] = value;
      bytes[at + 1] = value >> 8;
      bytes[at + 2] = value >> 16;
      bytes[at + 3] = value >> 24;
    } else {
      bytes[at] = value >> 24;
      bytes[at + 1] = value >> 16;
      bytes[at + 2] = value >> 8;
      bytes[at + 3] = value;
    }
  }

  /** The bytes as they are, or the first `count` of them. Throws RangeError when there are fewer. */
  bytes(value: Uint8Array, count = value.length): void {
    if (!(value instanceof Uint8Array)) throw new TypeError(`bytes must be a Uint8Array, got ${typeof value}`);
    if (!(Number.isInteger(count) && count >= 0 && count <= value.length)) {
      throw new RangeError(`count must be a whole number of bytes in 0..${value.length}, got ${count}`);
    }
    // Growing must come first: it replaces the memory.
    const at = this.#take(count);
    copyBytes(this.#bytes, at, value, count);
  }

  /** `count` zero bytes, the counterpart of the reader's `skip`. */
  skip(count: number): void {
    if (!(Number.isInteger(count) && count >= 0)) {
      throw new RangeError(`count must be a whole number of bytes, got ${count}`);
    }
    const at = this.#take(count);
    // After a reset the memory holds the message before.
    this.#bytes.fill(0, at, at + count);
  }

  /** A string of at most `limit` characters, each in 1..255, and its final zero. */
  cstring(value: string, limit: number): void {
    if (typeof value !== "string") throw new TypeError(`cstring must be a string, got ${typeof value}`);
    if (value.length > limit) {
      throw new RangeError(`cstring must have at most ${limit} characters, got ${value.length}`);
    }
    const { length } = value;
    const at = this.#take(length + 1);
    const wrong = putLatin1(value, this.#bytes, at, 1);
    if (wrong >= 0) {
      this.#length = at;
      const code = value.charCodeAt(wrong);
      throw new RangeError(`cstring must be characters in 1..255, got ${code} at position ${wrong}`);
    }
    this.#bytes[at + length] = 0;
  }

  /** Starts again from nothing; the memory is kept. */
  reset(): void {
    this.#length = 0;
  }

  /** What was written, copied to exactly its size. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  /** Copies what was written to the start of memory that is long enough. Throws RangeError where it is not. */
  copyTo(target: Uint8Array): void {
    if (target.length < this.#length) {
      throw new RangeError(`target must have ${countBytes(this.#length)}, got ${target.length}`);
    }
    copyBytes(target, 0, this.#bytes, this.#length);
  }

  /** What was written, not copied: valid until the next write or reset. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }
}

/** Up to so many bytes are copied one by one: `subarray` and `set` take 90 ns before the first. */
const FEW_BYTES = 96;

function copyBytes(target: Uint8Array, at: number, source: Uint8Array, count: number): void {
  if (count > FEW_BYTES) {
    target.set(count === source.length ? source : source.subarray(0, count), at);
    return;
  }
  for (let index = 0; index < count; index++) target[at + index] = source[index] as number;
}

function refuseInteger(value: unknown, what: string, min: number, max: number): never {
  const message = `${what} must be an integer in ${min}..${max}, got ${String(value)}`;
  throw typeof value === "number" ? new RangeError(message) : new TypeError(message);
}

function bitsOf(value: number, what: string): number {
  if (typeof value !== "number") throw new TypeError(`${what} must be a number, got ${String(value)}`);
  float[0] = value;
  return floatBits[0] as number;
}
