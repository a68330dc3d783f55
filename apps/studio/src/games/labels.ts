/** Words on a drawing. */
import type { Palette } from "./palette.ts";

/** Characters of a name over a head: peers choose their names, and may choose long ones. */
const LONGEST_NAME = 20;

/** A name that fits over a head. */
export function shortName(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}

/** Words in a frame, centred on a place. */
export function drawTag(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  text: string,
  colour: string,
  palette: Palette,
): void {
  context.font = "600 11px system-ui, sans-serif";
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
