/** The words of a filter, with their places. */

/** A filter that cannot be read. `position` is the character at which it is wrong, from 1. */
export class FilterError extends Error {
  override readonly name = "FilterError";
  readonly position: number;

  constructor(position: number, why: string) {
    super(`Cannot read filter: ${why} at character ${position}`);
    this.position = position;
  }
}

export type Token =
  | { readonly kind: "word"; readonly text: string; readonly at: number }
  | { readonly kind: "text"; readonly value: string; readonly at: number }
  | { readonly kind: "number"; readonly value: number; readonly at: number }
  | { readonly kind: "sign"; readonly text: string; readonly at: number }
  | { readonly kind: "end"; readonly at: number };

/** Characters of a filter. A longer one is a mistake, or meant to cost time. */
const MAX_CHARACTERS = 4096;
/** Seconds of each unit of time. */
const UNITS: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 };

const SPACE = /\s+/y;
/** Names of protocols and messages have hyphens: `slime-online-2`. */
const WORD = /[A-Za-z_][\w-]*/y;
const NUMBER = /-?(?:0x[\da-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const TEXT = /"(?:[^"\\]|\\.)*"/y;
const SIGN = /&&|\|\||==|!=|<=|>=|[<>!().,[\]{}*]/y;

/** Throws {@link FilterError}. Ends with a token `end`. */
export function tokensOf(filter: string): readonly Token[] {
  if (filter.length > MAX_CHARACTERS)
    throw new FilterError(MAX_CHARACTERS + 1, `it is over ${MAX_CHARACTERS} characters long`);
  const tokens: Token[] = [];
  let index = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = index;
    const found = pattern.exec(filter)?.[0];
    index += found?.length ?? 0;
    return found;
  };
  while (index < filter.length) {
    if (match(SPACE) !== undefined) continue;
    const at = index + 1;
    const word = match(WORD);
    if (word !== undefined) {
      tokens.push({ kind: "word", text: word, at });
      continue;
    }
    const number = match(NUMBER);
    if (number !== undefined) {
      tokens.push({ kind: "number", value: withUnit(Number(number), match(WORD), at + number.length), at });
      continue;
    }
    const text = match(TEXT);
    if (text !== undefined) {
      tokens.push({ kind: "text", value: textOf(text, at), at });
      continue;
    }
    const sign = match(SIGN);
    if (sign === undefined) throw new FilterError(at, `unexpected ${JSON.stringify(filter[index])}`);
    tokens.push({ kind: "sign", text: sign, at });
  }
  return [...tokens, { kind: "end", at: filter.length + 1 }];
}

function withUnit(value: number, unit: string | undefined, at: number): number {
  if (unit === undefined) return value;
  const factor = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
  if (factor === undefined) throw new FilterError(at, `"${unit}" is no unit, only ${Object.keys(UNITS).join(", ")}`);
  return value * factor;
}

function textOf(quoted: string, at: number): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw new FilterError(at, `${quoted} has an invalid escape`);
  }
}
