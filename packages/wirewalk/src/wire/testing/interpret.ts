/**
 * A reader that knows nothing but descriptions, for tests: it shares no code with the layouts' own readers. It says what a
 * payload holds, as JSON, or why and where it is refused.
 *
 * It works on bits, one at a time, and is slow on purpose: what it does should be plain from the description alone.
 */
import type { Condition, JsonValue, LayoutNode, RunLength } from "../index.ts";

/** Why bytes were refused. A `code` of `*` stands for any: the interpreter knows that, and not why. */
export class Refusal {
  readonly code: string;
  readonly bit: number;
  path: string;

  constructor(code: string, bit: number, path = "") {
    this.code = code;
    this.bit = bit;
    this.path = path;
  }
}

type Order = "bytes" | "msb" | "lsb";

/** Where reading stands: `at` and `end` in bits. */
interface Place {
  readonly bytes: Uint8Array;
  readonly order: Order;
  at: number;
  end: number;
  /** Where the bytes should end by a size that was read before. */
  readonly claimed?: number;
  /** Whether variants have their members, as values do; JSON has the fields of the case alone. */
  readonly hasMembers?: boolean;
}

function fail(code: string, bit: number): never {
  throw new Refusal(code, bit);
}

/** Runs `read`; what it refuses lies within `name`. */
function named<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal && name !== "") {
      error.path = error.path === "" || error.path.startsWith("[") ? name + error.path : `${name}.${error.path}`;
    }
    throw error;
  }
}

/** An unsigned number of `width` bits, most significant first; with `lsb` from the low end of the byte. */
function take(place: Place, width: number): number {
  if (place.end - place.at < width) fail("truncated", place.at);
  // A whole byte is the same in both orders; bit by bit, packets of 40,000 bytes take most of the time of the tests.
  if (width === 8 && place.at % 8 === 0) {
    place.at += 8;
    return place.bytes[(place.at - 8) / 8] ?? 0;
  }
  let value = 0;
  for (let index = 0; index < width; index++) {
    const bit = place.at + index;
    const byte = place.bytes[Math.floor(bit / 8)] ?? 0;
    if (place.order === "lsb") value += (Math.floor(byte / 2 ** (bit % 8)) % 2) * 2 ** index;
    else value = value * 2 + (Math.floor(byte / 2 ** (7 - (bit % 8))) % 2);
  }
  place.at += width;
  return value;
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/** A number of bytes in an order, with its low byte changed. */
function wireNumber(place: Place, bits: number, order: string, transform: string | undefined): number {
  if (place.end - place.at < bits) fail("truncated", place.at);
  if (bits % 8 !== 0) return take(place, bits);
  const digits = Array.from({ length: bits / 8 }, () => take(place, 8));
  if (order === "le") digits.reverse();
  // Digits name bytes of the value, the lowest 0; the value is written with the highest first.
  if (order !== "le" && order !== "be") {
    const found = new Map([...order].map((digit, at) => [Number(digit), digits[at] ?? 0]));
    for (let at = 0; at < digits.length; at++) digits[at] = found.get(digits.length - 1 - at) ?? 0;
  }
  const last = digits.length - 1;
  digits[last] = untransformed(digits[last] ?? 0, transform);
  return digits.reduce((sum, digit) => sum * 256 + digit, 0);
}

function untransformed(byte: number, transform: string | undefined): number {
  if (transform === "+128") return modulo(byte - 128, 256);
  if (transform === "neg") return modulo(-byte, 256);
  return transform === "sub" ? modulo(128 - byte, 256) : byte;
}

function hex(bytes: readonly number[]): string {
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Windows-1252, 0x80 to 0x9F; the five that stand for no character stand for themselves. */
const windows1252 =
  "20ac 81 201a 192 201e 2026 2020 2021 2c6 2030 160 2039 152 8d 17d 8f 90 2018 2019 201c 201d 2022 2013 2014 2dc 2122 161 203a 153 9d 17e 178"
    .split(" ")
    .map((code) => Number.parseInt(code, 16));

function character(byte: number, charset: string): string {
  const code = charset === "windows-1252" && byte >= 0x80 && byte < 0xa0 ? windows1252[byte - 0x80] : byte;
  return String.fromCharCode(code ?? byte);
}

type Fields = Record<string, JsonValue>;

function firstKeys(value: Fields, order: readonly string[] = []): Fields {
  if (order.length === 0) return value;
  const first = order.filter((key) => Object.hasOwn(value, key));
  const keys = [...first, ...Object.keys(value).filter((key) => !first.includes(key))];
  return Object.fromEntries(keys.map((key) => [key, value[key] as JsonValue]));
}

/** What the description says of the bytes from `place` on. */
function read(node: LayoutNode, place: Place): JsonValue {
  const start = place.at;
  switch (node.kind) {
    case "integer": {
      if (node.bits === 64) {
        if (place.end - place.at < 64) fail("truncated", start);
        const bytes = Array.from({ length: 8 }, () => take(place, 8));
        return BigInt(`0x${hex(bytes.reverse())}`).toString();
      }
      const unsigned = wireNumber(place, node.bits, node.order, node.transform);
      const signed = node.signed && unsigned >= 2 ** (node.bits - 1) ? unsigned - 2 ** node.bits : unsigned;
      const value = (signed - (node.bias ?? 0)) / (node.divisor ?? 1);
      if (node.min !== undefined && value < node.min) fail("bad-value", start);
      if (node.max !== undefined && value > node.max) fail("bad-value", start);
      return value;
    }
    case "smart": {
      if (node.wide) {
        const head = take(place, 8);
        place.at = start;
        const value = take(place, head < 128 ? 16 : 32);
        return head >= 128 ? value - 2 ** 31 : value === 32_767 ? -1 : value;
      }
      const first = take(place, 8);
      if (first < 128) return first;
      place.at = start;
      return take(place, 16) - 32_768;
    }
    case "float": {
      const bits = wireNumber(place, 32, node.order, undefined);
      const sign = bits >= 2 ** 31 ? -1 : 1;
      const exponent = Math.floor(bits / 2 ** 23) % 256;
      const fraction = bits % 2 ** 23;
      if (exponent === 255) {
        if (node.finite) fail("bad-value", start);
        return fraction > 0 ? "NaN" : sign < 0 ? "-Infinity" : "Infinity";
      }
      const size = exponent === 0 ? fraction * 2 ** -149 : (2 ** 23 + fraction) * 2 ** (exponent - 150);
      return node.finite ? sign * size + 0 : sign * size;
    }
    case "boolean": {
      const raw = read(node.of, place);
      return raw === 1 ? true : raw === 0 ? false : fail("unknown-variant", start);
    }
    case "oneOf": {
      const raw = read(node.of, place);
      const name = Object.keys(node.names).find((each) => node.names[each] === raw);
      return name ?? fail("unknown-variant", start);
    }
    case "prefix": {
      let code = "";
      for (;;) {
        code += take(place, 1);
        const name = Object.keys(node.codes).find((each) => node.codes[each] === code);
        if (name !== undefined) return name;
        if (!Object.values(node.codes).some((each) => each.startsWith(code))) fail("unknown-variant", start);
      }
    }
    case "flags": {
      const raw = Number(read(node.of, place));
      const known = Object.values(node.flags);
      for (let bit = 0; bit < 32; bit++) {
        const isSet = Math.floor(raw / 2 ** bit) % 2 === 1;
        if (isSet && !known.includes(bit) && node.reserved === "refuse") fail("bad-value", start);
      }
      const entries = Object.entries(node.flags).map(([name, bit]) => [name, Math.floor(raw / 2 ** bit) % 2 === 1]);
      return Object.fromEntries(entries) as Fields;
    }
    case "literal": {
      const found = read(node.of, place);
      if (found === node.value) return found;
      for (const { shift, mask, code } of node.parts ?? []) {
        const part = (value: unknown): number => Math.floor(Number(value) / 2 ** shift) % (mask + 1);
        if (part(found) !== part(node.value)) fail(code, start);
      }
      return node.parts === undefined
        ? fail("bad-value", start)
        : typeof node.value === "bigint"
          ? String(node.value)
          : node.value;
    }
    case "constant":
      return node.value;
    case "unused":
      take(place, node.bits);
      return 0;
    case "limited":
      if ((place.end - start) / 8 > node.bytes) named(node.name, () => fail("limit", start));
      return read(node.of, place);
    case "array":
      return readRun(node.length, place, (at) => named(`[${at}]`, () => read(node.item, place)));
    case "bytes": {
      const count = byteCount(node.length, place);
      if (place.end - place.at < count * 8) fail("truncated", place.at);
      const bytes = Array.from({ length: count }, () => untransformed(take(place, 8), node.transform));
      return hex(node.reversed ? bytes.reverse() : bytes);
    }
    case "text":
      return readText(node, place);
    case "struct": {
      const value: Fields = {};
      for (const { name, node: field, hidden, when } of node.fields) {
        if (name === "") {
          Object.assign(value, read(field, place));
          continue;
        }
        if (when !== undefined && !holds(when, value)) continue;
        const at = place.at;
        const found = named(name, () => read(field, place));
        if (!hidden) value[name] = found;
        // What bytes mean by an earlier number stands beside them.
        const meaning = field.kind === "bytes" ? field.readings?.find((each) => holds(each.when, value)) : undefined;
        if (meaning !== undefined) value[meaning.name] = read(meaning.node, { ...place, at });
      }
      return firstKeys(value, node.order);
    }
    case "variant": {
      const tag = named(node.tagName, () => {
        const found = read(node.tag, place);
        const known = node.cases.some(({ tags }) => tags === undefined || tags.includes(found as string));
        return known ? found : fail("unknown-variant", start);
      });
      const found =
        node.cases.find(({ tags }) => tags?.includes(tag as string)) ??
        node.cases.find(({ tags }) => tags === undefined);
      if (found === undefined) return fail("unknown-variant", start);
      const body = read(found.node, place) as Fields;
      if (found.hidden) return firstKeys(body, node.order);
      const value: Fields = { [node.tagName]: tag };
      for (const [name, usual] of Object.entries((place.hasMembers && node.members) || {})) value[name] = usual;
      for (const [name, own] of Object.entries(body)) value[name] = own;
      return firstKeys(value, node.order);
    }
    case "peek": {
      const left = (place.end - place.at) / 8;
      const found = node.cases.find(({ when }) => {
        if (when?.atMost !== undefined && left > when.atMost) return false;
        if (when?.next === undefined) return true;
        if (left < 1) return false;
        const byte = take(place, 8);
        place.at = start;
        const { mask, value } = when.next;
        return bitsInBoth(byte, mask) === value;
      });
      return found === undefined ? fail("*", start) : read(found.node, place);
    }
    case "byLength": {
      const left = place.end - place.at;
      const found = node.cases.find(({ bytes }) => bytes === undefined || bytes * 8 === left);
      return found === undefined ? fail("*", start) : read(found.node, place);
    }
    case "mark": {
      const width = node.parts.reduce((sum, { bits }) => sum + bits, 0);
      if (place.end - place.at >= width) {
        const marked = node.parts.every(({ bits, value }) => take(place, bits) === value);
        if (marked) return read(node.marked, place);
        place.at = start;
      }
      return read(node.of, place);
    }
    case "bits": {
      const inner: Place = { ...place, order: node.first };
      const value = read(node.of, inner);
      const rest = modulo(-inner.at, 8);
      if (rest > 0) {
        named(node.padding.name, () => {
          const at = node.first === "lsb" ? inner.at - modulo(inner.at, 8) : inner.at;
          if (take(inner, rest) !== 0 && node.padding.value === "zero") fail("bad-value", at);
        });
      }
      place.at = inner.at;
      return value;
    }
    case "sized":
      return readSized(node, place);
    case "compressed": {
      const body = named("block", () => inflate(place, node.limit, node.reserved));
      const exact = bitsOf(node.of);
      if (exact.fixed && exact.least !== body.length * 8) throw new Refusal("bad-length", -1, "block");
      place.at = place.end;
      const { hasMembers = false } = place;
      const inner: Place = { bytes: Uint8Array.from(body), order: "bytes", at: 0, end: body.length * 8, hasMembers };
      try {
        const value = read(node.of, inner);
        if (inner.at < inner.end) fail("trailing", inner.at);
        return value;
      } catch (error) {
        // Its place in the block follows from how the block was packed, which is not part of the description.
        if (error instanceof Refusal) throw new Refusal(error.code, -1, error.path);
        throw error;
      }
    }
  }
}

/** The bits that two numbers have in common. */
function bitsInBoth(a: number, b: number): number {
  let both = 0;
  for (let bit = 0; bit < 32; bit++) {
    if ([a, b].every((each) => Math.floor(each / 2 ** bit) % 2 === 1)) both += 2 ** bit;
  }
  return both;
}

function holds({ field, from, to, not, zero, mask }: Condition, value: Fields): boolean {
  // Bytes are hex here.
  if (zero !== undefined) return /^0*$/.test(String(value[field])) === zero;
  const whole = Number(value[field]);
  const other = mask === undefined ? whole : bitsInBoth(modulo(whole, 2 ** 32), mask);
  return other >= (from ?? -Infinity) && other <= (to ?? Infinity) && other !== not;
}

function byteCount(length: RunLength, place: Place): number {
  if (typeof length === "number") return length;
  const left = Math.floor(((place.claimed ?? place.end) - place.at) / 8);
  if ("rest" in length) return left > length.rest ? fail("limit", place.at) : left;
  if ("until" in length) return fail("*", place.at);
  return readCount(length, place);
}

function readCount(length: { readonly count: LayoutNode; readonly limit: number }, place: Place): number {
  const at = place.at;
  return named("count", () => {
    const count = Number(read(length.count, place));
    if (count < 0) fail("bad-value", at);
    if (count > length.limit) fail("limit", at);
    return count;
  });
}

function readRun(length: RunLength, place: Place, item: (at: number) => JsonValue): JsonValue {
  const items: JsonValue[] = [];
  const overLimit = (limit: number): void => {
    if (items.length >= limit) fail("limit", place.at);
  };
  if (typeof length === "number" || "count" in length) {
    const count = typeof length === "number" ? length : readCount(length, place);
    while (items.length < count) items.push(item(items.length));
    return items;
  }
  if ("until" in length) {
    for (;;) {
      const at = place.at;
      if (place.end - at >= 8 && take(place, 8) === length.until) return items;
      place.at = at;
      overLimit(length.limit);
      items.push(item(items.length));
    }
  }
  while (place.at < place.end) {
    const at = place.at;
    overLimit(length.rest);
    try {
      items.push(item(items.length));
    } catch (error) {
      if (!(error instanceof Refusal && length.tolerant)) throw error;
      place.at = at;
      return items;
    }
  }
  return items;
}

function readText(node: Extract<LayoutNode, { kind: "text" }>, place: Place): string {
  const { length, charset } = node;
  if (!("end" in length)) {
    const left = Math.floor(((place.claimed ?? place.end) - place.at) / 8);
    if ("rest" in length && left > length.rest) fail("limit", place.at);
    const count = "rest" in length ? left : readCount(length, place);
    if (place.end - place.at < count * 8) fail("truncated", place.at);
    return Array.from({ length: count }, () => character(take(place, 8), charset)).join("");
  }
  const start = place.at;
  let text = "";
  for (;;) {
    // A latin1 text without its zero is refused where it begins, a Windows-1252 text where the bytes end.
    if (place.end - place.at < 8) fail("truncated", charset === "latin1" ? start : place.at);
    const byte = take(place, 8);
    if (byte === 0) return text;
    if (text.length === length.limit) fail("limit", start);
    text += character(byte, charset);
  }
}

function readSized(node: Extract<LayoutNode, { kind: "sized" }>, place: Place): JsonValue {
  const start = place.at;
  const count = named("size", () => {
    const size = Number(read(node.size, place));
    return size < node.extra + bitsOf(node.of).least / 8 ? fail("bad-length", start) : size;
  });
  const from = place.at;
  const claimed = from + (count - node.extra) * 8;
  const inner: Place = { ...place, end: Math.min(claimed, place.end), claimed };
  let value: JsonValue;
  try {
    value = read(node.of, inner);
  } catch (error) {
    const isShort = error instanceof Refusal && error.code === "truncated" && claimed < place.end;
    throw isShort ? new Refusal("bad-length", start, "size") : error;
  }
  if (inner.at !== claimed) throw new Refusal("bad-length", start, "size");
  place.at = inner.at;
  return value;
}

/** The least bits of a description, and whether it never has others. */
function bitsOf(node: LayoutNode): { least: number; fixed: boolean } {
  const sum = (parts: readonly LayoutNode[]): { least: number; fixed: boolean } => {
    const sizes = parts.map(bitsOf);
    return { least: sizes.reduce((total, { least }) => total + least, 0), fixed: sizes.every(({ fixed }) => fixed) };
  };
  switch (node.kind) {
    case "integer":
    case "float":
      return { least: node.bits, fixed: true };
    case "constant":
      return { least: 0, fixed: true };
    case "boolean":
    case "oneOf":
    case "flags":
    case "literal":
      return bitsOf(node.of);
    case "bits": {
      const { least, fixed } = bitsOf(node.of);
      return { least: Math.ceil(least / 8) * 8, fixed };
    }
    case "struct": {
      const { least } = sum(node.fields.flatMap(({ node: field, when }) => (when === undefined ? [field] : [])));
      const { fixed } = sum(node.fields.map(({ node: field }) => field));
      return { least, fixed: fixed && node.fields.every(({ when }) => when === undefined) };
    }
    case "variant": {
      const sizes = node.cases.map((each) => bitsOf(each.node).least);
      return { least: bitsOf(node.tag).least + Math.min(...sizes), fixed: false };
    }
    case "peek": {
      const sizes = node.cases.map((each) => bitsOf(each.node));
      const least = Math.min(...sizes.map((each) => each.least));
      return { least, fixed: sizes.every((each) => each.fixed && each.least === least) };
    }
    case "bytes":
      return typeof node.length === "number" ? { least: node.length * 8, fixed: true } : { least: 0, fixed: false };
    default:
      return { least: 0, fixed: false };
  }
}

/** The bytes of an LZ4 block, by its format: token, literals, offset, match length. */
function inflate(place: Place, limit: number, reserved: string): number[] {
  const input = place.bytes.subarray(place.at / 8, place.end / 8);
  const out: number[] = [];
  let at = 0;
  const next = (): number => input[at++] ?? fail("*", -1);
  const more = (base: number): number => {
    let sum = base;
    if (base === 15) {
      for (;;) {
        const byte = next();
        sum += byte;
        if (byte !== 255) return sum;
      }
    }
    return sum;
  };
  for (;;) {
    const token = next();
    const literals = more(Math.floor(token / 16));
    for (let index = 0; index < literals; index++) out.push(next());
    if (out.length > limit) fail("*", -1);
    // The last token has no match: its low half is not used.
    if (at === input.length) return token % 16 !== 0 && reserved === "refuse" ? fail("*", -1) : out;
    const offset = next() + next() * 256;
    if (offset === 0 || offset > out.length) fail("*", -1);
    const length = more(token % 16) + 4;
    if (out.length + length > limit) fail("*", -1);
    for (let index = 0; index < length; index++) out.push(out[out.length - offset] ?? 0);
  }
}

/**
 * What a whole payload holds: fields after `start` bytes, and nothing after them. `hasMembers`: as a value and not as JSON, though bytes
 * are hex and large numbers digits all the same.
 */
export function interpret(
  node: LayoutNode,
  bytes: Uint8Array,
  start: number,
  { hasMembers = false }: { readonly hasMembers?: boolean } = {},
): JsonValue | Refusal {
  const place: Place = { bytes, order: "bytes", at: start * 8, end: bytes.length * 8, hasMembers };
  try {
    const value = read(node, place);
    return place.at < place.end ? new Refusal("trailing", place.at) : value;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** JSON of a struct with the defaults of the fields that it leaves out. */
export function withDefaults(node: LayoutNode, json: JsonValue): JsonValue {
  if (node.kind === "limited") return withDefaults(node.of, json);
  if (node.kind !== "struct" || typeof json !== "object" || json === null || Array.isArray(json)) return json;
  const whole: Fields = { ...(json as Fields) };
  for (const { name, default: usual } of node.fields) {
    if (!Object.hasOwn(whole, name) && usual !== undefined) whole[name] = usual;
  }
  return whole;
}
