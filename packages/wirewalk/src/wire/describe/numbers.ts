/** Numbers: integers of any width, fixed point, numbers of variable length, floats. */
import { type Layout, layoutFor, meaningNames, only } from "./layout.ts";
import type { FloatNode, IntegerNode, IntegerOrder } from "./node.ts";
import { smartRange } from "./number-nodes.ts";
import { checkNames, type OptionNames } from "./option-names.ts";

/** An integer as it is described. */
export type IntegerOptions = Omit<IntegerNode, "kind" | "order" | "signed"> & {
  readonly order?: IntegerOrder;
  readonly signed?: boolean;
};

const integerNames: OptionNames<IntegerOptions> = {
  bits: true,
  signed: true,
  order: true,
  transform: true,
  bias: true,
  divisor: true,
  min: true,
  max: true,
  ...meaningNames,
};

/** An integer. Throws `RangeError` for a description that cannot be, `TypeError` for an unknown option. */
export function integer(options: IntegerOptions): Layout<number> {
  checkNames<IntegerOptions>("integer", options, integerNames);
  const { bits, signed = false, order = "be", transform, bias = 0, divisor = 1, ...rest } = options;
  if (bits === 64) throw new RangeError("bits must be in 1..32, got 64");
  return layoutFor({
    kind: "integer",
    bits,
    signed,
    order,
    ...only({ transform }),
    ...(bias === 0 ? {} : { bias }),
    ...(divisor === 1 ? {} : { divisor }),
    ...rest,
  });
}

/** An unsigned byte, 0..255. */
export const u8: Layout<number> = integer({ bits: 8 });
/** A signed byte, -128..127. */
export const i8: Layout<number> = integer({ bits: 8, signed: true });
/** Two bytes, 0..65535, low byte first. */
export const u16le: Layout<number> = integer({ bits: 16, order: "le" });
/** Two bytes, 0..65535, high byte first. */
export const u16be: Layout<number> = integer({ bits: 16 });
/** Two bytes, -32768..32767, low byte first. */
export const i16le: Layout<number> = integer({ bits: 16, signed: true, order: "le" });
/** Two bytes, -32768..32767, high byte first. */
export const i16be: Layout<number> = integer({ bits: 16, signed: true });
/** Four bytes, 0..4294967295, low byte first. */
export const u32le: Layout<number> = integer({ bits: 32, order: "le" });
/** Four bytes, 0..4294967295, high byte first. */
export const u32be: Layout<number> = integer({ bits: 32 });
/** Four bytes, -2147483648..2147483647, low byte first. */
export const i32le: Layout<number> = integer({ bits: 32, signed: true, order: "le" });
/** Four bytes, -2147483648..2147483647, high byte first. */
export const i32be: Layout<number> = integer({ bits: 32, signed: true });

/** An unsigned integer of `width` bits, for layouts within `bits`. */
export function uint(width: number): Layout<number> {
  return integer({ bits: width });
}

/** Eight bytes, a bigint in 0..2^64 - 1, low byte first. In JSON decimal digits. */
export const u64le: Layout<bigint> = layoutFor({ kind: "integer", bits: 64, signed: false, order: "le" });

/** How far a number of variable length goes. */
export type SmartOptions = { readonly max?: number; readonly wide?: boolean };

/**
 * One byte under 128, or two bytes with the highest bit set. `wide`: two bytes under 32767, or four bytes with the highest
 * bit set, and two bytes of 32767 for -1. `max`: the most that is written.
 */
export function smart(options: SmartOptions = {}): Layout<number> {
  checkNames<SmartOptions>("smart", options, { max: true, wide: true });
  const { wide = false, max } = options;
  const most = smartRange({ wide }).max;
  return layoutFor({
    kind: "smart",
    ...(max === undefined || max === most ? {} : { max }),
    ...(wide ? { wide: true } : {}),
  });
}

/** What a float is besides its bits. */
export type FloatOptions = Pick<FloatNode, "order" | "finite">;

/** A 32-bit float. `finite`: NaN and infinities are refused, and -0 reads and writes as 0. */
export function float32(options: FloatOptions): Layout<number> {
  checkNames<FloatOptions>("float32", options, { order: true, finite: true });
  const { order, finite = false } = options;
  return layoutFor({ kind: "float", bits: 32, order, ...(finite ? { finite } : {}) });
}

/** A 32-bit float, low byte first; writing rounds to the nearest. The payload of a NaN is lost. */
export const f32le: Layout<number> = float32({ order: "le" });
/** A 32-bit float, high byte first; writing rounds to the nearest. The payload of a NaN is lost. */
export const f32be: Layout<number> = float32({ order: "be" });
