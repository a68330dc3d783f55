/** Writes what a description describes: the reverse of `read.ts`. */
import { conditionHolds } from "../describe/conditions.ts";
import type {
  ArrayNode,
  BytesNode,
  CaseNode,
  LayoutNode,
  RunLength,
  StructNode,
  TextNode,
  VariantNode,
} from "../describe/node.ts";
import { type ByKind, ofKind } from "../describe/node-kinds.ts";
import { fieldsIn } from "../describe/values.ts";
import { encodeLatin1, putLatin1 } from "../latin1.ts";
import { cp1252Code } from "../windows-1252.ts";
import { countBytes, withPath } from "../wire-error.ts";
import { asFields, caseOf, type Fields, isMarked, lengthCaseOf } from "./choose.ts";
import { packCompressed } from "./compressed.ts";
import { dropFrom, put, putBytes, WriteCursor, written } from "./cursor.ts";
import { changedBytes } from "./read-fields.ts";
import { flagsOf } from "./tables.ts";
import { writeFloat, writeInteger, writeSmart } from "./write-numbers.ts";

/** Writes a value. Throws `TypeError` or `RangeError` that names the field whose value does not fit. */
export function writeNode(node: LayoutNode, cursor: WriteCursor, value: unknown): void {
  ofKind(writers, node)(node, cursor, value);
}

const writers: ByKind<[cursor: WriteCursor, value: unknown], void> = {
  integer: writeInteger,
  smart: writeSmart,
  float: writeFloat,
  boolean({ of }, cursor, value) {
    if (typeof value !== "boolean") throw new TypeError(`value must be true or false, got ${String(value)}`);
    writeNode(of, cursor, value ? 1 : 0);
  },
  oneOf({ of, names }, cursor, value) {
    writeNode(of, cursor, ofName(names, value));
  },
  prefix({ codes }, cursor, value) {
    // Bit by bit: the first one comes first, whichever bit of a byte that is.
    for (const bit of ofName(codes, value)) put(cursor, 1, Number(bit));
  },
  flags(node, cursor, value) {
    const given = asFields(value);
    let raw = 0;
    for (const [name, bit] of flagsOf(node).entries) {
      const isSet = given[name];
      if (typeof isSet !== "boolean") throw new TypeError(`${name} must be true or false, got ${String(isSet)}`);
      if (isSet) raw |= 1 << bit;
    }
    writeNode(node.of, cursor, raw >>> 0);
  },
  literal({ of, value: always }, cursor, value) {
    if (value !== always) throw new RangeError(`value must be ${always}, got ${String(value)}`);
    writeNode(of, cursor, value);
  },
  constant({ value: always, optional }, _, value) {
    if (value === always || (value === undefined && optional)) return;
    throw new RangeError(`value must be ${always}, got ${String(value)}`);
  },
  unused: ({ bits }, cursor) => put(cursor, bits, 0),
  array: writeArray,
  bytes: writeBytes,
  text: writeText,
  struct: writeStruct,
  variant(node, cursor, value) {
    const given = asFields(value);
    const [chosen, tag] = caseOf(node, given);
    if (node.exact) refuseOthers(node, chosen, given);
    within(node.tagName, () => writeNode(node.tag, cursor, tag));
    writeNode(chosen.node, cursor, given);
  },
  byLength: (node, cursor, value) => writeNode(lengthCaseOf(node, value).node, cursor, value),
  // The first case is the one that senders use.
  peek: ({ cases }, cursor, value) => writeNode((cases[0] as { readonly node: LayoutNode }).node, cursor, value),
  mark(node, cursor, value) {
    const { marked, of, parts } = node;
    if (!isMarked(node, value)) {
      writeNode(of, cursor, value);
      return;
    }
    writeNode(marked, cursor, value);
    for (const { bits, value: part } of parts) put(cursor, bits, part);
  },
  bits({ of, first }, cursor, value) {
    const outer = cursor.isLowFirst;
    cursor.isLowFirst = first === "lsb";
    writeNode(of, cursor, value);
    put(cursor, -cursor.at & 7, 0);
    cursor.isLowFirst = outer;
  },
  limited({ of, bytes, name }, cursor, value) {
    const before = (cursor.at + 7) >>> 3;
    writeNode(of, cursor, value);
    const count = ((cursor.at + 7) >>> 3) - before;
    if (count > bytes) throw withPath(new RangeError(`${countBytes(count)} are over its limit of ${bytes}`), name);
  },
  sized({ of, size, extra }, cursor, value) {
    const bytes = encodeNode(of, value);
    within("size", () => writeNode(size, cursor, bytes.length + extra));
    putBytes(cursor, bytes);
  },
  compressed(node, cursor, value) {
    putBytes(cursor, packCompressed(node, encodeNode(node.of, value)));
  },
};

/** The bytes of a value. */
export function encodeNode(node: LayoutNode, value: unknown): Uint8Array<ArrayBuffer> {
  const cursor = new WriteCursor();
  writeNode(node, cursor, value);
  return written(cursor);
}

/** What stands for a name. */
function ofName<T>(names: Readonly<Record<string, T>>, value: unknown): T {
  if (typeof value === "string" && Object.hasOwn(names, value)) return names[value] as T;
  throw new RangeError(`value must be one of ${Object.keys(names).join(", ")}, got ${String(value)}`);
}

/** Names a part in the errors of what is written there. */
function within(segment: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw withPath(error, segment);
  }
}

/** Writes a count before so many items, where one is. Throws for a number of items that may not be. */
function writeCount(length: RunLength, cursor: WriteCursor, count: number, what: string): void {
  if (typeof length === "number") {
    if (count !== length) throw new RangeError(`value must have ${length} ${what}, got ${count}`);
    return;
  }
  const limit = "rest" in length ? length.rest : length.limit;
  if (count > limit) throw new RangeError(`value must have at most ${limit} ${what}, got ${count}`);
  if ("count" in length) within("count", () => writeNode(length.count, cursor, count));
}

function writeArray({ item, length }: ArrayNode, cursor: WriteCursor, value: unknown): void {
  if (!Array.isArray(value)) throw new TypeError(`value must be a list, got ${String(value)}`);
  writeCount(length, cursor, value.length, "items");
  const until = typeof length === "object" && "until" in length ? length.until : undefined;
  let index = 0;
  try {
    for (; index < value.length; index++) {
      const { at } = cursor;
      writeNode(item, cursor, value[index]);
      if (until !== undefined && cursor.bytes[at >>> 3] === until) {
        throw new RangeError(`value must not begin with the byte ${until}, the end of the list`);
      }
    }
  } catch (error) {
    throw withPath(error, `[${index}]`);
  }
  if (until !== undefined) put(cursor, 8, until);
}

function writeBytes(node: BytesNode, cursor: WriteCursor, value: unknown): void {
  if (!(value instanceof Uint8Array)) throw new TypeError(`value must be a Uint8Array, got ${typeof value}`);
  writeCount(node.length, cursor, value.length, "bytes");
  putBytes(cursor, changedBytes(node, value));
}

/** Throws for a field that other cases have and the chosen one has not. */
function refuseOthers({ cases }: VariantNode, chosen: CaseNode, given: Fields): void {
  const own = new Set(fieldsIn(chosen.node)?.map(({ name }) => name));
  const all = cases.flatMap(({ node }) => fieldsIn(node) ?? []);
  const other = all.find(({ name }) => !own.has(name) && given[name] !== undefined);
  if (other !== undefined) throw withPath(new TypeError("value must not be there"), other.name);
}

function writeText(node: TextNode, cursor: WriteCursor, value: unknown): void {
  const { length, charset } = node;
  if (!("end" in length)) {
    if (typeof value !== "string") throw new TypeError(`it must be a text, got ${typeof value}`);
    const bytes = encodeLatin1(value);
    writeCount(length, cursor, bytes.length, "bytes");
    putBytes(cursor, bytes);
    return;
  }
  putBytes(cursor, charset === "latin1" ? latin1Codes(value, length.limit) : cp1252Codes(value, length.limit));
  put(cursor, 8, 0);
}

/** The codes of a text that ends at a zero byte. */
function latin1Codes(text: unknown, limit: number): Uint8Array {
  if (typeof text !== "string") throw new TypeError(`cstring must be a string, got ${typeof text}`);
  if (text.length > limit) throw new RangeError(`cstring must have at most ${limit} characters, got ${text.length}`);
  const codes = new Uint8Array(text.length);
  const wrong = putLatin1(text, codes, 0, 1);
  if (wrong < 0) return codes;
  throw new RangeError(`cstring must be characters in 1..255, got ${text.charCodeAt(wrong)} at position ${wrong}`);
}

/** The same for Windows-1252. */
export function cp1252Codes(text: unknown, limit: number): Uint8Array {
  if (typeof text !== "string") throw new TypeError(`it must be a text, got ${typeof text}`);
  if (text.length > limit) throw new RangeError(`a text must be at most ${limit} characters, got ${text.length}`);
  return Uint8Array.from({ length: text.length }, (_, at) => {
    const code = cp1252Code(text.charAt(at));
    if (code !== undefined && code !== 0) return code;
    throw new RangeError(`a text must be characters of Windows-1252 other than 0, got another at position ${at}`);
  });
}

/** The bytes of some fields as they came, where a value has them. */
export function keptBytes({ kept }: StructNode, value: Fields): unknown {
  return kept === undefined || kept.only === "reading" ? undefined : value[kept.name];
}

function writeStruct(node: StructNode, cursor: WriteCursor, value: unknown): void {
  const { fields, kept } = node;
  const given = asFields(value);
  const bytes = keptBytes(node, given);
  let index = 0;
  let current = "";
  try {
    for (; index < fields.length; index++) {
      const field = fields[index] as StructNode["fields"][number];
      current = field.name;
      if (bytes !== undefined && kept !== undefined && current === kept.from) {
        current = kept.name;
        if (!(bytes instanceof Uint8Array)) throw new TypeError(`value must be a Uint8Array, got ${typeof bytes}`);
        dropFrom(cursor, cursor.at - 8 * (kept.before ?? 0));
        putBytes(cursor, bytes);
        index = fields.findIndex(({ name }) => name === kept.to);
        continue;
      }
      writeField(field, cursor, given);
    }
  } catch (error) {
    throw current === "" ? error : withPath(error, current);
  }
}

function writeField(
  { name, node, hidden, when }: StructNode["fields"][number],
  cursor: WriteCursor,
  given: Fields,
): void {
  // A part of the object has its fields in the same value.
  if (name === "") {
    writeNode(node, cursor, given);
    return;
  }
  if (when !== undefined && !conditionHolds(when, given[when.field])) {
    if (given[name] !== undefined) throw new TypeError("value must not be there");
    return;
  }
  const isLiteral = hidden && node.kind === "literal";
  writeNode(node, cursor, isLiteral ? node.value : hidden ? undefined : given[name]);
}
