/**
 * Strings on these wires are single bytes. Byte n is character n and back, so any bytes survive the round trip,
 * the cp1252 ones too (they arrive as U+0080 to U+009F).
 *
 * ```ts
 * import { decodeLatin1, encodeLatin1 } from "wirewalk/wire";
 *
 * decodeLatin1(new Uint8Array([72, 233])); // => "Hé"
 * encodeLatin1("Hé"); // => new Uint8Array([72, 233])
 * ```
 *
 * @module
 */

/** What hosts have for such texts beside the language: Node and Bun the first, browsers too the second. */
interface Host {
  readonly Buffer?: {
    readonly prototype: { readonly latin1Slice?: (this: Uint8Array, start: number, end: number) => string };
  };
  readonly TextEncoder?: new () => {
    encodeInto(text: string, into: Uint8Array): { readonly read: number; readonly written: number };
  };
}

const host = globalThis as Host;
const latin1Slice = host.Buffer?.prototype.latin1Slice;
const encoder = host.TextEncoder === undefined ? undefined : new host.TextEncoder();

/** A shorter text is made character by character: a call of the host takes 55 ns. */
const SHORT_LENGTH = 8;
/** A longer text is written by the host: 100 characters take 90 ns, 180 one by one. */
const LONG_LENGTH = 32;

/** The text of the bytes from `start` to `end`, one character (0..255) per byte. */
export function decodeLatin1(bytes: Uint8Array, start = 0, end = bytes.length): string {
  if (latin1Slice !== undefined && end - start >= SHORT_LENGTH) return latin1Slice.call(bytes, start, end);
  return textOf(bytes, start, end);
}

/** Eight characters a call: 100 take 320 ns, one by one 800, in one call with a list of arguments 350. */
export function textOf(bytes: Uint8Array, start: number, end: number): string {
  const code = (at: number): number => bytes[at] as number;
  let text = "";
  let at = start;
  for (; at + 8 <= end; at += 8) {
    text += String.fromCharCode(
      code(at),
      code(at + 1),
      code(at + 2),
      code(at + 3),
      code(at + 4),
      code(at + 5),
      code(at + 6),
      code(at + 7),
    );
  }
  for (; at < end; at++) text += String.fromCharCode(code(at));
  return text;
}

/**
 * Puts a byte for each character at `at`, where there must be room for them. Gives the position of the first character that is not
 * in `least` (0 or 1) to 255, or -1 when all are.
 */
export function putLatin1(text: string, bytes: Uint8Array, at: number, least: number): number {
  const { length } = text;
  if (encoder !== undefined && length >= LONG_LENGTH) {
    const { read, written } = encoder.encodeInto(text, bytes.subarray(at, at + length));
    // As many bytes as characters: then it is ASCII, which UTF-8 and latin1 have in common.
    if (read === length && written === length && (least === 0 || !text.includes("\0"))) return -1;
  }
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code < least || code > 0xff) return index;
    bytes[at + index] = code;
  }
  return -1;
}

/** Longer texts are not kept in memory that is used again. */
const KEPT_LENGTH = 16 * 1024;
let kept = new Uint8Array(0);

/**
 * The codes of a text that is ASCII, from the first on, in memory that the next call uses again. Undefined for other texts, and
 * where one by one is as fast.
 */
export function asciiOf(text: string): Uint8Array | undefined {
  const { length } = text;
  if (encoder === undefined || length < LONG_LENGTH || length > KEPT_LENGTH) return undefined;
  if (kept.length < length) kept = new Uint8Array(Math.min(2 * length, KEPT_LENGTH));
  const { read, written } = encoder.encodeInto(text, kept);
  return read === length && written === length ? kept : undefined;
}

/** The bytes of a text. Throws RangeError at a character over 255, which has no byte here. */
export function encodeLatin1(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  const wrong = putLatin1(text, bytes, 0, 0);
  if (wrong >= 0) {
    throw new RangeError(`text must be characters in 0..255, got ${text.charCodeAt(wrong)} at position ${wrong}`);
  }
  return bytes;
}

/**
 * A peer's text made safe to print: control characters (0..31, 127..159, which a terminal obeys) as `\xNN`.
 * For display only, it cannot be undone.
 */
export function escapeControls(text: string): string {
  let safe = "";
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    safe += control ? `\\x${code.toString(16).padStart(2, "0")}` : text[i];
  }
  return safe;
}
