/** Reads the fields that are made of no others: numbers, names of bits, bytes, texts. */
import type { BytesNode, FloatNode, IntegerNode, PrefixNode, SmartNode, TextNode } from "../describe/node.ts";
import { integerName, integerRange, isMixed, transformByte } from "../describe/number-nodes.ts";
import { formatHex } from "../hex.ts";
import { decodeLatin1 } from "../latin1.ts";
import { cp1252Character } from "../windows-1252.ts";
import { need, type ReadCursor, refuse, reordered, take, takeBytes, traceField } from "./cursor.ts";

// --- Numbers ---------------------------------------------------------------------------------------------------------------

const FLOAT_BITS = 32;
const U64_BITS = 64;

/** How the cursors call a number, for an error without a path. */
function verbOf({ bits, signed, order, transform }: IntegerNode): string {
  if (bits % 8 !== 0 || bits === 24) return "bits";
  // Four bytes half by half are one word before they are changed.
  if (isMixed(order)) return "i32be";
  return integerName({ bits, signed: signed && transform === undefined, order });
}

export function readInteger(node: IntegerNode, cursor: ReadCursor): number | bigint {
  const start = cursor.at;
  const { bits, signed, order, transform, bias = 0, divisor = 1, min, max } = node;
  if (bits === U64_BITS) return readU64(cursor);
  if (cursor.end - start < bits) need(cursor, bits, verbOf(node));
  const taken = take(cursor, bits, "");
  let wire = order === "be" ? taken : reordered(taken, bits, order);
  const onWire = wire;
  if (transform !== undefined) wire = wire - (wire & 0xff) + transformByte(wire & 0xff, transform);
  const number = signed && wire >= 2 ** (bits - 1) ? wire - 2 ** bits : wire;
  const value = (number - bias) / divisor;
  if (cursor.tracer !== undefined) {
    // Of a number that is changed on its way a trace shows what stands on the wire.
    const isPlain = transform === undefined && bias === 0 && divisor === 1;
    traceField(cursor, start, isPlain ? value : onWire, String(value));
  }
  if ((min !== undefined && value < min) || (max !== undefined && value > max)) {
    const range = integerRange(node);
    refuse("bad-value", `${value} is not in ${range.min}..${range.max}`, start);
  }
  return value;
}

function readU64(cursor: ReadCursor): bigint {
  const start = cursor.at;
  need(cursor, U64_BITS, "u64le");
  const word = (): bigint => BigInt(reordered(take(cursor, 32, ""), 32, "le"));
  const low = word();
  const value = (word() << 32n) | low;
  traceField(cursor, start, value);
  return value;
}

/** What a wide smart of two bytes has for -1. */
export const WIDE_NONE = 0x7fff;

export function readSmart({ wide }: SmartNode, cursor: ReadCursor): number {
  const start = cursor.at;
  const isShort = take(cursor, 8, "u8") < 128;
  cursor.at = start;
  let value: number;
  if (wide) {
    const number = isShort ? take(cursor, 16, "u16be") : take(cursor, 32, "u32be") - 0x8000_0000;
    value = isShort && number === WIDE_NONE ? -1 : number;
  } else {
    value = isShort ? take(cursor, 8, "u8") : take(cursor, 16, "u16be") - 0x8000;
  }
  traceField(cursor, start, value);
  return value;
}

// One float and its bits in the same memory. Both views are the machine's own order, so the order cancels out.
const float = new Float32Array(1);
const floatBits = new Uint32Array(float.buffer);

export function readFloat({ order, finite }: FloatNode, cursor: ReadCursor): number {
  const start = cursor.at;
  const taken = take(cursor, FLOAT_BITS, `f32${order}`);
  floatBits[0] = reordered(taken, FLOAT_BITS, order);
  const found = float[0] as number;
  if (finite && !Number.isFinite(found)) refuse("bad-value", `${found} is not finite`, start);
  const value = finite ? found + 0 : found;
  if (cursor.tracer !== undefined) traceField(cursor, start, value, formatF32(value));
  return value;
}

/** The shortest decimal that is this 32-bit float: 0.165, not 0.16500000655651093. */
function formatF32(value: number): string {
  if (Object.is(value, -0)) return "-0";
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Object.is(Math.fround(short), value)) return String(short);
  }
  return String(value);
}

export function readPrefix({ codes }: PrefixNode, cursor: ReadCursor): string {
  const start = cursor.at;
  const entries = Object.entries(codes);
  for (let code = ""; ; ) {
    code += take(cursor, 1, "bits");
    const found = entries.find(([, each]) => each === code);
    if (found !== undefined) {
      traceField(cursor, start, Number.parseInt(code, 2), found[0]);
      return found[0];
    }
    if (!entries.some(([, each]) => each.startsWith(code))) {
      refuse("unknown-variant", `bits ${code} begin none of ${Object.keys(codes).join(", ")}`, start);
    }
  }
}

// --- Bytes and texts -------------------------------------------------------------------------------------------------------

/** How many bytes of a run are shown where one line must do. */
const SHOWN_BYTES = 16;

function showBytes(value: Uint8Array): string {
  const hex = formatHex(value.subarray(0, SHOWN_BYTES));
  return value.length > SHOWN_BYTES ? `${hex} ...` : hex;
}

const digitsOf = (value: Uint8Array): string => formatHex(value, { separator: "" });

/** The bytes of a value as they stand on the wire, or the reverse: every transform undoes itself, and so does turning round. */
export function changedBytes({ transform, reversed }: BytesNode, value: Uint8Array): Uint8Array {
  if (transform === undefined && !reversed) return value;
  const changed = value.map((byte) => transformByte(byte, transform));
  return reversed ? changed.reverse() : changed;
}

/** How many bytes are left, at most so many. Where the bytes were cut, reading them says so. */
export function restOf(cursor: ReadCursor, limit: number): number {
  const bytes = (cursor.claimed - cursor.at) >> 3;
  if (bytes > limit) refuse("limit", `${bytes} bytes are over the limit of ${limit}`, cursor.at);
  return bytes;
}

/** `count`: the number that was read before them, where one was. */
export function readBytes(node: BytesNode, count: number | undefined, cursor: ReadCursor): Uint8Array {
  const start = cursor.at;
  const { length } = node;
  const isRest = typeof length === "object" && "rest" in length;
  const bytes = isRest ? restOf(cursor, length.rest) : (count ?? (length as number));
  const taken = takeBytes(cursor, bytes);
  const value = changedBytes(node, taken);
  if (cursor.tracer !== undefined) traceField(cursor, start, digitsOf(taken), showBytes(value));
  return value;
}

export function readCountedText(count: number, cursor: ReadCursor): string {
  const start = cursor.at;
  const bytes = takeBytes(cursor, count);
  const text = decodeLatin1(bytes);
  if (cursor.tracer !== undefined) traceField(cursor, start, digitsOf(bytes), JSON.stringify(text));
  return text;
}

/** A text to its zero byte. */
export function readText(charset: TextNode["charset"], limit: number, cursor: ReadCursor): string {
  const start = cursor.at;
  const isLatin1 = charset === "latin1";
  const what = isLatin1 ? "cstring" : "string";
  const bytes: number[] = [];
  for (;;) {
    const left = cursor.end - cursor.at;
    // A latin1 text without its zero is refused where it begins, a Windows-1252 text where the bytes end.
    if (left < 8 && isLatin1) refuse("truncated", `its final zero is missing, ${bytes.length} left`, start, what);
    const byte = take(cursor, 8, "u8");
    if (byte === 0) break;
    if (bytes.length === limit) refuse("limit", `over its limit of ${limit} characters`, start, what);
    bytes.push(byte);
  }
  const codes = Uint8Array.from(bytes);
  const text = isLatin1 ? decodeLatin1(codes) : bytes.map(cp1252Character).join("");
  if (cursor.tracer !== undefined) traceField(cursor, start, `${digitsOf(codes)}00`, JSON.stringify(text));
  return text;
}
