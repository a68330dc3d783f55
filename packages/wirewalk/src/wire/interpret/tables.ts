/** What is looked up for a description again and again, made once for each. */
import { constantKeys, constantsOf, namesTested, tagsText } from "../describe/cases.ts";
import { conditionHolds } from "../describe/conditions.ts";
import type { CaseNode, FlagsNode, LayoutNode, OneOfNode, ReadingNode, VariantNode } from "../describe/node.ts";
import { keysOf, readingsOf } from "../describe/values.ts";

/** The same function, which makes its result once for each description. */
function once<N extends object, T>(make: (node: N) => T): (node: N) => T {
  const made = new WeakMap<N, T>();
  return (node) => {
    let found = made.get(node);
    if (found === undefined) {
      found = make(node);
      made.set(node, found);
    }
    return found;
  };
}

/** The names of numbers. */
export const namesOf = once(({ names }: OneOfNode) => new Map(Object.entries(names).map(([name, raw]) => [raw, name])));

/** Sets of flags that are kept, by their number. */
const KEPT_SETS = 256;

/** The flags of a number. */
export const flagsOf = once(({ flags, shared }: FlagsNode) => {
  const entries = Object.entries(flags);
  const known = entries.reduce((bits, [, bit]) => bits | (1 << bit), 0);
  const sets: Readonly<Record<string, boolean>>[] = [];
  const setOf = (raw: number): Readonly<Record<string, boolean>> => {
    const given = (raw & known) >>> 0;
    let set = given < KEPT_SETS ? sets[given] : undefined;
    if (set === undefined) {
      set = Object.fromEntries(entries.map(([name, bit]) => [name, ((raw >>> bit) & 1) === 1]));
      if (shared) Object.freeze(set);
      if (given < KEPT_SETS) sets[given] = set;
    }
    return shared ? set : { ...set };
  };
  return { entries, known, setOf };
});

/** The cases of a variant by their tags, and what errors call them. */
export const casesOf = once(({ cases }: VariantNode) => {
  const byTag = new Map<unknown, CaseNode>();
  for (const each of cases) for (const tag of each.tags ?? []) byTag.set(tag, each);
  return {
    byTag,
    otherwise: cases.find(({ tags }) => tags === undefined),
    known: tagsText([...byTag.keys()] as (string | number)[]),
    tests: namesTested(cases),
    constants: constantsOf(cases),
    constantKeys: constantKeys(cases),
  };
});

/** The keys that the JSON of an object may have. */
export const jsonKeys = once((node: LayoutNode) => keysOf(node));

/** The meaning of bytes in a struct with these fields. */
export function readingOf(node: LayoutNode, fields: Readonly<Record<string, unknown>>): ReadingNode | undefined {
  return readingsOf(node).find(({ when }) => conditionHolds(when, fields[when.field]));
}
