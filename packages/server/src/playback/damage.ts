import type { Recording } from "@wirewalk/recording";

/** Says in a sentence which parts of a recording cannot be read, as far as it has been read; null while there are none. */
export function damageOf({ damage }: Recording): string | null {
  const [first] = damage;
  if (first === undefined) return null;
  const parts = damage.length === 1 ? "A part" : `${damage.length} parts`;
  const where = `bytes ${first.start} to ${first.end} (${first.reason})`;
  return `${parts} of the file cannot be read: ${damage.length === 1 ? "" : "first "}${where}`;
}
