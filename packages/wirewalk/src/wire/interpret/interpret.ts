/**
 * Reads, writes and traces messages by their descriptions, and shows them as JSON: one interpreter of nodes for traces, files,
 * errors, and messages described outside of this package. The games' own codecs are generated from the same descriptions.
 *
 * ```ts
 * import { decode, encode, fromJson, struct, toJson, traceLayout, u64le, u8 } from "wirewalk/wire";
 *
 * const time = struct({ hour: u8, stamp: u64le });
 * const bytes = encode(time, { hour: 9, stamp: 5n });
 * decode(time, bytes); // => { hour: 9, stamp: 5n }
 * toJson(time, { hour: 9, stamp: 5n }); // => { hour: 9, stamp: "5" }
 * fromJson(time, { hour: 9, stamp: "5" }); // => { hour: 9, stamp: 5n }
 * fromJson(time, { hour: 9, stamp: 5 }); // throws bad-value: Cannot read stamp: it must be a decimal number as text, 0 to 2^64 - 1, got 5
 * traceLayout(time, bytes).fields[0]; // => { path: "hour", bitOffset: 0, bitLength: 8, raw: 9, shown: "9" }
 * ```
 *
 * @module
 */
import type { ByteReader } from "../byte-reader.ts";
import type { ByteWriter } from "../byte-writer.ts";
import type { Layout } from "../describe/layout.ts";
import type { JsonValue } from "../json.ts";
import { readPath } from "../read-path.ts";
import { type TraceField, Tracer } from "../trace.ts";
import { WireError } from "../wire-error.ts";
import { cursorOf, expectEnd, ReadCursor, traced, WriteCursor } from "./cursor.ts";
import { nodeFromJson } from "./from-json.ts";
import { readNode } from "./read.ts";
import { decodeNode, nodeToJson } from "./to-json.ts";
import { encodeNode, writeNode } from "./write.ts";

/** A trace as far as it came: every field, and the value or the error that ended it. */
export interface LayoutTrace<T> {
  value?: T;
  fields: readonly TraceField[];
  error?: WireError;
}

/** Reads one message that fills `bytes`. Throws {@link WireError}, `trailing` when bytes are left. */
export function decode<T>(layout: Layout<T>, bytes: Uint8Array): T {
  readPath.depth = 0;
  return decodeNode(layout.node, bytes) as T;
}

/** Writes one message. Throws TypeError or RangeError that names the field whose value does not fit. */
export function encode<T>(layout: Layout<T>, value: T): Uint8Array<ArrayBuffer> {
  return encodeNode(layout.node, value);
}

/** Reads one message like {@link decode} and reports each field. An error of the bytes is part of the result. */
export function traceLayout<T>(layout: Layout<T>, bytes: Uint8Array): LayoutTrace<T> {
  readPath.depth = 0;
  const tracer = new Tracer();
  const cursor = traced(cursorOf(bytes), { tracer, path: "" });
  try {
    const value = readNode(layout.node, cursor) as T;
    expectEnd(cursor);
    return { value, fields: tracer.fields };
  } catch (error) {
    if (error instanceof WireError) return { fields: tracer.fields, error };
    throw error;
  }
}

/** Reads a value at a reader's place and moves it behind. Throws {@link WireError} and nothing else. */
export function readLayout<T>(layout: Layout<T>, reader: ByteReader): T {
  return readFrom(layout, reader, undefined, "");
}

/** Reads like {@link readLayout}, and gives the tracer every field under `path` (empty at the top). */
export function traceInto<T>(layout: Layout<T>, reader: ByteReader, tracer: Tracer, path: string): T {
  return readFrom(layout, reader, tracer, path);
}

function readFrom<T>(layout: Layout<T>, reader: ByteReader, tracer: Tracer | undefined, path: string): T {
  const { bitOffset, end, claimedEnd } = reader;
  const cursor = traced(new ReadCursor(reader.region(0, end), bitOffset, end * 8, claimedEnd * 8), { tracer, path });
  const value = readNode(layout.node, cursor) as T;
  reader.seek(cursor.at);
  return value;
}

/** Writes a value behind what a writer has. Throws TypeError or RangeError, and then writes nothing. */
export function writeLayout<T>(layout: Layout<T>, writer: ByteWriter, value: T): void {
  const cursor = new WriteCursor();
  writeNode(layout.node, cursor, value);
  writer.bytes(cursor.bytes, (cursor.at + 7) >>> 3);
}

/** The JSON of a value that can be written: bytes become hex, 64-bit integers decimal digits. */
export function toJson<T>(layout: Layout<T>, value: T): JsonValue {
  return nodeToJson(layout.node, value);
}

/** The value of JSON. Throws {@link WireError} `bad-value` at the path of what does not fit. */
export function fromJson<T>(layout: Layout<T>, json: JsonValue): T {
  return nodeFromJson(layout.node, json) as T;
}
