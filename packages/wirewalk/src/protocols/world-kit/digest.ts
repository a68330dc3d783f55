/** A 64-bit digest of plain data, equal on every machine. */
import { isPlainObject, isTypedArray, MAX_DEPTH, type TypedArray, unplainError } from "./plain-data.ts";

/** One word before each value says what it is, so that no two values give the same words. */
const tags = {
  undefined: 1,
  null: 2,
  false: 3,
  true: 4,
  integer: 5,
  number: 6,
  bigint: 7,
  string: 8,
  array: 9,
  object: 10,
  map: 11,
  set: 12,
  bytes: 13,
  words: 14,
} as const;

/** A number by its name in the JavaScript standard, so that a `Uint8Array` differs from an `Int8Array`. */
const typedArrayNames = [
  "Uint8Array",
  "Int8Array",
  "Uint8ClampedArray",
  "Uint16Array",
  "Int16Array",
  "Uint32Array",
  "Int32Array",
  "Float32Array",
  "Float64Array",
  "BigInt64Array",
  "BigUint64Array",
] as const;

const float = new DataView(new ArrayBuffer(8));

/**
 * 64 bits of plain data. Equal data has equal digests on every machine; different data has different ones but for a
 * chance of 2^-64. It finds accidents and is no protection against somebody who chooses the data.
 *
 * Construction: the data is walked in order and gives 32-bit words. Each value begins with a tag. Integers of 32 bits are
 * one word; other numbers, and -0, are the two halves of their double, low half first, with one NaN for all. Strings are
 * their length and UTF-16 code units, two to a word; a bigint is its sign and hexadecimal digits as a string. Arrays, maps
 * and sets are their size and members in order, since the order of a map or set decides what is done first. Objects are
 * their size, then names and values in the order of the names' code units: the order in which they were written does not
 * count. A member that is undefined counts as a member. Bytes go four to a word, little-endian; the doubles of a
 * `Float64Array` are their two halves, low half first, with one NaN for all; other typed arrays go by their values. Each word enters two lanes of 32 bits, each mixed as in MurmurHash3 (x86, 32 bit) with the multipliers of its
 * 128-bit form and the other lane added; both are finalised with its `fmix32`. The result is lane 1, then lane 2.
 *
 * Throws `TypeError` for data that is not plain, naming the place.
 */
export function digestOf(data: unknown): bigint {
  const words = new WordHash();
  if (!digestInto(words, data, 0)) throw unplainError("digest", data);
  return words.digest();
}

/** The two lanes. */
class WordHash {
  #h1 = 0x2b7e1516;
  #h2 = 0x28aed2a6;
  #count = 0;

  word(word: number): void {
    let k1 = Math.imul(word, 0x239b961b);
    k1 = Math.imul((k1 << 15) | (k1 >>> 17), 0xab0e9789);
    let k2 = Math.imul(word, 0x38b34ae5);
    k2 = Math.imul((k2 << 17) | (k2 >>> 15), 0xa1e38b93);
    let h1 = this.#h1 ^ k1;
    h1 = (((h1 << 19) | (h1 >>> 13)) + this.#h2) | 0;
    h1 = (Math.imul(h1, 5) + 0x561ccd1b) | 0;
    let h2 = this.#h2 ^ k2;
    h2 = (((h2 << 17) | (h2 >>> 15)) + h1) | 0;
    h2 = (Math.imul(h2, 5) + 0x0bcaa747) | 0;
    this.#h1 = h1;
    this.#h2 = h2;
    this.#count = (this.#count + 1) | 0;
  }

  digest(): bigint {
    let h1 = this.#h1 ^ this.#count;
    let h2 = this.#h2 ^ this.#count;
    h1 = (h1 + h2) | 0;
    h2 = (h2 + h1) | 0;
    h1 = fmix32(h1);
    h2 = fmix32(h2);
    h1 = (h1 + h2) | 0;
    h2 = (h2 + h1) | 0;
    return (BigInt(h1 >>> 0) << 32n) | BigInt(h2 >>> 0);
  }
}

function fmix32(word: number): number {
  let h = word ^ (word >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** False for data that is not plain. */
function digestInto(words: WordHash, data: unknown, depth: number): boolean {
  switch (typeof data) {
    case "number":
      digestNumber(words, data);
      return true;
    case "string":
      words.word(tags.string);
      digestText(words, data);
      return true;
    case "boolean":
      words.word(data ? tags.true : tags.false);
      return true;
    case "undefined":
      words.word(tags.undefined);
      return true;
    case "bigint":
      words.word(tags.bigint);
      digestText(words, data.toString(16));
      return true;
    case "object":
      if (data === null) {
        words.word(tags.null);
        return true;
      }
      return depth <= MAX_DEPTH && digestObject(words, data, depth + 1);
    default:
      return false;
  }
}

/** High half of the one NaN. */
const NAN_HIGH = 0x7ff8_0000;

function digestNumber(words: WordHash, value: number): void {
  const integer = value | 0;
  if (integer === value && (value !== 0 || 1 / value > 0)) {
    words.word(tags.integer);
    words.word(integer);
    return;
  }
  float.setFloat64(0, value, true);
  words.word(tags.number);
  // The bits of a NaN are the machine's choice.
  words.word(Number.isNaN(value) ? 0 : float.getInt32(0, true));
  words.word(Number.isNaN(value) ? NAN_HIGH : float.getInt32(4, true));
}

function digestText(words: WordHash, text: string): void {
  const { length } = text;
  words.word(length);
  let index = 0;
  for (; index + 1 < length; index += 2) {
    words.word(text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16));
  }
  if (index < length) words.word(text.charCodeAt(index));
}

function digestObject(words: WordHash, data: object, depth: number): boolean {
  if (Array.isArray(data)) {
    words.word(tags.array);
    words.word(data.length);
    for (let index = 0; index < data.length; index++) if (!digestInto(words, data[index], depth)) return false;
    return true;
  }
  if (isPlainObject(data)) {
    const names = sortedNames(data);
    words.word(tags.object);
    words.word(names.length);
    for (const name of names) {
      digestText(words, name);
      if (!digestInto(words, data[name], depth)) return false;
    }
    return true;
  }
  if (data instanceof Map) {
    words.word(tags.map);
    words.word(data.size);
    for (const [key, value] of data) {
      if (!digestInto(words, key, depth) || !digestInto(words, value, depth)) return false;
    }
    return true;
  }
  if (data instanceof Set) {
    words.word(tags.set);
    words.word(data.size);
    for (const value of data) if (!digestInto(words, value, depth)) return false;
    return true;
  }
  if (!isTypedArray(data)) return false;
  digestTypedArray(words, data);
  return true;
}

/** Names of an object, as they stand in it and sorted. */
interface NameOrder {
  readonly names: readonly string[];
  readonly sorted: readonly string[];
}

/** The orders that were sorted last, by their first name: a world has few kinds of objects, and sorting is half of a digest. */
const orders = new Map<string, NameOrder[]>();
/** Bounds the memory where names are data. */
const MAX_FIRST_NAMES = 256;
const MAX_ORDERS = 8;

/** In the order of UTF-16 code units, which no locale changes. */
function sortedNames(data: object): readonly string[] {
  const names = Object.keys(data);
  if (isSorted(names)) return names;
  const first = names[0] as string;
  const known = orders.get(first);
  if (known !== undefined) for (const order of known) if (areEqual(order.names, names)) return order.sorted;
  const order: NameOrder = { names, sorted: [...names].sort() };
  if (known === undefined) {
    if (orders.size === MAX_FIRST_NAMES) orders.clear();
    orders.set(first, [order]);
  } else {
    if (known.length === MAX_ORDERS) known.shift();
    known.push(order);
  }
  return order.sorted;
}

function isSorted(names: readonly string[]): boolean {
  for (let index = 1; index < names.length; index++) {
    if ((names[index - 1] as string) > (names[index] as string)) return false;
  }
  return true;
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

function digestTypedArray(words: WordHash, data: TypedArray): void {
  const { length } = data;
  const kind = typedArrayNames.indexOf(data[Symbol.toStringTag] as (typeof typedArrayNames)[number]);
  words.word(data.BYTES_PER_ELEMENT === 1 ? tags.bytes : tags.words);
  words.word(kind);
  words.word(length);
  if (data.BYTES_PER_ELEMENT === 1) {
    digestBytes(words, new Uint8Array(data.buffer, data.byteOffset, length));
  } else if (data instanceof Float64Array) {
    digestDoubles(words, new Int32Array(data.buffer, data.byteOffset, length * 2));
  } else if (data instanceof Float32Array) {
    for (let index = 0; index < length; index++) digestNumber(words, data[index] as number);
  } else if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    for (let index = 0; index < length; index++) {
      const value = BigInt.asUintN(64, data[index] as bigint);
      words.word(Number(value & 0xffff_ffffn) | 0);
      words.word(Number(value >> 32n) | 0);
    }
  } else {
    for (let index = 0; index < length; index++) words.word((data[index] as number) | 0);
  }
}

/** Where the low half of a double lies in memory: 1 on a big-endian machine. */
const LOW_HALF = new Int32Array(Float64Array.of(2 ** -1074).buffer)[0] === 1 ? 0 : 1;

function digestDoubles(words: WordHash, halves: Int32Array): void {
  for (let at = 0; at < halves.length; at += 2) {
    const low = halves[at + LOW_HALF] as number;
    const high = halves[at + 1 - LOW_HALF] as number;
    const isUnordered = (high & 0x7ff0_0000) === 0x7ff0_0000 && ((high & 0x000f_ffff) | low) !== 0;
    words.word(isUnordered ? 0 : low);
    words.word(isUnordered ? NAN_HIGH : high);
  }
}

function digestBytes(words: WordHash, bytes: Uint8Array): void {
  const whole = bytes.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    words.word(
      (bytes[at] as number) |
        ((bytes[at + 1] as number) << 8) |
        ((bytes[at + 2] as number) << 16) |
        ((bytes[at + 3] as number) << 24),
    );
  }
  for (let at = whole; at < bytes.length; at++) words.word(bytes[at] as number);
}
