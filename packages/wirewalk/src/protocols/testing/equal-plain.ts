/** Equality of plain data: what `digestOf` says of two values, in a fifth of its time. */
import { isPlainObject, isTypedArray } from "../world-kit/plain-data.ts";

/**
 * Whether two values are equal as plain data: the order of maps and sets counts, that of an object's members does not, a member that is
 * undefined is a member, and 0 is not -0. Data that is not plain equals itself alone.
 */
export function equalPlain(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b);
  if (isPlainObject(a)) return isPlainObject(b) && equalObjects(a, b);
  if (a instanceof Map) return b instanceof Map && a.size === b.size && equalLists([...a].flat(1), [...b].flat(1));
  if (a instanceof Set) return b instanceof Set && a.size === b.size && equalLists([...a], [...b]);
  if (!isTypedArray(a) || !isTypedArray(b)) return false;
  return a[Symbol.toStringTag] === b[Symbol.toStringTag] && equalLists(a, b);
}

function equalLists(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!equalPlain(a[index], b[index])) return false;
  return true;
}

function equalObjects(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  for (const name of names) if (!Object.hasOwn(b, name) || !equalPlain(a[name], b[name])) return false;
  return true;
}
