/** Writes numbers. */
import type { FloatNode, IntegerNode, SmartNode } from "../describe/node.ts";
import { integerName, integerRange, smartRange, transformByte } from "../describe/number-nodes.ts";
import { put, reordered, type WriteCursor } from "./cursor.ts";
import { WIDE_NONE } from "./read-fields.ts";

const MAX_U64 = 0xffff_ffff_ffff_ffffn;

export function writeInteger(node: IntegerNode, cursor: WriteCursor, value: unknown): void {
  const { bits, order, transform, bias = 0, divisor = 1 } = node;
  if (bits === 64) {
    writeU64(cursor, value);
    return;
  }
  const { min, max } = integerRange(node);
  const must = (what: string): string => `${integerName(node)} must be ${what} in ${min}..${max}, got ${String(value)}`;
  if (typeof value !== "number") throw new TypeError(must("an integer"));
  if (!(value >= min && value <= max && Number.isInteger(value * divisor))) {
    throw new RangeError(must(divisor === 1 ? "an integer" : `a multiple of 1/${divisor}`));
  }
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

export function writeSmart(node: SmartNode, cursor: WriteCursor, value: unknown): void {
  const { min, max } = smartRange(node);
  const most = node.max ?? max;
  const must = (): string => `smart must be an integer in ${min}..${most}, got ${String(value)}`;
  if (typeof value !== "number") throw new TypeError(must());
  if (!(Number.isInteger(value) && value >= min && value <= most)) throw new RangeError(must());
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
