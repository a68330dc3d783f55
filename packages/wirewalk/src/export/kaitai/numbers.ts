/** Numbers in Kaitai: the type that reads the bits, and the expression that makes the value of them. */

import { integerRange } from "../../wire/describe/number-nodes.ts";
import type { ByteTransform, IntegerNode, JsonObject, JsonValue } from "../../wire/index.ts";

/** How a number is read. */
export interface KsyNumber {
  /** `u2le`, `b12`. */
  readonly type: string;
  /** The value, where it is not what the type reads; `raw` is an expression of that. */
  readonly value?: (raw: string) => string;
}

/** Throws `TypeError` for an integer that Kaitai has no type for. */
export function integerNumber(node: IntegerNode, bits: "msb" | "lsb" | undefined): KsyNumber {
  const { order, bits: width, signed, transform, bias = 0, divisor = 1 } = node;
  const suffix = bits === "lsb" ? "le" : "";
  const isNative = bits === undefined && [8, 16, 32, 64].includes(width) && (order === "be" || order === "le");
  const isSignedRead = isNative && signed && transform === undefined;
  let type: string;
  if (isNative) type = `${isSignedRead ? "s" : "u"}${width / 8}${width === 8 ? "" : order}`;
  else if (bits === undefined && width % 8 === 0 && order === "le") type = `b${width}le`;
  else if (bits !== undefined && order !== "be" && width > 8) throw new TypeError(`${width} bits ${order} within bits`);
  else type = `b${width}${suffix}`;

  const steps: ((raw: string) => string)[] = [];
  // One bit is read as true or false.
  if (type === "b1" || type === "b1le") steps.push((raw) => `${raw}.to_i`);
  if (order !== "be" && order !== "le") steps.push((raw) => mixedBytes(raw, order));
  if (transform !== undefined) steps.push((raw) => untransformed(raw, transform));
  if (signed && !isSignedRead) steps.push((raw) => `(${raw} >= ${2 ** (width - 1)} ? ${raw} - ${2 ** width} : ${raw})`);
  if (bias !== 0) steps.push((raw) => `(${raw} ${bias > 0 ? "-" : "+"} ${Math.abs(bias)})`);
  if (divisor !== 1) steps.push((raw) => `(${raw} / ${divisor.toFixed(1)})`);
  return steps.length === 0 ? { type } : { type, value: (raw) => steps.reduce((value, step) => step(value), raw) };
}

/** Bytes of a number read high byte first: by division, since shifts of some targets have 31 bits. */
function mixedBytes(raw: string, order: string): string {
  const parts = [...order].map((digit, at) => {
    const byte = `(${raw} / ${256 ** (3 - at)}) % 256`;
    return `(${byte}) * ${256 ** Number(digit)}`;
  });
  return `(${parts.join(" + ")})`;
}

function untransformed(raw: string, transform: ByteTransform): string {
  const low = `(${raw} % 256)`;
  const change = { "+128": `(${low} + 128)`, neg: `(256 - ${low})`, sub: `(384 - ${low})` }[transform];
  return `(${raw} - ${low} + ${change} % 256)`;
}

/** What `valid` says of an integer with bounds of its own; empty for one without. */
export function integerValid(node: IntegerNode, number: KsyNumber): JsonObject {
  if (node.min === undefined && node.max === undefined) return {};
  const { min, max } = integerRange(node);
  if (number.value === undefined) return { valid: { min, max } };
  const value = number.value("_");
  return { valid: { expr: `${value} >= ${min} and ${value} <= ${max}` } };
}

/** The powers of two from 2^-149 to 2^104: what the exponent of a 32-bit float stands for. */
export const floatPowers: readonly number[] = Array.from({ length: 254 }, (_, at) => 2 ** (at - 149));

/** The value of the 32 bits of a float that does not begin at a byte, which Kaitai has no type for. */
export function floatOfBits(raw: string): string {
  const exponent = `((${raw} / 8388608) % 256)`;
  const fraction = `(${raw} % 8388608)`;
  const scale = `_root.float_powers[${exponent} == 0 ? 0 : ${exponent} - 1]`;
  return `(${raw} >= 2147483648 ? -1.0 : 1.0) * (${fraction} + (${exponent} == 0 ? 0 : 8388608)) * ${scale}`;
}

/** The test of a number against a list, as an expression. */
export function oneOfNumbers(value: string, numbers: readonly JsonValue[]): string {
  return numbers.map((number) => `${value} == ${number}`).join(" or ");
}
