import type { Recording } from "@wirewalk/recording";

/** What of a recording cannot be read, in a sentence, as far as it was read; null while that is nothing. */
export function damageOf({ damage }: Recording): string | null {
  const [first] = damage;
  if (first === undefined) return null;
  const parts = damage.length === 1 ? "A part" : `${damage.length} parts`;
  const where = `bytes ${first.start} to ${first.end} (${first.reason})`;
  return `${parts} of the file cannot be read: ${damage.length === 1 ? "" : "first "}${where}`;
}
