/** The errors of descriptions that cannot be. */

/** A description says what cannot be: `Cannot describe x: it depends on tpye, and the struct has no such field`. */
export function refuseType(path: string, why: string): never {
  throw new TypeError(`Cannot describe ${nameOf(path)}: ${why}`);
}

/** A description has a number that is out of range. */
export function refuseRange(path: string, why: string): never {
  throw new RangeError(`Cannot describe ${nameOf(path)}: ${why}`);
}

function nameOf(path: string): string {
  return path === "" ? "value" : path;
}

/** Throws unless it is a whole number of at least `least`. */
export function checkWhole(path: string, what: string, value: unknown, least = 0): void {
  if (Number.isSafeInteger(value) && (value as number) >= least) return;
  refuseRange(path, `${what} must be a whole number of ${least} or more, got ${String(value)}`);
}

/** Whether so many bits are a number. */
export function isWidth(bits: number): boolean {
  return Number.isInteger(bits) && bits >= 1 && bits <= 32;
}
