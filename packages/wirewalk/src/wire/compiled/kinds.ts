/**
 * The words of kinds of checks that few descriptions have. A generated module names those that it needs, so that its bundle brings
 * no others.
 *
 * @module
 */
import type { WireErrorCode } from "../wire-error.ts";
import { cutField, type Finding, type Found, type Kind, overLimit, wrongValue } from "./refusals.ts";

// --- Of bytes ----------------------------------------------------------------------------------------------------------------

export const noEndWords: Kind = "truncated|its final zero is missing, {} left";
export const longWords: Kind = "limit|over its limit of {2} characters";
export const itemsWords: Kind = "limit|over its limit of {2} items";
export const limitedWords: Kind = ({ check, shown }) => ({
  code: "limit",
  why: overLimit(shown, check[2] as string),
  isBare: true,
});
export const rangeWords: Kind = "bad-value|{} is not in {2}..{3}";
export const isWords: Kind = "bad-value|{} is not {2}";
export const finiteWords: Kind = "bad-value|{} is not finite";
export const paddingWords: Kind = "bad-value|{} is not 0";
export const countWords: Kind = "bad-value|{} is not a count";
export const leastWords: Kind = "bad-length|{} is less than {2}, its least";
export const sizeWords: Kind = "bad-length|{}";
export const blockWords: Kind = "bad-length|{} of its {2} come out";

export const reservedWords: Kind = ({ check, shown }) => ({
  code: "bad-value",
  why: `reserved bits 0x${((Number(shown) & Number(check[2])) >>> 0).toString(16)} are set`,
});

export const partWords: Kind = ({ check }) => ({
  code: check[2] as WireErrorCode,
  why: (said) => (check[3] as string).replace("{}", said),
});

/** Items of one size, of which one is cut. */
export function cutsWords({ check, place, left, i, j }: Found): Finding {
  const itemBits = Number(check[2]);
  const item = Math.floor(left / itemBits);
  const outerIndexes = [i, j].slice(0, (check[1] as string).split("[]").length - 1);
  return cutField(check, 3, place + item * itemBits, left - item * itemBits, [...outerIndexes, item]);
}

/** Bits that begin no code. */
export function prefixWords({ check: [, , longest = "", names = "", ...codes], shown }: Found): Finding {
  const begun = Number(shown).toString(2).padStart(Number(longest), "0");
  const last = Array.from(begun).findIndex((_, at) => !codes.some((code) => code.startsWith(begun.slice(0, at + 1))));
  return { code: "unknown-variant", why: `bits ${begun.slice(0, last + 1)} begin none of ${names}` };
}

// --- Of values ---------------------------------------------------------------------------------------------------------------

export const floatWords: Kind = "type|{2} must be a number, got {}";
export const fitsWords: Kind = ({ shown }) =>
  wrongValue(typeof shown !== "number", `value must fit a 32-bit float, got ${String(shown)}`);
export const booleanWords: Kind = "type|value must be true or false, got {}";
export const exactlyWords: Kind = "range|value must have {2} {3}, got {}";
export const noneOfWords: Kind = "range|value must be none of {2}, got {}";
export const markWords: Kind = "range|value must not be {2}, the mark";
export const endWords: Kind = "range|value must not begin with the byte {2}, the end of the list";
export const hereWords: Kind = "range|value must not be {} here";
export const overWords: Kind = ({ check, shown }) => wrongValue(false, overLimit(shown, check[2] as string));

export const bigWords: Kind = ({ shown }) =>
  typeof shown === "bigint"
    ? wrongValue(false, `u64le must be in 0..${2n ** 64n - 1n}, got ${shown}`)
    : wrongValue(true, `u64le must be a bigint, got ${String(shown)}`);

export const flagsWords: Kind = ({ check, shown }) => {
  if (typeof shown !== "object" || shown === null)
    return wrongValue(true, `value must be an object, got ${String(shown)}`);
  const given = shown as Readonly<Record<string, unknown>>;
  const name = check.slice(2).find((each) => typeof given[each] !== "boolean") ?? "";
  return wrongValue(true, `${name} must be true or false, got ${given[name]}`);
};

const notText = (shown: unknown, what = "it must be a text"): Finding =>
  wrongValue(true, `${what}, got ${typeof shown}`);

/** Which character of a text is not one of `least` to 255. */
function characterOutside(text: string, least: number): string | undefined {
  const at = text.split("").findIndex((each) => each.charCodeAt(0) < least || each > "\xff");
  return at < 0 ? undefined : `characters in ${least}..255, got ${text.charCodeAt(at)} at position ${at}`;
}

/** A text of latin1 that a count stands before, or that ends with the bytes. */
export const textWords: Kind = ({ check: [, , most], shown }) => {
  if (typeof shown !== "string") return notText(shown);
  const outside = characterOutside(shown, 0);
  return wrongValue(
    false,
    outside === undefined ? `value must have at most ${most} bytes, got ${shown.length}` : `text must be ${outside}`,
  );
};

/** A text of latin1 that ends at a zero byte. */
export const zeroTextWords: Kind = ({ check: [, , most], shown }) => {
  if (typeof shown !== "string") return notText(shown, "cstring must be a string");
  if (shown.length > Number(most))
    return wrongValue(false, `cstring must have at most ${most} characters, got ${shown.length}`);
  return wrongValue(false, `cstring must be ${characterOutside(shown, 1)}`);
};

/** A text of Windows-1252. */
export const windowsTextWords: Kind = ({ check: [, , most, least], shown }) => {
  if (typeof shown !== "string") return notText(shown);
  if (least === "0") return wrongValue(false, `value must have at most ${most} bytes, got ${shown.length}`);
  if (shown.length > Number(most))
    return wrongValue(false, `a text must be at most ${most} characters, got ${shown.length}`);
  return wrongValue(false, "a text must be characters of Windows-1252 other than 0");
};
