/** Text and binary input told apart. */
import { decodeLatin1 } from "../../wire/index.ts";

/** What hosts have beside the language: Node, Bun and browsers. */
interface Host {
  readonly TextDecoder?: new (
    encoding: string,
    options: { readonly fatal: boolean },
  ) => { decode(bytes: Uint8Array): string };
}

/** Bytes 0..31 that a text may have: tab, line feed, form feed, carriage return. */
const TEXT_CONTROLS = new Set([9, 10, 12, 13]);

/**
 * The text that the bytes are: UTF-8, or UTF-16 with a byte order mark as PowerShell writes it. Undefined for binary bytes: control
 * characters other than tabs and line ends, or bytes that are not UTF-8.
 */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decode(bytes, "utf-16le");
  if (first === 0xfe && second === 0xff) return decode(bytes, "utf-16be");
  let isAscii = true;
  for (const byte of bytes) {
    if ((byte < 0x20 && !TEXT_CONTROLS.has(byte)) || byte === 0x7f) return undefined;
    if (byte > 0x7f) isAscii = false;
  }
  return isAscii ? decodeLatin1(bytes) : decode(bytes, "utf-8");
}

/** Undefined where the bytes are not of that encoding or hold control characters. */
function decode(bytes: Uint8Array, encoding: string): string | undefined {
  const { TextDecoder } = globalThis as Host;
  if (TextDecoder === undefined) return undefined;
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    return /[\0-\x08\x0b\x0e-\x1f\x7f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
