/** Writes what a description describes, in as little code as that takes. The reverse of `read.ts`. */
import type {
  BytesNode,
  IntegerNode,
  LayoutNode,
  RunLength,
  StructNode,
  TextNode,
  VariantNode,
} from "../layout/node.ts";
import { cp1252Code } from "../windows-1252.ts";
import { withPath } from "../wire-error.ts";
import { type BlockMethods, put, putBytes, reversed, transformed, type WriteCursor } from "./cursor.ts";
import { type Fields, holds, passes } from "./tests-of-values.ts";

const float = new DataView(new ArrayBuffer(4));

/** Room for most messages; it grows. */
const FIRST_BYTES = 64;

/** A cursor with nothing written. */
export function emptyCursor(): WriteCursor {
  return { bytes: new Uint8Array(FIRST_BYTES), at: 0, isLowFirst: false };
}

/** What was written. */
export function written({ bytes, at }: WriteCursor): Uint8Array<ArrayBuffer> {
  return bytes.slice(0, (at + 7) >>> 3) as Uint8Array<ArrayBuffer>;
}

/** Writes a value. Throws `TypeError` or `RangeError` that names the field whose value does not fit. */
export function writeNode(node: LayoutNode, cursor: WriteCursor, value: unknown, methods?: BlockMethods): void {
  const write = (inner: LayoutNode, part: unknown, at = cursor): void => writeNode(inner, at, part, methods);
  switch (node.kind) {
    case "integer":
      writeInteger(node, cursor, value);
      return;
    case "smart": {
      const most = node.max ?? 0x7fff;
      const number = inRange(value, 0, most);
      if (number < 128) put(cursor, 8, number);
      else put(cursor, 16, number + 0x8000);
      return;
    }
    case "float": {
      if (typeof value !== "number") wrongType("a number", value);
      if (node.finite && !Number.isFinite(Math.fround(value))) wrong("fit a 32-bit float", value);
      float.setFloat32(0, node.finite ? value + 0 : value);
      const bits = float.getUint32(0);
      put(cursor, 32, node.order === "le" ? reversed(bits, 32) : bits);
      return;
    }
    case "boolean":
      if (typeof value !== "boolean") wrongType("true or false", value);
      write(node.of, value ? 1 : 0);
      return;
    case "oneOf": {
      const { names } = node;
      if (typeof value !== "string" || !Object.hasOwn(names, value)) wrong(`be one of ${Object.keys(names)}`, value);
      write(node.of, names[value as string]);
      return;
    }
    case "prefix": {
      const { codes } = node;
      const code = Object.hasOwn(codes, String(value)) ? (codes[String(value)] as string) : undefined;
      if (code === undefined) wrong(`be one of ${Object.keys(codes)}`, value);
      put(cursor, code.length, Number.parseInt(code, 2));
      return;
    }
    case "flags": {
      const given = asObject(value);
      let raw = 0;
      for (const [name, bit] of Object.entries(node.flags)) {
        const isSet = given[name];
        if (typeof isSet !== "boolean") wrongType(`true or false in ${name}`, isSet);
        if (isSet) raw |= 1 << bit;
      }
      write(node.of, raw >>> 0);
      return;
    }
    case "literal":
      if (value !== node.value) wrong(`be ${node.value}`, value);
      write(node.of, value);
      return;
    case "constant":
      if (value !== node.value && !(value === undefined && node.optional)) wrong(`be ${node.value}`, value);
      return;
    case "unused":
      put(cursor, node.bits, 0);
      return;
    case "limited": {
      const { at } = cursor;
      write(node.of, value);
      const bytes = (cursor.at - at) >> 3;
      if (bytes > node.bytes) throw withPath(new RangeError(`${bytes} bytes are over ${node.bytes}`), node.name);
      return;
    }
    case "array":
      writeRun(node.length, cursor, value, (item) => write(node.item, item));
      return;
    case "bytes":
      writeBytes(node, cursor, value);
      return;
    case "text":
      writeText(node, cursor, value);
      return;
    case "struct":
      writeStruct(node, value, write);
      return;
    case "variant":
      writeVariant(node, asObject(value), write);
      return;
    case "byLength": {
      const chosen = node.cases.find(({ when }) => passes(when, asObject(value)));
      if (chosen === undefined) wrong("be one of the cases", value);
      write(chosen.node, value);
      return;
    }
    case "mark": {
      const given = asObject(value);
      if (passes(node.when, given)) {
        write(node.marked, value);
        for (const { bits, value: part } of node.parts) put(cursor, bits, part);
        return;
      }
      const looksMarked = node.parts.every(({ name, bits, value: part }) => {
        const number = given[name];
        return typeof number === "number" && ((number % 2 ** bits) + 2 ** bits) % 2 ** bits === part;
      });
      if (looksMarked) throw withPath(new RangeError("value must not be the mark"), node.parts[0]?.name ?? "value");
      write(node.of, value);
      return;
    }
    case "bits": {
      const inner: WriteCursor = { ...cursor, isLowFirst: node.first === "lsb" };
      write(node.of, value, inner);
      put(inner, -inner.at & 7, 0);
      cursor.bytes = inner.bytes;
      cursor.at = inner.at;
      return;
    }
    case "sized": {
      const content = emptyCursor();
      write(node.of, value, content);
      const bytes = written(content);
      within("size", () => write(node.size, bytes.length + node.extra));
      putBytes(cursor, bytes);
      return;
    }
    case "compressed": {
      if (methods === undefined) throw new TypeError("this codec was made without methods for blocks");
      const body = emptyCursor();
      write(node.of, value, body);
      putBytes(cursor, methods.pack(written(body)));
    }
  }
}

function wrong(must: string, value: unknown): never {
  throw new RangeError(`value must ${must}, got ${String(value)}`);
}

function wrongType(must: string, value: unknown): never {
  throw new TypeError(`value must be ${must}, got ${String(value)}`);
}

function inRange(value: unknown, min: number, max: number, divisor = 1): number {
  if (typeof value !== "number") return wrongType(`an integer in ${min}..${max}`, value);
  if (value >= min && value <= max && Number.isInteger(value * divisor)) return value;
  return wrong(`be ${divisor === 1 ? "an integer" : `a multiple of 1/${divisor}`} in ${min}..${max}`, value);
}

function asObject(value: unknown): Readonly<Fields> {
  return typeof value === "object" && value !== null ? (value as Fields) : wrongType("an object", value);
}

/** Runs `write`; what it refuses lies within `name`. */
function within(name: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw withPath(error, name);
  }
}

function writeInteger(node: IntegerNode, cursor: WriteCursor, value: unknown): void {
  const { bits, signed, order, transform, bias = 0, divisor = 1 } = node;
  if (bits === 64) {
    if (typeof value !== "bigint") wrongType("a bigint", value);
    if (value < 0n || value >= 1n << 64n) wrong("be in 0..2^64 - 1", value);
    put(cursor, 32, reversed(Number(value & 0xffff_ffffn), 32));
    put(cursor, 32, reversed(Number(value >> 32n), 32));
    return;
  }
  const low = signed ? -(2 ** (bits - 1)) : 0;
  const { min = (low - bias) / divisor, max = (low + 2 ** bits - 1 - bias) / divisor } = node;
  const number = inRange(value, min, max, divisor) * divisor + bias;
  const unsigned = transformed(number < 0 ? number + 2 ** bits : number, transform);
  put(cursor, bits, order === "le" && bits % 8 === 0 ? reversed(unsigned, bits) : unsigned);
}

/** Checks how many there are and writes their count, where that stands before them. */
function writeCount(length: RunLength, cursor: WriteCursor, count: number, what: string): void {
  if (typeof length === "number") {
    if (count !== length) wrong(`have ${length} ${what}`, count);
    return;
  }
  const limit = "rest" in length ? length.rest : length.limit;
  if (count > limit) wrong(`have at most ${limit} ${what}`, count);
  if ("count" in length) within("count", () => writeNode(length.count, cursor, count));
}

function writeRun(length: RunLength, cursor: WriteCursor, value: unknown, writeItem: (item: unknown) => void): void {
  if (!Array.isArray(value)) wrongType("a list", value);
  writeCount(length, cursor, value.length, "items");
  const until = typeof length === "object" && "until" in length ? length.until : undefined;
  value.forEach((item, index) => {
    within(`[${index}]`, () => {
      const { at } = cursor;
      writeItem(item);
      if (until !== undefined && cursor.bytes[at >>> 3] === until) wrong(`not begin with ${until}`, until);
    });
  });
  if (until !== undefined) put(cursor, 8, until);
}

function writeBytes({ length, transform, reversed: isReversed }: BytesNode, cursor: WriteCursor, value: unknown): void {
  if (!(value instanceof Uint8Array)) wrongType("a Uint8Array", value);
  writeCount(length, cursor, value.length, "bytes");
  const turned = isReversed ? value.toReversed() : value;
  putBytes(cursor, transform === undefined ? turned : turned.map((byte) => transformed(byte, transform)));
}

function writeText({ length, charset }: TextNode, cursor: WriteCursor, value: unknown): void {
  if (typeof value !== "string") wrongType("a text", value);
  const hasEnd = "end" in length;
  if (hasEnd && value.length > length.limit) wrong(`have at most ${length.limit} characters`, value.length);
  if (!hasEnd) writeCount(length, cursor, value.length, "characters");
  for (const character of value.split("")) {
    const code = charset === "latin1" ? character.charCodeAt(0) : cp1252Code(character);
    if (code === undefined || code > 0xff || (hasEnd && code === 0)) wrong(`be characters of ${charset}`, character);
    put(cursor, 8, code as number);
  }
  if (hasEnd) put(cursor, 8, 0);
}

function writeStruct({ fields }: StructNode, value: unknown, write: (node: LayoutNode, part: unknown) => void): void {
  const given = asObject(value);
  for (const { name, node, hidden, when } of fields) {
    if (name === "") {
      write(node, value);
      continue;
    }
    within(name, () => {
      const part = hidden && node.kind === "literal" ? node.value : given[name];
      if (when === undefined || holds(when, given)) write(node, part);
      else if (part !== undefined) wrongType("absent", part);
    });
  }
}

/** The case of a value is that whose test it passes, otherwise that of its tag. */
function writeVariant(node: VariantNode, value: Readonly<Fields>, write: (node: LayoutNode, part: unknown) => void) {
  const { tagName, cases } = node;
  const given = value[tagName] as number | undefined;
  const ofTag = cases.find(({ tags }) => given !== undefined && tags?.includes(given));
  const tested = cases.find(({ when }) => when !== undefined && passes(when, value));
  const others = given === undefined ? undefined : cases.find(({ tags }) => tags === undefined);
  const chosen = tested ?? ofTag ?? others;
  const isOther = tested !== undefined && !tested.hidden && (ofTag ?? tested) !== tested;
  if (chosen === undefined || isOther || (chosen.hidden && tested === undefined)) {
    const tags = cases.flatMap((each) => each.tags ?? []);
    throw withPath(new RangeError(`value must be one of ${tags.join(", ")}, got ${String(given)}`), tagName);
  }
  within(tagName, () => write(node.tag, chosen.hidden ? chosen.tags?.[0] : given));
  write(chosen.node, value);
}
