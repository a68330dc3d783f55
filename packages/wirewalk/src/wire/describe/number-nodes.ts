/** What descriptions of numbers say: names, ranges, and the low byte as it stands on the wire. */
import type { ByteTransform, IntegerNode, IntegerOrder } from "./node.ts";

/** `u16le`, `i3`, `i32 2301`: how an integer is called in errors and tables. */
export function integerName({ bits, signed, order }: Pick<IntegerNode, "bits" | "signed" | "order">): string {
  const name = `${signed ? "i" : "u"}${bits}`;
  if (bits % 8 !== 0 || bits === 8) return name;
  return isMixed(order) ? `${name} ${order}` : name + order;
}

/** Whether four bytes come half by half. */
export function isMixed(order: IntegerOrder): boolean {
  return order !== "be" && order !== "le";
}

/** The least and greatest value of an integer. */
export function integerRange(node: IntegerNode): { min: number; max: number } {
  const { bits, signed, bias = 0, divisor = 1 } = node;
  const low = signed ? -(2 ** (bits - 1)) : 0;
  const high = signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  const { min = (low - bias) / divisor, max = (high - bias) / divisor } = node;
  return { min, max };
}

/** The low byte of a number as it stands on the wire. Each of the transforms undoes itself. */
export function transformByte(byte: number, transform: ByteTransform | undefined): number {
  switch (transform) {
    case undefined:
      return byte & 0xff;
    case "+128":
      return (byte + 128) & 0xff;
    case "neg":
      return -byte & 0xff;
    case "sub":
      return (128 - byte) & 0xff;
  }
}

/** The most that two bytes with a mark hold. */
const MAX_SMART = 0x7fff;
/** The most that four bytes with a mark hold. */
const MAX_WIDE_SMART = 0x7fff_ffff;

/** What a smart number holds: `wide` has -1 too. */
export function smartRange({ wide = false }: { readonly wide?: boolean }): { min: number; max: number } {
  return wide ? { min: -1, max: MAX_WIDE_SMART } : { min: 0, max: MAX_SMART };
}
