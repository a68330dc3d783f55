/** The marks that the picture has now: what its legend says. */
import { signal } from "@preact/signals";

/** A mark of a picture, by the name of its sample in the style sheet. */
export type Mark =
  | "accused"
  | "claimed"
  | "server"
  | "possible"
  | "tolerated"
  | "from"
  | "within"
  | "beyond"
  | "at"
  | "edge"
  | "here"
  | "piece"
  | "strokes";

export const drawnMarks = signal<readonly Mark[]>([]);

/** Nothing changes where they are as they were: a picture is drawn sixty times a second. */
export function showMarks(marks: ReadonlySet<Mark>): void {
  const before = drawnMarks.peek();
  if (before.length === marks.size && before.every((mark) => marks.has(mark))) return;
  drawnMarks.value = [...marks];
}
