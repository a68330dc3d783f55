import { InvalidArgumentError } from "commander";

/** A commander parser of whole numbers, `least` <= x <= `most`. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** A commander parser of a part of a whole, 0 < x <= 1. */
export function share(text: string): number {
  const value = Number(text);
  if (/^\d*\.?\d+$/.test(text) && value > 0 && value <= 1) return value;
  throw new InvalidArgumentError("It must be above 0 and at most 1.");
}

const TIMES: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time such as `90s`, `30m`, `6h` or `7d` in milliseconds; NaN for another text. */
export function durationOf(text: string): number {
  const [, digits = "", unit = ""] = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(text) ?? [];
  return digits === "" || !Object.hasOwn(TIMES, unit) ? Number.NaN : Number(digits) * (TIMES[unit] ?? 0);
}

/** A commander parser of a time in milliseconds. */
export function duration(text: string): number {
  const value = durationOf(text);
  if (!Number.isNaN(value)) return value;
  throw new InvalidArgumentError("It must be a time, such as 90s, 30m, 6h or 7d.");
}

const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1e3, M: 1e6, G: 1e9 };

/** A commander parser of a size in bytes: `500000`, `100MB`, `1G`. */
export function size(least: number): (text: string) => number {
  return (text) => {
    const [, digits = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*([kMG]?)B?$/.exec(text) ?? [];
    const value = Math.round(Number(digits) * (UNITS[unit] ?? 1));
    if (digits !== "" && value >= least && Number.isSafeInteger(value)) return value;
    throw new InvalidArgumentError(`It must be a size of at least ${least} bytes, such as 100MB.`);
  };
}
