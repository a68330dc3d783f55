/** Writes numbers. */
import type { FloatNode, IntegerNode, SmartNode } from "../describe/node.ts";
import { integerName, integerRange, smartRange, transformByte } from "../describe/number-nodes.ts";
import { put, reordered, type WriteCursor } from "./cursor.ts";
import { WIDE_NONE } from "./read-fields.ts";

const MAX_U64 = 0xffff_ffff_ffff_ffffn;

/** What an integer may be, for errors: `u8 must be an integer in 0..255, got`. */
export function integerMust(node: IntegerNode, isFraction = true): string {
  const { min, max } = integerRange(node);
  const { divisor = 1 } = node;
  const what = divisor === 1 || !isFraction ? "an integer" : `a multiple of 1/${divisor}`;
  return `${integerName(node)} must be ${what} in ${min}..${max}, got`;
}

/** Whether an integer may be this number. */
export function isInRange(node: IntegerNode, value: number): boolean {
  const { min, max } = integerRange(node);
  return value >= min && value <= max && Number.isInteger(value * (node.divisor ?? 1));
}

export function writeInteger(node: IntegerNode, cursor: WriteCursor, value: unknown): void {
  const { bits, order, transform, bias = 0, divisor = 1 } = node;
  if (bits === 64) {
    writeU64(cursor, value);
    return;
  }
  if (typeof value !== "number") throw new TypeError(`${integerMust(node, false)} ${String(value)}`);
  if (!isInRange(node, value)) throw new RangeError(`${integerMust(node)} ${value}`);
  const shifted = value * divisor + bias;
  let wire = shifted < 0 ? shifted + 2 ** bits : shifted;
  if (transform !== undefined) wire = wire - (wire % 256) + transformByte(wire % 256, transform);
  put(cursor, bits, reordered(wire, bits, order));
}

function writeU64(cursor: WriteCursor, value: unknown): void {
  if (typeof value !== "bigint") throw new TypeError(`u64le must be a bigint, got ${String(value)}`);
  if (value < 0n || value > MAX_U64) throw new RangeError(`u64le must be in 0..${MAX_U64}, got ${value}`);
  put(cursor, 32, reordered(Number(value & 0xffff_ffffn), 32, "le"));
  put(cursor, 32, reordered(Number(value >> 32n), 32, "le"));
}

/** What a smart number may be, for errors. */
export function smartMust({ wide, max }: SmartNode): string {
  const range = smartRange({ wide: wide === true });
  return `smart must be an integer in ${range.min}..${max ?? range.max}, got`;
}

/** Whether a smart number may be written. */
export function isSmart({ wide, max }: SmartNode, value: number): boolean {
  const range = smartRange({ wide: wide === true });
  return Number.isInteger(value) && value >= range.min && value <= (max ?? range.max);
}

export function writeSmart(node: SmartNode, cursor: WriteCursor, value: unknown): void {
  if (typeof value !== "number") throw new TypeError(`${smartMust(node)} ${String(value)}`);
  if (!isSmart(node, value)) throw new RangeError(`${smartMust(node)} ${value}`);
  if (node.wide) {
    if (value === -1) put(cursor, 16, WIDE_NONE);
    else if (value < WIDE_NONE) put(cursor, 16, value);
    else put(cursor, 32, value + 0x8000_0000);
  } else if (value < 128) put(cursor, 8, value);
  else put(cursor, 16, value + 0x8000);
}

const float = new Float32Array(1);
const floatBits = new Uint32Array(float.buffer);

export function writeFloat({ order, finite }: FloatNode, cursor: WriteCursor, value: unknown): void {
  if (typeof value !== "number") throw new TypeError(`f32${order} must be a number, got ${String(value)}`);
  if (finite && !Number.isFinite(Math.fround(value))) {
    throw new RangeError(`value must fit a 32-bit float, got ${value}`);
  }
  float[0] = finite ? value + 0 : value;
  put(cursor, 32, reordered(floatBits[0] as number, 32, order));
}
