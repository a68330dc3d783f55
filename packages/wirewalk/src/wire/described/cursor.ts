/** Bits of a message, as the small reader and writer of descriptions see them. */
import { countBytes, placeText, WireError, type WireErrorCode } from "../wire-error.ts";

/** Where reading stands, in bits from the start of the bytes. */
export interface ReadCursor {
  readonly bytes: Uint8Array;
  at: number;
  readonly end: number;
  /** Where a size that was read before claims that the bytes end. */
  readonly claimed: number;
  /** Whether the least significant bit of a byte comes first. Then no number lies in two bytes. */
  readonly isLowFirst: boolean;
}

/** What is written, and how far, in bits. */
export interface WriteCursor {
  bytes: Uint8Array;
  at: number;
  readonly isLowFirst: boolean;
}

/** A block that holds a message in another form; a codec whose messages have none does not carry the code for it. */
export interface BlockMethods {
  /** Throws `WireError`. */
  readonly unpack: (block: Uint8Array, limit: number, start: number, unusedBits: "refuse" | "ignore") => Uint8Array;
  readonly pack: (body: Uint8Array) => Uint8Array;
}

/** Throws the error of bytes that were refused. Its path is that of the field that is being read. */
export function refuse(code: WireErrorCode, why: string, bit: number): never {
  throw new WireError(code, `Cannot read value: ${why} at ${placeText(bit)}`, bit);
}

/** Throws unless so many bits are left. */
export function need(cursor: ReadCursor, width: number): void {
  const left = cursor.end - cursor.at;
  if (left >= width) return;
  const needed = width % 8 === 0 ? countBytes(width / 8) : `${width} bits`;
  refuse("truncated", `${needed} needed, ${width % 8 === 0 ? left >> 3 : left} left`, cursor.at);
}

/** An unsigned number, its most significant bit first unless the cursor says otherwise. */
export function take(cursor: ReadCursor, width: number): number {
  need(cursor, width);
  const { bytes, isLowFirst } = cursor;
  let value = 0;
  for (let got = 0; got < width; ) {
    const used = cursor.at & 7;
    const count = Math.min(8 - used, width - got);
    const byte = bytes[cursor.at >>> 3] as number;
    const piece = (byte >>> (isLowFirst ? used : 8 - used - count)) & (0xff >>> (8 - count));
    // Not shifted: 32 bits would turn negative.
    value = isLowFirst ? value + piece * 2 ** got : value * 2 ** count + piece;
    cursor.at += count;
    got += count;
  }
  return value;
}

/** The reverse of {@link take}. */
export function put(cursor: WriteCursor, width: number, value: number): void {
  for (let left = width; left > 0; ) {
    const at = cursor.at >>> 3;
    makeRoom(cursor, at + 1);
    const used = cursor.at & 7;
    const count = Math.min(8 - used, left);
    const from = cursor.isLowFirst ? width - left : left - count;
    const piece = Math.floor(value / 2 ** from) & (0xff >>> (8 - count));
    (cursor.bytes as Record<number, number>)[at] =
      (cursor.bytes[at] as number) | (piece << (cursor.isLowFirst ? used : 8 - used - count));
    cursor.at += count;
    left -= count;
  }
}

/** A run of bytes, copied. */
export function takeBytes(cursor: ReadCursor, count: number): Uint8Array<ArrayBuffer> {
  need(cursor, count * 8);
  if (cursor.at % 8 !== 0) return Uint8Array.from({ length: count }, () => take(cursor, 8));
  const from = cursor.at >>> 3;
  cursor.at += count * 8;
  return Uint8Array.from(cursor.bytes.subarray(from, from + count));
}

/** The reverse of {@link takeBytes}. */
export function putBytes(cursor: WriteCursor, bytes: Uint8Array): void {
  const from = cursor.at >>> 3;
  if (cursor.at % 8 !== 0) {
    for (const byte of bytes) put(cursor, 8, byte);
    return;
  }
  makeRoom(cursor, from + bytes.length);
  cursor.bytes.set(bytes, from);
  cursor.at += bytes.length * 8;
}

function makeRoom(cursor: WriteCursor, length: number): void {
  if (length <= cursor.bytes.length) return;
  const grown = new Uint8Array(Math.max(length, 2 * cursor.bytes.length));
  grown.set(cursor.bytes);
  cursor.bytes = grown;
}

/** A number of whole bytes with its bytes in the reverse order. */
export function reversed(value: number, bits: number): number {
  let rest = value;
  let turned = 0;
  for (let left = bits; left > 0; left -= 8) {
    turned = turned * 256 + (rest % 256);
    rest = Math.floor(rest / 256);
  }
  return turned;
}

/** A number with its low byte changed. Each of the changes undoes itself. */
export function transformed(value: number, transform: string | undefined): number {
  if (transform === undefined) return value;
  const low = value % 256;
  const changed = transform === "+128" ? low + 128 : transform === "neg" ? 256 - low : 384 - low;
  return value - low + (changed % 256);
}
