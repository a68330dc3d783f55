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
