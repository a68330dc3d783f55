/**
 * The sum behind a figure of a verdict, as a reader with a pocket calculator does it: every number is shown with so many digits that the
 * numbers of a line give its result.
 *
 * ```ts
 * import { calculationLines } from "wirewalk/protocol";
 *
 * calculationLines([
 *   { what: "From where it stood", terms: [{ value: 36_123 }, { by: "-", value: 220 }], unit: "px" },
 * ]); // => ["From where it stood: 36,123 - 220 = 35,903 px."]
 * ```
 */
import { figure, quantityText, unitWords } from "./quantity.ts";

/** A number of a line; `by` joins it to what stands before it. */
export interface CalculationTerm {
  readonly by?: "+" | "-" | "×" | "÷";
  readonly value: number;
  readonly unit?: string;
}

/** One line of a sum, worked out from left to right. */
export interface CalculationLine {
  /** What its result is, without a full stop. */
  readonly what: string;
  readonly terms: readonly CalculationTerm[];
  readonly unit: string;
  /** Whether the two terms are the sides of a right angle, and the result is the third side. Default false. */
  readonly isDiagonal?: boolean;
}

/** How a figure of a verdict comes about. The result of the last line is the figure. */
export interface Calculation {
  readonly gives: "measured" | "allowed";
  readonly lines: readonly CalculationLine[];
  /** What a reader has to know of it, as sentences. */
  readonly note?: string;
  /** Names of the limits that it is made of. */
  readonly limits?: readonly string[];
}

/** The result of the last line. */
export function calculated({ lines }: Pick<Calculation, "lines">): number {
  const last = lines.at(-1);
  return last === undefined ? Number.NaN : resultOf(last, (value) => value);
}

function resultOf({ terms, isDiagonal = false }: CalculationLine, shown: (value: number) => number): number {
  const values = terms.map(({ value }) => shown(value));
  if (isDiagonal) return Math.hypot(...values);
  return values.reduce((sum, value, index) => {
    switch (terms[index]?.by) {
      case "+":
        return sum + value;
      case "-":
        return sum - value;
      case "×":
        return sum * value;
      case "÷":
        return sum / value;
      default:
        return value;
    }
  }, 0);
}

const [FEWEST_DIGITS, MOST_DIGITS] = [3, 12];
/** How far a calculator may be from the last digit that is shown of a result on the way. */
const MOST_OFF = 0.6;

function decimalsOf(value: number): number {
  return /\.(\d+)/.exec(String(value))?.[1]?.length ?? 0;
}

/** The lines as text, each with the fewest digits from which its result comes out. */
export function calculationLines(lines: readonly CalculationLine[]): readonly string[] {
  for (let digits = FEWEST_DIGITS; ; digits += 1) {
    const rounded = (value: number): number =>
      Number.isInteger(value) ? value : Number(value.toPrecision(Math.max(digits, wholeDigits(value))));
    const comesOut = lines.every((line, index) => {
      const [exact, shown] = [resultOf(line, (value) => value), resultOf(line, rounded)];
      return index === lines.length - 1
        ? figure(shown) === figure(exact)
        : Math.abs(shown - rounded(exact)) <= MOST_OFF * 10 ** -decimalsOf(rounded(exact));
    });
    if (!comesOut && digits < MOST_DIGITS) continue;
    return lines.map((line, index) => {
      const result = resultOf(line, (value) => value);
      const isLast = index === lines.length - 1;
      return `${line.what}: ${sumText(line, rounded)} = ${resultText(isLast ? result : rounded(result), line.unit, isLast)}.`;
    });
  }
}

function wholeDigits(value: number): number {
  return Math.trunc(Math.abs(value)).toString().length;
}

function exactText(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 10 });
}

function resultText(value: number, unit: string, isLast: boolean): string {
  if (isLast) return quantityText(value, unit);
  const words = unitWords(unit);
  return words === "" ? exactText(value) : `${exactText(value)} ${words}`;
}

function sumText({ terms, isDiagonal = false }: CalculationLine, rounded: (value: number) => number): string {
  const parts = terms.map(({ value, unit = "" }) => {
    const words = unit === "" ? "" : ` ${unitWords(unit)}`;
    return { text: `${exactText(rounded(value))}${words}`, isNegative: value < 0 };
  });
  if (isDiagonal) return `√(${terms.map(({ value }) => `${exactText(rounded(Math.abs(value)))}²`).join(" + ")})`;
  let text = "";
  let isSum = false;
  for (const [index, { by }] of terms.entries()) {
    const { text: own, isNegative } = parts[index] as (typeof parts)[number];
    if (by === undefined) {
      text = own;
      continue;
    }
    const isProduct = by === "×" || by === "÷";
    // Left to right, as a calculator does it.
    if (isProduct && isSum) text = `(${text})`;
    isSum = !isProduct;
    text = `${text} ${by} ${isNegative ? `(${own})` : own}`;
  }
  return text;
}
