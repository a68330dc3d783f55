/** Where the words of a picture stand: within it, and not on marks or other words. Pure, in CSS pixels. */
import { type Box, isOver } from "../games/labels.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Directions from a mark, the best first. */
const sides: Readonly<Record<"above" | "below", readonly (readonly [x: number, y: number])[]>> = {
  above: [
    [0, -1],
    [0, 1],
    [1, 0],
    [-1, 0],
    [1, -1],
    [-1, -1],
    [1, 1],
    [-1, 1],
  ],
  below: [
    [0, 1],
    [1, 0],
    [-1, 0],
    [0, -1],
    [1, 1],
    [-1, 1],
    [1, -1],
    [-1, -1],
  ],
};

/** Between a mark and its words, and farther away where that is taken. */
const distances = [8, 26, 46, 70, 100, 140];
const EDGE_PX = 3;

/** The box of words about a mark. Where all places are taken it is the one that covers least. */
export function placeWords(
  mark: Point & { readonly radius: number },
  words: Size,
  within: Size,
  taken: readonly Box[],
  side: "above" | "below" = "above",
): Box {
  let best: Box | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const distance of distances) {
    for (const [right, down] of sides[side]) {
      const x = mark.x + right * (mark.radius + distance + words.width / 2);
      const y = mark.y + down * (mark.radius + distance + words.height / 2);
      const box = inside({ x, y }, words, within);
      const covered = taken.reduce((sum, other) => sum + overlapOf(box, other), 0);
      if (covered === 0) return box;
      if (covered >= least) continue;
      least = covered;
      best = box;
    }
  }
  return best ?? inside(mark, words, within);
}

/** The box around a place, moved into the picture. */
export function inside({ x, y }: Point, { width, height }: Size, within: Size): Box {
  const clamp = (value: number, most: number): number => Math.max(EDGE_PX, Math.min(most - EDGE_PX, value));
  const left = clamp(x - width / 2, within.width - width);
  const top = clamp(y - height / 2, within.height - height);
  return { left, top, right: left + width, bottom: top + height };
}

/** The corner of the picture in which a panel covers least. */
export function placePanel(panel: Size, within: Size, taken: readonly Box[]): Box {
  const corners = [
    { x: within.width, y: 0 },
    { x: 0, y: 0 },
    { x: within.width, y: within.height },
    { x: 0, y: within.height },
  ].map((corner) => inside(corner, panel, within));
  const covered = corners.map((box) => taken.reduce((sum, other) => sum + overlapOf(box, other), 0));
  return corners[covered.indexOf(Math.min(...covered))] ?? inside({ x: 0, y: 0 }, panel, within);
}

function overlapOf(a: Box, b: Box): number {
  if (!isOver(a, b)) return 0;
  return (
    (Math.min(a.right, b.right) - Math.max(a.left, b.left)) * (Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top))
  );
}
