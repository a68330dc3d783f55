/** Words on a drawing. */
import type { Palette } from "./palette.ts";

/** Characters of a name over a head: peers choose their names, and may choose long ones. */
const LONGEST_NAME = 20;

/** A name that fits over a head. */
export function shortName(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}

/** Of a name over a head: strong for the own player and the selected one. */
export function nameFont(isStrong: boolean): string {
  return `${isStrong ? "600 " : ""}11px system-ui, sans-serif`;
}

/** Height of a name, in CSS pixels. */
export const NAME_PX = 13;

/** Of words in a frame. */
export const TAG_FONT = nameFont(true);

/** Words in a frame, centred on a place. Gives where they stand. */
export function drawTag(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  text: string,
  colour: string,
  palette: Palette,
): Box {
  context.font = TAG_FONT;
  const width = context.measureText(text).width + 12;
  // Within the canvas, or the words at a wall could not be read.
  const ratio = context.getTransform().a || 1;
  const right = context.canvas.width / ratio - width / 2 - 4;
  const middle = Math.min(right, Math.max(width / 2 + 4, x));
  const centre = Math.min(context.canvas.height / ratio - 12, y);
  context.beginPath();
  context.roundRect(middle - width / 2, centre - 9, width, 18, 4);
  context.fillStyle = palette.panel;
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = colour;
  context.stroke();
  context.fillStyle = palette.text;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, middle, centre + 0.5);
  return { left: middle - width / 2, right: middle + width / 2, top: centre - 9, bottom: centre + 9 };
}

/** In CSS pixels of a drawing. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A label is lifted over others so many times at most: farther up, it would belong to no head. */
const MOST_LIFTS = 4;

/** Space between labels, and between a label and the edge of the drawing, in CSS pixels. */
const GAP_PX = 2;

/**
 * The labels of one picture: one that would lie on an earlier one is lifted over it, or put under it at the upper edge, so the most
 * important comes first. Many labels are not looked through: beyond `most` each stays at its place.
 */
export class LabelSpace {
  readonly #width: number;
  readonly #most: number;
  readonly #taken: Box[] = [];

  constructor(width: number, most = 60) {
    this.#width = width;
    this.#most = most;
  }

  /** The middle and the lower edge of a label that belongs at `x` and `y`: within the drawing. */
  place(x: number, y: number, width: number, height: number): { readonly x: number; readonly y: number } {
    const half = width / 2;
    const middle = Math.max(half + GAP_PX, Math.min(this.#width - half - GAP_PX, x));
    const boxAt = (bottom: number): Box => ({
      left: middle - half,
      right: middle + half,
      top: bottom - height,
      bottom,
    });
    let box = boxAt(Math.max(y, height));
    let rises = true;
    for (let lift = 0; lift < MOST_LIFTS && this.#taken.length < this.#most; lift++) {
      const other = this.#taken.find((each) => isOver(each, box));
      if (other === undefined) break;
      rises &&= other.top - GAP_PX - height >= 0;
      box = boxAt(rises ? other.top - GAP_PX : other.bottom + GAP_PX + height);
    }
    this.#taken.push(box);
    return { x: middle, y: box.bottom };
  }

  /** Words that stand where they stand: later labels are lifted over them. */
  take(box: Box): void {
    this.#taken.push(box);
  }
}

export function isOver(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Words that are read on whatever lies behind them, in the font and colour that are set. */
export function haloText(
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  palette: Palette,
): void {
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = palette.scene;
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}
