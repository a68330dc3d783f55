/** Expressions of TypeScript for places in bytes and the numbers that lie there. */
import type { ByteTransform } from "../../wire/describe/node.ts";
import type { Place, WireInteger } from "../steps.ts";

/** `name + 3`, `name`, `name - 1`. */
export function plus(name: string, count: number): string {
  if (count === 0) return name;
  return count < 0 ? `${name} - ${-count}` : `${name} + ${count}`;
}

/** The byte in which a place lies. */
export function byteOf({ base, bits }: Place, more = 0): string {
  if (base === "bit") return `(${plus("bit", bits + more * 8)} >> 3)`;
  return plus("at", Math.floor(bits / 8) + more);
}

/** A place in bits from the start of the bytes. */
export function bitOf({ base, bits }: Place): string {
  return base === "bit" ? plus("bit", bits) : plus("at * 8", bits);
}

/** Whether a place is a whole byte, for errors that count bytes. */
export function isByte({ base, bits }: Place): boolean {
  return base === "at" && bits % 8 === 0;
}

const byteAt = (place: Place, index: number): string => `b[${byteOf(place, index)}]!`;

function transformed(byte: string, transform: ByteTransform | undefined): string {
  switch (transform) {
    case undefined:
      return byte;
    case "+128":
      return `((${byte} + 128) & 255)`;
    case "neg":
      return `(-${byte} & 255)`;
    case "sub":
      return `((128 - ${byte}) & 255)`;
  }
}

const shifted = (byte: string, shift: number): string => (shift === 0 ? byte : `(${byte} << ${shift})`);

/** Unsigned bits at a place, at most 32: 32 bits come out signed. `helpers` collects the functions that are called. */
export function bitsAt(place: Place, width: number, helpers: Set<string>): string {
  if (place.base === "bit") {
    // Bits from the low end lie within one byte.
    if (place.order === "lsb") return `((${byteAt(place, 0)} >> (${bitOf(place)} & 7)) & ${2 ** width - 1})`;
    helpers.add("highBits");
    return `highBits(b, ${bitOf(place)}, ${width})`;
  }
  const start = ((place.bits % 8) + 8) % 8;
  const mask = width === 32 ? undefined : 2 ** width - 1;
  if (place.order === "lsb") {
    const byte = start === 0 ? byteAt(place, 0) : `(${byteAt(place, 0)} >> ${start})`;
    return start + width === 8 ? byte : `(${byte} & ${mask})`;
  }
  const count = Math.ceil((start + width) / 8);
  const below = count * 8 - start - width;
  if (count === 5) {
    // The first four bytes hold all but the last bits.
    const head = `(${word(place, 4)} << ${8 - below})`;
    const whole = `(${head} | (${byteAt(place, 4)} >> ${below}))`;
    return mask === undefined ? whole : `(${whole} & ${mask})`;
  }
  const whole = count === 1 ? byteAt(place, 0) : word(place, count);
  if (below === 0 && start === 0) return whole;
  if (mask === undefined) return whole;
  // What lies above is cut off by the mask, or is nothing.
  const moved = below === 0 ? whole : `(${whole} ${count === 4 ? ">>>" : ">>"} ${below})`;
  return start === 0 ? moved : `(${moved} & ${mask})`;
}

/** Bytes as one number, the first one highest. */
function word(place: Place, count: number): string {
  const parts = Array.from({ length: count }, (_, index) => shifted(byteAt(place, index), 8 * (count - 1 - index)));
  return `(${parts.join(" | ")})`;
}

/** 32 bits as they stand for a float: a signed integer. */
export const floatBits = (order: "be" | "le"): WireInteger => ({ bits: 32, signed: true, order });

/** The number at a place, before bias and divisor. */
function wireNumber(place: Place, as: WireInteger, helpers: Set<string>): string {
  const { bits, signed, order, transform } = as;
  const whole = bits % 8 === 0;
  const isBytes = place.order === "bytes" || (whole && (order !== "be" || transform !== undefined));
  if (!isBytes) return signOf(bitsAt(place, bits, helpers), bits, signed);
  const count = bits / 8;
  const digits = order === "be" || order === "le" ? undefined : order;
  const parts = Array.from({ length: count }, (_, index) => {
    const low = digits === undefined ? (order === "be" ? count - 1 - index : index) : Number(digits[index]);
    const byte =
      place.order === "bytes" ? byteAt(place, index) : bitsAt({ ...place, bits: place.bits + index * 8 }, 8, helpers);
    return { low, text: shifted(low === 0 ? transformed(byte, transform) : byte, 8 * low) };
  });
  const text = parts.map((part) => part.text).join(" | ");
  return signOf(count === 1 ? text : `(${text})`, bits, signed);
}

function signOf(text: string, bits: number, signed: boolean): string {
  if (!signed) return bits === 32 ? `${text} >>> 0` : text;
  if (bits === 32) return text.startsWith("(") ? text : `${text} | 0`;
  return `(${text} << ${32 - bits}) >> ${32 - bits}`;
}

/** The value of an integer at a place. */
export function integerAt(place: Place, as: WireInteger, helpers: Set<string>): string {
  const { bias = 0, divisor = 1 } = as;
  const raw = bare(wireNumber(place, as, helpers));
  if (bias === 0 && divisor === 1) return raw;
  const whole = /^b\[[\w +-]*\]!$/.test(raw) ? raw : `(${raw})`;
  const moved = bias === 0 ? whole : bias < 0 ? `${whole} + ${-bias}` : `${whole} - ${bias}`;
  return divisor === 1 ? moved : `(${moved}) / ${divisor}`;
}

/** An expression without parentheses around all of it. */
function bare(text: string): string {
  if (!text.startsWith("(") || !text.endsWith(")")) return text;
  let depth = 0;
  for (let at = 0; at < text.length - 1; at++) {
    if (text[at] === "(") depth += 1;
    else if (text[at] === ")") depth -= 1;
    if (depth === 0) return text;
  }
  return bare(text.slice(1, -1));
}

/** `u16le`, `i32be`, where it is an integer of whole bytes in a plain order, as large as its bits. */
function plainName({ base, order }: Place, as: WireInteger): string | undefined {
  const { bits, signed, bias = 0, divisor = 1, transform } = as;
  const isPlain = base === "at" && order === "bytes" && bias === 0 && divisor === 1 && transform === undefined;
  if (!isPlain || bits === 8 || (as.order !== "be" && as.order !== "le")) return undefined;
  return `${signed ? "i" : "u"}${bits}${as.order}`;
}

interface SmallFunction {
  readonly name: string;
  readonly text: string;
}

/** Where 32 bits begin within a byte; undefined for all other numbers. */
function bitsWithin({ base, bits, order }: Place, as: WireInteger): number | undefined {
  const start = bits % 8;
  return base === "at" && order === "msb" && as.bits === 32 && start > 0 && as.order === "be" ? start : undefined;
}

/** The function that loads a plain integer, or 32 bits that begin within a byte. */
export function loaderOf(place: Place, as: WireInteger): SmallFunction | undefined {
  const start = bitsWithin(place, as);
  if (start !== undefined && as.signed) {
    const value = signOf(bitsAt({ ...place, bits: start }, 32, new Set()), 32, true);
    return { name: `i32from${start}`, text: `(b: Uint8Array, at: number): number => ${value}` };
  }
  const name = plainName(place, as);
  if (name === undefined) return undefined;
  const value = integerAt({ base: "at", bits: 0, order: "bytes" }, as, new Set());
  return { name, text: `(b: Uint8Array, at: number): number => ${value}` };
}

/** The function that stores an integer where it fits its bits, and says whether it does. */
export function storerOf(place: Place, as: WireInteger): SmallFunction | undefined {
  const { bits, signed } = as;
  const isByte =
    bits === 8 &&
    place.base === "at" &&
    place.order === "bytes" &&
    !as.bias &&
    !as.divisor &&
    as.transform === undefined;
  const name = isByte ? `${signed ? "i" : "u"}8` : plainName(place, as);
  if (name === undefined) return undefined;
  const whole =
    bits === 32
      ? signed
        ? "value | 0"
        : "value >>> 0"
      : signed
        ? `(value << ${32 - bits}) >> ${32 - bits}`
        : `value & ${2 ** bits - 1}`;
  const stores = Array.from({ length: bits / 8 }, (_, index) => {
    const low = as.order === "be" ? bits / 8 - 1 - index : index;
    return `(b[${plus("at", index)}] = value${low === 0 ? "" : ` >> ${8 * low}`})`;
  });
  // A bigint knows no numbers beside it, and throws. One expression: an engine takes what is so short into any caller.
  const test = `typeof value === "number" && (${[...stores, `(${whole}) === value`].join(", ")})`;
  return {
    name: `put${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    text: `(b: Uint8Array, at: number, value: unknown): boolean => ${test}`,
  };
}
