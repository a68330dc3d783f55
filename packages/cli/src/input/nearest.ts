import { editDistance, nearest } from "wirewalk/wire";

/** The known words that an unknown one may mean, the nearest first. */
export function nearestNames(word: string, known: readonly string[], most = 3): readonly string[] {
  const lower = word.toLowerCase();
  const rated = known
    .map((name) => {
      const other = name.toLowerCase();
      const isPart = lower.length >= 3 && (other.includes(lower) || lower.includes(other));
      return { name, distance: isPart ? 0.5 : editDistance(lower, other) };
    })
    .filter(({ name, distance }) => distance <= Math.max(2, Math.ceil(name.length * 0.4)) && distance < name.length)
    .sort((a, b) => a.distance - b.distance);
  // Those that are much further than the nearest one are noise.
  const furthest = (rated[0]?.distance ?? 0) + 2;
  return rated
    .filter(({ distance }) => distance <= furthest)
    .slice(0, most)
    .map(({ name }) => name);
}

/** Names in one sentence. */
const MOST_NAMES = 40;

/** The end of a sentence about an unknown word: the parts of a game, the nearest known one, or all when none is near; of many the first ones. */
export function suggest(word: string, known: readonly string[]): string {
  if (known.length === 0) return "; none is known";
  const parts = known.filter((name) => name.startsWith(`${word}/`));
  if (parts.length > 1) return `; did you mean ${parts.join(" or ")}?`;
  const near = nearest(word, known);
  if (near !== undefined) return `; did you mean ${near}?`;
  const more = known.length > MOST_NAMES ? ` and ${known.length - MOST_NAMES} more` : "";
  return `; known are ${known.slice(0, MOST_NAMES).join(", ")}${more}`;
}

/** Numbers in one sentence. */
const MOST_NUMBERS = 6;

/** The same where all known words are numbers, and there are many: how many, the nearest by value, and the nearest by its digits. */
export function suggestNumbers(word: string, known: readonly string[]): string {
  const isNumber = (text: string): boolean => /^\d+$/.test(text);
  if (known.length <= MOST_NUMBERS || !known.every(isNumber)) return suggest(word, known);
  const byValue = (text: string): number => Math.abs(Number(text) - Number(word));
  const count = known.length.toLocaleString("en");
  const typed = nearest(word, known);
  if (!isNumber(word)) return typed === undefined ? `; all ${count} are numbers` : suggest(word, known);
  const near = new Set([...known].sort((a, b) => byValue(a) - byValue(b)).slice(0, MOST_NUMBERS));
  if (typed !== undefined) near.add(typed);
  return `; of ${count} the nearest are ${[...near].sort((a, b) => Number(a) - Number(b)).join(", ")}`;
}
