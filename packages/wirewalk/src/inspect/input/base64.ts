/** Base64 (RFC 4648, sections 4 and 5) out of pasted text. */
import { quote, textError } from "./text-lines.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** By the character's code; -1 for others. The URL alphabet stands beside the usual one. */
const sextets = new Int8Array(128).fill(-1);
for (const [value, character] of [...ALPHABET].entries()) sextets[character.charCodeAt(0)] = value;
sextets["-".charCodeAt(0)] = 62;
sextets["_".charCodeAt(0)] = 63;

/** The bytes of one line. White space is skipped, padding may be missing. */
export function parseBase64(text: string, line: number): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4) + 1);
  let length = 0;
  let held = 0;
  let heldBits = 0;
  let characters = 0;
  let padding = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (/\s/.test(character)) continue;
    characters += 1;
    if (character === "=") {
      padding += 1;
      continue;
    }
    const value = sextets[text.charCodeAt(at)] ?? -1;
    if (value < 0) throw textError("base64", `${quote(character)} is not a digit of base64`, line, at + 1);
    if (padding > 0) throw textError("base64", "text after the padding", line, at + 1);
    held = ((held << 6) | value) & 0xfff;
    heldBits += 6;
    if (heldBits >= 8) {
      heldBits -= 8;
      bytes[length++] = (held >> heldBits) & 0xff;
    }
  }
  const isWhole = padding === 0 ? heldBits < 6 : padding <= 2 && characters % 4 === 0;
  if (!isWhole) throw textError("base64", "it ends inside a group of four", line, text.length + 1);
  // A sender leaves the bits after the last byte 0: others mean that the text is something else.
  if ((held & ((1 << heldBits) - 1)) !== 0) {
    throw textError("base64", "bits after the last byte are not 0", line, text.length + 1);
  }
  return bytes.slice(0, length);
}

/** Lines of a text without white space. */
const BASE64_LINE = /^[A-Za-z\d+/_-]+={0,2}$/;
/** Characters from which letters of both cases are evidence enough; shorter texts are often words. */
const LONG_CHARACTERS = 24;
/** Characters that are no hex digits: fewer are mistyped hex, unless they are a fifth of a short text. */
const SOME_CHARACTERS = 8;

/**
 * Whether lines are base64 and not hex: whole groups of four, and padding, or letters of both cases with a digit, `+` or `/` or in a
 * long text, of which enough are no hex digits.
 */
export function looksLikeBase64(lines: readonly string[]): boolean {
  const trimmed = lines.map((line) => line.trim());
  if (!trimmed.every((line) => BASE64_LINE.test(line) && line.length % 4 === 0)) return false;
  const all = trimmed.join("");
  if (all.endsWith("=")) return true;
  const others = all.replaceAll(/[\da-fA-F=]/g, "").length;
  if (others < SOME_CHARACTERS && others * 5 < all.length) return false;
  const hasBothCases = /[a-z]/.test(all) && /[A-Z]/.test(all);
  return hasBothCases && (all.length >= LONG_CHARACTERS || /[\d+/]/.test(all));
}
