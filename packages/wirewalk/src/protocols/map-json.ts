/** Map files that are JSON. */
import { MapError } from "./maps.ts";

/**
 * Parses a text with at most so many objects and lists: each takes 30 times the memory of its two brackets. Throws {@link MapError} where it
 * has more, and `SyntaxError` where it is no JSON.
 */
export function parseMapJson(text: string, maxContainers: number): unknown {
  let containers = 0;
  for (const bracket of ["{", "["]) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      containers += 1;
      if (containers > maxContainers) throw new MapError(`more than ${maxContainers} objects and lists`);
    }
  }
  return JSON.parse(text);
}
