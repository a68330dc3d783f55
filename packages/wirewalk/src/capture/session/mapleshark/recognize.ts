/**
 * Whether a file is one of MapleShark's, by its first bytes: it has no magic (sheet 4).
 *
 * ```ts
 * import { isMsb } from "wirewalk/capture";
 * import { parseHex } from "wirewalk/wire";
 *
 * isMsb(parseHex("12 20 08 00 53 00 88 13 00 00 e4 e8 5e e5 db 08 00 80 29 00")); // => true
 * isMsb(parseHex("d4 c3 b2 a1 02 00 04 00 00 00 00 00 00 00 00 00 00 00 04 00")); // => false
 * ```
 *
 * @module
 */
import { Candidate } from "./trial.ts";
import { FIRST_VERSION, layoutsOf, OLDEST_VERSION } from "./versions.ts";

/** Short heads, with which other files may begin by chance: a second record must follow the first one, or the end of the file. */
const weakHeads: readonly string[] = ["oldest", "ports"];

/** A file that begins with so many bytes of printable ASCII and white space is a text: no file of MapleShark begins so. */
const TEXT_BYTES = 20;

/**
 * True for the start of a file whose head can be read and whose first record has a time, a size and a direction. Give it 4 KiB, or the
 * whole of a shorter file. A file without a record is not recognized.
 */
export function isMsb(start: Uint8Array): boolean {
  const first = (start[0] ?? 0) | ((start[1] ?? 0) << 8);
  // No game has a build 0. RSProx's files begin with it.
  if (first === 0 || isText(start)) return false;
  const layouts = layoutsOf(first < FIRST_VERSION ? OLDEST_VERSION : first) ?? [];
  return layouts.some((layout) => {
    const isWeak = weakHeads.includes(layout.head);
    const candidate = new Candidate(layout, isWeak ? 2 : 1);
    candidate.read(start, false);
    if (candidate.error !== undefined) return false;
    return candidate.heads > (isWeak && candidate.offset !== start.length ? 1 : 0);
  });
}

function isText(start: Uint8Array): boolean {
  const isTextByte = (byte: number): boolean => (byte >= 0x20 && byte < 0x7f) || (byte >= 9 && byte <= 13);
  return start.subarray(0, TEXT_BYTES).every(isTextByte);
}
