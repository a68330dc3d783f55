/**
 * Runs: lists and bytes.
 *
 * @module
 */
import { ByteWriter } from "../byte-writer.ts";
import { formatHex, parseHex } from "../hex.ts";
import type { JsonValue } from "../json.ts";
import type { Tracer } from "../trace.ts";
import { joinPath, placeText, readPath, WireError, withPath } from "../wire-error.ts";
import { plannedRead } from "./compile.ts";
import { plannedWrite } from "./compile-write.ts";
import { BitLayoutReader, BitLayoutWriter, type LayoutReader, type LayoutWriter, placeOf } from "./cursor.ts";
import { encode, type Layout, leaf, nameOfJson, readPart, refuse, refuseJson } from "./layout.ts";
import type { BytesNode, RunLength } from "./node.ts";
import { transformByte } from "./numbers.ts";
import { type Plan, setPlan } from "./plan.ts";
import { sizeOf } from "./size.ts";

/** A count that lies before its items, with the most that is believed; or a number that both sides know. */
export type ArrayCount = { count: Layout<number>; limit: number } | { count: number };

/** How many items a list has: see `RunLength`. */
export type ArrayLength =
  | ArrayCount
  /** All that is left. `tolerant`: up to the first item that cannot be read; what is left is for the next field. */
  | { rest: number; tolerant?: true }
  /** Items up to a byte of this value, with which no item begins. */
  | { until: number; limit: number };

function lengthNode(length: ArrayLength): RunLength {
  if ("rest" in length || "until" in length) return length;
  if (typeof length.count === "number") return length.count;
  return { count: length.count.node, limit: (length as { limit: number }).limit };
}

/** The name of the byte that ends a list. */
const END = "end";

/**
 * Items one after another. A count over its limit is refused with `limit` before any item is read; a number of items
 * that the writer may not write is a RangeError. `fold`: a trace shows all items as one field, under this name for them.
 */
export function array<T>(item: Layout<T>, length: ArrayLength, options: { fold?: string } = {}): Layout<T[]> {
  const { fold } = options;
  const isCounted = !("rest" in length || "until" in length);
  if (!isCounted && sizeOf(item.node).least === 0) throw new TypeError("items without bytes need a count");

  function readItems(
    reader: LayoutReader,
    readItem: (index: number) => T,
    readEnd: () => void,
    count: number,
    isTraced = false,
  ): T[] {
    // Pushing, not preallocating: a count is a claim until its items have been read.
    const items: T[] = [];
    const { depth, segments } = readPath;
    let at = 0;
    const fill = (): T[] => {
      for (;;) {
        readPath.depth = depth;
        if (isCounted) {
          if (items.length >= count) return items;
        } else if ("until" in length) {
          if (reader.remaining > 0 && reader.peekU8() === length.until) {
            readEnd();
            return items;
          }
          if (items.length === length.limit) throw overLimit(length.limit, reader.bitOffset);
        } else {
          if (reader.remainingBits === 0) return items;
          if (items.length === length.rest) throw overLimit(length.rest, reader.bitOffset);
        }
        at = reader.bitOffset;
        if (!isTraced) {
          segments[depth] = items.length;
          readPath.depth = depth + 1;
        }
        items.push(readItem(items.length));
      }
    };
    const isTolerant = "rest" in length && length.tolerant === true;
    if (isCounted && !isTraced) return fill();
    try {
      return fill();
    } catch (error) {
      if (error instanceof OverLimit) throw error.error;
      if (error instanceof WireError && isTolerant) {
        readPath.depth = depth;
        reader.seek(at);
        return items;
      }
      throw isTraced ? withPath(error, `[${items.length}]`) : error;
    }
  }

  const plan: Plan = { kind: "array", item, length };
  return {
    node: { kind: "array", item: item.node, length: lengthNode(length), ...(fold === undefined ? {} : { fold }) },
    read: plannedRead(plan, (reader) => {
      const count = isCounted ? readCount(length, reader, undefined, "") : 0;
      return readItems(
        reader,
        () => item.read(reader),
        () => reader.u8(),
        count,
      );
    }),
    write: plannedWrite(plan, (writer, items: T[]) => {
      if (!Array.isArray(items)) throw new TypeError(`value must be a list, got ${String(items)}`);
      const most = "rest" in length ? length.rest : "until" in length ? length.limit : undefined;
      if (most !== undefined && items.length > most) {
        throw new RangeError(`value must have at most ${most} items, got ${items.length}`);
      }
      if (isCounted) writeCount(length, writer, items.length, "items");
      let index = 0;
      try {
        for (; index < items.length; index++) {
          if (!("until" in length)) {
            item.write(writer, items[index] as T);
            continue;
          }
          const before = writer.length;
          item.write(writer, items[index] as T);
          if (writer.view()[before] === length.until) {
            throw new RangeError(`value must not begin with the byte ${length.until}, the end of the list`);
          }
        }
      } catch (error) {
        throw withPath(error, `[${index}]`);
      }
      if ("until" in length) writer.u8(length.until);
    }),
    trace(reader, tracer, path) {
      const count = isCounted ? readCount(length, reader, tracer, path) : 0;
      const isLowFirst = reader instanceof BitLayoutReader && reader.isLowFirst;
      if (fold !== undefined && !isLowFirst) return traceFolded(reader, tracer, path, count, fold);
      let fields = tracer.fields.length;
      return readItems(
        reader,
        (index) => {
          try {
            const value = item.trace(reader, tracer, joinPath(path, `[${index}]`));
            fields = tracer.fields.length;
            return value;
          } catch (error) {
            // The bytes of an item that a tolerant list leaves to the next field are not this item's.
            if ("rest" in length && length.tolerant) tracer.truncate(fields);
            throw error;
          }
        },
        () => {
          tracer.field(joinPath(path, END), reader.bitOffset, 8, reader.u8());
        },
        count,
        true,
      );
    },
    toJson: (items) => items.map((each) => item.toJson(each)),
    fromJson(json) {
      if (!Array.isArray(json)) refuseJson(`it must be a list, got ${nameOfJson(json)}`);
      const items = json as readonly JsonValue[];
      const most = "rest" in length ? length.rest : "limit" in length ? length.limit : undefined;
      if (most !== undefined && items.length > most)
        refuseJson(`it must have at most ${most} items, got ${items.length}`);
      if (isCounted && typeof length.count === "number" && items.length !== length.count) {
        refuseJson(`it must have ${length.count} items, got ${items.length}`);
      }
      if (isCounted) checkCount(length, items.length, "items");
      return items.map((each, index) => {
        try {
          const value = item.fromJson(each);
          if ("until" in length && encode(item, value)[0] === length.until) {
            refuseJson(`it must not begin with the byte ${length.until}, the end of the list`);
          }
          return value;
        } catch (error) {
          throw withPath(error, `[${index}]`);
        }
      });
    },
  };

  function traceFolded(reader: LayoutReader, tracer: Tracer, path: string, count: number, noun: string): T[] {
    const start = reader.bitOffset;
    const items = readItems(
      reader,
      () => item.read(reader),
      () => reader.u8(),
      count,
    );
    const width = reader.bitOffset - start;
    if (width === 0) return items;
    const others = items.filter((each) => (each as unknown) !== 0).length;
    const each = sizeOf(item.node).most;
    const shown = `${items.length} ${noun} of ${each} bits, ${others} of them not 0`;
    tracer.field(path, placeOf(reader, start, width), width, items.length, shown);
    return items;
  }
}

/** The error of a list with more items than its limit: it is the list's, not an item's. */
class OverLimit {
  readonly error: WireError;

  constructor(error: WireError) {
    this.error = error;
  }
}

function overLimit(limit: number, bitOffset: number): OverLimit {
  const why = `over its limit of ${limit} items at ${placeText(bitOffset)}`;
  return new OverLimit(new WireError("limit", `Cannot read value: ${why}`, bitOffset));
}

function readCount(options: ArrayCount, reader: LayoutReader, tracer: Tracer | undefined, path: string): number {
  const { count: layout } = options;
  if (typeof layout === "number") return layout;
  const { limit } = options as { limit: number };
  return readPart("count", reader, tracer, path, layout, (count, at) => {
    if (count < 0) refuse("bad-value", `${count} is not a count`, at);
    if (count > limit) refuse("limit", `${count} is over its limit of ${limit}`, at);
  });
}

function writeCount(options: ArrayCount, writer: LayoutWriter, count: number, what: string): void {
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

/** Refuses JSON with a number of items that the count before them cannot hold, though the limit allows it. */
export function checkCount({ count: layout }: ArrayCount, count: number, what: string): void {
  if (typeof layout === "number") return;
  try {
    layout.write(new BitLayoutWriter(new ByteWriter(), "msb"), count);
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    refuseJson(`it must have a number of ${what} that its count can hold, got ${count}`);
  }
}

// --- Bytes -------------------------------------------------------------------------------------------------------------

/** How many bytes of a run are shown where one line must do. */
const SHOWN_BYTES = 16;

function showBytes(value: Uint8Array): string {
  const hex = formatHex(value.subarray(0, SHOWN_BYTES));
  return value.length > SHOWN_BYTES ? `${hex} ...` : hex;
}

/** What a run of bytes is besides its length. */
export type BytesOptions = Pick<BytesNode, "transform" | "reversed" | "opaque">;

/** A run of bytes, copied; in JSON hex. */
export function byteRun(length: ArrayCount | { rest: number }, options: BytesOptions = {}): Layout<Uint8Array> {
  const { transform, reversed } = options;
  const changed = transform !== undefined || reversed === true;
  // By a table: an appearance of OSRS is written in 180 ns instead of 310 by a function for each byte.
  const table = Uint8Array.from({ length: 256 }, (_, byte) => transformByte(byte, transform));
  /** Every transform undoes itself, and so does turning round. */
  const change = (value: Uint8Array): Uint8Array<ArrayBuffer> => {
    const out = new Uint8Array(value.length);
    for (let at = 0; at < value.length; at++) out[at] = table[value[at] as number] as number;
    return reversed ? out.reverse() : out;
  };
  const rawRun = (count: number): Layout<Uint8Array> =>
    leaf<Uint8Array>({
      node: { kind: "bytes", length: count },
      read: (reader) => reader.bytes(count),
      write: (writer, value) => writer.bytes(value),
      raw: (value) => formatHex(value, { separator: "" }),
      show: showBytes,
      toJson: (value) => formatHex(value, { separator: "" }),
      fromJson: bytesFromJson,
    });

  const readLength = (reader: LayoutReader, tracer: Tracer | undefined, path: string): number => {
    if (!("rest" in length)) return readCount(length, reader, tracer, path);
    // Where the bytes were cut, reading them says so.
    const left = reader.claimedEnd - reader.offset;
    if (left > length.rest) refuse("limit", `${left} bytes are over the limit of ${length.rest}`, reader.bitOffset);
    return left;
  };
  const checkLength = (count: number): string | undefined => {
    if ("rest" in length) return count > length.rest ? `at most ${length.rest}` : undefined;
    if (typeof length.count === "number") return count === length.count ? undefined : String(length.count);
    const { limit } = length as { limit: number };
    return count > limit ? `at most ${limit}` : undefined;
  };

  const read = (reader: LayoutReader): Uint8Array => {
    const value = reader.bytes(readLength(reader, undefined, ""));
    return changed ? change(value) : value;
  };
  const write = (writer: LayoutWriter, value: Uint8Array): void => {
    if (!(value instanceof Uint8Array)) throw new TypeError(`value must be a Uint8Array, got ${typeof value}`);
    const needed = checkLength(value.length);
    if (needed !== undefined) throw new RangeError(`value must have ${needed} bytes, got ${value.length}`);
    if (!("rest" in length)) writeCount(length, writer, value.length, "bytes");
    writer.bytes(changed ? change(value) : value);
  };
  const plan: Plan = { kind: "bytes", length, ...(changed ? { change } : {}) };
  setPlan(read, plan);
  setPlan(write, plan);
  return {
    node: { kind: "bytes", length: lengthNode(length), ...options },
    read,
    write,
    trace(reader, tracer, path) {
      const count = readLength(reader, tracer, path);
      const value = rawRun(count).trace(reader, tracer, path);
      if (!changed) return value;
      const turned = change(value);
      if (value.length > 0) tracer.reshow(showBytes(turned));
      return turned;
    },
    toJson: (value) => formatHex(value, { separator: "" }),
    fromJson(json) {
      const value = bytesFromJson(json);
      const needed = checkLength(value.length);
      if (needed !== undefined) refuseJson(`it must have ${needed} bytes, got ${value.length}`);
      if (!("rest" in length)) checkCount(length, value.length, "bytes");
      return value;
    },
  };
}

function bytesFromJson(json: JsonValue): Uint8Array<ArrayBuffer> {
  if (typeof json !== "string") refuseJson(`it must be hex, got ${nameOfJson(json)}`);
  return parseHex(json);
}

/** Exactly `count` bytes, copied. */
export function fixedBytes(count: number, options: BytesOptions = {}): Layout<Uint8Array> {
  return byteRun({ count }, options);
}

/** A count and that many bytes, copied. A count over `limit` is refused with `limit`. */
export function prefixedBytes(options: { count: Layout<number>; limit: number } & BytesOptions): Layout<Uint8Array> {
  const { count, limit, ...rest } = options;
  return byteRun({ count, limit }, rest);
}

/** Everything that is left, copied: the opaque end of a message. More than `limit` bytes are refused with `limit`. */
export function restBytes(options: { limit: number } & BytesOptions): Layout<Uint8Array> {
  const { limit, ...rest } = options;
  return byteRun({ rest: limit }, rest);
}

/**
 * A number of bytes that stay bytes in the value, while a trace shows the fields that `inside` describes. `flat`: a struct
 * with such bytes shows those fields under their own names, without the name of the bytes.
 */
export function bytesWith(inside: Layout<unknown>, options: { flat?: boolean } = {}): Layout<Uint8Array> {
  const { least, most } = sizeOf(inside.node);
  if (least !== most || least % 8 !== 0) throw new TypeError("what lies inside must have a fixed number of bytes");
  const plain = fixedBytes(least / 8);
  return {
    ...plain,
    node: { kind: "bytes", length: least / 8, inside: inside.node, ...(options.flat ? { flat: true } : {}) },
    trace(reader, tracer, path) {
      const at = reader.bitOffset;
      const value = plain.read(reader);
      reader.seek(at);
      inside.trace(reader, tracer, path);
      return value;
    },
  };
}
