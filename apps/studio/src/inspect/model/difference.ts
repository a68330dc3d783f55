/** What differs between two packets, or between two readings of the same bytes: bits and fields. Pure. */
import type { TraceField } from "wirewalk/wire";

export interface Side {
  readonly bytes: Uint8Array;
  readonly fields: readonly TraceField[];
}

/** How a field of one side stands to the other side. */
export type FieldChange = "same" | "value" | "place" | "only-first" | "only-second";

export interface FieldPair {
  readonly path: string;
  readonly first: TraceField | undefined;
  readonly second: TraceField | undefined;
  readonly change: FieldChange;
}

export interface Difference {
  readonly pairs: readonly FieldPair[];
  /** Bits that differ or that one side does not have, for each byte of the longer side: a mask, the highest bit first. */
  readonly bits: Uint8Array;
  readonly changedFields: number;
  readonly changedBits: number;
}

/** Fields are paired by path. A field that only moved has the same value at another place. */
export function difference(first: Side, second: Side): Difference {
  const pairs = pairsOf(first.fields, second.fields);
  const bits = bitMask(first.bytes, second.bytes);
  let changedBits = 0;
  for (const mask of bits) for (let bit = mask; bit > 0; bit &= bit - 1) changedBits += 1;
  return { pairs, bits, changedBits, changedFields: pairs.filter(({ change }) => change !== "same").length };
}

function bitMask(first: Uint8Array, second: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: Math.max(first.length, second.length) }, (_, index) => {
    const [a, b] = [first[index], second[index]];
    return a === undefined || b === undefined ? 0xff : a ^ b;
  });
}

function pairsOf(first: readonly TraceField[], second: readonly TraceField[]): readonly FieldPair[] {
  const left = [...second];
  const places = new Map<string, number[]>();
  for (const [index, { path }] of second.entries()) places.set(path, [...(places.get(path) ?? []), index]);
  const pairs: FieldPair[] = [];
  let shown = 0;
  const taken = new Set<number>();
  const addUntil = (end: number): void => {
    for (; shown < end; shown++) {
      const field = left[shown];
      if (field === undefined || taken.has(shown)) continue;
      pairs.push({ path: field.path, first: undefined, second: field, change: "only-second" });
    }
  };
  for (const field of first) {
    const index = places.get(field.path)?.shift();
    if (index === undefined) {
      pairs.push({ path: field.path, first: field, second: undefined, change: "only-first" });
      continue;
    }
    // What the second side has in between comes before it, so that both sides keep their order.
    if (index >= shown) addUntil(index);
    taken.add(index);
    const other = second[index] as TraceField;
    pairs.push({ path: field.path, first: field, second: other, change: changeOf(field, other) });
  }
  addUntil(second.length);
  return pairs;
}

function changeOf(first: TraceField, second: TraceField): FieldChange {
  if (first.raw !== second.raw || first.shown !== second.shown) return "value";
  const isThere = first.bitOffset === second.bitOffset && first.bitLength === second.bitLength;
  return isThere ? "same" : "place";
}
