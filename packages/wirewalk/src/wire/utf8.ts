/**
 * UTF-8 as text, without a host's `TextDecoder`: names in archives and values in text files.
 *
 * ```ts
 * import { decodeUtf8, parseHex } from "wirewalk/wire";
 *
 * decodeUtf8(parseHex("4d c3 bc 6e 7a e2 82 ac")); // => "Münz€"
 * decodeUtf8(parseHex("61 ff 62")); // => "a\ufffdb"
 * ```
 *
 * @module
 */

import { decodeLatin1 } from "./latin1.ts";

/** U+FFFD, for bytes that are no character. */
const REPLACEMENT = 0xfffd;

/** Codes that become text at once: text character by character takes 50 times the memory. As arguments they are fewer than engines allow. */
const RUN_CODES = 1024;

/** The text of the bytes from `start` to `end`. Bytes that are no character become U+FFFD. */
export function decodeUtf8(bytes: Uint8Array, start = 0, end: number = bytes.length): string {
  let text = "";
  /** Characters one by one, before they become text. */
  let codes: number[] = [];
  const flush = (): void => {
    if (codes.length === 0) return;
    text += String.fromCharCode.apply(null, codes);
    codes = [];
  };
  for (let at = start; at < end; ) {
    let stop = at;
    while (stop < end && (bytes[stop] as number) < 0x80) stop += 1;
    if (stop > at) {
      flush();
      text += decodeLatin1(bytes, at, stop);
      at = stop;
      continue;
    }
    const lead = bytes[at++] as number;
    const more =
      lead >= 0xf0 && lead < 0xf5 ? 3 : lead >= 0xe0 && lead < 0xf0 ? 2 : lead >= 0xc2 && lead < 0xe0 ? 1 : 0;
    let code = more === 0 ? REPLACEMENT : lead & (0x3f >> more);
    let read = 0;
    while (read < more && at < end && ((bytes[at] as number) & 0xc0) === 0x80) {
      code = (code << 6) | ((bytes[at++] as number) & 0x3f);
      read += 1;
    }
    const isShort =
      read < more || (more === 2 && code < 0x800) || (more === 3 && (code < 0x1_0000 || code > 0x10_ffff));
    const isHalf = code >= 0xd800 && code < 0xe000;
    if (isShort || isHalf) codes.push(REPLACEMENT);
    else if (code < 0x1_0000) codes.push(code);
    else codes.push(0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
    if (codes.length >= RUN_CODES) flush();
  }
  flush();
  return text;
}
