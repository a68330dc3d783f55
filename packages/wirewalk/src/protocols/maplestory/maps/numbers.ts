/** Numbers in map files: of any kind of tag, or in a text. */

const numeral = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d{1,3})?$/i;
/** A longer text is no number of a map. */
const MAX_CHARACTERS = 40;

/** The number that a text is; undefined where it is none. A dump that was made where decimals have a comma has `0,05`. */
export function parseNumber(text: string | undefined): number | undefined {
  if (text === undefined || text.length > MAX_CHARACTERS) return undefined;
  const trimmed = text.trim();
  if (!numeral.test(trimmed)) return undefined;
  // No place is -0.
  const number = Number(trimmed.replace(",", ".")) + 0;
  return Number.isFinite(number) ? number : undefined;
}
