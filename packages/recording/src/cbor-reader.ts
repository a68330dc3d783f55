/** Reads CBOR as `cbor-writer.ts` writes it. */
import { WireError } from "wirewalk/wire";
import { isLittleEndian, MAX_DEPTH, Major, Simple, swapped, Tag, typedArrays } from "./cbor-format.ts";

const arrayOfTag = new Map(typedArrays);
const textDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Throws `WireError` for bytes that {@link encodeCbor} does not give. */
export function decodeCbor(bytes: Uint8Array): unknown {
  const reader = new CborReader(bytes);
  const data = reader.read(0);
  if (reader.at !== bytes.length) {
    throw new WireError("trailing", `Cannot read data: ${bytes.length - reader.at} bytes after it`, reader.at * 8);
  }
  return data;
}

class CborReader {
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  read(depth: number): unknown {
    if (depth > MAX_DEPTH) throw this.#refuse("limit", `nested deeper than ${MAX_DEPTH}`);
    const first = this.#take(1);
    const byte = this.#bytes[first] as number;
    const major = byte >> 5;
    if (major === Major.simple) return this.#simple(byte);
    const value = this.#value(byte & 31);
    switch (major) {
      case Major.unsigned:
        return value;
      case Major.negative:
        return -1 - value;
      case Major.bytes:
        return this.#slice(value);
      case Major.text:
        return this.#text(value);
      case Major.array:
        return this.#array(value, depth);
      case Major.map:
        return this.#plainObject(value, depth);
      default:
        return this.#tagged(value, depth);
    }
  }

  #simple(byte: number): unknown {
    switch (byte) {
      case Simple.false:
        return false;
      case Simple.true:
        return true;
      case Simple.null:
        return null;
      case Simple.undefined:
        return undefined;
      case Simple.float64:
        return this.#view.getFloat64(this.#take(8));
      default:
        throw this.#refuse("unknown-variant", `simple value 0x${byte.toString(16)}`);
    }
  }

  #value(info: number): number {
    if (info < 24) return info;
    switch (info) {
      case 24:
        return this.#view.getUint8(this.#take(1));
      case 25:
        return this.#view.getUint16(this.#take(2));
      case 26:
        return this.#view.getUint32(this.#take(4));
      case 27: {
        const value = Number(this.#view.getBigUint64(this.#take(8)));
        if (value > Number.MAX_SAFE_INTEGER) throw this.#refuse("limit", `${value}, at most 2^53 - 1`);
        return value;
      }
      default:
        throw this.#refuse("bad-value", `additional information ${info}`);
    }
  }

  #array(length: number, depth: number): unknown[] {
    this.#checkCount(length, 1);
    const array: unknown[] = [];
    for (let index = 0; index < length; index += 1) array.push(this.read(depth + 1));
    return array;
  }

  #plainObject(length: number, depth: number): object {
    this.#checkCount(length, 2);
    const object: Record<string, unknown> = {};
    for (let index = 0; index < length; index += 1) {
      const key = this.read(depth + 1);
      if (typeof key !== "string") throw this.#refuse("bad-value", "a key that is not a text");
      const value = this.read(depth + 1);
      // Assignment of a member called __proto__ would set the prototype.
      if (key === "__proto__") Object.defineProperty(object, key, { ...asData, value });
      else object[key] = value;
    }
    return object;
  }

  #tagged(tag: number, depth: number): unknown {
    const data = (): unknown => this.read(depth + 1);
    if (tag === Tag.map) return this.#map(depth + 1);
    if (tag === Tag.set) {
      const members = data();
      if (!Array.isArray(members)) throw this.#refuse("bad-value", "a set that is not an array");
      return new Set(members);
    }
    const of = arrayOfTag.get(tag);
    if (of === undefined && tag !== Tag.positiveBig && tag !== Tag.negativeBig && tag !== Tag.wtf8) {
      throw this.#refuse("unknown-variant", `tag ${tag}`);
    }
    const bytes = data();
    if (!(bytes instanceof Uint8Array)) throw this.#refuse("bad-value", `tag ${tag} without bytes`);
    if (tag === Tag.wtf8) return this.#wtf8(bytes);
    if (of === undefined) return bigintOf(bytes, tag === Tag.negativeBig);
    if (bytes.length % of.BYTES_PER_ELEMENT !== 0)
      throw this.#refuse("bad-value", `${bytes.length} bytes of tag ${tag}`);
    // A byte string is a copy already, with a buffer of its own.
    return new of(isLittleEndian ? (bytes.buffer as ArrayBuffer) : swapped(bytes, of.BYTES_PER_ELEMENT).slice().buffer);
  }

  #map(depth: number): Map<unknown, unknown> {
    const byte = this.#bytes[this.#take(1)] as number;
    if (byte >> 5 !== Major.map) throw this.#refuse("bad-value", "tag 259 without a map");
    const length = this.#value(byte & 31);
    this.#checkCount(length, 2);
    const map = new Map<unknown, unknown>();
    for (let index = 0; index < length; index += 1) {
      const key = this.read(depth + 1);
      map.set(key, this.read(depth + 1));
    }
    return map;
  }

  #slice(length: number): Uint8Array {
    const start = this.#take(length);
    // Not by `slice`: that of a `Buffer` copies nothing.
    return new Uint8Array(this.#bytes.subarray(start, start + length));
  }

  #text(length: number): string {
    const start = this.#take(length);
    try {
      return textDecoder.decode(this.#bytes.subarray(start, start + length));
    } catch {
      throw this.#refuse("bad-value", "a text that is not UTF-8");
    }
  }

  #wtf8(bytes: Uint8Array): string {
    const text = decodeWtf8(bytes);
    if (text === undefined || text.isWellFormed()) throw this.#refuse("bad-value", "a text that is not WTF-8");
    return text;
  }

  /** Before memory is taken for that many. */
  #checkCount(count: number, leastBytes: number): void {
    if (count * leastBytes > this.#bytes.length - this.at) throw this.#refuse("truncated", `${count} items`);
  }

  #take(count: number): number {
    const start = this.at;
    if (count > this.#bytes.length - start) {
      throw this.#refuse("truncated", `${count} bytes needed, ${this.#bytes.length - start} left`);
    }
    this.at += count;
    return start;
  }

  #refuse(code: "bad-value" | "limit" | "truncated" | "unknown-variant", why: string): WireError {
    return new WireError(code, `Cannot read data: ${why}`, this.at * 8);
  }
}

const asData = { enumerable: true, configurable: true, writable: true } as const;

function decodeWtf8(bytes: Uint8Array): string | undefined {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] as number;
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const [, second = 0, third = 0] = bytes.subarray(at, at + length);
    if (first === 0xed && second >= 0xa0) text += String.fromCharCode(0xd000 | ((second & 63) << 6) | (third & 63));
    else {
      try {
        text += textDecoder.decode(bytes.subarray(at, at + length));
      } catch {
        return undefined;
      }
    }
    at += length;
  }
  return text;
}

function bigintOf(bytes: Uint8Array, isNegative: boolean): bigint {
  let magnitude = 0n;
  for (const byte of bytes) magnitude = (magnitude << 8n) | BigInt(byte);
  return isNegative ? -1n - magnitude : magnitude;
}
