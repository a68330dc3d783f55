/** One row of a dump: groups of digits, and perhaps the same bytes as ASCII beside them. */

/** How the digits of a row become bytes. */
export interface DumpScheme {
  readonly name: "hex" | "reversed" | "octal" | "octalWords" | "bits";
  /** A group of digits. */
  readonly group: RegExp;
  bytesOf(group: string): readonly number[];
}

function hexBytes(group: string): number[] {
  const bytes: number[] = [];
  for (let at = 0; at < group.length; at += 2) bytes.push(Number.parseInt(group.slice(at, at + 2), 16));
  return bytes;
}

const HEX_GROUP = /^(?:[\da-f]{2}){1,16}$/i;

/** `xxd`, `hexdump -C`, Wireshark, `od -t x1`: bytes in their order. */
const hex: DumpScheme = { name: "hex", group: HEX_GROUP, bytesOf: hexBytes };

/** `xxd -e`, `hexdump`, `od -x`, `od -t x4`: words of a little-endian machine. */
const reversed: DumpScheme = { name: "reversed", group: HEX_GROUP, bytesOf: (group) => hexBytes(group).reverse() };

/** `od -b`, `hexdump -b`. */
const octal: DumpScheme = {
  name: "octal",
  group: /^[0-3][0-7]{2}$/,
  bytesOf: (group) => [Number.parseInt(group, 8)],
};

/** `od` without flags: words of 16 bits, little-endian. */
const octalWords: DumpScheme = {
  name: "octalWords",
  group: /^[01][0-7]{5}$/,
  bytesOf(group) {
    const word = Number.parseInt(group, 8);
    return [word & 0xff, word >> 8];
  },
};

/** `xxd -b`. */
const bits: DumpScheme = { name: "bits", group: /^[01]{8}$/, bytesOf: (group) => [Number.parseInt(group, 2)] };

/** With a colon after the offset, as `xxd` writes it. The first that fits is taken. */
export const colonSchemes: readonly DumpScheme[] = [hex, reversed, bits];
/** Without one, groups of one byte. */
export const byteSchemes: readonly DumpScheme[] = [hex, octal];
/** Without one, wider groups. */
export const wordSchemes: readonly DumpScheme[] = [reversed, hex, octalWords];

/** Bytes of a row: `xxd -c` allows 256. */
const MAX_ROW_BYTES = 256;
/** Characters of a row of {@link MAX_ROW_BYTES} as bits with ASCII, and some more. */
const MAX_ROW_CHARACTERS = 4096;

/** The bytes of a row, or why it has none. */
export type RowBytes =
  | { readonly bytes: Uint8Array; readonly hasAscii: boolean; readonly groupBytes: number; readonly why?: undefined }
  | { readonly why: string };

interface Group {
  readonly text: string;
  /** Where the next character stands. */
  readonly end: number;
}

/** A word with fewer bytes at the end of a row: `xxd -e` fills it up on the left, all others on the right. */
function isRightAligned(rest: string, groups: readonly Group[]): boolean {
  const width = groups[0]?.text.length ?? 0;
  return groups.some(({ text, end }, index) => {
    const before = groups[index - 1];
    if (before === undefined || before.text.length !== width || text.length >= width) return false;
    const gap = end - text.length - before.end;
    return gap === 1 + width - text.length && rest[end - text.length - 1] === " ";
  });
}

/**
 * Reads what follows the offset. Where the bytes end and the ASCII begins is decided by the ASCII: it says the same as the bytes.
 * Without such a text the row has as many bytes as `expected` says, or else all groups up to the first gap with other text behind.
 */
export function readRow(rest: string, scheme: DumpScheme, expected: number | undefined): RowBytes {
  if (rest.length > MAX_ROW_CHARACTERS) return { why: `a row of more than ${MAX_ROW_CHARACTERS} characters` };
  const groups: Group[] = [];
  for (const { 0: text, index } of rest.matchAll(/\S+/g)) {
    if (!scheme.group.test(text)) break;
    groups.push({ text, end: index + text.length });
    if (groups.length > MAX_ROW_BYTES) return { why: `a row of more than ${MAX_ROW_BYTES} bytes` };
  }
  if (scheme === hex && isRightAligned(rest, groups)) return { why: "the last word is on the right, as of xxd -e" };
  const bytes = groups.flatMap(({ text }) => scheme.bytesOf(text));
  if (bytes.length > MAX_ROW_BYTES) return { why: `a row of more than ${MAX_ROW_BYTES} bytes` };
  const groupBytes = scheme.bytesOf(groups[0]?.text ?? "").length;
  const result = (length: number, hasAscii: boolean): RowBytes => ({
    bytes: Uint8Array.from(bytes.slice(0, length)),
    hasAscii,
    groupBytes,
  });
  let length = bytes.length;
  for (let index = groups.length - 1; index >= 0; index--) {
    const { end, text } = groups[index] as Group;
    if (/[\s|>]/.test(rest.slice(end + 1, end + 2)) && saysTheSame(rest.slice(end), bytes, length))
      return result(length, true);
    length -= scheme.bytesOf(text).length;
  }
  const isEnd = (at: number): boolean => /^(?:\s{2}|\s*$|\s*[|>])/.test(rest.slice(at));
  for (const { end, text } of groups) {
    length += scheme.bytesOf(text).length;
    if (length === expected && isEnd(end)) return result(length, false);
  }
  if (groups.length === 0) return { why: `${JSON.stringify(rest.slice(0, 12))} is not a group of digits` };
  const end = groups.at(-1)?.end ?? 0;
  if (isEnd(end)) return result(bytes.length, false);
  return { why: `${JSON.stringify(rest.slice(end).trim().slice(0, 12))} is not a group of digits` };
}

/** Whether the text beside the bytes is the bytes: printable ASCII as it is, all else as a dot; perhaps in `|` or `>` and `<`. */
function saysTheSame(tail: string, bytes: readonly number[], length: number): boolean {
  const trimmed = tail.trimEnd();
  if (trimmed === "") return false;
  const framed = /^\s*(?:\|(.*)\||>(.*)<)$/s.exec(trimmed);
  const inFrame = framed?.[1] ?? framed?.[2];
  if (inFrame?.length === length && matchesAscii(inFrame, bytes)) return true;
  // Spaces at the end are often lost.
  let shown = length;
  while (shown > 0 && bytes[shown - 1] === 0x20) shown -= 1;
  const at = trimmed.length - shown;
  return shown > 0 && at > 0 && isGap(trimmed.slice(0, at)) && matchesAscii(trimmed.slice(at), bytes);
}

function isGap(text: string): boolean {
  return text.trim() === "";
}

/** The bytes as the text has characters. */
function matchesAscii(text: string, bytes: readonly number[]): boolean {
  for (let index = 0; index < text.length; index++) {
    const byte = bytes[index] as number;
    const character = text[index] as string;
    const isPrintable = byte >= 0x20 && byte < 0x7f;
    if (isPrintable ? character.charCodeAt(0) !== byte : character !== "." && character !== "·") return false;
  }
  return true;
}
