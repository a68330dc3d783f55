/** Objects and lists: see `run.ts`. */
import { readPath } from "../wire-error.ts";
import { conditionHolds } from "./conditions.ts";
import type { Condition } from "./node.ts";
import { FAILED } from "./plan.ts";
import { type Cursor, type Field, readField, readNumber, Step } from "./run.ts";

/** What is done for a field: its value is kept until the object is made, passed over, or set in the object at once. */
export type Action = "keep" | "pass" | "set" | "set constant" | "set kept";

/** A field of an object on its way. */
export class Slot {
  readonly action: Action;
  readonly name: string;
  /** What is read, unless it is known. */
  readonly field: Field;
  /** In the values that are kept. */
  readonly index: number;
  readonly constant: unknown;
  readonly isTracked: boolean;
  /** What reads the field, where nothing is done with its value afterwards. */
  readonly step: Step | undefined;

  constructor(action: Action, name: string, field: Field, index = -1, constant: unknown = undefined) {
    this.action = action;
    this.name = name;
    this.field = field;
    this.index = index;
    this.constant = constant;
    this.isTracked = field.step?.isTracked === true;
    this.step = field.adapt === undefined ? field.step : undefined;
  }
}

/** Makes empty objects. One for each kind of object: V8 then knows how large they get, which takes a third off. */
export type Maker = new () => Record<string, unknown>;

/** Fields one after another, and what follows: a branch, or the value. */
export class Sequence {
  slots: Slot[] = [];
  branch: Branch | undefined;
  /** Of the last one: makes the object. Its slots set all keys in their order. */
  maker: Maker | undefined;
}

/** Selects how an object goes on. Undefined is `FAILED`. */
export abstract class Branch {
  abstract next(cursor: Cursor, base: number): Sequence | undefined;
}

/** By a tag of few values, which has a table. */
export class TableBranch extends Branch {
  readonly #tag: Field;
  readonly #index: number;
  /** By the raw tag. */
  readonly #values: readonly unknown[];
  readonly #sequences: readonly (Sequence | undefined)[];

  constructor(tag: Field, index: number, values: readonly unknown[], sequences: readonly (Sequence | undefined)[]) {
    super();
    this.#tag = tag;
    this.#index = index;
    this.#values = values;
    this.#sequences = sequences;
  }

  next(cursor: Cursor, base: number): Sequence | undefined {
    const raw = readField(this.#tag, cursor);
    if (raw === FAILED) return undefined;
    if (this.#index >= 0) cursor.values[base + this.#index] = this.#values[raw as number];
    return this.#sequences[raw as number];
  }
}

/** By a tag of any kind. */
export class TagBranch extends Branch {
  readonly #tag: Field;
  readonly #index: number;
  readonly #sequences: ReadonlyMap<unknown, Sequence>;
  readonly #otherwise: Sequence | undefined;

  constructor(tag: Field, index: number, sequences: ReadonlyMap<unknown, Sequence>, otherwise: Sequence | undefined) {
    super();
    this.#tag = tag;
    this.#index = index;
    this.#sequences = sequences;
    this.#otherwise = otherwise;
  }

  next(cursor: Cursor, base: number): Sequence | undefined {
    const tag = readField(this.#tag, cursor);
    if (tag === FAILED) return undefined;
    if (this.#index >= 0) cursor.values[base + this.#index] = tag;
    return this.#sequences.get(tag) ?? this.#otherwise;
  }
}

/** By a value that was read before. */
export class ConditionBranch extends Branch {
  readonly #when: Condition;
  readonly #index: number;
  readonly #present: Sequence;
  readonly #absent: Sequence;

  constructor(when: Condition, index: number, present: Sequence, absent: Sequence) {
    super();
    this.#when = when;
    this.#index = index;
    this.#present = present;
    this.#absent = absent;
  }

  next(cursor: Cursor, base: number): Sequence | undefined {
    return conditionHolds(this.#when, cursor.values[base + this.#index]) ? this.#present : this.#absent;
  }
}

/** By bits that are read only when they are all these. */
export class MarkBranch extends Branch {
  readonly #parts: readonly { readonly field: Field; readonly value: number }[];
  readonly #marked: Sequence;
  readonly #of: Sequence;

  constructor(parts: readonly { readonly field: Field; readonly value: number }[], marked: Sequence, of: Sequence) {
    super();
    this.#parts = parts;
    this.#marked = marked;
    this.#of = of;
  }

  next(cursor: Cursor): Sequence | undefined {
    const { at } = cursor;
    for (const { field, value } of this.#parts) {
      if (readField(field, cursor) === value) continue;
      cursor.at = at;
      return this.#of;
    }
    return this.#marked;
  }
}

/** By the number of bytes that are left; the last one takes all other numbers. */
export class LengthBranch extends Branch {
  readonly #cases: readonly { readonly bytes: number | undefined; readonly sequence: Sequence }[];

  constructor(cases: readonly { readonly bytes: number | undefined; readonly sequence: Sequence }[]) {
    super();
    this.#cases = cases;
  }

  next({ at, end }: Cursor): Sequence | undefined {
    for (const { bytes, sequence } of this.#cases) if (bytes === undefined || bytes * 8 === end - at) return sequence;
    return undefined;
  }
}

/** An object. Its values are kept until the last of its tags: which keys it has, and in which order, they decide. */
export class ObjectStep extends Step {
  readonly #first: Sequence;
  /** The most values that it keeps. */
  readonly #size: number;

  constructor(first: Sequence, size: number, isTracked: boolean) {
    super(isTracked);
    this.#first = first;
    this.#size = size;
  }

  read(cursor: Cursor): unknown {
    const { values, top: base } = cursor;
    const { depth } = readPath;
    cursor.top = base + this.#size;
    let sequence = this.#first;
    while (sequence.maker === undefined) {
      const { slots, branch } = sequence;
      for (let at = 0; at < slots.length; at++) {
        const slot = slots[at] as Slot;
        const value = slot.isTracked ? readTracked(slot, cursor, depth) : readSlot(slot, cursor);
        if (value === FAILED) return FAILED;
        if (slot.action === "keep") values[base + slot.index] = value;
      }
      const next = (branch as Branch).next(cursor, base);
      if (next === undefined) return FAILED;
      sequence = next;
    }
    const { slots, maker } = sequence;
    const object = new maker();
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at] as Slot;
      const { action, name } = slot;
      if (action === "set constant") {
        object[name] = slot.constant;
        continue;
      }
      if (action === "set kept") {
        object[name] = values[base + slot.index];
        continue;
      }
      const value = slot.isTracked ? readTracked(slot, cursor, depth) : readSlot(slot, cursor);
      if (value === FAILED) return FAILED;
      if (action === "set") object[name] = value;
      else if (action === "keep") values[base + slot.index] = value;
    }
    cursor.top = base;
    return object;
  }
}

function readSlot({ step, field }: Slot, cursor: Cursor): unknown {
  if (field.isPlain) return readNumber(field.op, field.bits, cursor);
  return step === undefined ? readField(field, cursor) : step.read(cursor);
}

/** Reads what may be read by hand: its errors have its path. */
function readTracked(slot: Slot, cursor: Cursor, depth: number): unknown {
  readPath.segments[depth] = slot.name;
  readPath.depth = depth + 1;
  const value = readSlot(slot, cursor);
  readPath.depth = depth;
  return value;
}

/** How many items a list has: a number, a count before it, what is left, or up to a byte. */
export interface ListLength {
  readonly count?: number;
  readonly counter?: Field;
  readonly limit: number;
  readonly tolerant?: boolean;
  readonly until?: number;
}

export class ListStep extends Step {
  readonly #item: Field;
  readonly #length: ListLength;
  readonly #isCounted: boolean;

  constructor(item: Field, length: ListLength) {
    super(item.step?.isTracked === true);
    this.#item = item;
    this.#length = length;
    this.#isCounted = length.count !== undefined || length.counter !== undefined;
  }

  read(cursor: Cursor): unknown {
    return this.#isCounted ? this.#readCounted(cursor) : this.#readOpen(cursor);
  }

  #readCounted(cursor: Cursor): unknown {
    const { count, counter, limit } = this.#length;
    const found = count ?? readField(counter as Field, cursor);
    if (found === FAILED || !((found as number) >= 0 && (found as number) <= limit)) return FAILED;
    const item = this.#item;
    // Pushing, not preallocating: a count is a claim until its items have been read.
    const items: unknown[] = [];
    const { depth, segments } = readPath;
    for (let index = 0; index < (found as number); index++) {
      if (this.isTracked) {
        segments[depth] = index;
        readPath.depth = depth + 1;
      }
      const value = readField(item, cursor);
      if (value === FAILED) return FAILED;
      items.push(value);
    }
    if (this.isTracked) readPath.depth = depth;
    return items;
  }

  #readOpen(cursor: Cursor): unknown {
    const { limit, tolerant, until } = this.#length;
    const item = this.#item;
    const items: unknown[] = [];
    const { depth, segments } = readPath;
    for (;;) {
      if (until !== undefined) {
        if (cursor.at < cursor.end && cursor.bytes[cursor.at >>> 3] === until) {
          cursor.at += 8;
          break;
        }
      } else if (cursor.at >= cursor.end) {
        break;
      }
      if (items.length === limit) return FAILED;
      if (this.isTracked) {
        segments[depth] = items.length;
        readPath.depth = depth + 1;
      }
      const { at, top } = cursor;
      const value = readField(item, cursor);
      if (value === FAILED) {
        if (tolerant !== true) return FAILED;
        cursor.at = at;
        cursor.top = top;
        break;
      }
      items.push(value);
    }
    if (this.isTracked) readPath.depth = depth;
    return items;
  }
}
