/** Bits of a message, as the interpreter sees them: one place to read from, one to write to. */

import { WRITER_LIMIT_BYTES } from "../byte-writer.ts";
import type { BitsNode, IntegerOrder } from "../describe/node.ts";
import type { Tracer } from "../trace.ts";
import { countBytes, placeText, WireError, type WireErrorCode } from "../wire-error.ts";

/** Where reading stands, in bits from the start of the bytes. */
export class ReadCursor {
  readonly bytes: Uint8Array;
  at: number;
  readonly end: number;
  /** Where a size that was read before claims that the bytes end. */
  readonly claimed: number;
  /** Within `bits` the bit of a byte that comes first. */
  readonly order: BitOrder | undefined;
  /** The least significant bit of a byte comes first. Then no number lies in two bytes. */
  readonly isLowFirst: boolean;
  /** Is told every field, if there is one. */
  tracer: Tracer | undefined = undefined;
  /** Where the trace's fields stand. Only kept for a tracer. */
  path = "";

  constructor(bytes: Uint8Array, at: number, end: number, claimed: number, order?: BitOrder) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
    this.claimed = claimed;
    this.order = order;
    this.isLowFirst = order === "lsb";
  }
}

type BitOrder = BitsNode["first"];

/** The same with what tells of fields. */
export function traced(cursor: ReadCursor, { tracer, path }: Pick<ReadCursor, "tracer" | "path">): ReadCursor {
  cursor.tracer = tracer;
  cursor.path = path;
  return cursor;
}

/** Tells the tracer of a field that was read from `start` on. A run of no bytes is not a field: there is no bit to show. */
export function traceField(cursor: ReadCursor, start: number, raw: number | bigint | string, shown?: string): void {
  const { at, tracer, path } = cursor;
  if (tracer !== undefined && at > start)
    tracer.field(path, placeOf(cursor, start, at - start), at - start, raw, shown);
}

/** A cursor at the start of bytes. */
export function cursorOf(bytes: Uint8Array): ReadCursor {
  const end = bytes.length * 8;
  return new ReadCursor(bytes, 0, end, end);
}

/** Throws the error of bytes that were refused. Its path is that of the field that is being read. */
export function refuse(code: WireErrorCode, why: string, bit: number, what = "value"): never {
  throw new WireError(code, `Cannot read ${what}: ${why} at ${placeText(bit)}`, bit);
}

/** Throws unless so many bits are left. `what`: the name of the number, for an error without a path. */
export function need(cursor: ReadCursor, width: number, what: string): void {
  const left = cursor.end - cursor.at;
  if (width <= left) return;
  const isBytes = width % 8 === 0;
  const needed = isBytes ? countBytes(width / 8) : width === 1 ? "1 bit" : `${width} bits`;
  const rest = isBytes && left % 8 === 0 ? String(left / 8) : isBytes ? `${left} bits` : String(left);
  refuse("truncated", `${needed} needed, ${rest} left`, cursor.at, cursor.order === undefined ? what : "bits");
}

/** Throws `WireError` when something is left. */
export function expectEnd({ at, end }: ReadCursor): void {
  if (at === end) return;
  const left = end - at;
  refuse("trailing", `${left % 8 === 0 ? countBytes(left / 8) : `${left} bits`} left`, at, "end of message");
}

/** An unsigned number, its most significant bit first unless the cursor says otherwise. */
export function take(cursor: ReadCursor, width: number, what: string): number {
  need(cursor, width, what);
  const { bytes, at, isLowFirst } = cursor;
  cursor.at = at + width;
  const used = at & 7;
  // At most four bytes hold it: one word, from which its bits are moved down.
  if (used + width <= 32 && !isLowFirst) {
    const first = at >>> 3;
    const word =
      ((bytes[first] as number) << 24) |
      ((bytes[first + 1] as number) << 16) |
      ((bytes[first + 2] as number) << 8) |
      (bytes[first + 3] as number);
    return (word << used) >>> (32 - width);
  }
  if (isLowFirst && used + width <= 8) return ((bytes[at >>> 3] as number) >>> used) & (0xff >>> (8 - width));
  let value = 0;
  for (let got = 0; got < width; ) {
    const bit = at + got;
    const count = Math.min(8 - (bit & 7), width - got);
    const piece = ((bytes[bit >>> 3] as number) >>> (8 - (bit & 7) - count)) & (0xff >>> (8 - count));
    // Not shifted: 32 bits would turn negative.
    value = value * 2 ** count + piece;
    got += count;
  }
  return value;
}

/** A run of bytes, copied. */
export function takeBytes(cursor: ReadCursor, count: number): Uint8Array<ArrayBuffer> {
  const left = cursor.end - cursor.at;
  if (count * 8 > left) refuse("truncated", `${countBytes(count)} needed, ${left >> 3} left`, cursor.at, "bytes");
  if (cursor.at % 8 !== 0) return Uint8Array.from({ length: count }, () => take(cursor, 8, "u8"));
  const from = cursor.at >>> 3;
  cursor.at += count * 8;
  return new Uint8Array(cursor.bytes.subarray(from, from + count));
}

/**
 * Where a field of `width` bits lies that was read from `at` on, most significant bit of a byte first. Whole bytes are where they are
 * in either order.
 */
export function placeOf({ isLowFirst }: ReadCursor, at: number, width: number): number {
  return isLowFirst && width <= 8 ? (at & ~7) + 8 - (at & 7) - width : at;
}

/** A number of whole bytes that came in an order other than high byte first, or the reverse. Either undoes itself. */
export function reordered(value: number, bits: number, order: IntegerOrder): number {
  if (order === "be" || bits % 8 !== 0) return value;
  if (order === "1032") return ((value << 16) | (value >>> 16)) >>> 0;
  if (order === "2301") return (((value & 0xff00ff) << 8) | ((value >>> 8) & 0xff00ff)) >>> 0;
  let rest = value;
  let turned = 0;
  for (let left = bits; left > 0; left -= 8) {
    turned = turned * 256 + (rest & 0xff);
    rest >>>= 8;
  }
  return turned;
}

// --- Writing ---------------------------------------------------------------------------------------------------------------

/** Room for most messages; it grows. */
const FIRST_BYTES = 64;

/** What is written, and how far, in bits. All bits after that are 0. */
export class WriteCursor {
  bytes = new Uint8Array(FIRST_BYTES);
  at = 0;
  isLowFirst = false;
}

/** What was written, copied. */
export function written({ bytes, at }: WriteCursor): Uint8Array<ArrayBuffer> {
  return bytes.slice(0, (at + 7) >>> 3);
}

/** Drops what was written from a place on: a byte boundary. */
export function dropFrom(cursor: WriteCursor, at: number): void {
  cursor.bytes.fill(0, at >>> 3, (cursor.at + 7) >>> 3);
  cursor.at = at;
}

/** Writes an unsigned number that fits: the reverse of {@link take}. */
export function put(cursor: WriteCursor, width: number, value: number): void {
  makeRoom(cursor, width);
  const { bytes, isLowFirst } = cursor;
  if (((cursor.at | width) & 7) === 0) {
    // Whole bytes, which are most of what is written; with the least significant bit first there is one.
    let at = cursor.at >>> 3;
    for (let left = width - 8; left >= 0; left -= 8) bytes[at++] = value >>> left;
    cursor.at += width;
    return;
  }
  for (let left = width; left > 0; ) {
    const used = cursor.at & 7;
    const count = Math.min(8 - used, left);
    const from = isLowFirst ? width - left : left - count;
    const piece = Math.floor(value / 2 ** from) & (0xff >>> (8 - count));
    bytes[cursor.at >>> 3] = (bytes[cursor.at >>> 3] as number) | (piece << (isLowFirst ? used : 8 - used - count));
    cursor.at += count;
    left -= count;
  }
}

/** The reverse of {@link takeBytes}. */
export function putBytes(cursor: WriteCursor, bytes: Uint8Array): void {
  if (cursor.at % 8 !== 0) {
    for (const byte of bytes) put(cursor, 8, byte);
    return;
  }
  makeRoom(cursor, bytes.length * 8);
  cursor.bytes.set(bytes, cursor.at >>> 3);
  cursor.at += bytes.length * 8;
}

function makeRoom(cursor: WriteCursor, width: number): void {
  const needed = (cursor.at + width + 7) >>> 3;
  if (needed <= cursor.bytes.length) return;
  if (needed > WRITER_LIMIT_BYTES) {
    throw new RangeError(`message must be at most ${countBytes(WRITER_LIMIT_BYTES)}, got ${needed}`);
  }
  const grown = new Uint8Array(Math.min(Math.max(needed, 2 * cursor.bytes.length), WRITER_LIMIT_BYTES));
  grown.set(cursor.bytes);
  cursor.bytes = grown;
}
