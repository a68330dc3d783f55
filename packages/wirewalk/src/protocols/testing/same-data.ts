/** Compares data and shows it: all that values of messages are made of. */
import { formatHex } from "../../wire/index.ts";

/** Whether two values are the same, with the same keys in the same order. NaN is NaN, and -0 is not 0. */
export function sameData(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return Object.is(a, b);
  if (a === b) return true;
  if (a instanceof Uint8Array || b instanceof Uint8Array) {
    return a instanceof Uint8Array && b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((each, at) => sameData(each, b[at]))
    );
  }
  const names = Object.keys(a);
  const others = Object.keys(b);
  if (names.length !== others.length) return false;
  const [one, other] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  return names.every((name, at) => name === others[at] && sameData(one[name], other[name]));
}

/** Text of any data: keys in their order, bytes as hex, and numbers that JSON has not. */
export function textOf(data: unknown): string {
  return (
    JSON.stringify(data, (_key, each: unknown) => {
      if (typeof each === "bigint") return `${each}n`;
      if (each instanceof Uint8Array) return `hex ${formatHex(each)}`;
      if (typeof each === "number" && (!Number.isFinite(each) || Object.is(each, -0)))
        return `number ${Object.is(each, -0) ? "-0" : each}`;
      return each;
    }) ?? "undefined"
  );
}
