/** Numbers in map files: of any kind of tag, or in a text. */

const numeral = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d{1,3})?$/i;
/** A longer text is no number of a map. */
const MAX_CHARACTERS = 40;

const MINUS = 0x2d;
const ZERO = 0x30;
const WHOLE_DIGITS = 9;

/** The number that a text is; undefined where it is none. A dump that was made where decimals have a comma has `0,05`. */
export function parseNumber(text: string | undefined): number | undefined {
  if (text === undefined || text.length > MAX_CHARACTERS) return undefined;
  const whole = wholeNumber(text);
  if (whole !== undefined) return whole;
  const trimmed = text.trim();
  if (!numeral.test(trimmed)) return undefined;
  // No place is -0.
  const number = Number(trimmed.replace(",", ".")) + 0;
  return Number.isFinite(number) ? number : undefined;
}

/** Most of the numbers: a few digits, perhaps with a minus before them. The pattern takes six times as long. */
function wholeNumber(text: string): number | undefined {
  const isNegative = text.charCodeAt(0) === MINUS;
  const first = isNegative ? 1 : 0;
  if (text.length === first || text.length - first > WHOLE_DIGITS) return undefined;
  let number = 0;
  for (let at = first; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    number = number * 10 + digit;
  }
  return isNegative ? 0 - number : number;
}
