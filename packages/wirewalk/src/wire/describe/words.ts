/** Words for numbers, by the rules of a description. */
import type { Meaning, WordRule } from "./node.ts";

/** The words of the first rule that covers the number; undefined when none does. */
export function wordsFor(rules: readonly WordRule[], number: number): string | undefined {
  const rule = rules.find(({ from, to, every = 1 }) => {
    if (from !== undefined && number < from) return false;
    if (to !== undefined && number > to) return false;
    return every === 1 || (number - (from ?? 0)) % every === 0;
  });
  if (rule === undefined) return undefined;
  const { text, offset = 0, factor = 1, digits = 0 } = rule;
  // `Number` drops zeros at the end: 45, not 45.0.
  const scaled = String(Number(((number - offset) * factor).toFixed(digits)));
  return text.replace("{}", scaled).replace("{number}", String(number));
}

/** `0 right, 64 forward`: the numbers that have a word of their own, for tables. Empty where none has. */
export function wordedNumbers({ words = [] }: Meaning): string {
  return words
    .filter(({ from, to, text }) => from !== undefined && from === to && !text.includes("{}"))
    .map(({ from, text }) => `${from} ${text.replace(/^\{number\}, /, "")}`)
    .join(", ");
}

/** Rules that name single numbers: `namedNumbers({ none: 0, left: 2 })`. */
export function namedNumbers(names: Readonly<Record<string, number>>): WordRule[] {
  return Object.entries(names).map(([text, number]) => ({ from: number, to: number, text }));
}
