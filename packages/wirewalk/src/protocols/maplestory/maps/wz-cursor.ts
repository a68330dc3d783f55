/** Reads the numbers and texts of `.wz` files, one after the other, up to an end. */
import { decodeLatin1 } from "../../../wire/index.ts";
import type { MapError } from "../../maps.ts";
import type { FileBytes } from "./file-bytes.ts";
import { MAX_TEXT_BYTES } from "./image-node.ts";
import type { WzKey } from "./wz-key.ts";

/** A length or a number that does not fit into a byte follows this one. */
const LONG = -128;
/** A length in UTF-16 that does not fit. */
const LONG_WIDE = 127;
const FIRST_MASK = 0xaa;
const FIRST_WIDE_MASK = 0xaaaa;

export class WzCursor {
  readonly bytes: FileBytes;
  readonly key: WzKey;
  at: number;
  /** The place after the last byte that may be read. */
  end: number;

  constructor(bytes: FileBytes, key: WzKey, at: number, end: number) {
    this.bytes = bytes;
    this.key = key;
    this.at = at;
    this.end = end;
  }

  fault(reason: string, at = this.at): MapError {
    return this.bytes.fault(at, reason);
  }

  u8(): number {
    return this.bytes.u8(this.#pass(1));
  }

  i8(): number {
    return this.bytes.i8(this.#pass(1));
  }

  i16(): number {
    return this.bytes.i16(this.#pass(2));
  }

  i32(): number {
    return this.bytes.i32(this.#pass(4));
  }

  u32(): number {
    return this.bytes.u32(this.#pass(4));
  }

  f32(): number {
    return this.bytes.f32(this.#pass(4));
  }

  f64(): number {
    return this.bytes.f64(this.#pass(8));
  }

  skip(length: number): void {
    this.#pass(length);
  }

  /** One byte, or five. */
  compressed(): number {
    const short = this.i8();
    return short === LONG ? this.i32() : short;
  }

  /** One byte, or nine. */
  compressedLong(): number {
    const short = this.i8();
    return short === LONG ? this.bytes.i64(this.#pass(8)) : short;
  }

  /** A number of things that take at least `each` bytes. */
  count(what: string, each: number): number {
    const at = this.at;
    const count = this.compressed();
    if (count < 0 || count * each > this.end - this.at) {
      throw this.fault(`${count} ${what} in ${Math.max(0, this.end - this.at)} bytes`, at);
    }
    return count;
  }

  /** A scrambled text. */
  text(): string {
    const at = this.at;
    const short = this.i8();
    if (short === 0) return "";
    const isWide = short > 0;
    const length = short === LONG || short === LONG_WIDE ? this.i32() : Math.abs(short);
    const size = isWide ? 2 * length : length;
    if (size < 0 || size > MAX_TEXT_BYTES) throw this.fault(`a text of ${size} bytes, at most ${MAX_TEXT_BYTES},`, at);
    const raw = this.bytes.bytes(this.#pass(size), size);
    const stream = this.key.stream(size);
    return isWide ? wideText(raw, stream) : narrowText(raw, stream);
  }

  /** Where bytes begin that are passed over. */
  #pass(length: number): number {
    const { at } = this;
    if (length < 0 || at + length > this.end) {
      throw this.fault(`${length} bytes wanted, ${Math.max(0, this.end - at)} left`);
    }
    this.at = at + length;
    return at;
  }
}

function narrowText(raw: Uint8Array, stream: Uint8Array): string {
  for (let index = 0; index < raw.length; index++) {
    raw[index] = (raw[index] as number) ^ (stream[index] as number) ^ (FIRST_MASK + index);
  }
  return decodeLatin1(raw);
}

function wideText(raw: Uint8Array, stream: Uint8Array): string {
  const characters: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const stored = (raw[index] as number) | ((raw[index + 1] as number) << 8);
    const scramble = (stream[index] as number) | ((stream[index + 1] as number) << 8);
    characters.push(String.fromCharCode((stored ^ scramble ^ (FIRST_WIDE_MASK + (index >> 1))) & 0xffff));
  }
  return characters.join("");
}
