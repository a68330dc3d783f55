/**
 * The game's strings: Windows-1252, one byte a character. Only 0x80..0x9F differ from latin1.
 *
 * ```ts
 * cp1252Code("€"); // => 0x80
 * cp1252Character(0x80); // => "€"
 * ```
 */

/** Characters of 0x80..0x9F. The five bytes that are none in Windows-1252 stand for themselves: any bytes survive. */
const special = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** The character of a byte. */
export function cp1252Character(byte: number): string {
  return byte >= 0x80 && byte <= 0x9f ? special.charAt(byte - 0x80) : String.fromCharCode(byte);
}

/** The byte of a character, or undefined when it has none. */
export function cp1252Code(character: string): number | undefined {
  const code = character.charCodeAt(0);
  if (code < 0x80 || (code > 0x9f && code <= 0xff)) return code;
  const at = special.indexOf(character);
  return at < 0 ? undefined : 0x80 + at;
}
