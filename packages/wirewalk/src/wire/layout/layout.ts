/**
 * A message as a declaration: one definition in wire order, from which reading, writing, traces, JSON, types and the
 * description follow.
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
 * step.toJson({ direction: "right", x: 448 }); // => { direction: "right", x: 448 }
 * step.node.fields[1].node; // => { kind: "integer", bits: 16, signed: false, order: "be" }
 * decode(step, new Uint8Array([3, 1, 192])); // throws unknown-variant: Cannot read direction: 3 is none of 1, 2 at byte 0
 * decode(step, new Uint8Array([2, 1])); // throws truncated: Cannot read x: 2 bytes needed, 1 left at byte 1
 * ```
 *
 * @module
 */
import { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import type { JsonValue } from "../json.ts";
import { type TraceField, Tracer } from "../trace.ts";
import { joinPath, placeText, readPath, WireError, type WireErrorCode, withPath } from "../wire-error.ts";
import { type LayoutReader, type LayoutWriter, placeOf } from "./cursor.ts";
import type { LayoutNode, Meaning } from "./node.ts";
import { wordsFor } from "./words.ts";

/**
 * How a value lies in bytes. `node` describes it as plain data; all else follows from that.
 *
 * - `read` throws {@link WireError} and nothing else.
 * - `write` throws TypeError or RangeError at a value that does not fit.
 * - `trace` reads like `read` and gives the tracer every field under `path` (empty at the top).
 * - `toJson` takes a value that `write` would take: bytes become hex, 64-bit integers decimal digits.
 * - `fromJson` is its reverse. It throws {@link WireError} `bad-value` at the path of what does not fit.
 */
export interface Layout<T> {
  readonly node: LayoutNode;
  read(reader: LayoutReader): T;
  write(writer: LayoutWriter, value: T): void;
  trace(reader: LayoutReader, tracer: Tracer, path: string): T;
  toJson(value: T): JsonValue;
  fromJson(json: JsonValue): T;
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
  readPath.depth = 0;
  const reader = new ByteReader(bytes);
  const value = layout.read(reader);
  reader.expectEnd();
  return value;
}

/** The writer of {@link encode} between two calls: growing a new one made 20 fragments 7.3 us instead of 2.1 us. */
let spareWriter: ByteWriter | undefined;
/** A spare writer that holds more than this is not kept. */
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
  readPath.depth = 0;
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

/**
 * The same layout, described further: what it means, where the standard describes it, its unit, and the words in which a
 * trace shows its number.
 *
 * ```ts
 * import { traceLayout, u8, withMeaning } from "wirewalk/wire";
 *
 * const pitch = withMeaning(u8, { unit: "1/256 turn", words: [{ from: 64, to: 64, text: "level" }] });
 * traceLayout(pitch, Uint8Array.of(64)).fields[0].shown; // => "level"
 * ```
 */
export function withMeaning<T>(layout: Layout<T>, meaning: Meaning): Layout<T> {
  const described: Layout<T> = { ...layout, node: { ...layout.node, ...meaning } };
  const { words } = meaning;
  if (words === undefined) return described;
  return {
    ...described,
    trace(reader, tracer, path) {
      const before = tracer.fields.length;
      const value = layout.trace(reader, tracer, path);
      const last = tracer.fields.at(-1);
      const number = typeof value === "number" ? value : last?.raw;
      if (tracer.fields.length === before + 1 && typeof number === "number") {
        const shown = wordsFor(words, number);
        if (shown !== undefined) tracer.reshow(shown);
      }
      return value;
    },
  };
}

/**
 * The same layout with a reader or writer written by hand, for hot paths that a benchmark names. Value, errors and
 * places must be those of the description: a test proves it.
 */
export function withFastPath<T>(
  layout: Layout<T>,
  fast: { read?: (reader: LayoutReader) => T; write?: (writer: LayoutWriter, value: T) => void },
): Layout<T> {
  return { ...layout, ...fast };
}

/** What a layout of one field is made of. */
export interface Leaf<T> {
  node: LayoutNode;
  read: (reader: LayoutReader) => T;
  write: (writer: LayoutWriter, value: T) => void;
  /** What stands on the wire, for traces. */
  raw: (value: T) => number | bigint | string;
  show: (value: T) => string;
  toJson: (value: T) => JsonValue;
  fromJson: (json: JsonValue) => T;
}

/** A layout of one field: read whole, or refused. */
export function leaf<T>({ node, read, write, raw, show, toJson, fromJson }: Leaf<T>): Layout<T> {
  return {
    node,
    read,
    write,
    trace(reader, tracer, path) {
      const start = reader.bitOffset;
      const value = read(reader);
      const width = reader.bitOffset - start;
      // A run of no bytes is not a field: there is no bit to show.
      if (width > 0) tracer.field(path, placeOf(reader, start, width), width, raw(value), show(value));
      return value;
    },
    toJson,
    fromJson,
  };
}

/**
 * Reads or traces a number that belongs to a layout, such as a count, and checks it: errors have its name in their path. `check`
 * is given the place of the number too.
 */
export function readPart<T extends number | string>(
  name: string,
  reader: LayoutReader,
  tracer: Tracer | undefined,
  path: string,
  layout: Layout<T>,
  check: (value: T, at: number) => void,
): T {
  const at = reader.bitOffset;
  if (tracer === undefined) {
    const { depth, segments } = readPath;
    segments[depth] = name;
    readPath.depth = depth + 1;
    const value = layout.read(reader);
    check(value, at);
    readPath.depth = depth;
    return value;
  }
  try {
    const value = layout.trace(reader, tracer, joinPath(path, name));
    check(value, at);
    return value;
  } catch (error) {
    throw withPath(error, name);
  }
}

/** Throws the error of bytes that were refused, at a place. */
export function refuse(code: WireErrorCode, why: string, bitOffset: number): never {
  throw new WireError(code, `Cannot read value: ${why} at ${placeText(bitOffset)}`, bitOffset);
}

/** Throws the error of JSON that was refused: composites add the path. */
export function refuseJson(why: string): never {
  throw new WireError("bad-value", `Cannot read value: ${why}`, 0);
}

/** A value for an error message: short, and never the text of a whole object. */
export function nameOfJson(json: unknown): string {
  if (json === undefined) return "nothing";
  if (json === null) return "null";
  if (Array.isArray(json)) return "a list";
  if (typeof json === "object") return "an object";
  const text = JSON.stringify(json);
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
}
