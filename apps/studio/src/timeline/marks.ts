/** What stands on the time line: the messages of the wire, verdicts and corrections. Pure. */
import type { FeedVerdict } from "@wirewalk/server/feed";
import type { Inspected } from "../app/inspected.ts";
import type { WireEntry } from "../feed/wire-log.ts";

/** Rows of the time line, from above. */
export const lanes = ["from the server", "to the server", "verdicts"] as const;

export interface Mark {
  /** Place of its row in `lanes`. */
  readonly lane: 0 | 1 | 2;
  readonly kind: "packet" | "verdict" | "correction";
  /** Of the page's clock. */
  readonly atMs: number;
  readonly of: Inspected;
}

/** Marks between two times, oldest first. Verdicts that only note honest play are left out. */
export function marksOf(
  entries: readonly WireEntry[],
  verdicts: readonly FeedVerdict[],
  pageTime: (serverMs: number) => number | undefined,
  [fromMs, toMs]: readonly [number, number],
): readonly Mark[] {
  const marks: Mark[] = [];
  for (const entry of entries) {
    if (entry.atMs < fromMs || entry.atMs > toMs) continue;
    marks.push({
      lane: entry.sender === "server" ? 0 : 1,
      kind: "packet",
      atMs: entry.atMs,
      of: { kind: "entry", entry },
    });
  }
  for (const verdict of verdicts) {
    const atMs = pageTime(verdict.atMs);
    if (atMs === undefined || atMs < fromMs || atMs > toMs || verdict.kind === "benign") continue;
    const kind = verdict.kind === "correct" ? "correction" : "verdict";
    marks.push({ lane: 2, kind, atMs, of: { kind: "verdict", verdict } });
  }
  return marks.sort((a, b) => a.atMs - b.atMs);
}

/** The next mark after a time, or the last one before it. */
export function nextMark(marks: readonly Mark[], atMs: number, by: 1 | -1): Mark | undefined {
  // Within a millisecond is the mark itself.
  return by === 1 ? marks.find((mark) => mark.atMs > atMs + 1) : marks.findLast((mark) => mark.atMs < atMs - 1);
}

/** The mark nearest to a place, within so many pixels of it. */
export function markNear(
  marks: readonly Mark[],
  { x, lane, within }: { readonly x: number; readonly lane: number; readonly within: number },
  xOf: (atMs: number) => number,
): Mark | undefined {
  let best: Mark | undefined;
  let bestPx = within;
  for (const mark of marks) {
    const px = Math.abs(xOf(mark.atMs) - x) + Math.abs(mark.lane - lane) * 4;
    if (px > bestPx) continue;
    bestPx = px;
    best = mark;
  }
  return best;
}
