import type { IntegerOrder } from "./node.ts";

/** How a field's bits are read and written. Numbers, not texts: a `switch` over them is one jump. */
export const U8 = 0;
export const I8 = 1;
export const U16LE = 2;
export const U16BE = 3;
export const I16LE = 4;
export const I16BE = 5;
export const U32LE = 6;
export const U32BE = 7;
export const I32LE = 8;
export const I32BE = 9;
export const F32LE = 10;
export const F32BE = 11;
export const U64LE = 12;
/** Bits, most significant first: up to 24, and up to 32. */
export const BITS = 13;
export const SIGNED_BITS = 14;
export const WIDE_BITS = 15;
export const FLOAT_BITS = 16;
/** Bits, least significant first, within a byte. */
export const LOW_BITS = 17;
/** No bits. */
export const NOTHING = 18;
/** All else. */
export const STEP = 19;

const byteOps: Readonly<Record<string, number>> = {
  u8: U8,
  i8: I8,
  u16le: U16LE,
  u16be: U16BE,
  i16le: I16LE,
  i16be: I16BE,
  u32le: U32LE,
  u32be: U32BE,
  i32le: I32LE,
  i32be: I32BE,
  u64le: U64LE,
};
/** Up to so many bits lie in one word with those before them. */
const WORD_BITS = 24;

/** A number as it is described. */
export type NumberPlan =
  | { readonly kind: "integer"; readonly bits: number; readonly signed: boolean; readonly order: IntegerOrder }
  | { readonly kind: "float"; readonly order: "be" | "le" };

/** How a number is read and written among bytes, or among bits of an order; undefined where only the cursors can. */
export function opOf(plan: NumberPlan, place: "bytes" | "msb" | "lsb"): number | undefined {
  if (plan.kind === "float") {
    if (place === "bytes") return plan.order === "le" ? F32LE : F32BE;
    return place === "lsb" || plan.order === "le" ? undefined : FLOAT_BITS;
  }
  const { bits, signed, order } = plan;
  if (order !== "be" && order !== "le") return undefined;
  if (place === "bytes") {
    const op = byteOps[`${signed ? "i" : "u"}${bits}${bits === 8 ? "" : order}`];
    if (op !== undefined) return op;
    if (bits % 8 !== 0) return undefined;
  }
  const isLowByteFirst = bits > 8 && bits % 8 === 0 && order === "le";
  if (isLowByteFirst || bits > 32) return undefined;
  if (place === "lsb") return bits > 8 || signed ? undefined : LOW_BITS;
  return signed ? SIGNED_BITS : bits <= WORD_BITS ? BITS : WIDE_BITS;
}
