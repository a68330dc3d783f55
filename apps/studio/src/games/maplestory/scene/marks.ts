/** A shape and a colour for each kind of fragment: no kind is shown by its colour alone. */
import type { FragmentKind } from "wirewalk/maplestory";
import type { PaletteWith } from "../../palette.ts";

/** Custom properties of this game's style sheet. */
export const mapleColours = [
  "maple-absolute",
  "maple-fallDown",
  "maple-relative",
  "maple-instant",
  "maple-startFallDown",
  "maple-equipment",
  "maple-jumpDown",
  "maple-bare",
  "maple-flyingBlock",
  "maple-ground",
  "maple-monster",
  "maple-portal",
  "maple-wall",
  "maple-conveyor",
] as const;

export type MaplePalette = PaletteWith<(typeof mapleColours)[number]>;

export function kindColour(palette: MaplePalette, kind: FragmentKind): string {
  return palette[`maple-${kind}`];
}

/** Traces the kind's shape around a place, for `fill` and `stroke`. */
export function traceMark(
  context: CanvasRenderingContext2D,
  kind: FragmentKind,
  x: number,
  y: number,
  r: number,
): void {
  context.beginPath();
  switch (kind) {
    case "absolute":
      context.arc(x, y, r, 0, 2 * Math.PI);
      return;
    case "fallDown":
      polygon(context, x, y, [0, -r * 1.35, r * 1.35, 0, 0, r * 1.35, -r * 1.35, 0]);
      return;
    case "relative":
      polygon(context, x, y, [0, -r * 1.5, r * 1.4, r, -r * 1.4, r]);
      return;
    case "startFallDown":
    case "jumpDown":
      polygon(context, x, y, [0, r * 1.5, r * 1.4, -r, -r * 1.4, -r]);
      return;
    case "instant":
      context.rect(x - r * 1.1, y - r * 1.1, r * 2.2, r * 2.2);
      return;
    case "flyingBlock":
      context.rect(x - r * 1.4, y - r * 0.7, r * 2.8, r * 1.4);
      return;
    case "bare":
      context.rect(x - r * 1.3, y - r * 0.35, r * 2.6, r * 0.7);
      return;
    case "equipment": {
      const arm = r * 0.5;
      const far = r * 1.5;
      polygon(context, x, y, [
        ...[-arm, -far, arm, -far, arm, -arm, far, -arm, far, arm, arm, arm],
        ...[arm, far, -arm, far, -arm, arm, -far, arm, -far, -arm, -arm, -arm],
      ]);
      return;
    }
  }
}

function polygon(context: CanvasRenderingContext2D, x: number, y: number, points: readonly number[]): void {
  for (let index = 0; index + 1 < points.length; index += 2) {
    context.lineTo(x + (points[index] ?? 0), y + (points[index + 1] ?? 0));
  }
  context.closePath();
}
