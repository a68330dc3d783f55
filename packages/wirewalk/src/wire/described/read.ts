/** Reads what a description describes, in as little code as that takes: for codecs that must be small. */
import { decodeLatin1 } from "../latin1.ts";
import type { BytesNode, IntegerNode, LayoutNode, RunLength, SizedNode, TextNode } from "../layout/node.ts";
import { cp1252Character } from "../windows-1252.ts";
import { readAt, readPath, WireError } from "../wire-error.ts";
import { type BlockMethods, need, type ReadCursor, refuse, reversed, take, takeBytes, transformed } from "./cursor.ts";
import { type Fields, holds } from "./tests-of-values.ts";

const float = new DataView(new ArrayBuffer(4));

/** The value at the cursor. Throws `WireError`. */
export function readNode(node: LayoutNode, cursor: ReadCursor, methods?: BlockMethods): unknown {
  const start = cursor.at;
  const read = (inner: LayoutNode, at = cursor): unknown => readNode(inner, at, methods);
  switch (node.kind) {
    case "integer":
      return readInteger(node, cursor);
    case "smart":
      need(cursor, 8);
      return (cursor.bytes[start >>> 3] as number) < 128 ? take(cursor, 8) : take(cursor, 16) - 0x8000;
    case "float": {
      const bits = take(cursor, 32);
      float.setUint32(0, node.order === "le" ? reversed(bits, 32) : bits);
      const value = float.getFloat32(0);
      if (node.finite && !Number.isFinite(value)) refuse("bad-value", `${value} is not finite`, start);
      return node.finite ? value + 0 : value;
    }
    case "boolean": {
      const raw = read(node.of);
      if (raw !== 0 && raw !== 1) refuse("unknown-variant", `${raw} is none of 0, 1`, start);
      return raw === 1;
    }
    case "oneOf": {
      const raw = read(node.of);
      const name = Object.keys(node.names).find((each) => node.names[each] === raw);
      return name ?? refuse("unknown-variant", `${raw} is none of ${Object.values(node.names).join(", ")}`, start);
    }
    case "prefix": {
      const entries = Object.entries(node.codes);
      for (let code = ""; ; ) {
        code += take(cursor, 1);
        const found = entries.find(([, each]) => each === code);
        if (found !== undefined) return found[0];
        if (!entries.some(([, each]) => each.startsWith(code))) {
          refuse("unknown-variant", `bits ${code} begin none of ${Object.keys(node.codes).join(", ")}`, start);
        }
      }
    }
    case "flags": {
      const raw = read(node.of) as number;
      const flags = Object.entries(node.flags);
      const others = flags.reduce((rest, [, bit]) => rest & ~(1 << bit), raw) >>> 0;
      if (others !== 0 && node.reserved === "refuse") {
        refuse("bad-value", `reserved bits 0x${others.toString(16)} are set`, start);
      }
      return Object.fromEntries(flags.map(([name, bit]) => [name, ((raw >>> bit) & 1) === 1]));
    }
    case "literal": {
      const found = read(node.of);
      if (found === node.value) return found;
      for (const { shift, mask, code, why } of node.parts ?? []) {
        const bits = (Number(found) >>> shift) & mask;
        if (bits !== ((Number(node.value) >>> shift) & mask)) refuse(code, why.replace("{}", String(bits)), start);
      }
      return node.parts === undefined ? refuse("bad-value", `${found} is not ${node.value}`, start) : node.value;
    }
    case "constant":
      return node.value;
    case "unused":
      return take(cursor, node.bits);
    case "limited":
      if ((cursor.end - start) / 8 > node.bytes) {
        readAt(node.name, () => refuse("limit", `over its limit of ${node.bytes} bytes`, start));
      }
      return read(node.of);
    case "array":
      return readRun(node.length, cursor, () => read(node.item));
    case "bytes":
      return readBytes(node, cursor);
    case "text":
      return readText(node, cursor);
    case "struct": {
      const value: Fields = {};
      for (const { name, node: field, hidden, when } of node.fields) {
        if (name === "") Object.assign(value, read(field));
        else if (when === undefined || holds(when, value)) {
          const found = readAt(name, () => read(field));
          if (!hidden) value[name] = found;
        }
      }
      return firstKeys(value, node.order);
    }
    case "variant": {
      const { tagName, cases } = node;
      const [tag, chosen] = readAt(tagName, () => {
        const found = read(node.tag) as number;
        const each = cases.find(({ tags }) => tags?.includes(found)) ?? cases.find(({ tags }) => tags === undefined);
        if (each !== undefined) return [found, each] as const;
        return refuse("unknown-variant", `${found} is none of ${cases.flatMap(({ tags }) => tags).join(", ")}`, start);
      });
      const body = read(chosen.node) as Fields;
      return firstKeys(chosen.hidden ? body : { [tagName]: tag, ...body }, node.order);
    }
    case "byLength": {
      const chosen = node.cases.find(({ bytes }) => bytes === undefined || bytes * 8 === cursor.end - start);
      // The last case takes all other lengths.
      return read((chosen as { readonly node: LayoutNode }).node);
    }
    case "mark": {
      const width = node.parts.reduce((sum, { bits }) => sum + bits, 0);
      const isMarked =
        cursor.end - start >= width && node.parts.every((each) => take(cursor, each.bits) === each.value);
      if (isMarked) return read(node.marked);
      cursor.at = start;
      return read(node.of);
    }
    case "bits": {
      const inner: ReadCursor = { ...cursor, isLowFirst: node.first === "lsb" };
      const value = read(node.of, inner);
      const { at } = inner;
      const padding = take(inner, -at & 7);
      if (padding !== 0 && node.padding.value === "zero") {
        const place = inner.isLowFirst ? at & ~7 : at;
        readAt(node.padding.name, () => refuse("bad-value", `${padding} is not 0`, place));
      }
      cursor.at = inner.at;
      return value;
    }
    case "sized":
      return readSized(node, cursor, methods);
    case "compressed": {
      if (methods === undefined) throw new TypeError("this codec was made without methods for blocks");
      const { bytes, end } = cursor;
      const block = bytes.subarray(0, end >>> 3);
      const body = readAt("block", () => methods.unpack(block, node.limit, start >>> 3, node.reserved));
      cursor.at = end;
      const inner = cursorOf(body);
      const value = read(node.of, inner);
      expectEnd(inner);
      return value;
    }
  }
}

/** A cursor at the start of bytes. */
export function cursorOf(bytes: Uint8Array): ReadCursor {
  const end = bytes.length * 8;
  return { bytes, at: 0, end, claimed: end, isLowFirst: false };
}

/** Throws `WireError` when something is left. */
export function expectEnd({ at, end }: ReadCursor): void {
  if (at < end) throw new WireError("trailing", `Cannot read end of message: ${(end - at) / 8} bytes left`, at);
}

function readInteger(node: IntegerNode, cursor: ReadCursor): number | bigint {
  const { at: start } = cursor;
  const { bits, signed, order, transform, bias = 0, divisor = 1, min, max } = node;
  if (bits === 64) {
    need(cursor, 64);
    const low = BigInt(reversed(take(cursor, 32), 32));
    return (BigInt(reversed(take(cursor, 32), 32)) << 32n) | low;
  }
  const taken = take(cursor, bits);
  const unsigned = transformed(order === "le" && bits % 8 === 0 ? reversed(taken, bits) : taken, transform);
  const number = signed && unsigned >= 2 ** (bits - 1) ? unsigned - 2 ** bits : unsigned;
  const value = (number - bias) / divisor;
  if (value < (min ?? value) || value > (max ?? value)) {
    refuse("bad-value", `${value} is not in ${min ?? ""}..${max ?? ""}`, start);
  }
  return value;
}

function readCount({ count, limit }: { readonly count: LayoutNode; readonly limit: number }, cursor: ReadCursor) {
  const { at } = cursor;
  return readAt("count", () => {
    const found = readNode(count, cursor) as number;
    if (found < 0) refuse("bad-value", `${found} is not a count`, at);
    if (found > limit) refuse("limit", `${found} is over its limit of ${limit}`, at);
    return found;
  });
}

function readRun(length: RunLength, cursor: ReadCursor, readItem: () => unknown): unknown[] {
  const items: unknown[] = [];
  const addItem = (): void => {
    items.push(readAt(items.length, readItem));
  };
  if (typeof length === "number" || "count" in length) {
    const count = typeof length === "number" ? length : readCount(length, cursor);
    while (items.length < count) addItem();
    return items;
  }
  const limit = "until" in length ? length.limit : length.rest;
  const { depth } = readPath;
  for (;;) {
    const { at } = cursor;
    if ("until" in length) {
      if (cursor.end - at >= 8 && take(cursor, 8) === length.until) return items;
      cursor.at = at;
    } else if (at === cursor.end) return items;
    if (items.length === limit) refuse("limit", `over its limit of ${limit} items`, at);
    try {
      addItem();
    } catch (error) {
      if (!(error instanceof WireError && "rest" in length && length.tolerant)) throw error;
      readPath.depth = depth;
      cursor.at = at;
      return items;
    }
  }
}

function readBytes({ length, transform, reversed: isReversed }: BytesNode, cursor: ReadCursor): Uint8Array {
  let count: number;
  if (typeof length === "number") count = length;
  else if ("count" in length) count = readCount(length, cursor);
  else {
    // A run to the end. Where the bytes were cut, reading them fails.
    count = (cursor.claimed - cursor.at) >> 3;
    const limit = "rest" in length ? length.rest : length.limit;
    if (count > limit) refuse("limit", `${count} bytes are over the limit of ${limit}`, cursor.at);
  }
  const taken = takeBytes(cursor, count);
  const bytes = transform === undefined ? taken : taken.map((byte) => transformed(byte, transform));
  return isReversed ? bytes.reverse() : bytes;
}

function readText({ length, charset }: TextNode, cursor: ReadCursor): string {
  const { at: start } = cursor;
  if ("count" in length) {
    const count = readCount(length, cursor);
    return decodeLatin1(takeBytes(cursor, count));
  }
  for (let text = ""; ; ) {
    if (cursor.end - cursor.at < 8) {
      // A latin1 text without its zero is refused where it begins, a Windows-1252 text where the bytes end.
      refuse("truncated", "its final zero is missing", charset === "latin1" ? start : cursor.at);
    }
    const byte = take(cursor, 8);
    if (byte === 0) return text;
    if (text.length === length.limit) refuse("limit", `over its limit of ${length.limit} characters`, start);
    text += charset === "latin1" ? String.fromCharCode(byte) : cp1252Character(byte);
  }
}

function readSized({ size, extra, of }: SizedNode, cursor: ReadCursor, methods?: BlockMethods): unknown {
  const { at: start } = cursor;
  const { depth } = readPath;
  const bad = (why: string): never => {
    readPath.depth = depth;
    return readAt("size", () => refuse("bad-length", why, start));
  };
  const count = readAt("size", () => readNode(size, cursor) as number);
  const claimed = cursor.at + (count - extra) * 8;
  if (claimed < cursor.at) bad(`${count} is less than ${extra}`);
  const inner: ReadCursor = { ...cursor, end: Math.min(claimed, cursor.end), claimed };
  let value: unknown;
  try {
    value = readNode(of, inner, methods);
  } catch (error) {
    // The content needs more bytes than its size says, and they are there: the size is wrong.
    const isShort = error instanceof WireError && error.code === "truncated" && claimed < cursor.end;
    throw isShort ? bad(`${count} is too small for its content`) : error;
  }
  if (inner.at !== claimed) bad(`${count} where its content has another`);
  cursor.at = inner.at;
  return value;
}

function firstKeys(value: Fields, order: readonly string[] | undefined): Fields {
  if (order === undefined) return value;
  const first = order.flatMap((key) => (Object.hasOwn(value, key) ? [[key, value[key]]] : []));
  return { ...Object.fromEntries(first), ...value };
}
