/**
 * All parts in one new piece, one after another.
 *
 * @example
 * ```ts
 * formatHex(joinBytes([parseHex("01 02"), parseHex("03")])); // => "01 02 03"
 * ```
 */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
