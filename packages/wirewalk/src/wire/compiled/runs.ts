/** Bytes and texts, for generated readers and writers. */
import { putLatin1 } from "../latin1.ts";
import { cp1252Character, cp1252Code } from "../windows-1252.ts";
import { highBits } from "./numbers.ts";

/** How the low byte of a number, or each byte of a run, is changed on the wire. Each change undoes itself. */
type Transform = "+128" | "neg" | "sub" | undefined;

/** A shorter run is copied byte by byte: for it a call of the host takes longer. */
const SHORT_BYTES = 24;

/** A buffer of its own for nothing took most of the time of a short packet. */
const noBytes = new Uint8Array(0);

/** A copy of bytes. */
export function bytesAt(b: Uint8Array, at: number, count: number): Uint8Array<ArrayBuffer> {
  if (count === 0) return noBytes;
  const copy = new Uint8Array(count);
  if (count > SHORT_BYTES) copy.set(b.subarray(at, at + count));
  else for (let index = 0; index < count; index++) copy[index] = b[at + index] as number;
  return copy;
}

function changed(byte: number, transform: Transform): number {
  return transform === "+128" ? byte + 128 : transform === "neg" ? -byte : transform === "sub" ? 128 - byte : byte;
}

/** A changed copy of bytes. */
export function changedBytes(
  b: Uint8Array,
  at: number,
  count: number,
  transform: Transform,
  isReversed: boolean,
): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(count);
  for (let index = 0; index < count; index++)
    copy[isReversed ? count - 1 - index : index] = changed(b[at + index] as number, transform);
  return copy;
}

/** A copy of bytes that begin at any bit. */
export function bytesOfBits(b: Uint8Array, bit: number, count: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: count }, (_, index) => highBits(b, bit + index * 8, 8));
}

/** Whether all bytes are 0. */
export function allZero(bytes: unknown): boolean {
  if (!(bytes instanceof Uint8Array)) return false;
  for (let index = 0; index < bytes.length; index++) if (bytes[index] !== 0) return false;
  return true;
}

/** Where the zero byte of a text lies; -1 where the bytes end first, -2 where the text is longer than its limit. */
export function zeroAt(b: Uint8Array, at: number, end: number, limit: number): number {
  const last = at + limit < end ? at + limit : end - 1;
  for (let zero = at; zero <= last; zero++) if (b[zero] === 0) return zero;
  return at + limit < end ? -2 : -1;
}

/** A text of Windows-1252. */
export function decodeWindows1252(b: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at++) text += cp1252Character(b[at] as number);
  return text;
}

function isRun(value: unknown, least: number, most: number): value is Uint8Array {
  return value instanceof Uint8Array && value.length >= least && value.length <= most;
}

/** Writes `least` to `most` bytes, and gives the position after them; -1 where it is something else. */
export function putBytes(b: Uint8Array, at: number, bytes: unknown, least: number, most: number): number {
  if (!isRun(bytes, least, most)) return -1;
  const { length } = bytes;
  if (length > SHORT_BYTES) b.set(bytes, at);
  else for (let index = 0; index < length; index++) b[at + index] = bytes[index] as number;
  return at + length;
}

/** The same with changed bytes. */
export function putChanged(
  b: Uint8Array,
  at: number,
  bytes: unknown,
  least: number,
  most: number,
  transform: Transform,
  isReversed: boolean,
): number {
  if (!isRun(bytes, least, most)) return -1;
  const { length } = bytes;
  for (let index = 0; index < length; index++) {
    b[at + (isReversed ? length - 1 - index : index)] = changed(bytes[index] as number, transform);
  }
  return at + length;
}

/** Writes a latin1 text of at most `most` characters from `least` on; -1 where it is none. */
export function putText(b: Uint8Array, at: number, text: unknown, least: number, most: number): number {
  if (typeof text !== "string" || text.length > most || putLatin1(text, b, at, least) >= 0) return -1;
  return at + text.length;
}

/** Writes a text of Windows-1252 of at most `most` characters, without character 0 where `least` is 1; -1 where it is none. */
export function putWindows1252(b: Uint8Array, at: number, text: unknown, least: number, most: number): number {
  if (typeof text !== "string" || text.length > most) return -1;
  for (let index = 0; index < text.length; index++) {
    const code = cp1252Code(text.charAt(index));
    if (code === undefined || code < least) return -1;
    b[at + index] = code;
  }
  return at + text.length;
}

/** The length of a list, a text or bytes; 0 for what has none. For the room that a value takes at most. */
export function lengthOf(value: unknown): number {
  if (typeof value === "string" || Array.isArray(value) || value instanceof Uint8Array) return value.length;
  return 0;
}

/** The member of a value that may not be an object. For the room that a value takes at most. */
export function memberOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}
