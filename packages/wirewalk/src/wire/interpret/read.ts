/**
 * Reads what a description describes, and tells a tracer every field of it where there is one.
 *
 * Names of fields go into `readPath`, from which a refusal takes its path; `path` is that of the trace's fields.
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
  SizedNode,
  StructNode,
  VariantNode,
} from "../describe/node.ts";
import { sizeOf } from "../describe/size.ts";
import { wordsFor } from "../describe/words.ts";
import { readAt, readPath } from "../read-path.ts";
import type { Tracer } from "../trace.ts";
import { countBytes, joinPath, placeText, WireError } from "../wire-error.ts";
import { firstKeys } from "./choose.ts";
import { readCompressed } from "./compressed.ts";
import { placeOf, ReadCursor, refuse, take } from "./cursor.ts";
import {
  readBytes,
  readCountedText,
  readFloat,
  readInteger,
  readPrefix,
  readSmart,
  readText,
  restOf,
  traceField,
} from "./read-fields.ts";
import { casesOf, flagsOf, namesOf } from "./tables.ts";

/** An object of fields. */
type Fields = Record<string, unknown>;

/** The value at the cursor. Throws {@link WireError}. */
export function readNode(node: LayoutNode, cursor: ReadCursor, tracer: Tracer | undefined, path: string): unknown {
  if (tracer === undefined || node.words === undefined) return readKind(node, cursor, tracer, path);
  const before = tracer.fields.length;
  const value = readKind(node, cursor, tracer, path);
  const number = typeof value === "number" ? value : tracer.fields.at(-1)?.raw;
  if (tracer.fields.length === before + 1 && typeof number === "number") {
    const shown = wordsFor(node.words, number);
    if (shown !== undefined) tracer.reshow(shown);
  }
  return value;
}

function readKind(node: LayoutNode, cursor: ReadCursor, tracer: Tracer | undefined, path: string): unknown {
  const start = cursor.at;
  switch (node.kind) {
    case "integer":
      return readInteger(node, cursor, tracer, path);
    case "smart":
      return readSmart(node, cursor, tracer, path);
    case "float":
      return readFloat(node, cursor, tracer, path);
    case "boolean": {
      const raw = readNode(node.of, cursor, tracer, path);
      if (raw !== 0 && raw !== 1) refuse("unknown-variant", `${raw} is none of 0, 1`, start);
      tracer?.reshow(String(raw === 1));
      return raw === 1;
    }
    case "oneOf": {
      const names = namesOf(node);
      const raw = readNode(node.of, cursor, tracer, path) as number;
      const name = names.get(raw);
      if (name === undefined) refuse("unknown-variant", `${raw} is none of ${[...names.keys()].join(", ")}`, start);
      tracer?.reshow(name);
      return name;
    }
    case "prefix":
      return readPrefix(node, cursor, tracer, path);
    case "flags": {
      const raw = readNode(node.of, cursor, tracer, path) as number;
      const { known, setOf } = flagsOf(node);
      const others = (raw & ~known) >>> 0;
      if (others !== 0 && node.reserved === "refuse") {
        refuse("bad-value", `reserved bits 0x${others.toString(16)} are set`, start);
      }
      const set = setOf(raw);
      tracer?.reshow(
        Object.keys(set)
          .filter((name) => set[name])
          .join(", ") || "none",
      );
      return set;
    }
    case "literal": {
      const found = readNode(node.of, cursor, tracer, path);
      if (found === node.value) return found;
      for (const { shift, mask, code, why } of node.parts ?? []) {
        const bits = (Number(found) >>> shift) & mask;
        if (bits !== ((Number(node.value) >>> shift) & mask)) refuse(code, why.replace("{}", String(bits)), start);
      }
      if (node.parts === undefined) refuse("bad-value", `${String(found)} is not ${node.value}`, start);
      return node.value;
    }
    case "constant":
      return node.value;
    case "unused": {
      const value = take(cursor, node.bits, "bits");
      traceField(cursor, start, tracer, path, value, String(value));
      return value;
    }
    case "array":
      return readArray(node, cursor, tracer, path);
    case "bytes":
      return readBytesOf(node, cursor, tracer, path);
    case "text": {
      const { length } = node;
      if ("end" in length) return readText(node.charset, length.limit, cursor, tracer, path);
      const count = "rest" in length ? restOf(cursor, length.rest) : readCount(length, cursor, tracer, path);
      return readCountedText(count, cursor, tracer, path);
    }
    case "struct":
      return readStruct(node, cursor, tracer, path);
    case "variant":
      return readVariant(node, cursor, tracer, path);
    case "byLength": {
      const chosen = node.cases.find(({ bytes }) => bytes === undefined || bytes * 8 === cursor.end - start);
      // The last case takes all other lengths.
      return readNode((chosen as { readonly node: LayoutNode }).node, cursor, tracer, path);
    }
    case "peek": {
      const chosen = node.cases.find(({ when }) => when === undefined || isAhead(when, cursor));
      // The last case has no test.
      return readNode((chosen as { readonly node: LayoutNode }).node, cursor, tracer, path);
    }
    case "mark":
      return readMark(node, cursor, tracer, path);
    case "bits":
      return readBits(node, cursor, tracer, path);
    case "limited": {
      const left = (cursor.end - start) >> 3;
      if (left > node.bytes) {
        const why = `${countBytes(left)} are over its limit of ${node.bytes}`;
        throw new WireError("limit", `Cannot read ${node.name}: ${why}`, start, node.name);
      }
      return readNode(node.of, cursor, tracer, path);
    }
    case "sized":
      return readSized(node, cursor, tracer, path);
    case "compressed":
      return readCompressed(node, cursor, tracer, path, readNode);
  }
}

/** A part of a description that is no field of the value, such as a count, by its name. */
function readPart(
  name: string,
  node: LayoutNode,
  cursor: ReadCursor,
  tracer: Tracer | undefined,
  path: string,
  check: (value: number, at: number) => void,
): number {
  const { at } = cursor;
  return readAt(name, () => {
    const value = readNode(node, cursor, tracer, tracer === undefined ? "" : joinPath(path, name)) as number;
    check(value, at);
    return value;
  });
}

/** A count before items. */
function readCount(
  { count, limit }: { readonly count: LayoutNode; readonly limit: number },
  cursor: ReadCursor,
  tracer: Tracer | undefined,
  path: string,
): number {
  return readPart("count", count, cursor, tracer, path, (found, at) => {
    if (found < 0) refuse("bad-value", `${found} is not a count`, at);
    if (found > limit) refuse("limit", `${found} is over its limit of ${limit}`, at);
  });
}

// --- Lists and bytes -------------------------------------------------------------------------------------------------------

function readArray(node: ArrayNode, cursor: ReadCursor, tracer: Tracer | undefined, path: string): unknown[] {
  const { length, fold, item } = node;
  const count =
    typeof length === "number" ? length : "count" in length ? readCount(length, cursor, tracer, path) : undefined;
  if (tracer === undefined || fold === undefined || cursor.isLowFirst) {
    return readItems(node, count, cursor, tracer, path);
  }
  const start = cursor.at;
  const items = readItems(node, count, cursor, undefined, "");
  const others = items.filter((each) => each !== 0).length;
  const shown = `${items.length} ${fold} of ${sizeOf(item).most} bits, ${others} of them not 0`;
  traceField(cursor, start, tracer, path, items.length, shown);
  return items;
}

function readItems(
  { item, length }: ArrayNode,
  count: number | undefined,
  cursor: ReadCursor,
  tracer: Tracer | undefined,
  path: string,
): unknown[] {
  // Pushing, not preallocating: a count is a claim until its items have been read.
  const items: unknown[] = [];
  const { depth, segments } = readPath;
  const readItem = (): void => {
    segments[depth] = items.length;
    readPath.depth = depth + 1;
    items.push(readNode(item, cursor, tracer, tracer === undefined ? "" : joinPath(path, `[${items.length}]`)));
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
      return items;
    }
  }
}

function readBytesOf(node: BytesNode, cursor: ReadCursor, tracer: Tracer | undefined, path: string): Uint8Array {
  const { length, inside } = node;
  const count = typeof length === "object" && "count" in length ? readCount(length, cursor, tracer, path) : undefined;
  if (inside === undefined || tracer === undefined) return readBytes(node, count, cursor, tracer, path);
  return readTwice(node, inside, cursor, tracer, path);
}

/** Bytes whose fields are traced in place of them. */
function readTwice(bytes: BytesNode, fields: LayoutNode, cursor: ReadCursor, tracer: Tracer, path: string): Uint8Array {
  const { at } = cursor;
  const value = readBytes(bytes, undefined, cursor, undefined, "");
  cursor.at = at;
  readNode(fields, cursor, tracer, path);
  return value;
}

// --- Objects ---------------------------------------------------------------------------------------------------------------

function readStruct(
  { fields, order }: StructNode,
  cursor: ReadCursor,
  tracer: Tracer | undefined,
  path: string,
): Fields {
  const value: Fields = {};
  const { depth, segments } = readPath;
  for (let index = 0; index < fields.length; index++) {
    const { name, node, hidden, when } = fields[index] as StructNode["fields"][number];
    if (name === "") {
      Object.assign(value, readNode(node, cursor, tracer, path));
      continue;
    }
    if (when !== undefined && !conditionHolds(when, value[when.field])) continue;
    segments[depth] = name;
    readPath.depth = depth + 1;
    const found =
      tracer === undefined
        ? readNode(node, cursor, undefined, "")
        : traceMember(name, node, value, cursor, tracer, path);
    readPath.depth = depth;
    if (!hidden) value[name] = found;
  }
  return order === undefined ? value : firstKeys(value, order);
}

/** A field of a struct that is traced: bytes with a meaning by the fields before them are shown as that. */
function traceMember(
  name: string,
  node: LayoutNode,
  value: Fields,
  cursor: ReadCursor,
  tracer: Tracer,
  path: string,
): unknown {
  if (node.kind !== "bytes") return readNode(node, cursor, tracer, joinPath(path, name));
  const reading = node.readings?.find(({ when }) => conditionHolds(when, value[when.field]));
  if (reading !== undefined) return readTwice(node, reading.node, cursor, tracer, joinPath(path, reading.name));
  return readNode(node, cursor, tracer, node.flat ? path : joinPath(path, name));
}

function readVariant(node: VariantNode, cursor: ReadCursor, tracer: Tracer | undefined, path: string): Fields {
  const { tagName, members, order } = node;
  const { byTag, otherwise, known } = casesOf(node);
  let chosen: CaseNode | undefined;
  const tag = readPart(tagName, node.tag, cursor, tracer, path, (found, at) => {
    chosen = byTag.get(found) ?? otherwise;
    if (chosen === undefined) refuse("unknown-variant", `${found} is none of ${known}`, at);
  });
  const { node: body, hidden } = chosen as CaseNode;
  const fields = readNode(body, cursor, tracer, path) as Fields;
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

function readMark(node: MarkNode, cursor: ReadCursor, tracer: Tracer | undefined, path: string): unknown {
  const { at } = cursor;
  const width = node.parts.reduce((sum, { bits }) => sum + bits, 0);
  const isMarked =
    cursor.end - at >= width && node.parts.every(({ bits, value }) => take(cursor, bits, "bits") === value);
  if (!isMarked) {
    cursor.at = at;
    return readNode(node.of, cursor, tracer, path);
  }
  let place = at;
  for (const { name, bits, value } of node.parts) {
    tracer?.field(joinPath(path, name), placeOf(cursor, place, bits), bits, value);
    place += bits;
  }
  return readNode(node.marked, cursor, tracer, path);
}

function readBits(node: BitsNode, cursor: ReadCursor, tracer: Tracer | undefined, path: string): unknown {
  const { name, value: allowed } = node.padding;
  const inner = new ReadCursor(cursor.bytes, cursor.at, cursor.end, cursor.claimed, node.first);
  const value = readNode(node.of, inner, tracer, path);
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

function readSized(node: SizedNode, cursor: ReadCursor, tracer: Tracer | undefined, path: string): unknown {
  const { size, extra, of } = node;
  const { at } = cursor;
  const { depth } = readPath;
  const least = extra + sizeOf(of).least / 8;
  const count = readPart(SIZE, size, cursor, tracer, path, (found) => {
    tracer?.reshow(countBytes(found));
    if (found < least) refuse("bad-length", `${found} is less than ${least}, its least`, at);
  });
  const bad = (why: string): WireError => {
    readPath.depth = depth;
    return new WireError("bad-length", `Cannot read ${SIZE}: ${why} at ${placeText(at)}`, at, SIZE);
  };
  const start = cursor.at;
  const claimed = start + (count - extra) * 8;
  const inner = new ReadCursor(cursor.bytes, start, Math.min(claimed, cursor.end), claimed);
  let value: unknown;
  try {
    value = readNode(of, inner, tracer, path);
  } catch (error) {
    // The content needs more bytes than its size says, and they are there: the size is wrong.
    const isShort = error instanceof WireError && error.code === "truncated" && claimed < cursor.end;
    throw isShort ? bad(`${count} is too small for its content`) : error;
  }
  if (inner.at !== claimed) throw bad(`${count} where its content has ${(inner.at - start) / 8 + extra}`);
  cursor.at = inner.at;
  return value;
}
