/**
 * Writes values by what `compile-write.ts` made of their plans, into the memory of a `ByteWriter`. Nothing throws: where a value
 * does not fit, what was written is not kept, and the layout's own `write` says what is wrong.
 */
import { type ByteWriter, insidesOfWriter } from "../byte-writer.ts";
import * as ops from "./ops.ts";
import { FAILED, type Prepare } from "./plan.ts";

const { BITS, F32BE, F32LE, I16BE, I16LE, I32BE, I32LE, I8, LOW_BITS, NOTHING, SIGNED_BITS } = ops;
const { STEP, U64LE, U8, WIDE_BITS } = ops;

const float = new Float32Array(1);
const floatBits = new Uint32Array(float.buffer);
const U64_MAX = 0xffff_ffff_ffff_ffffn;
/** Every field that has no step of its own fits into these bytes, with the bits before and after it. */
const FIELD_BYTES = 8;

const NO_BYTES = new Uint8Array(0);

/** Where writing stands, in bits. */
export class WriteCursor {
  bytes: Uint8Array = NO_BYTES;
  at = 0;
  writer: ByteWriter;

  constructor(writer: ByteWriter) {
    this.writer = writer;
  }

  /** Memory with room for so many bytes after this place. */
  room(count: number): Uint8Array {
    const needed = (this.at >>> 3) + count;
    if (needed > this.bytes.length) {
      // What lies before this place is copied only as far as the writer knows of it.
      insidesOfWriter.setLength(this.writer, (this.at + 7) >>> 3);
      this.bytes = insidesOfWriter.room(this.writer, count + 1);
    }
    return this.bytes;
  }
}

/** One thing after another: see `Field`. */
export class WriteField {
  readonly op: number;
  readonly bits: number;
  readonly prepare: Prepare | undefined;
  readonly step: WriteStep | undefined;
  /** A number that is written as it is. */
  readonly isPlain: boolean;

  constructor(op: number, bits: number, prepare?: Prepare, step?: WriteStep) {
    this.op = op;
    this.bits = bits;
    this.prepare = prepare;
    this.step = step;
    this.isPlain = prepare === undefined && op !== STEP;
  }
}

/** Writes a value that takes more than a few bits. */
export abstract class WriteStep {
  /** False where the value does not fit. */
  abstract write(value: unknown, cursor: WriteCursor): boolean;
}

let spare: WriteCursor | undefined;

/** Writes a value; false, and nothing is written, where it does not fit. */
export function writeCompiled(field: WriteField, writer: ByteWriter, value: unknown): boolean {
  const { length } = writer;
  // Taken while in use: a value's accessors may write others.
  const cursor = spare ?? new WriteCursor(writer);
  spare = undefined;
  cursor.writer = writer;
  cursor.at = length << 3;
  cursor.bytes = insidesOfWriter.room(writer, FIELD_BYTES);
  let fits = false;
  try {
    fits = writeField(field, value, cursor);
  } catch {
    // Over the writer's limit, or by an accessor of the value: the layouts write it again, and name the field.
  }
  insidesOfWriter.setLength(writer, fits ? cursor.at >>> 3 : length);
  spare = cursor;
  return fits;
}

function putWord(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

function putLowWord(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

/** Bits after those that the first byte has. What follows them in the last byte is 0. */
function putBits(bytes: Uint8Array, bit: number, width: number, value: number): void {
  const used = bit & 7;
  let at = bit >>> 3;
  const begun = used === 0 ? 0 : (bytes[at] as number);
  let left = used + width - 8;
  if (left <= 0) {
    bytes[at] = begun | ((value << -left) & (0xff >>> used));
    return;
  }
  bytes[at] = begun | ((value >>> left) & (0xff >>> used));
  for (left -= 8; left >= 0; left -= 8) bytes[++at] = value >>> left;
  if (left > -8) bytes[++at] = value << -left;
}

/** Writes a value; false where it does not fit. */
export function writeField(field: WriteField, given: unknown, cursor: WriteCursor): boolean {
  const { op, prepare } = field;
  const value = prepare === undefined ? given : prepare(given as never);
  if (value === FAILED) return false;
  if (op === STEP) return (field.step as WriteStep).write(value, cursor);
  return writeNumber(op, field.bits, value as number, cursor);
}

/**
 * By questions, not by a `switch`: see `readNumber`. One comparison with what is left of a value after cutting it checks its type
 * and its range.
 */
export function writeNumber(op: number, bits: number, value: number, cursor: WriteCursor): boolean {
  const bit = cursor.at;
  const at = bit >>> 3;
  const bytes = at + FIELD_BYTES > cursor.bytes.length ? cursor.room(FIELD_BYTES) : cursor.bytes;
  if (op <= I8) {
    if ((op === U8 ? value & 0xff : (value << 24) >> 24) !== value) return false;
    bytes[at] = value;
  } else if (op <= I16BE) {
    if ((op >= I16LE ? (value << 16) >> 16 : value & 0xffff) !== value) return false;
    const isLowFirst = (op & 1) === 0;
    bytes[at] = isLowFirst ? value : value >> 8;
    bytes[at + 1] = isLowFirst ? value >> 8 : value;
  } else if (op <= I32BE) {
    if ((op >= I32LE ? value | 0 : value >>> 0) !== value) return false;
    if ((op & 1) === 0) putLowWord(bytes, at, value);
    else putWord(bytes, at, value);
  } else if (!writeRare(op, bits, value, bytes, bit)) {
    return false;
  }
  cursor.at = bit + bits;
  return true;
}

function writeRare(op: number, bits: number, value: number, bytes: Uint8Array, bit: number): boolean {
  const at = bit >>> 3;
  if (op === BITS || op === WIDE_BITS) {
    if (value >>> 0 !== value || (bits < 32 && value >>> bits !== 0)) return false;
    putBits(bytes, bit, bits, value);
    return true;
  }
  if (op === LOW_BITS) {
    const used = bit & 7;
    if (value >>> 0 !== value || value >>> bits !== 0 || used + bits > 8) return false;
    bytes[at] = (used === 0 ? 0 : (bytes[at] as number)) | (value << used);
    return true;
  }
  if (op === SIGNED_BITS) {
    if ((value << (32 - bits)) >> (32 - bits) !== value) return false;
    putBits(bytes, bit, bits, value);
    return true;
  }
  if (op === NOTHING) return true;
  if (op === U64LE) {
    const wide: unknown = value;
    if (!(typeof wide === "bigint" && wide >= 0n && wide <= U64_MAX)) return false;
    putLowWord(bytes, at, Number(wide & 0xffff_ffffn));
    putLowWord(bytes, at + 4, Number(wide >> 32n));
    return true;
  }
  if (typeof value !== "number") return false;
  float[0] = value;
  const word = floatBits[0] as number;
  if (op === F32LE) putLowWord(bytes, at, word);
  else if (op === F32BE) putWord(bytes, at, word);
  else putBits(bytes, bit, 32, word);
  return true;
}
