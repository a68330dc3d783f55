/**
 * Which known name an unknown one most likely means, for errors.
 *
 * ```ts
 * import { editDistance, nearest } from "wirewalk/wire";
 *
 * nearest("lenght", ["length", "limit"]); // => "length"
 * nearest("equals", ["from", "to"]); // => undefined
 * editDistance("lenght", "length"); // => 2
 * ```
 *
 * @module
 */

/** The number of characters to add, drop or change to turn one word into the other. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The known word that an unknown one most likely means; undefined when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const rated = known.map((name) => {
    const other = name.toLowerCase();
    // The start of a name means that name, however much is missing.
    const begins = lower.length >= 2 && other.startsWith(lower);
    return { name, distance: begins ? 0 : editDistance(lower, other) };
  });
  const best = rated.reduce<(typeof rated)[number] | undefined>(
    (a, b) => (a === undefined || b.distance < a.distance ? b : a),
    undefined,
  );
  if (best === undefined) return undefined;
  const isNear = best.distance <= Math.max(2, Math.ceil(best.name.length * 0.5)) && best.distance < best.name.length;
  return isNear ? best.name : undefined;
}
