/**
 * Reads values by what `compile.ts` made of their plans. Bytes are read here directly, objects are made in their final shape, and
 * nothing throws: where a value does not fit, `FAILED` comes back.
 */
import type { ByteReader } from "../byte-reader.ts";
import { insidesOf } from "../byte-reader.ts";
import { decodeLatin1 } from "../latin1.ts";
import { readPath } from "../wire-error.ts";
import type { Layout } from "./layout.ts";
import * as ops from "./ops.ts";
import { type Adapt, FAILED } from "./plan.ts";

const { BITS, F32BE, F32LE, I16BE, I16LE, I32BE, I32LE, I8, LOW_BITS, NOTHING, SIGNED_BITS } = ops;
const { STEP, U64LE, U8, WIDE_BITS } = ops;

const float = new Float32Array(1);
const floatBits = new Uint32Array(float.buffer);

/** Past this many bytes places in bits are no 32-bit integers. */
const MOST_BYTES = 0x0fff_ffff;
const NO_BYTES = new Uint8Array(0);

/** Where reading stands. Places count in bits. */
export class Cursor {
  bytes: Uint8Array = NO_BYTES;
  at = 0;
  end = 0;
  /** Where the bytes should end by a size that was read before. */
  claimedEnd = 0;
  /** For layouts that are read by hand; it has the same end. */
  reader: ByteReader | undefined;
  /** Values of objects that are not made yet, from `top` on free. */
  readonly values: unknown[] = [];
  top = 0;
}

/** One thing after another: a field of an object, a tag, a count. */
export class Field {
  readonly op: number;
  /** Fixed width; 0 for a {@link STEP}, which checks for itself. */
  readonly bits: number;
  readonly adapt: Adapt | undefined;
  readonly step: Step | undefined;
  /** A number that is the value as it is. */
  readonly isPlain: boolean;

  constructor(op: number, bits: number, adapt?: Adapt, step?: Step) {
    this.op = op;
    this.bits = bits;
    this.adapt = adapt;
    this.step = step;
    this.isPlain = adapt === undefined && op !== STEP;
  }
}

/** Reads a value that takes more than a few bits. */
export abstract class Step {
  /** True where a layout inside is read by hand: then the path of errors is kept. */
  readonly isTracked: boolean;

  constructor(isTracked: boolean) {
    this.isTracked = isTracked;
  }

  abstract read(cursor: Cursor): unknown;
}

let spare: Cursor | undefined;

/** Reads a value from where the reader stands. On `FAILED` the reader stands where it was. */
export function readCompiled(field: Field, reader: ByteReader): unknown {
  const { end, offset } = reader;
  if (end > MOST_BYTES) return FAILED;
  // Taken while in use: a layout that is read by hand may read others. Where it throws, the next call makes a new one.
  const cursor = spare ?? new Cursor();
  spare = undefined;
  const { depth } = readPath;
  cursor.bytes = insidesOf.bytes(reader);
  cursor.at = offset << 3;
  cursor.end = end << 3;
  cursor.claimedEnd = reader.claimedEnd * 8;
  cursor.reader = reader;
  cursor.top = 0;
  const { step, adapt } = field;
  const value = step !== undefined && adapt === undefined ? step.read(cursor) : readField(field, cursor);
  cursor.reader = undefined;
  cursor.bytes = NO_BYTES;
  spare = cursor;
  if (value === FAILED) {
    readPath.depth = depth;
    insidesOf.move(reader, offset);
    return FAILED;
  }
  insidesOf.move(reader, cursor.at >>> 3);
  return value;
}

function word(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  );
}

function lowWord(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}

/** Up to 32 bits, most significant first. Past the end of the bytes is 0. */
function wideBits(bytes: Uint8Array, bit: number, width: number): number {
  const at = bit >>> 3;
  const used = bit & 7;
  const high = word(bytes, at) << used;
  const low = used === 0 ? 0 : (bytes[at + 4] as number) >>> (8 - used);
  return (high | low) >>> (32 - width);
}

/** The field's value. */
export function readField(field: Field, cursor: Cursor): unknown {
  const { op, adapt } = field;
  const raw = op === STEP ? (field.step as Step).read(cursor) : readNumber(op, field.bits, cursor);
  return adapt === undefined || raw === FAILED ? raw : adapt(raw as number);
}

/** By questions, not by a `switch`: its jump through a table took 8 of 20 ns of a field, as the processor does not predict it. */
export function readNumber(op: number, bits: number, cursor: Cursor): unknown {
  const { bytes, at: bit } = cursor;
  const next = bit + bits;
  if (next > cursor.end) return FAILED;
  cursor.at = next;
  const at = bit >>> 3;
  if (op <= I8) {
    const byte = bytes[at] as number;
    return op === U8 ? byte : (byte << 24) >> 24;
  }
  if (op <= I16BE) {
    const first = bytes[at] as number;
    const second = bytes[at + 1] as number;
    const half = isLowFirst(op) ? first | (second << 8) : (first << 8) | second;
    return op >= I16LE ? (half << 16) >> 16 : half;
  }
  if (op <= I32BE) {
    const whole = isLowFirst(op) ? lowWord(bytes, at) : word(bytes, at);
    return op >= I32LE ? whole : whole >>> 0;
  }
  if (op === BITS) return (word(bytes, at) << (bit & 7)) >>> (32 - bits);
  if (op === LOW_BITS) {
    if ((bit & 7) + bits > 8) return FAILED;
    return ((bytes[at] as number) >>> (bit & 7)) & (0xff >>> (8 - bits));
  }
  if (op === SIGNED_BITS) return (wideBits(bytes, bit, bits) << (32 - bits)) >> (32 - bits);
  if (op === WIDE_BITS) return wideBits(bytes, bit, bits);
  if (op === NOTHING) return 0;
  if (op === U64LE) return (BigInt(lowWord(bytes, at + 4) >>> 0) << 32n) | BigInt(lowWord(bytes, at) >>> 0);
  floatBits[0] = op === F32LE ? lowWord(bytes, at) : op === F32BE ? word(bytes, at) : wideBits(bytes, bit, 32);
  return float[0] as number;
}

/** Of {@link U16LE} to {@link I32BE}: the even ones. */
const isLowFirst = (op: number): boolean => (op & 1) === 0;

/** A layout that is read by hand. */
export class CustomStep extends Step {
  readonly #layout: Layout<unknown>;

  constructor(layout: Layout<unknown>) {
    super(true);
    this.#layout = layout;
  }

  read(cursor: Cursor): unknown {
    const reader = cursor.reader as ByteReader;
    insidesOf.move(reader, cursor.at >>> 3);
    const value = this.#layout.read(reader);
    cursor.at = reader.offset << 3;
    return value;
  }
}

/** A number of bytes before the end of the value. */
export interface Run {
  /** Always so many. */
  readonly count?: number;
  /** A count before the run; or all that is left. */
  readonly counter?: Field;
  readonly limit?: number;
}

/** The bytes of a run, or -1. */
export function runBytes({ count, counter, limit = 0 }: Run, cursor: Cursor): number {
  let length: number;
  if (count !== undefined) {
    length = count;
  } else {
    const counted = counter === undefined ? (cursor.claimedEnd - cursor.at) / 8 : readField(counter, cursor);
    if (counted === FAILED || !((counted as number) >= 0 && (counted as number) <= limit)) return -1;
    length = counted as number;
  }
  return length * 8 > cursor.end - cursor.at ? -1 : length;
}

/** Up to so many bytes are copied one by one: `subarray` and `set` take 90 ns before the first. */
const FEW_BYTES = 64;

export class BytesStep extends Step {
  readonly #run: Run;
  readonly #change: ((bytes: Uint8Array) => Uint8Array) | undefined;

  constructor(run: Run, change: ((bytes: Uint8Array) => Uint8Array) | undefined) {
    super(false);
    this.#run = run;
    this.#change = change;
  }

  read(cursor: Cursor): unknown {
    const length = runBytes(this.#run, cursor);
    if (length < 0) return FAILED;
    const from = cursor.at >>> 3;
    cursor.at += length * 8;
    const copy = new Uint8Array(length);
    if (length > FEW_BYTES) copy.set(cursor.bytes.subarray(from, from + length));
    else for (let index = 0; index < length; index++) copy[index] = cursor.bytes[from + index] as number;
    return this.#change === undefined ? copy : this.#change(copy);
  }
}

export class TextStep extends Step {
  readonly #run: Run;

  constructor(run: Run) {
    super(false);
    this.#run = run;
  }

  read(cursor: Cursor): unknown {
    const length = runBytes(this.#run, cursor);
    if (length < 0) return FAILED;
    const from = cursor.at >>> 3;
    cursor.at += length * 8;
    return decodeLatin1(cursor.bytes, from, from + length);
  }
}

export class CstringStep extends Step {
  readonly #limit: number;

  constructor(limit: number) {
    super(false);
    this.#limit = limit;
  }

  read(cursor: Cursor): unknown {
    const { bytes } = cursor;
    const from = cursor.at >>> 3;
    const end = Math.min(cursor.end >>> 3, from + this.#limit + 1);
    let zero = from;
    while (zero < end && bytes[zero] !== 0) zero++;
    if (zero === end) return FAILED;
    cursor.at = (zero + 1) << 3;
    return decodeLatin1(bytes, from, zero);
  }
}
