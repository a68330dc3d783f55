/** Which case a value belongs to, by its tag or by what it looks like, and the order of its keys. */
import { namesTested, passes } from "../describe/cases.ts";
import type { ByLengthNode, CaseNode, LayoutNode, MarkNode, VariantNode } from "../describe/node.ts";
import { withPath } from "../wire-error.ts";
import { casesOf } from "./tables.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** A value that must be an object. Throws `TypeError`. */
export function asFields(value: unknown): Fields {
  // Types promise an object; values that come from elsewhere may be anything.
  if (typeof value === "object" && value !== null) return value as Fields;
  throw new TypeError(`value must be an object, got ${String(value)}`);
}

/** The case of a value and its tag. Throws `RangeError` for a value of no case. */
export function caseOf(node: VariantNode, value: Fields): readonly [chosen: CaseNode, tag: unknown] {
  const { tagName, cases } = node;
  const { byTag, otherwise, known, tests } = casesOf(node);
  const given = value[tagName];
  const ofTag = byTag.get(given);
  const tested = cases.find(({ when }) => when !== undefined && passes(when, value));
  if (tested !== undefined) {
    if (tested.hidden) return [tested, tested.tags?.[0]];
    if (ofTag === undefined || ofTag === tested) return [tested, given];
    throw withPath(new RangeError(`value must not be ${String(given)} here`), tagName);
  }
  const chosen = ofTag ?? (given === undefined ? undefined : otherwise);
  if (chosen !== undefined && !chosen.hidden) return [chosen, given];
  if (tests !== undefined) {
    const { key, names } = tests;
    throw withPath(new RangeError(`value must be one of ${names.join(", ")}, got ${String(value[key])}`), key);
  }
  const must = otherwise === undefined ? "must be one of" : "must be none of";
  throw withPath(new RangeError(`value ${must} ${known}, got ${String(given)}`), tagName);
}

/** The case of `byLength` that a value belongs to. Throws `RangeError` for a value of no case. */
export function lengthCaseOf({ cases }: ByLengthNode, value: unknown): { readonly node: LayoutNode } {
  const isObject = typeof value === "object" && value !== null;
  const chosen = isObject ? cases.find(({ when }) => passes(when, value as Fields)) : undefined;
  if (chosen !== undefined) return chosen;
  // A description says which field tells its cases apart.
  const { key, names } = namesTested(cases) as { key: string; names: string[] };
  const found = isObject ? (value as Fields)[key] : value;
  throw withPath(new RangeError(`value must be one of ${names.join(", ")}, got ${String(found)}`), key);
}

/**
 * Whether a value is written as the mark. Throws `RangeError` for another value whose numbers would be read as the mark: it cannot be
 * sent.
 */
export function isMarked({ when, parts }: MarkNode, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (passes(when, value as Fields)) return true;
  const looksMarked = parts.every(({ name, bits, value: part }) => {
    const number = (value as Fields)[name];
    return typeof number === "number" && ((number % 2 ** bits) + 2 ** bits) % 2 ** bits === part;
  });
  if (!looksMarked) return false;
  const mark = parts.map(({ name, value: part }) => `${name} ${part}`).join(", ");
  throw withPath(new RangeError(`value must not be ${mark}, the mark`), parts[0]?.name ?? "value");
}

/** The same object with some keys first. */
export function firstKeys<T extends object>(value: T, order: readonly string[]): T {
  const given = value as Fields;
  const ordered: Record<string, unknown> = {};
  for (const key of order) if (Object.hasOwn(given, key)) ordered[key] = given[key];
  return Object.assign(ordered, given) as T;
}
