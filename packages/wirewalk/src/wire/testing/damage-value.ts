/** Values with something wrong in them, for tests of what may be written. */

/** The value with one of its parts replaced, at any depth. */
export function damagedValue(value: unknown, choose: (count: number) => number, wrong: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return wrong;
  const keys = Object.keys(value);
  const key = keys[choose(keys.length + 1)];
  if (key === undefined) return wrong;
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...value };
  copy[key] = choose(3) === 0 ? wrong : damagedValue(copy[key], choose, wrong);
  return copy;
}
