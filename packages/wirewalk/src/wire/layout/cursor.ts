/**
 * What layouts read from and write to: bytes (`ByteReader`, `ByteWriter`), or bits that do not keep to bytes. A layout
 * does not know which; `bits()` changes from the one to the other.
 *
 * @module
 */
import type { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import { decodeLatin1 } from "../latin1.ts";
import { countBytes, placeText, WireError } from "../wire-error.ts";

/** Reads from bytes or bits. Throws {@link WireError} where the input ends. */
export type LayoutReader = Pick<ByteReader, keyof ByteReader>;

/** Writes bytes or bits. Throws `RangeError` or `TypeError` for a value that does not fit. */
export type LayoutWriter = Pick<ByteWriter, keyof ByteWriter>;

/** Which bit of a byte comes first. */
export type BitOrder = "msb" | "lsb";

/**
 * The widest number that 32 bits hold together with the 7 bits before it in its first byte. Up to it, bits move by whole
 * words: the 2,046 numbers of 18 bits of OSRS's initial packet are read in a third of the time.
 */
const WORD_WIDTH = 24;

const float = new Float32Array(1);
const floatBits = new Uint32Array(float.buffer);

/** Reads with no regard to byte boundaries, from a byte boundary of another reader on. */
export class BitLayoutReader implements LayoutReader {
  readonly #bytes: Uint8Array;
  readonly #order: BitOrder;
  /** In bits from the start of the bytes, in reading order. */
  #bit: number;
  readonly end: number;
  readonly claimedEnd: number;

  constructor(bytes: Uint8Array, start: number, end: number, order: BitOrder, claimedEnd = end) {
    this.#bytes = bytes;
    this.#order = order;
    this.#bit = start * 8;
    this.end = end;
    this.claimedEnd = claimedEnd;
  }

  get offset(): number {
    return this.#bit >>> 3;
  }

  /** In reading order: with the least significant bit first, {@link placeOf} gives the place of a field. */
  get bitOffset(): number {
    return this.#bit;
  }

  get remainingBits(): number {
    return this.end * 8 - this.#bit;
  }

  get remaining(): number {
    return this.remainingBits >>> 3;
  }

  /** Where a field of `width` bits lies that was read from `bitOffset` on, most significant bit of a byte first. */
  placeOf(bitOffset: number, width: number): number {
    // Whole bytes are where they are in either order.
    if (this.#order === "msb" || width > 8) return bitOffset;
    return (bitOffset & ~7) + 8 - (bitOffset & 7) - width;
  }

  /** Least significant bit first: several numbers together are no row of bits. */
  get isLowFirst(): boolean {
    return this.#order === "lsb";
  }

  seek(bitOffset: number): void {
    this.#bit = bitOffset;
  }

  bits(width: number): number {
    const left = this.remainingBits;
    if (width > left) {
      const needed = width % 8 === 0 ? countBytes(width / 8) : width === 1 ? "1 bit" : `${width} bits`;
      const rest =
        width % 8 === 0 && left % 8 === 0 ? String(left / 8) : width % 8 === 0 ? `${left} bits` : String(left);
      throw new WireError(
        "truncated",
        `Cannot read bits: ${needed} needed, ${rest} left at ${placeText(this.#bit)}`,
        this.#bit,
      );
    }
    return this.#order === "msb" ? this.#readHighFirst(width) : this.#readLowFirst(width);
  }

  #readHighFirst(width: number): number {
    if (width <= WORD_WIDTH) {
      // Past the end of the bytes is 0, and none of that is kept.
      const bytes = this.#bytes;
      const at = this.#bit >>> 3;
      const word =
        ((bytes[at] as number) << 24) |
        ((bytes[at + 1] as number) << 16) |
        ((bytes[at + 2] as number) << 8) |
        (bytes[at + 3] as number);
      const value = (word << (this.#bit & 7)) >>> (32 - width);
      this.#bit += width;
      return value;
    }
    let value = 0;
    for (let needed = width; needed > 0; ) {
      const used = this.#bit & 7;
      const take = Math.min(8 - used, needed);
      const piece = ((this.#bytes[this.#bit >>> 3] as number) >>> (8 - used - take)) & (0xff >>> (8 - take));
      // Not shifted: 32 bits would turn negative.
      value = value * 2 ** take + piece;
      this.#bit += take;
      needed -= take;
    }
    return value;
  }

  #readLowFirst(width: number): number {
    const used = this.#bit & 7;
    if (used + width > 8) throw new Error(`Cannot happen: ${width} bits from bit ${used} on lie in two bytes`);
    const value = ((this.#bytes[this.#bit >>> 3] as number) >>> used) & (0xff >>> (8 - width));
    this.#bit += width;
    return value;
  }

  u8(): number {
    return this.bits(8);
  }
  i8(): number {
    return (this.bits(8) << 24) >> 24;
  }
  u16be(): number {
    return this.bits(16);
  }
  u16le(): number {
    return swap16(this.bits(16));
  }
  i16be(): number {
    return (this.bits(16) << 16) >> 16;
  }
  i16le(): number {
    return (this.u16le() << 16) >> 16;
  }
  u32be(): number {
    return this.bits(32);
  }
  u32le(): number {
    return swap32(this.bits(32));
  }
  i32be(): number {
    return this.bits(32) | 0;
  }
  i32le(): number {
    return this.u32le() | 0;
  }
  u64le(): bigint {
    const low = this.u32le();
    return (BigInt(this.u32le()) << 32n) | BigInt(low);
  }
  f32be(): number {
    floatBits[0] = this.bits(32);
    return float[0] as number;
  }
  f32le(): number {
    floatBits[0] = this.u32le();
    return float[0] as number;
  }

  bytes(count: number): Uint8Array<ArrayBuffer> {
    if (count * 8 > this.remainingBits) {
      const why = `${countBytes(count)} needed, ${this.remaining} left at ${placeText(this.#bit)}`;
      throw new WireError("truncated", `Cannot read bytes: ${why}`, this.#bit);
    }
    return Uint8Array.from({ length: count }, () => this.bits(8));
  }

  view(count: number): Uint8Array {
    return this.bytes(count);
  }

  region(start: number, end: number): Uint8Array {
    return this.#bytes.subarray(start, end);
  }

  skip(count: number): void {
    this.bytes(count);
  }

  peekU8(): number {
    const at = this.#bit;
    const byte = this.bits(8);
    this.#bit = at;
    return byte;
  }

  cstring(limit: number): string {
    const start = this.#bit;
    const bytes: number[] = [];
    for (;;) {
      // As a ByteReader does, it refuses a text without its zero where the text begins.
      if (this.remainingBits < 8) {
        const why = `its final zero is missing, ${bytes.length} left at ${placeText(start)}`;
        throw new WireError("truncated", `Cannot read cstring: ${why}`, start);
      }
      const byte = this.bits(8);
      if (byte === 0) break;
      if (bytes.length === limit) {
        const why = `over its limit of ${limit} characters at ${placeText(start)}`;
        throw new WireError("limit", `Cannot read cstring: ${why}`, start);
      }
      bytes.push(byte);
    }
    return decodeLatin1(Uint8Array.from(bytes));
  }

  expectEnd(): void {
    if (this.remainingBits === 0) return;
    const why = `${this.remainingBits} bits left at ${placeText(this.#bit)}`;
    throw new WireError("trailing", `Cannot read end of message: ${why}`, this.#bit);
  }
}

function swap16(value: number): number {
  return ((value & 0xff) << 8) | (value >>> 8);
}

function swap32(value: number): number {
  return (((value & 0xff) << 24) | ((value & 0xff00) << 8) | ((value >>> 8) & 0xff00) | (value >>> 24)) >>> 0;
}

/** Where a field lies that `reader` read from `bitOffset` on: what a trace says. */
export function placeOf(reader: LayoutReader, bitOffset: number, width: number): number {
  return reader instanceof BitLayoutReader ? reader.placeOf(bitOffset, width) : bitOffset;
}

/** Collects bits with no regard to byte boundaries; {@link finish} gives them as bytes. */
export class BitLayoutWriter implements LayoutWriter {
  readonly #order: BitOrder;
  /** Whole bytes are checked and laid out by the byte writer, and taken over from there. */
  readonly #scratch = new ByteWriter(16);
  readonly #out: LayoutWriter;
  #current = 0;
  #used = 0;
  #length = 0;

  constructor(out: LayoutWriter, order: BitOrder) {
    this.#out = out;
    this.#order = order;
  }

  get length(): number {
    return (this.#length + 7) >>> 3;
  }

  get bitLength(): number {
    return this.#length;
  }

  bits(width: number, value: number): void {
    if (!(value >= 0 && value < 2 ** width && Number.isInteger(value))) {
      const what = width === 1 ? "1 bit" : `${width} bits`;
      const message = `${what} must be an integer in 0..${2 ** width - 1}, got ${String(value)}`;
      throw typeof value === "number" ? new RangeError(message) : new TypeError(message);
    }
    this.#length += width;
    if (this.#order === "lsb") {
      if (this.#used + width > 8)
        throw new Error(`Cannot happen: ${width} bits from bit ${this.#used} on lie in two bytes`);
      this.#current |= value << this.#used;
      this.#advance(width);
      return;
    }
    if (width <= WORD_WIDTH) {
      const held = ((this.#current >>> (8 - this.#used)) << width) | value;
      let left = this.#used + width;
      for (; left >= 8; left -= 8) this.#out.u8((held >>> (left - 8)) & 0xff);
      this.#current = (held << (8 - left)) & 0xff;
      this.#used = left;
      return;
    }
    for (let left = width; left > 0; ) {
      const take = Math.min(8 - this.#used, left);
      const piece = Math.floor(value / 2 ** (left - take)) & (0xff >>> (8 - take));
      this.#current |= piece << (8 - this.#used - take);
      left -= take;
      this.#advance(take);
    }
  }

  #advance(width: number): void {
    this.#used += width;
    if (this.#used < 8) return;
    this.#out.u8(this.#current);
    this.#current = 0;
    this.#used = 0;
  }

  /** Fills the last byte up with 0. */
  finish(): void {
    if (this.#used === 0) return;
    this.#out.u8(this.#current);
    this.#length += 8 - this.#used;
    this.#current = 0;
    this.#used = 0;
  }

  #take(write: (writer: ByteWriter) => void): void {
    this.#scratch.reset();
    write(this.#scratch);
    for (const byte of this.#scratch.view()) this.bits(8, byte);
  }

  u8(value: number): void {
    this.#take((writer) => writer.u8(value));
  }
  i8(value: number): void {
    this.#take((writer) => writer.i8(value));
  }
  u16be(value: number): void {
    this.#take((writer) => writer.u16be(value));
  }
  u16le(value: number): void {
    this.#take((writer) => writer.u16le(value));
  }
  i16be(value: number): void {
    this.#take((writer) => writer.i16be(value));
  }
  i16le(value: number): void {
    this.#take((writer) => writer.i16le(value));
  }
  u32be(value: number): void {
    this.#take((writer) => writer.u32be(value));
  }
  u32le(value: number): void {
    this.#take((writer) => writer.u32le(value));
  }
  i32be(value: number): void {
    this.#take((writer) => writer.i32be(value));
  }
  i32le(value: number): void {
    this.#take((writer) => writer.i32le(value));
  }
  u64le(value: bigint): void {
    this.#take((writer) => writer.u64le(value));
  }
  f32be(value: number): void {
    this.#take((writer) => writer.f32be(value));
  }
  f32le(value: number): void {
    this.#take((writer) => writer.f32le(value));
  }
  bytes(value: Uint8Array, count = value.length): void {
    this.#take((writer) => writer.bytes(value, count));
  }
  skip(count: number): void {
    this.#take((writer) => writer.skip(count));
  }
  cstring(value: string, limit: number): void {
    this.#take((writer) => writer.cstring(value, limit));
  }
  reset(): void {
    throw new Error("Cannot happen: only the owner of the bytes resets them");
  }
  copyTo(target: Uint8Array): void {
    this.#out.copyTo(target);
  }
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#out.toBytes();
  }
  view(): Uint8Array<ArrayBuffer> {
    return this.#out.view();
  }
}
