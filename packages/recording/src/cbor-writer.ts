/**
 * Plain data as CBOR (RFC 8949), so that any CBOR library opens key frames. What JSON does not have is tagged: maps 259, sets
 * 258, typed arrays as RFC 8746 says, bigints 2 and 3. Numbers that are integers are CBOR integers, others floats of 64
 * bits; -0 and NaN keep their bits. The reader takes what the writer gives and nothing else.
 *
 * ```ts
 * const bytes = encodeCbor({ players: new Map([[7, { x: 0.5 }]]) });
 * decodeCbor(bytes); // => { players: new Map([[7, { x: 0.5 }]]) }
 * decodeCbor(new Uint8Array([0x1c])); // throws bad-value: Cannot read data: additional information 28
 * ```
 */
import { isLittleEndian, MAX_DEPTH, Major, Simple, swapped, Tag, typedArrays } from "./cbor-format.ts";
import { GrowingBytes } from "./growing-bytes.ts";

const texts = new TextEncoder();

/** Of a head, at most: its first byte and a number of 64 bits. */
const HEAD_BYTES = 9;
/** Containers above this depth are written in steps by {@link CborWriter.steps}. */
const STEP_DEPTH = 4;

export class CborWriter {
  readonly #out: GrowingBytes;

  constructor(capacity = 1024) {
    this.#out = new GrowingBytes(capacity);
  }

  get length(): number {
    return this.#out.length;
  }

  /** What was written so far; valid until more is written. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#out.written;
  }

  /** Throws `TypeError` for data that is not plain. */
  write(data: unknown, depth = 0): void {
    switch (typeof data) {
      case "number":
        this.#number(data);
        return;
      case "string":
        this.#text(data);
        return;
      case "boolean":
        this.#byte(data ? Simple.true : Simple.false);
        return;
      case "undefined":
        this.#byte(Simple.undefined);
        return;
      case "bigint":
        this.#bigint(data);
        return;
      case "object":
        if (data === null) this.#byte(Simple.null);
        else this.#object(data, depth);
        return;
      default:
        throw new TypeError(`Cannot write a ${typeof data} as CBOR`);
    }
  }

  /** Writes in steps: after each the caller may do something else, as long as nobody changes the data. */
  *steps(data: unknown, depth = 0): Generator<void, void, void> {
    if (typeof data !== "object" || data === null || depth >= STEP_DEPTH || ArrayBuffer.isView(data)) {
      this.write(data, depth);
      yield;
    } else if (Array.isArray(data)) {
      this.#head(Major.array, data.length);
      for (const each of data) yield* this.steps(each, depth + 1);
    } else if (data instanceof Map) {
      this.#head(Major.tag, Tag.map);
      this.#head(Major.map, data.size);
      for (const [key, value] of data) {
        this.write(key, depth + 1);
        yield* this.steps(value, depth + 1);
      }
    } else if (data instanceof Set) {
      this.write(data, depth);
      yield;
    } else {
      const object = plainObject(data);
      const keys = Object.keys(object);
      this.#head(Major.map, keys.length);
      for (const key of keys) {
        this.#text(key);
        yield* this.steps(object[key], depth + 1);
      }
    }
  }

  #object(data: object, depth: number): void {
    if (depth > MAX_DEPTH) throw new TypeError(`Cannot write data that is nested deeper than ${MAX_DEPTH} as CBOR`);
    if (Array.isArray(data)) {
      this.#head(Major.array, data.length);
      for (let index = 0; index < data.length; index += 1) this.write(data[index], depth + 1);
    } else if (data instanceof Uint8Array) {
      this.#head(Major.bytes, data.length);
      this.#out.append(data);
    } else if (data instanceof Map) {
      this.#head(Major.tag, Tag.map);
      this.#head(Major.map, data.size);
      for (const [key, value] of data) {
        this.write(key, depth + 1);
        this.write(value, depth + 1);
      }
    } else if (data instanceof Set) {
      this.#head(Major.tag, Tag.set);
      this.#head(Major.array, data.size);
      for (const each of data) this.write(each, depth + 1);
    } else if (ArrayBuffer.isView(data)) {
      this.#typedArray(data);
    } else {
      const object = plainObject(data);
      const keys = Object.keys(object);
      this.#head(Major.map, keys.length);
      for (const key of keys) {
        this.#text(key);
        this.write(object[key], depth + 1);
      }
    }
  }

  #typedArray(data: ArrayBufferView): void {
    const entry = typedArrays.find(([, of]) => data.constructor === of);
    if (entry === undefined) throw new TypeError(`Cannot write an instance of ${data.constructor.name} as CBOR`);
    const [tag, of] = entry;
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    this.#head(Major.tag, tag);
    this.#head(Major.bytes, bytes.length);
    this.#out.append(isLittleEndian ? bytes : swapped(bytes, of.BYTES_PER_ELEMENT));
  }

  #number(value: number): void {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
      const out = this.#out;
      out.reserve(9);
      out.bytes[out.length] = Simple.float64;
      out.view.setFloat64(out.length + 1, value);
      out.length += 9;
    } else if (value >= 0) this.#head(Major.unsigned, value);
    else this.#head(Major.negative, -1 - value);
  }

  #bigint(value: bigint): void {
    const magnitude = value < 0n ? -1n - value : value;
    const digits = magnitude.toString(16);
    const hex = digits.length % 2 === 0 ? digits : `0${digits}`;
    const bytes = Uint8Array.from({ length: hex.length / 2 }, (_, at) =>
      Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16),
    );
    this.#head(Major.tag, value < 0n ? Tag.negativeBig : Tag.positiveBig);
    this.#head(Major.bytes, bytes.length);
    this.#out.append(bytes);
  }

  #text(text: string): void {
    // Keys and names are short and ASCII: a loop is faster than an encoder for them.
    const { length } = text;
    if (length < 64) {
      const out = this.#out;
      // The head reserves its most: it must not move the memory after this.
      out.reserve(length + HEAD_BYTES);
      const { bytes, length: start } = out;
      this.#head(Major.text, length);
      const at = out.length;
      let index = 0;
      for (; index < length; index += 1) {
        const code = text.charCodeAt(index);
        if (code >= 0x80) break;
        bytes[at + index] = code;
      }
      if (index === length) {
        out.length = at + length;
        return;
      }
      out.length = start;
    }
    const isWellFormed = text.isWellFormed();
    const bytes = isWellFormed ? texts.encode(text) : encodeWtf8(text);
    if (!isWellFormed) this.#head(Major.tag, Tag.wtf8);
    this.#head(isWellFormed ? Major.text : Major.bytes, bytes.length);
    this.#out.append(bytes);
  }

  #head(major: number, value: number): void {
    const out = this.#out;
    out.reserve(HEAD_BYTES);
    const { bytes, view, length } = out;
    const first = major << 5;
    if (value < 24) {
      bytes[length] = first | value;
      out.length += 1;
    } else if (value < 0x100) {
      bytes[length] = first | 24;
      bytes[length + 1] = value;
      out.length += 2;
    } else if (value < 0x1_0000) {
      bytes[length] = first | 25;
      view.setUint16(length + 1, value);
      out.length += 3;
    } else if (value < 0x1_0000_0000) {
      bytes[length] = first | 26;
      view.setUint32(length + 1, value);
      out.length += 5;
    } else {
      bytes[length] = first | 27;
      view.setUint32(length + 1, Math.floor(value / 0x1_0000_0000));
      view.setUint32(length + 5, value >>> 0);
      out.length += 9;
    }
  }

  #byte(value: number): void {
    const out = this.#out;
    out.reserve(1);
    out.bytes[out.length] = value;
    out.length += 1;
  }
}

/** Throws `TypeError` for data that is not plain. */
export function encodeCbor(data: unknown): Uint8Array<ArrayBuffer> {
  const writer = new CborWriter();
  writer.write(data);
  return writer.bytes.slice();
}

/** UTF-8 in which half of a character is three bytes. */
function encodeWtf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    if (code >= 0xd800 && code < 0xe000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(...texts.encode(character));
  }
  return Uint8Array.from(bytes);
}

function plainObject(data: object): Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(data);
  const isPlain =
    prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype as object) === null;
  if (!isPlain) throw new TypeError(`Cannot write an instance of ${data.constructor.name} as CBOR`);
  return data as Readonly<Record<string, unknown>>;
}
