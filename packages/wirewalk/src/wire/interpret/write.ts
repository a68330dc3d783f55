/** Writes what a description describes: the reverse of `read.ts`. */
import { namesTested } from "../describe/cases.ts";
import { conditionHolds } from "../describe/conditions.ts";
import type {
  ArrayNode,
  BytesNode,
  CaseNode,
  LayoutNode,
  MarkNode,
  RunLength,
  StructNode,
  TextNode,
  VariantNode,
} from "../describe/node.ts";
import { fieldsIn } from "../describe/values.ts";
import { encodeLatin1, putLatin1 } from "../latin1.ts";
import { cp1252Code } from "../windows-1252.ts";
import { countBytes, withPath } from "../wire-error.ts";
import { asFields, caseOf, type Fields, isMarked, lengthCaseOf, looksMarked, markText } from "./choose.ts";
import { packCompressed } from "./compressed.ts";
import { dropFrom, put, putBytes, WriteCursor, written } from "./cursor.ts";
import { changedBytes } from "./read-fields.ts";
import { flagsOf } from "./tables.ts";
import { writeFloat, writeInteger, writeSmart } from "./write-numbers.ts";

/** Writes a value. Throws `TypeError` or `RangeError` that names the field whose value does not fit. */
export function writeNode(node: LayoutNode, cursor: WriteCursor, value: unknown): void {
  switch (node.kind) {
    case "integer":
      writeInteger(node, cursor, value);
      return;
    case "smart":
      writeSmart(node, cursor, value);
      return;
    case "float":
      writeFloat(node, cursor, value);
      return;
    case "boolean":
      if (typeof value !== "boolean") throw new TypeError(`value must be true or false, got ${String(value)}`);
      writeNode(node.of, cursor, value ? 1 : 0);
      return;
    case "oneOf": {
      const { names } = node;
      if (typeof value === "string" && Object.hasOwn(names, value)) {
        writeNode(node.of, cursor, names[value]);
        return;
      }
      throw new RangeError(`value must be one of ${Object.keys(names).join(", ")}, got ${String(value)}`);
    }
    case "prefix": {
      const { codes } = node;
      const code = typeof value === "string" && Object.hasOwn(codes, value) ? codes[value] : undefined;
      if (code === undefined) {
        throw new RangeError(`value must be one of ${Object.keys(codes).join(", ")}, got ${String(value)}`);
      }
      // Bit by bit: the first one comes first, whichever bit of a byte that is.
      for (const bit of code) put(cursor, 1, Number(bit));
      return;
    }
    case "flags": {
      const given = asFields(value);
      let raw = 0;
      for (const [name, bit] of flagsOf(node).entries) {
        const isSet = given[name];
        if (typeof isSet !== "boolean") throw new TypeError(`${name} must be true or false, got ${String(isSet)}`);
        if (isSet) raw |= 1 << bit;
      }
      writeNode(node.of, cursor, raw >>> 0);
      return;
    }
    case "literal":
      if (value !== node.value) throw new RangeError(`value must be ${node.value}, got ${String(value)}`);
      writeNode(node.of, cursor, value);
      return;
    case "constant":
      if (value === node.value || (value === undefined && node.optional)) return;
      throw new RangeError(`value must be ${node.value}, got ${String(value)}`);
    case "unused":
      put(cursor, node.bits, 0);
      return;
    case "array":
      writeArray(node, cursor, value);
      return;
    case "bytes":
      writeBytes(node, cursor, value);
      return;
    case "text":
      writeText(node, cursor, value);
      return;
    case "struct":
      writeStruct(node, cursor, value);
      return;
    case "variant": {
      const given = asFields(value);
      const [chosen, tag] = caseOf(node, given);
      if (node.exact) refuseOthers(node, chosen, given);
      within(node.tagName, () => writeNode(node.tag, cursor, tag));
      writeNode(chosen.node, cursor, given);
      return;
    }
    case "byLength": {
      const chosen = lengthCaseOf(node, value);
      if (chosen !== undefined) {
        writeNode(chosen.node, cursor, value);
        return;
      }
      // A description says which field tells its cases apart.
      const { key, names } = namesTested(node.cases) as { key: string; names: string[] };
      const found = typeof value === "object" && value !== null ? (value as Fields)[key] : value;
      throw withPath(new RangeError(`value must be one of ${names.join(", ")}, got ${String(found)}`), key);
    }
    case "peek":
      // The first case is the one that senders use.
      writeNode((node.cases[0] as { readonly node: LayoutNode }).node, cursor, value);
      return;
    case "mark":
      writeMark(node, cursor, value);
      return;
    case "bits": {
      const outer = cursor.isLowFirst;
      cursor.isLowFirst = node.first === "lsb";
      writeNode(node.of, cursor, value);
      put(cursor, -cursor.at & 7, 0);
      cursor.isLowFirst = outer;
      return;
    }
    case "limited": {
      const before = (cursor.at + 7) >>> 3;
      writeNode(node.of, cursor, value);
      const count = ((cursor.at + 7) >>> 3) - before;
      if (count <= node.bytes) return;
      throw withPath(new RangeError(`${countBytes(count)} are over its limit of ${node.bytes}`), node.name);
    }
    case "sized": {
      const content = new WriteCursor();
      writeNode(node.of, content, value);
      const bytes = written(content);
      within("size", () => writeNode(node.size, cursor, bytes.length + node.extra));
      putBytes(cursor, bytes);
      return;
    }
    case "compressed": {
      const body = new WriteCursor();
      writeNode(node.of, body, value);
      putBytes(cursor, packCompressed(node, written(body)));
      return;
    }
  }
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

function writeMark(node: MarkNode, cursor: WriteCursor, value: unknown): void {
  if (isMarked(node, value)) {
    writeNode(node.marked, cursor, value);
    for (const { bits, value: part } of node.parts) put(cursor, bits, part);
    return;
  }
  if (looksMarked(node, value)) {
    throw withPath(new RangeError(`value must not be ${markText(node)}, the mark`), node.parts[0]?.name ?? "value");
  }
  writeNode(node.of, cursor, value);
}
