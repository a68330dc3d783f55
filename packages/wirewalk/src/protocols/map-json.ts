/** Map files that are JSON. */
import { MapError } from "./maps.ts";

export interface MapJsonLimits {
  /** Objects and lists: each takes 30 times the memory of its two brackets. */
  readonly containers: number;
  /** Commas, of which there is one for nearly each value: a value takes up to 16 bytes, and four characters of text. */
  readonly commas: number;
}

/**
 * Parses a text with bounded numbers of objects, lists and values. Throws {@link MapError} where it has more, and `SyntaxError` where it
 * is no JSON.
 */
export function parseMapJson(text: string, { containers, commas }: MapJsonLimits): unknown {
  if (hasMore(text, ["{", "["], containers)) throw new MapError(`more than ${containers} objects and lists`);
  if (hasMore(text, [","], commas)) throw new MapError(`more than ${commas} values`);
  return JSON.parse(text);
}

function hasMore(text: string, characters: readonly string[], most: number): boolean {
  let count = 0;
  for (const character of characters) {
    for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) {
      count += 1;
      if (count > most) return true;
    }
  }
  return false;
}
