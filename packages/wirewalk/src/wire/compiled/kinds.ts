/**
 * The words of kinds of checks that few descriptions have. A generated module names those that it needs, so that its bundle brings
 * no others.
 *
 * @module
 */
import type { WireErrorCode } from "../wire-error.ts";
import { cutField, type Finding, type Found, overLimit, type WrongValue } from "./refusals.ts";

const badValue = (why: string): Finding => ({ code: "bad-value", why });
const badLength = (why: string): Finding => ({ code: "bad-length", why });
const overItsLimit = (why: string): Finding => ({ code: "limit", why });

// --- Of bytes ----------------------------------------------------------------------------------------------------------------

export const noEndWords = ({ said }: Found): Finding => ({
  code: "truncated",
  why: `its final zero is missing, ${said} left`,
});
export const longWords = ({ check }: Found): Finding => overItsLimit(`over its limit of ${check[2]} characters`);
export const itemsWords = ({ check }: Found): Finding => overItsLimit(`over its limit of ${check[2]} items`);
export const limitedWords = ({ check, shown }: Found): Finding => ({
  ...overItsLimit(overLimit(shown, check[2] as string)),
  isBare: true,
});
export const rangeWords = ({ check, said }: Found): Finding => badValue(`${said} is not in ${check[2]}..${check[3]}`);
export const isWords = ({ check, said }: Found): Finding => badValue(`${said} is not ${check[2]}`);
export const finiteWords = ({ said }: Found): Finding => badValue(`${said} is not finite`);
export const paddingWords = ({ said }: Found): Finding => badValue(`${said} is not 0`);
export const countWords = ({ said }: Found): Finding => badValue(`${said} is not a count`);
export const leastWords = ({ check, said }: Found): Finding => badLength(`${said} is less than ${check[2]}, its least`);
export const sizeWords = ({ said }: Found): Finding => badLength(said);
export const blockWords = ({ check, said }: Found): Finding => badLength(`${said} of its ${check[2]} come out`);

export const reservedWords = ({ check, shown }: Found): Finding =>
  badValue(`reserved bits 0x${((Number(shown) & Number(check[2])) >>> 0).toString(16)} are set`);

export const partWords = ({ check, shown }: Found): Finding => ({
  code: check[2] as WireErrorCode,
  why: (check[3] as string).replace("{}", String(shown)),
});

/** Items of one size, of which one is cut. */
export function cutsWords({ check, place, left, indexes }: Found): Finding {
  const itemBits = Number(check[2]);
  const item = Math.floor(left / itemBits);
  const outerIndexes = indexes.slice(0, (check[1] as string).split("[]").length - 1);
  return cutField(check, 3, place + item * itemBits, left - item * itemBits, [...outerIndexes, item]);
}

/** Bits that begin no code. */
export function prefixWords({ check: [, , longest = "", names = "", ...codes], shown }: Found): Finding {
  const begun = Number(shown).toString(2).padStart(Number(longest), "0");
  const last = Array.from(begun).findIndex((_, at) => !codes.some((code) => code.startsWith(begun.slice(0, at + 1))));
  return { code: "unknown-variant", why: `bits ${begun.slice(0, last + 1)} begin none of ${names}` };
}

// --- Of values ---------------------------------------------------------------------------------------------------------------

export const floatWords = ({ check, said }: Found): WrongValue => [true, `${check[2]} must be a number, got ${said}`];
export const fitsWords = ({ shown, said }: Found): WrongValue => [
  typeof shown !== "number",
  `value must fit a 32-bit float, got ${said}`,
];
export const booleanWords = ({ said }: Found): WrongValue => [true, `value must be true or false, got ${said}`];
export const exactlyWords = ({ check, said }: Found): WrongValue => [
  false,
  `value must have ${check[2]} ${check[3]}, got ${said}`,
];
export const noneOfWords = ({ check, said }: Found): WrongValue => [
  false,
  `value must be none of ${check[2]}, got ${said}`,
];
export const markWords = ({ check }: Found): WrongValue => [false, `value must not be ${check[2]}, the mark`];
export const endWords = ({ check }: Found): WrongValue => [
  false,
  `value must not begin with the byte ${check[2]}, the end of the list`,
];
export const hereWords = ({ said }: Found): WrongValue => [false, `value must not be ${said} here`];
export const overWords = ({ check, shown }: Found): WrongValue => [false, overLimit(shown, check[2] as string)];

export const bigWords = ({ shown, said }: Found): WrongValue =>
  typeof shown === "bigint"
    ? [false, `u64le must be in 0..${2n ** 64n - 1n}, got ${said}`]
    : [true, `u64le must be a bigint, got ${said}`];

export function flagsWords({ check, shown, said }: Found): WrongValue {
  if (typeof shown !== "object" || shown === null) return [true, `value must be an object, got ${said}`];
  const given = shown as Readonly<Record<string, unknown>>;
  const name = check.slice(2).find((each) => typeof given[each] !== "boolean") ?? "";
  return [true, `${name} must be true or false, got ${given[name]}`];
}

/** `least` is 1 for a text that ends at a zero byte, which it must not have itself. */
export function textWords({ check: [, , charset = "", first, second], shown }: Found): WrongValue {
  const least = Number(first);
  const most = Number(second);
  const isLatin1 = charset === "latin1";
  const isCstring = isLatin1 && least > 0;
  if (typeof shown !== "string")
    return [true, `${isCstring ? "cstring must be a string" : "it must be a text"}, got ${typeof shown}`];
  const at = isLatin1 ? shown.split("").findIndex((each) => each.charCodeAt(0) < least || each > "\xff") : -1;
  const found = `got ${shown.charCodeAt(at)} at position ${at}`;
  if (least === 0 && at >= 0) return [false, `text must be characters in 0..255, ${found}`];
  if (least === 0) return [false, `value must have at most ${most} bytes, got ${shown.length}`];
  if (isCstring) {
    if (shown.length > most) return [false, `cstring must have at most ${most} characters, got ${shown.length}`];
    return [false, `cstring must be characters in 1..255, ${found}`];
  }
  if (shown.length > most) return [false, `a text must be at most ${most} characters, got ${shown.length}`];
  return [false, "a text must be characters of Windows-1252 other than 0"];
}
