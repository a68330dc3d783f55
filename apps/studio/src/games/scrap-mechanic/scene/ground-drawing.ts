/** The ground from above: lines, a scale, ways that were gone, and where a prediction was moved. */
import type { FittedCanvas } from "../../../draw/canvas.ts";
import type { TrailPoint } from "../../../feed/track-buffer.ts";
import { haloText } from "../../labels.ts";
import type { Palette } from "../../palette.ts";
import { type Camera, gridStep, type Point, toScreen } from "../play/camera.ts";
import type { Correction } from "../play/own-character.ts";

/** Lines of the grid are this far apart at least; every fifth is stronger. */
const GRID_PX = 22;
const STRONG_EVERY = 5;

/** What a correction measures at least on the drawing: most are of millimetres. */
const LEAST_CORRECTION_PX = 4;

/** A plain with lines, the world's axes stronger. */
export function drawGround(fitted: FittedCanvas, camera: Camera, palette: Palette): void {
  const { context, width, height } = fitted;
  context.clearRect(0, 0, width, height);
  context.fillStyle = palette.scene;
  context.fillRect(0, 0, width, height);
  const step = gridStep(camera.scale, GRID_PX);
  const left = camera.x - width / 2 / camera.scale;
  const bottom = camera.y - height / 2 / camera.scale;
  for (const strong of [false, true]) {
    context.beginPath();
    for (let line = Math.ceil(left / step); line * step < left + width / camera.scale; line++) {
      if ((line % STRONG_EVERY === 0) !== strong) continue;
      const { x } = toScreen(camera, fitted, { x: line * step, y: 0 });
      context.moveTo(Math.round(x) + 0.5, 0);
      context.lineTo(Math.round(x) + 0.5, height);
    }
    for (let line = Math.ceil(bottom / step); line * step < bottom + height / camera.scale; line++) {
      if ((line % STRONG_EVERY === 0) !== strong) continue;
      const { y } = toScreen(camera, fitted, { x: 0, y: line * step });
      context.moveTo(0, Math.round(y) + 0.5);
      context.lineTo(width, Math.round(y) + 0.5);
    }
    context.lineWidth = 1;
    context.strokeStyle = strong ? palette["scene-solid"] : palette["scene-grid"];
    context.stroke();
  }
  drawOrigin(fitted, camera, palette);
}

function drawOrigin(fitted: FittedCanvas, camera: Camera, palette: Palette): void {
  const { context } = fitted;
  const { x, y } = toScreen(camera, fitted, { x: 0, y: 0 });
  context.strokeStyle = palette["scene-edge"];
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x - 6, y);
  context.lineTo(x + 6, y);
  context.moveTo(x, y - 6);
  context.lineTo(x, y + 6);
  context.stroke();
}

/** How long a line of the grid's is, at the lower left. */
export function drawScale(fitted: FittedCanvas, camera: Camera, palette: Palette): void {
  const { context, height } = fitted;
  const metres = gridStep(camera.scale, 48);
  const [left, right, y] = [12, 12 + metres * camera.scale, height - 12];
  context.save();
  context.strokeStyle = palette["text-dim"];
  context.fillStyle = palette["text-dim"];
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(left, y - 4);
  context.lineTo(left, y);
  context.lineTo(right, y);
  context.lineTo(right, y - 4);
  context.stroke();
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  haloText(context, `${metres} m`, left + 4, y - 4, palette);
  context.restore();
}

/** A line that fades towards where it came from. */
export function drawTrail(
  fitted: FittedCanvas,
  camera: Camera,
  points: readonly TrailPoint[],
  head: Point,
  colour: string,
): void {
  const { context } = fitted;
  context.save();
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.lineCap = "round";
  const all = [...points, { x: head.x, y: head.y, age: 0 }];
  for (let index = 1; index < all.length; index++) {
    const [from, to] = [all[index - 1], all[index]];
    if (from === undefined || to === undefined) continue;
    const [start, end] = [toScreen(camera, fitted, from), toScreen(camera, fitted, to)];
    context.globalAlpha = 0.5 * Math.max(0, 1 - from.age) ** 1.5;
    context.beginPath();
    context.moveTo(start.x, start.y);
    context.lineTo(end.x, end.y);
    context.stroke();
  }
  context.restore();
}

/** Where reconciliation has moved the prediction: from the ring to the dot. `age` 0 is now, 1 is gone. */
export function drawCorrection(
  fitted: FittedCanvas,
  camera: Camera,
  { fromX, fromY, toX, toY }: Correction,
  age: number,
  palette: Palette,
): void {
  const { context } = fitted;
  const from = toScreen(camera, fitted, { x: fromX, y: fromY });
  const to = toScreen(camera, fitted, { x: toX, y: toY });
  const px = Math.hypot(to.x - from.x, to.y - from.y);
  context.save();
  context.globalAlpha = Math.min(1, (1 - age) * 1.5);
  context.strokeStyle = palette.correct;
  context.fillStyle = palette.correct;
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(from.x, from.y, LEAST_CORRECTION_PX, 0, 2 * Math.PI);
  context.stroke();
  if (px > LEAST_CORRECTION_PX) {
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.stroke();
  }
  context.beginPath();
  context.arc(to.x, to.y, 1.8, 0, 2 * Math.PI);
  context.fill();
  context.restore();
}
