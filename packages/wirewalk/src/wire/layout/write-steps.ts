/** Objects, lists, bytes and texts on their way out: see `write-run.ts`. */
import { putLatin1 } from "../latin1.ts";
import { conditionHolds } from "./conditions.ts";
import type { Condition } from "./node.ts";
import { BITS } from "./ops.ts";
import type { SelectCase } from "./plan.ts";
import { type WriteCursor, WriteField, WriteStep, writeField, writeNumber } from "./write-run.ts";

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** A field of a struct. */
export interface WriteSlot {
  readonly name: string;
  readonly field: WriteField;
  readonly when: Condition | undefined;
  /** On the wire, and not in the value: this is written. */
  readonly hidden: boolean;
  readonly constant: unknown;
}

export class StructWriteStep extends WriteStep {
  readonly #slots: readonly WriteSlot[];

  constructor(slots: readonly WriteSlot[]) {
    super();
    this.#slots = slots;
  }

  write(value: unknown, cursor: WriteCursor): boolean {
    if (!isObject(value)) return false;
    const slots = this.#slots;
    for (let index = 0; index < slots.length; index++) {
      const { name, field, when, hidden, constant } = slots[index] as WriteSlot;
      const own = value[name];
      if (when !== undefined && !conditionHolds(when, value[when.field])) {
        if (own !== undefined) return false;
        continue;
      }
      const fits = field.isPlain
        ? writeNumber(field.op, field.bits, own as number, cursor)
        : writeField(field, hidden ? constant : own, cursor);
      if (!fits) return false;
    }
    return true;
  }
}

/** The same value, written in several parts; or bits, and what fills them up. */
export class PartsWriteStep extends WriteStep {
  readonly #parts: readonly WriteField[];

  constructor(parts: readonly WriteField[]) {
    super();
    this.#parts = parts;
  }

  write(value: unknown, cursor: WriteCursor): boolean {
    for (const part of this.#parts) if (!writeField(part, value, cursor)) return false;
    return true;
  }
}

/** Fills the last byte up: what lies there is 0 already. */
export class PaddingWriteStep extends WriteStep {
  write(_value: unknown, cursor: WriteCursor): boolean {
    cursor.at = (cursor.at + 7) & ~7;
    return true;
  }
}

/** A tag, where there is one, then the case. */
export class CaseWriteStep extends WriteStep {
  readonly #select: SelectCase;
  readonly #tag: WriteField | undefined;
  readonly #cases: readonly WriteField[];

  constructor(select: SelectCase, tag: WriteField | undefined, cases: readonly WriteField[]) {
    super();
    this.#select = select;
    this.#tag = tag;
    this.#cases = cases;
  }

  write(value: unknown, cursor: WriteCursor): boolean {
    if (!isObject(value)) return false;
    const found = this.#select(value);
    if (found === undefined) return false;
    const [index, tag] = found;
    if (this.#tag !== undefined && !writeField(this.#tag, tag, cursor)) return false;
    return writeField(this.#cases[index] as WriteField, value, cursor);
  }
}

/** A variant's tag by the value's own, where no case has another test: its commonest form. */
export class TagWriteStep extends WriteStep {
  readonly #tagName: string;
  readonly #tag: WriteField;
  readonly #cases: ReadonlyMap<unknown, WriteField>;
  readonly #otherwise: WriteField | undefined;

  constructor(
    tagName: string,
    tag: WriteField,
    cases: ReadonlyMap<unknown, WriteField>,
    otherwise: WriteField | undefined,
  ) {
    super();
    this.#tagName = tagName;
    this.#tag = tag;
    this.#cases = cases;
    this.#otherwise = otherwise;
  }

  write(value: unknown, cursor: WriteCursor): boolean {
    if (!isObject(value)) return false;
    const tag = value[this.#tagName];
    const field = this.#cases.get(tag) ?? (tag === undefined ? undefined : this.#otherwise);
    return field !== undefined && writeField(this.#tag, tag, cursor) && writeField(field, value, cursor);
  }
}

/** How many items or bytes: see `PlanLength`. */
export interface WriteLength {
  readonly count?: number;
  readonly counter?: WriteField;
  readonly limit: number;
  readonly until?: number;
}

function writeCount({ count, counter, limit }: WriteLength, length: number, cursor: WriteCursor): boolean {
  if (count !== undefined) return length === count;
  if (length > limit) return false;
  return counter === undefined || writeField(counter, length, cursor);
}

export class ListWriteStep extends WriteStep {
  readonly #item: WriteField;
  readonly #length: WriteLength;

  constructor(item: WriteField, length: WriteLength) {
    super();
    this.#item = item;
    this.#length = length;
  }

  write(items: unknown, cursor: WriteCursor): boolean {
    if (!Array.isArray(items) || !writeCount(this.#length, items.length, cursor)) return false;
    const { until } = this.#length;
    const item = this.#item;
    for (let index = 0; index < items.length; index++) {
      const before = cursor.at >>> 3;
      if (!writeField(item, items[index], cursor)) return false;
      if (until !== undefined && cursor.bytes[before] === until) return false;
    }
    if (until === undefined) return true;
    const at = cursor.at >>> 3;
    cursor.room(1)[at] = until;
    cursor.at += 8;
    return true;
  }
}

export class BytesWriteStep extends WriteStep {
  readonly #length: WriteLength;
  readonly #change: ((bytes: Uint8Array) => Uint8Array) | undefined;

  constructor(length: WriteLength, change: ((bytes: Uint8Array) => Uint8Array) | undefined) {
    super();
    this.#length = length;
    this.#change = change;
  }

  write(value: unknown, cursor: WriteCursor): boolean {
    if (!(value instanceof Uint8Array) || !writeCount(this.#length, value.length, cursor)) return false;
    const own = this.#change === undefined ? value : this.#change(value);
    const { length } = own;
    const bytes = cursor.room(length);
    const at = cursor.at >>> 3;
    if (length > FEW_BYTES) bytes.set(own, at);
    else for (let index = 0; index < length; index++) bytes[at + index] = own[index] as number;
    cursor.at += length * 8;
    return true;
  }
}

/** Up to so many bytes are copied one by one: `set` takes as long before the first. */
const FEW_BYTES = 64;

/** A text of latin1 characters, with a final zero or a count before it. */
export class TextWriteStep extends WriteStep {
  readonly #length: WriteLength;
  readonly #endsWithZero: boolean;

  constructor(length: WriteLength, endsWithZero: boolean) {
    super();
    this.#length = length;
    this.#endsWithZero = endsWithZero;
  }

  write(text: unknown, cursor: WriteCursor): boolean {
    if (typeof text !== "string" || !writeCount(this.#length, text.length, cursor)) return false;
    const { length } = text;
    const bytes = cursor.room(length + 1);
    const at = cursor.at >>> 3;
    if (putLatin1(text, bytes, at, this.#endsWithZero ? 1 : 0) >= 0) return false;
    cursor.at += length * 8;
    if (!this.#endsWithZero) return true;
    bytes[at + length] = 0;
    cursor.at += 8;
    return true;
  }
}

/** At most so many bytes. */
export class LimitedWriteStep extends WriteStep {
  readonly #of: WriteField;
  readonly #limit: number;

  constructor(of: WriteField, limit: number) {
    super();
    this.#of = of;
    this.#limit = limit;
  }

  write(value: unknown, cursor: WriteCursor): boolean {
    const before = cursor.at;
    return writeField(this.#of, value, cursor) && (cursor.at + 7 - before) >> 3 <= this.#limit;
  }
}

/** A size in bytes, then content that fills it. */
export class SizedWriteStep extends WriteStep {
  readonly #size: WriteField;
  readonly #of: WriteField;
  readonly #extra: number;

  constructor(size: WriteField, of: WriteField, extra: number) {
    super();
    this.#size = size;
    this.#of = of;
    this.#extra = extra;
  }

  write(value: unknown, cursor: WriteCursor): boolean {
    const start = cursor.at;
    if (this.#size.bits === 0 || !writeField(this.#size, 0, cursor)) return false;
    const from = cursor.at;
    if (!writeField(this.#of, value, cursor)) return false;
    const end = cursor.at;
    cursor.at = start;
    if (!writeField(this.#size, (end - from) / 8 + this.#extra, cursor)) return false;
    cursor.at = end;
    return true;
  }
}

/** A code of variable length, by its name. */
export class CodeWriteStep extends WriteStep {
  readonly #codes: ReadonlyMap<unknown, WriteField>;

  constructor(codes: Readonly<Record<string, string>>) {
    super();
    this.#codes = new Map(
      Object.entries(codes).map(([name, code]) => {
        const number = Number.parseInt(code, 2);
        return [name, new WriteField(BITS, code.length, () => number)];
      }),
    );
  }

  write(name: unknown, cursor: WriteCursor): boolean {
    const field = this.#codes.get(name);
    return field !== undefined && writeField(field, name, cursor);
  }
}
