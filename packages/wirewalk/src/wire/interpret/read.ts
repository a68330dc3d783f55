/**
 * Reads what a description describes, and tells the cursor's tracer every field of it where there is one.
 *
 * Names of fields go into `readPath`, from which a refusal takes its path; the cursor's `path` is that of the trace's fields.
 */
import { conditionHolds } from "../describe/conditions.ts";
import type {
  ArrayNode,
  BitsNode,
  BytesNode,
  CaseNode,
  LayoutNode,
  MarkNode,
  PeekTest,
  RunLength,
  SizedNode,
  StructNode,
  VariantNode,
} from "../describe/node.ts";
import { type ByKind, ofKind } from "../describe/node-kinds.ts";
import { sizeOf } from "../describe/size.ts";
import { wordsFor } from "../describe/words.ts";
import { readAt, readPath } from "../read-path.ts";
import { countBytes, joinPath, placeText, WireError } from "../wire-error.ts";
import { firstKeys } from "./choose.ts";
import { readCompressed } from "./compressed.ts";
import { placeOf, ReadCursor, refuse, take, traced, traceField } from "./cursor.ts";
import {
  readBytes,
  readCountedText,
  readFloat,
  readInteger,
  readPrefix,
  readSmart,
  readText,
  restOf,
} from "./read-fields.ts";
import { casesOf, flagsOf, namesOf, readingOf } from "./tables.ts";

/** An object of fields. */
type Fields = Record<string, unknown>;

/** The value at the cursor. Throws {@link WireError}. */
export function readNode(node: LayoutNode, cursor: ReadCursor): unknown {
  const { tracer } = cursor;
  const read = ofKind(readers, node);
  if (tracer === undefined || node.words === undefined) return read(node, cursor);
  const before = tracer.fields.length;
  const value = read(node, cursor);
  const number = typeof value === "number" ? value : tracer.fields.at(-1)?.raw;
  if (tracer.fields.length === before + 1 && typeof number === "number") {
    const shown = wordsFor(node.words, number);
    if (shown !== undefined) tracer.reshow(shown);
  }
  return value;
}

const readers: ByKind<[cursor: ReadCursor], unknown> = {
  integer: readInteger,
  smart: readSmart,
  float: readFloat,
  boolean({ of }, cursor) {
    const { at, tracer } = cursor;
    const raw = readNode(of, cursor);
    if (raw !== 0 && raw !== 1) refuse("unknown-variant", `${raw} is none of 0, 1`, at);
    tracer?.reshow(String(raw === 1));
    return raw === 1;
  },
  oneOf(node, cursor) {
    const { at, tracer } = cursor;
    const names = namesOf(node);
    const raw = readNode(node.of, cursor) as number;
    const name = names.get(raw);
    if (name === undefined) refuse("unknown-variant", `${raw} is none of ${[...names.keys()].join(", ")}`, at);
    tracer?.reshow(name);
    return name;
  },
  prefix: readPrefix,
  flags(node, cursor) {
    const { at, tracer } = cursor;
    const raw = readNode(node.of, cursor) as number;
    const { known, setOf } = flagsOf(node);
    const others = (raw & ~known) >>> 0;
    if (others !== 0 && node.reserved === "refuse") {
      refuse("bad-value", `reserved bits 0x${others.toString(16)} are set`, at);
    }
    const set = setOf(raw);
    const names = Object.keys(set).filter((name) => set[name]);
    tracer?.reshow(names.join(", ") || "none");
    return set;
  },
  literal({ of, value, parts }, cursor) {
    const { at } = cursor;
    const found = readNode(of, cursor);
    if (found === value) return found;
    for (const { shift, mask, code, why } of parts ?? []) {
      const bits = (Number(found) >>> shift) & mask;
      if (bits !== ((Number(value) >>> shift) & mask)) refuse(code, why.replace("{}", String(bits)), at);
    }
    if (parts === undefined) refuse("bad-value", `${String(found)} is not ${value}`, at);
    return value;
  },
  constant: ({ value }) => value,
  unused({ bits }, cursor) {
    const { at } = cursor;
    const value = take(cursor, bits, "bits");
    traceField(cursor, at, value);
    return value;
  },
  array: readArray,
  bytes: readBytesOf,
  text({ charset, length }, cursor) {
    if ("end" in length) return readText(charset, length.limit, cursor);
    return readCountedText("rest" in length ? restOf(cursor, length.rest) : readCount(length, cursor), cursor);
  },
  struct: readStruct,
  variant: readVariant,
  byLength({ cases }, cursor) {
    const chosen = cases.find(({ bytes }) => bytes === undefined || bytes * 8 === cursor.end - cursor.at);
    // The last case takes all other lengths.
    return readNode((chosen as { readonly node: LayoutNode }).node, cursor);
  },
  peek({ cases }, cursor) {
    const chosen = cases.find(({ when }) => when === undefined || isAhead(when, cursor));
    // The last case has no test.
    return readNode((chosen as { readonly node: LayoutNode }).node, cursor);
  },
  mark: readMark,
  bits: readBits,
  limited({ bytes, name, of }, cursor) {
    const left = (cursor.end - cursor.at) >> 3;
    if (left > bytes) {
      const why = `${countBytes(left)} are over its limit of ${bytes}`;
      throw new WireError("limit", `Cannot read ${name}: ${why}`, cursor.at, name);
    }
    return readNode(of, cursor);
  },
  sized: readSized,
  compressed: (node, cursor) => readCompressed(node, cursor, readNode),
};

/** Reads what a trace shows under one more name. */
function readWithin(name: string, node: LayoutNode, cursor: ReadCursor): unknown {
  const { path, tracer } = cursor;
  if (tracer === undefined || name === "") return readNode(node, cursor);
  cursor.path = joinPath(path, name);
  const value = readNode(node, cursor);
  cursor.path = path;
  return value;
}

/** Reads what a trace does not show. */
function readUntraced<T>(cursor: ReadCursor, read: (cursor: ReadCursor) => T): T {
  const untraced = new ReadCursor(cursor.bytes, cursor.at, cursor.end, cursor.claimed, cursor.order);
  const value = read(untraced);
  cursor.at = untraced.at;
  return value;
}

/** A part of a description that is no field of the value, such as a count, by its name. */
function readPart(
  name: string,
  node: LayoutNode,
  cursor: ReadCursor,
  check: (value: number, at: number) => void,
): number {
  const { at } = cursor;
  return readAt(name, () => {
    const value = readWithin(name, node, cursor) as number;
    check(value, at);
    return value;
  });
}

/** A count before items. */
function readCount({ count, limit }: Extract<RunLength, { readonly count: LayoutNode }>, cursor: ReadCursor): number {
  return readPart("count", count, cursor, (found, at) => {
    if (found < 0) refuse("bad-value", `${found} is not a count`, at);
    if (found > limit) refuse("limit", `${found} is over its limit of ${limit}`, at);
  });
}

// --- Lists and bytes -------------------------------------------------------------------------------------------------------

function readArray(node: ArrayNode, cursor: ReadCursor): unknown[] {
  const { length, fold, item } = node;
  const count = typeof length === "number" ? length : "count" in length ? readCount(length, cursor) : undefined;
  if (cursor.tracer === undefined || fold === undefined || cursor.isLowFirst) return readItems(node, count, cursor);
  const start = cursor.at;
  const items = readUntraced(cursor, (untraced) => readItems(node, count, untraced));
  const others = items.filter((each) => each !== 0).length;
  traceField(
    cursor,
    start,
    items.length,
    `${items.length} ${fold} of ${sizeOf(item).most} bits, ${others} of them not 0`,
  );
  return items;
}

function readItems({ item, length }: ArrayNode, count: number | undefined, cursor: ReadCursor): unknown[] {
  // Pushing, not preallocating: a count is a claim until its items have been read.
  const items: unknown[] = [];
  const { tracer, path } = cursor;
  const { depth, segments } = readPath;
  const readItem = (): void => {
    segments[depth] = items.length;
    readPath.depth = depth + 1;
    items.push(tracer === undefined ? readNode(item, cursor) : readWithin(`[${items.length}]`, item, cursor));
    readPath.depth = depth;
  };
  if (count !== undefined) {
    while (items.length < count) readItem();
    return items;
  }
  const run = length as Exclude<typeof length, number | { readonly count: LayoutNode }>;
  const limit = "until" in run ? run.limit : run.rest;
  for (;;) {
    const { at, end } = cursor;
    if ("until" in run) {
      const next = end - at >= 8 ? take(cursor, 8, "u8") : undefined;
      if (next === run.until) {
        tracer?.field(joinPath(path, "end"), at, 8, next);
        return items;
      }
      cursor.at = at;
    } else if (at === end) return items;
    if (items.length === limit) refuse("limit", `over its limit of ${limit} items`, at);
    const fields = tracer?.fields.length ?? 0;
    try {
      readItem();
    } catch (error) {
      if (!(error instanceof WireError && "rest" in run && run.tolerant)) throw error;
      // The bytes of this item are for the next field.
      tracer?.truncate(fields);
      readPath.depth = depth;
      cursor.at = at;
      cursor.path = path;
      return items;
    }
  }
}

function readBytesOf(node: BytesNode, cursor: ReadCursor): Uint8Array {
  const { length, inside } = node;
  const count = typeof length === "object" && "count" in length ? readCount(length, cursor) : undefined;
  if (inside === undefined || cursor.tracer === undefined) return readBytes(node, count, cursor);
  return readTwice(node, "", inside, cursor);
}

/** Bytes whose fields are traced in place of them, under this name. */
function readTwice(bytes: BytesNode, name: string, fields: LayoutNode, cursor: ReadCursor): Uint8Array {
  const { at } = cursor;
  const value = readUntraced(cursor, (untraced) => readBytes(bytes, undefined, untraced));
  cursor.at = at;
  readWithin(name, fields, cursor);
  return value;
}

// --- Objects ---------------------------------------------------------------------------------------------------------------

function readStruct({ fields, order }: StructNode, cursor: ReadCursor): Fields {
  const value: Fields = {};
  const { depth, segments } = readPath;
  for (let index = 0; index < fields.length; index++) {
    const { name, node, hidden, when } = fields[index] as StructNode["fields"][number];
    if (name === "") {
      Object.assign(value, readNode(node, cursor));
      continue;
    }
    if (when !== undefined && !conditionHolds(when, value[when.field])) continue;
    segments[depth] = name;
    readPath.depth = depth + 1;
    const found = cursor.tracer === undefined ? readNode(node, cursor) : readTraced(name, node, value, cursor);
    readPath.depth = depth;
    if (!hidden) value[name] = found;
  }
  return order === undefined ? value : firstKeys(value, order);
}

/** A field of a struct that is traced: bytes with a meaning by the fields before them are shown as that. */
function readTraced(name: string, node: LayoutNode, value: Fields, cursor: ReadCursor): unknown {
  const reading = readingOf(node, value);
  if (reading !== undefined) return readTwice(node as BytesNode, reading.name, reading.node, cursor);
  return readWithin(node.kind === "bytes" && node.flat ? "" : name, node, cursor);
}

function readVariant(node: VariantNode, cursor: ReadCursor): Fields {
  const { tagName, members, order } = node;
  const { byTag, otherwise, known } = casesOf(node);
  let chosen: CaseNode | undefined;
  const tag = readPart(tagName, node.tag, cursor, (found, at) => {
    chosen = byTag.get(found) ?? otherwise;
    if (chosen === undefined) refuse("unknown-variant", `${found} is none of ${known}`, at);
  });
  const { node: body, hidden } = chosen as CaseNode;
  const fields = readNode(body, cursor) as Fields;
  const value = hidden ? fields : { [tagName]: tag, ...members, ...fields };
  return order === undefined ? value : firstKeys(value, order);
}

/** Whether the bytes ahead pass a test. */
function isAhead({ next, atMost }: PeekTest, cursor: ReadCursor): boolean {
  const { at, end } = cursor;
  if (atMost !== undefined && end - at > atMost * 8) return false;
  if (next === undefined) return true;
  if (end - at < 8) return false;
  const byte = take(cursor, 8, "u8");
  cursor.at = at;
  return (byte & next.mask) === next.value;
}

function readMark(node: MarkNode, cursor: ReadCursor): unknown {
  const { at, tracer, path } = cursor;
  const width = node.parts.reduce((sum, { bits }) => sum + bits, 0);
  const isMarked =
    cursor.end - at >= width && node.parts.every(({ bits, value }) => take(cursor, bits, "bits") === value);
  if (!isMarked) {
    cursor.at = at;
    return readNode(node.of, cursor);
  }
  let place = at;
  for (const { name, bits, value } of node.parts) {
    tracer?.field(joinPath(path, name), placeOf(cursor, place, bits), bits, value);
    place += bits;
  }
  return readNode(node.marked, cursor);
}

function readBits(node: BitsNode, cursor: ReadCursor): unknown {
  const { name, value: allowed } = node.padding;
  const { tracer, path } = cursor;
  const inner = traced(new ReadCursor(cursor.bytes, cursor.at, cursor.end, cursor.claimed, node.first), cursor);
  const value = readNode(node.of, inner);
  const { at } = inner;
  const width = -at & 7;
  if (width > 0) {
    const rest = take(inner, width, "bits");
    const place = placeOf(inner, at, width);
    tracer?.field(joinPath(path, name), place, width, rest, allowed === "any" ? "ignored" : String(rest));
    if (rest !== 0 && allowed === "zero") {
      throw new WireError("bad-value", `Cannot read ${name}: ${rest} is not 0 at ${placeText(place)}`, place, name);
    }
  }
  cursor.at = inner.at;
  return value;
}

/** The name of a size in paths. */
const SIZE = "size";

function readSized({ size, extra, of }: SizedNode, cursor: ReadCursor): unknown {
  const { at } = cursor;
  const { depth } = readPath;
  const least = extra + sizeOf(of).least / 8;
  const count = readPart(SIZE, size, cursor, (found) => {
    cursor.tracer?.reshow(countBytes(found));
    if (found < least) refuse("bad-length", `${found} is less than ${least}, its least`, at);
  });
  const bad = (why: string): WireError => {
    readPath.depth = depth;
    return new WireError("bad-length", `Cannot read ${SIZE}: ${why} at ${placeText(at)}`, at, SIZE);
  };
  const start = cursor.at;
  const claimed = start + (count - extra) * 8;
  const inner = traced(new ReadCursor(cursor.bytes, start, Math.min(claimed, cursor.end), claimed), cursor);
  let value: unknown;
  try {
    value = readNode(of, inner);
  } catch (error) {
    // The content needs more bytes than its size says, and they are there: the size is wrong.
    const isShort = error instanceof WireError && error.code === "truncated" && claimed < cursor.end;
    throw isShort ? bad(`${count} is too small for its content`) : error;
  }
  if (inner.at !== claimed) throw bad(`${count} where its content has ${(inner.at - start) / 8 + extra}`);
  cursor.at = inner.at;
  return value;
}
