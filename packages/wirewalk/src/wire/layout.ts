/**
 * A message as a declaration: one definition in wire order reads, writes, traces and types it.
 *
 * ```ts
 * import { decode, encode, oneOf, struct, u16be, u8 } from "wirewalk/wire";
 *
 * const step = struct({
 *   direction: oneOf(u8, { left: 1, right: 2 }),
 *   x: u16be, // pixels
 * });
 *
 * encode(step, { direction: "right", x: 448 }); // => new Uint8Array([2, 1, 192])
 * decode(step, new Uint8Array([2, 1, 192])); // => { direction: "right", x: 448 }
 * decode(step, new Uint8Array([3, 1, 192])); // throws unknown-variant: Cannot read direction: 3 is none of 1, 2 at byte 0
 * decode(step, new Uint8Array([2, 1])); // throws truncated: Cannot read x: 2 bytes needed, 1 left at byte 1
 * ```
 *
 * @module
 */

import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { formatHex } from "./hex.ts";
import { decodeLatin1, encodeLatin1 } from "./latin1.ts";
import { type TraceField, Tracer } from "./trace.ts";
import { joinPath, WireError, type WireErrorCode, withPath } from "./wire-error.ts";

/**
 * How a value lies in bytes. `read` throws {@link WireError} and nothing else, `write` throws TypeError or RangeError at a
 * value that does not fit. `trace` reads like `read` and tells the tracer of every field under `path` (empty at the top).
 *
 * A hand-written layout throws with an empty path: whoever contains it adds the names.
 */
export interface Layout<T> {
  read(reader: ByteReader): T;
  write(writer: ByteWriter, value: T): void;
  trace(reader: ByteReader, tracer: Tracer, path: string): T;
}

/** The value type of a layout: `type Step = Infer<typeof step>`. */
export type Infer<L> = L extends Layout<infer T> ? T : never;

/** A trace as far as it came: every field, and the value or the error that ended it. */
export interface LayoutTrace<T> {
  value?: T;
  fields: readonly TraceField[];
  error?: WireError;
}

/** Reads one message that fills `bytes`. Throws {@link WireError}, `trailing` when bytes are left. */
export function decode<T>(layout: Layout<T>, bytes: Uint8Array): T {
  const reader = new ByteReader(bytes);
  const value = layout.read(reader);
  reader.expectEnd();
  return value;
}

/** The writer of {@link encode} between two calls: growing a new one made 20 fragments 7.3 us instead of 2.1 us. */
let spareWriter: ByteWriter | undefined;
/** A spare writer that holds more than this is let go. */
const SPARE_WRITER_BYTES = 64 * 1024;

/** Writes one message. Throws TypeError or RangeError that names the field whose value does not fit. */
export function encode<T>(layout: Layout<T>, value: T): Uint8Array<ArrayBuffer> {
  const writer = spareWriter ?? new ByteWriter();
  // Taken while in use: a layout may encode a message within a message.
  spareWriter = undefined;
  try {
    layout.write(writer, value);
    return writer.toBytes();
  } finally {
    if (writer.length <= SPARE_WRITER_BYTES) {
      writer.reset();
      spareWriter = writer;
    }
  }
}

/** Reads one message like {@link decode} and reports each field. An error of the bytes is part of the result. */
export function traceLayout<T>(layout: Layout<T>, bytes: Uint8Array): LayoutTrace<T> {
  const reader = new ByteReader(bytes);
  const tracer = new Tracer();
  try {
    const value = layout.trace(reader, tracer, "");
    reader.expectEnd();
    return { value, fields: tracer.fields };
  } catch (error) {
    if (error instanceof WireError) return { fields: tracer.fields, error };
    throw error;
  }
}

// --- Numbers ---------------------------------------------------------------------------------------------------------

/** A layout of one field: read whole, or refused. */
function leaf<T, R extends number | bigint | string>(
  read: (reader: ByteReader) => T,
  write: (writer: ByteWriter, value: T) => void,
  raw: (value: T) => R,
  show: (value: T) => string,
): Layout<T> {
  return {
    read,
    write,
    trace(reader, tracer, path) {
      const start = reader.offset;
      const value = read(reader);
      const length = reader.offset - start;
      // A run of no bytes is no field: there is no bit to show.
      if (length > 0) tracer.field(path, start * 8, length * 8, raw(value), show(value));
      return value;
    },
  };
}

const itself = <T>(value: T): T => value;

function number(
  read: (reader: ByteReader) => number,
  write: (writer: ByteWriter, value: number) => void,
): Layout<number> {
  return leaf(read, write, itself, String);
}

/** An unsigned byte, 0..255. */
export const u8: Layout<number> = number(
  (reader) => reader.u8(),
  (writer, value) => writer.u8(value),
);
/** A signed byte, -128..127. */
export const i8: Layout<number> = number(
  (reader) => reader.i8(),
  (writer, value) => writer.i8(value),
);
/** Two bytes, 0..65535, low byte first. */
export const u16le: Layout<number> = number(
  (reader) => reader.u16le(),
  (writer, value) => writer.u16le(value),
);
/** Two bytes, 0..65535, high byte first. */
export const u16be: Layout<number> = number(
  (reader) => reader.u16be(),
  (writer, value) => writer.u16be(value),
);
/** Two bytes, -32768..32767, low byte first. */
export const i16le: Layout<number> = number(
  (reader) => reader.i16le(),
  (writer, value) => writer.i16le(value),
);
/** Two bytes, -32768..32767, high byte first. */
export const i16be: Layout<number> = number(
  (reader) => reader.i16be(),
  (writer, value) => writer.i16be(value),
);
/** Four bytes, 0..4294967295, low byte first. */
export const u32le: Layout<number> = number(
  (reader) => reader.u32le(),
  (writer, value) => writer.u32le(value),
);
/** Four bytes, 0..4294967295, high byte first. */
export const u32be: Layout<number> = number(
  (reader) => reader.u32be(),
  (writer, value) => writer.u32be(value),
);
/** Four bytes, -2147483648..2147483647, low byte first. */
export const i32le: Layout<number> = number(
  (reader) => reader.i32le(),
  (writer, value) => writer.i32le(value),
);
/** Four bytes, -2147483648..2147483647, high byte first. */
export const i32be: Layout<number> = number(
  (reader) => reader.i32be(),
  (writer, value) => writer.i32be(value),
);
/** Eight bytes, a bigint in 0..2^64 - 1, low byte first. */
export const u64le: Layout<bigint> = leaf(
  (reader) => reader.u64le(),
  (writer, value) => writer.u64le(value),
  itself,
  String,
);
/** A 32-bit float, low byte first; writing rounds to the nearest. The payload of a NaN is lost. */
export const f32le: Layout<number> = leaf(
  (reader) => reader.f32le(),
  (writer, value) => writer.f32le(value),
  itself,
  formatF32,
);
/** A 32-bit float, high byte first; writing rounds to the nearest. The payload of a NaN is lost. */
export const f32be: Layout<number> = leaf(
  (reader) => reader.f32be(),
  (writer, value) => writer.f32be(value),
  itself,
  formatF32,
);

/** The shortest decimal that is this 32-bit float: 0.165, not 0.16500000655651093. */
function formatF32(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Object.is(Math.fround(short), value)) return Object.is(short, -0) ? "-0" : String(short);
  }
  return String(value);
}

// --- Values with names -----------------------------------------------------------------------------------------------

/** The objects' fields in declaration order is wire order; JavaScript would put keys that look like integers first. */
function checkOrder(names: readonly string[]): void {
  for (const name of names) {
    if (/^\d+$/.test(name)) throw new TypeError(`a field's name must not be an integer, got ${name}`);
  }
}

/** The value of a {@link struct}. */
export type StructValue<F extends Record<string, Layout<unknown>>> = { [K in keyof F]: Infer<F[K]> };

/** Fields one after another, in the order of their declaration, to an object of the same keys. */
export function struct<F extends Record<string, Layout<unknown>>>(fields: F): Layout<StructValue<F>> {
  const entries = Object.entries(fields);
  checkOrder(Object.keys(fields));

  function readEach(readField: (layout: Layout<unknown>, name: string) => unknown): StructValue<F> {
    const value: Record<string, unknown> = {};
    let current = "";
    try {
      for (const [name, layout] of entries) {
        current = name;
        value[name] = readField(layout, name);
      }
    } catch (error) {
      throw withPath(error, current);
    }
    return value as StructValue<F>;
  }

  return {
    read: (reader) => readEach((layout) => layout.read(reader)),
    write(writer, value) {
      // Types promise an object; values that come from JSON may be anything.
      if (typeof value !== "object" || value === null) {
        throw new TypeError(`value must be an object, got ${String(value)}`);
      }
      let current = "";
      try {
        for (const [name, layout] of entries) {
          current = name;
          layout.write(writer, value[name]);
        }
      } catch (error) {
        throw withPath(error, current);
      }
    },
    trace: (reader, tracer, path) => readEach((layout, name) => layout.trace(reader, tracer, joinPath(path, name))),
  };
}

/**
 * Bits of an unsigned integer by name, bit 0 the least significant, to an object of booleans. A set bit without a name
 * is refused with `bad-value`, or with `reserved: "ignore"` read over and written as 0.
 */
export function flags<const N extends string>(
  layout: Layout<number>,
  bits: Record<N, number>,
  options: { reserved?: "refuse" | "ignore" } = {},
): Layout<Record<N, boolean>> {
  const entries = Object.entries<number>(bits) as [N, number][];
  let known = 0;
  for (const [name, bit] of entries) {
    if (!(Number.isInteger(bit) && bit >= 0 && bit < 32)) {
      throw new RangeError(`the bit of ${name} must be in 0..31, got ${bit}`);
    }
    if ((known & (1 << bit)) !== 0) throw new RangeError(`the bit of ${name} must be its own, got ${bit} again`);
    known |= 1 << bit;
  }
  const refuseReserved = options.reserved !== "ignore";

  return mapped(layout, {
    read(raw, bitOffset) {
      const reserved = (raw & ~known) >>> 0;
      if (reserved !== 0 && refuseReserved) {
        refuse("bad-value", `reserved bits 0x${reserved.toString(16)} are set`, bitOffset);
      }
      const value = {} as Record<N, boolean>;
      for (const [name, bit] of entries) value[name] = ((raw >>> bit) & 1) === 1;
      return value;
    },
    write(value) {
      let raw = 0;
      for (const [name, bit] of entries) {
        const set = value[name];
        if (typeof set !== "boolean") throw new TypeError(`${name} must be true or false, got ${String(set)}`);
        if (set) raw |= 1 << bit;
      }
      return raw >>> 0;
    },
    show: (value) =>
      entries
        .filter(([name]) => value[name])
        .map(([name]) => name)
        .join(", ") || "none",
  });
}

/** A number that stands for one of a few names; any other is refused with `unknown-variant`. */
export function oneOf<const N extends string>(layout: Layout<number>, names: Record<N, number>): Layout<N> {
  const entries = Object.entries<number>(names) as [N, number][];
  const nameOf = new Map(entries.map(([name, raw]) => [raw, name]));
  const rawOf = new Map<string, number>(entries);
  if (nameOf.size !== entries.length) throw new RangeError("each name must have a number of its own");
  const known = [...nameOf.keys()].join(", ");

  return mapped(layout, {
    read: (raw, bitOffset) => nameOf.get(raw) ?? refuse("unknown-variant", `${raw} is none of ${known}`, bitOffset),
    write(name) {
      const raw = rawOf.get(name);
      if (raw === undefined) throw new RangeError(`value must be one of ${[...rawOf.keys()].join(", ")}, got ${name}`);
      return raw;
    },
    show: itself,
  });
}

/** A value that is always the same; any other is refused with `bad-value`, by the writer with RangeError. */
export function literal<const V extends number | bigint | string>(
  layout: Layout<number> | Layout<bigint> | Layout<string>,
  value: V,
): Layout<V> {
  return mapped(layout as Layout<unknown>, {
    read(found, bitOffset) {
      if (found !== value) refuse("bad-value", `${String(found)} is not ${value}`, bitOffset);
      return value;
    },
    write(given) {
      if (given !== value) throw new RangeError(`value must be ${value}, got ${String(given)}`);
      return value;
    },
  });
}

/**
 * The same bytes, seen as another type. `read` may refuse: it throws {@link WireError} at the bit offset it is given and
 * with an empty path. `show` says what the value means, in the trace of a layout that is one field.
 */
export function mapped<A, B>(
  layout: Layout<A>,
  mapping: {
    read: (value: A, bitOffset: number) => B;
    write: (value: B) => A;
    show?: (value: B) => string;
  },
): Layout<B> {
  return {
    read(reader) {
      const bitOffset = reader.offset * 8;
      return mapping.read(layout.read(reader), bitOffset);
    },
    write: (writer, value) => layout.write(writer, mapping.write(value)),
    trace(reader, tracer, path) {
      const bitOffset = reader.offset * 8;
      const fieldsBefore = tracer.fields.length;
      const value = mapping.read(layout.trace(reader, tracer, path), bitOffset);
      if (mapping.show !== undefined && tracer.fields.length === fieldsBefore + 1) tracer.reshow(mapping.show(value));
      return value;
    },
  };
}

/** The value of a {@link variant}: an object type per case, told apart by the tag. */
export type VariantValue<N extends string, C extends Record<PropertyKey, Layout<object>>> = {
  [K in keyof C]: { [P in N | keyof Infer<C[K]>]: P extends keyof Infer<C[K]> ? Infer<C[K]>[P] : K };
}[keyof C];

/**
 * A tag, then the layout that the tag selects, to one object with the tag under the name `tagName`:
 *
 * `variant("result", oneOf(u8, { ok: 1, full: 2 }), { ok: struct({ id: u16le }), full: struct({}) })` is
 * `{ result: "ok", id: number } | { result: "full" }`.
 *
 * Tags are names (of {@link oneOf}) or numbers. One without a case is refused with `unknown-variant`.
 */
export function variant<const N extends string, C extends Record<PropertyKey, Layout<object>>>(
  tagName: N,
  tagLayout: Layout<string> | Layout<number>,
  cases: C,
): Layout<VariantValue<N, C>> {
  type Value = VariantValue<N, C>;
  type Tag = string | number;
  const tags = tagLayout as Layout<Tag>;
  // Keys of objects are strings: a numeric tag finds its case by its digits.
  const caseOf = new Map(Object.entries(cases));
  const known = [...caseOf.keys()].join(", ");

  function readCase(readTag: () => Tag, readBody: (body: Layout<object>) => object, at: number): Value {
    let tag: Tag;
    let body: Layout<object> | undefined;
    try {
      tag = readTag();
      body = caseOf.get(String(tag));
      if (body === undefined) refuse("unknown-variant", `${tag} is none of ${known}`, at * 8);
    } catch (error) {
      throw withPath(error, tagName);
    }
    return { [tagName]: tag, ...readBody(body) } as Value;
  }

  return {
    read: (reader) =>
      readCase(
        () => tags.read(reader),
        (body) => body.read(reader),
        reader.offset,
      ),
    write(writer, value) {
      const tag = (value as Record<string, Tag>)[tagName];
      const body = caseOf.get(String(tag));
      if (tag === undefined || body === undefined) {
        throw withPath(new RangeError(`value must be one of ${known}, got ${String(tag)}`), tagName);
      }
      try {
        tags.write(writer, tag);
      } catch (error) {
        throw withPath(error, tagName);
      }
      body.write(writer, value as object);
    },
    trace: (reader, tracer, path) =>
      readCase(
        () => tags.trace(reader, tracer, joinPath(path, tagName)),
        (body) => body.trace(reader, tracer, path),
        reader.offset,
      ),
  };
}

// --- Runs ------------------------------------------------------------------------------------------------------------

/** A count that lies before its items, with the most that is believed; or a number that both sides know. */
export type ArrayCount = { count: Layout<number>; limit: number } | { count: number };

/**
 * Items one after another. A count over its limit is refused with `limit` before any item is read; a number of items
 * that the writer may not write is a RangeError.
 */
export function array<T>(item: Layout<T>, options: ArrayCount): Layout<T[]> {
  function readItems(count: number, readItem: (index: number) => T): T[] {
    const items: T[] = [];
    let index = 0;
    try {
      // Pushing, not preallocating: a count is a claim until its items have been read.
      for (; index < count; index++) items.push(readItem(index));
    } catch (error) {
      throw withPath(error, `[${index}]`);
    }
    return items;
  }

  return {
    read(reader) {
      const count = readCount(options, reader.offset, (layout) => layout.read(reader));
      return readItems(count, () => item.read(reader));
    },
    write(writer, items) {
      if (!Array.isArray(items)) throw new TypeError(`value must be a list, got ${String(items)}`);
      writeCount(options, writer, items.length, "items");
      let index = 0;
      try {
        for (; index < items.length; index++) item.write(writer, items[index] as T);
      } catch (error) {
        throw withPath(error, `[${index}]`);
      }
    },
    trace(reader, tracer, path) {
      const countPath = joinPath(path, "count");
      const count = readCount(options, reader.offset, (layout) => layout.trace(reader, tracer, countPath));
      return readItems(count, (index) => item.trace(reader, tracer, joinPath(path, `[${index}]`)));
    },
  };
}

function readCount(options: ArrayCount, at: number, read: (layout: Layout<number>) => number): number {
  if (typeof options.count === "number") return options.count;
  try {
    const count = read(options.count);
    if (count < 0) refuse("bad-value", `${count} is no count`, at * 8);
    const { limit } = options as { limit: number };
    if (count > limit) refuse("limit", `${count} is over its limit of ${limit}`, at * 8);
    return count;
  } catch (error) {
    throw withPath(error, "count");
  }
}

function writeCount(options: ArrayCount, writer: ByteWriter, count: number, what: string): void {
  if (typeof options.count === "number") {
    if (count !== options.count) throw new RangeError(`value must have ${options.count} ${what}, got ${count}`);
    return;
  }
  const { limit } = options as { limit: number };
  if (count > limit) throw new RangeError(`value must have at most ${limit} ${what}, got ${count}`);
  try {
    options.count.write(writer, count);
  } catch (error) {
    throw withPath(error, "count");
  }
}

/** How many bytes of a run are shown where one line must do. */
const SHOWN_BYTES = 16;

function byteRun(options: ArrayCount): Layout<Uint8Array> {
  const rawRun = (count: number): Layout<Uint8Array> =>
    leaf<Uint8Array, string>(
      (reader) => reader.bytes(count),
      (writer, value) => writer.bytes(value),
      (value) => formatHex(value, { separator: "" }),
      (value) => {
        const hex = formatHex(value.subarray(0, SHOWN_BYTES));
        return value.length > SHOWN_BYTES ? `${hex} ...` : hex;
      },
    );

  return {
    read(reader) {
      return reader.bytes(readCount(options, reader.offset, (layout) => layout.read(reader)));
    },
    write(writer, value) {
      if (!(value instanceof Uint8Array)) throw new TypeError(`value must be a Uint8Array, got ${typeof value}`);
      writeCount(options, writer, value.length, "bytes");
      writer.bytes(value);
    },
    trace(reader, tracer, path) {
      const countPath = joinPath(path, "count");
      const count = readCount(options, reader.offset, (layout) => layout.trace(reader, tracer, countPath));
      return rawRun(count).trace(reader, tracer, path);
    },
  };
}

/** Exactly `count` bytes, copied. */
export function fixedBytes(count: number): Layout<Uint8Array> {
  return byteRun({ count });
}

/** A count and that many bytes, copied. A count over `limit` is refused with `limit`. */
export function prefixedBytes(options: { count: Layout<number>; limit: number }): Layout<Uint8Array> {
  return byteRun(options);
}

/** Everything that is left, copied: the opaque end of a message. More than `limit` bytes are refused with `limit`. */
export function restBytes(options: { limit: number }): Layout<Uint8Array> {
  const { limit } = options;
  const left = (reader: ByteReader): Layout<Uint8Array> => {
    const count = reader.remaining;
    if (count > limit) refuse("limit", `${count} bytes are over the limit of ${limit}`, reader.offset * 8);
    return fixedBytes(count);
  };
  return {
    read: (reader) => left(reader).read(reader),
    write(writer, value) {
      if (value.length > limit) throw new RangeError(`value must have at most ${limit} bytes, got ${value.length}`);
      writer.bytes(value);
    },
    trace: (reader, tracer, path) => left(reader).trace(reader, tracer, path),
  };
}

/** A latin1 string of at most `limit` characters and its final zero. */
export function cstring(options: { limit: number }): Layout<string> {
  const { limit } = options;
  return leaf(
    (reader) => reader.cstring(limit),
    (writer, value) => writer.cstring(value, limit),
    (value) => `${formatHex(encodeLatin1(value), { separator: "" })}00`,
    (value) => JSON.stringify(value),
  );
}

/** A count and that many latin1 characters. A count over `limit` is refused with `limit`. */
export function prefixedString(options: { count: Layout<number>; limit: number }): Layout<string> {
  const bytes = prefixedBytes(options);
  return {
    read: (reader) => decodeLatin1(bytes.read(reader)),
    write: (writer, value) => bytes.write(writer, encodeLatin1(value)),
    trace(reader, tracer, path) {
      const raw = bytes.trace(reader, tracer, path);
      const text = decodeLatin1(raw);
      if (raw.length > 0) tracer.reshow(JSON.stringify(text));
      return text;
    },
  };
}

function refuse(code: WireErrorCode, why: string, bitOffset: number): never {
  throw new WireError(code, `Cannot read value: ${why} at byte ${bitOffset / 8}`, bitOffset);
}
