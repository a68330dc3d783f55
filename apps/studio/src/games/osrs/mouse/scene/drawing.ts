/** Draws the window and the mice in it. Coordinates are pixels of the game's window. */
import { GAME_HEIGHT, GAME_WIDTH } from "wirewalk/osrs/mouse";
import type { FittedCanvas } from "../../../../draw/canvas.ts";
import { haloText, nameFont, shortName } from "../../../labels.ts";
import type { PaletteWith } from "../../../palette.ts";
import type { Reading } from "../play/sessions.ts";
import type { DrawnPath, PacketEnd, PathRest, Pointer } from "./path.ts";
import { FASTEST_PX_PER_SECOND, SPEED_LEVELS, speedLevel, speedStops } from "./speed-ramp.ts";

/** Custom properties of this game's style sheet. */
export const mouseColours = [...speedStops, "mouse-rest", "mouse-human", "mouse-unclear", "mouse-machine"] as const;

export type MousePalette = PaletteWith<(typeof mouseColours)[number]>;

/** Steps in which a path fades: lines of one colour and step are drawn at once. */
const AGE_LEVELS = 4;

/** Distance of the lines behind, in the window's pixels. */
const GRID_PX = 51;

/** A session as it is drawn. */
export interface Figure {
  readonly path: DrawnPath;
  readonly reading: Reading;
  readonly own: boolean;
  readonly selected: boolean;
  /** Undefined while names are not shown. */
  readonly label: string | undefined;
}

/** A canvas that shows a window of so many pixels across. */
export interface FittedWindow extends FittedCanvas {
  readonly gameWidth: number;
}

/** A window grows by so many pixels at once, so that its drawing does not change with every movement. */
const GROWTH_PX = 85;

/** Pixels across a window that has all pointers in it, and is no smaller than before: clients of other servers may have larger ones than ours. */
export function windowWidth(figures: readonly { readonly path: DrawnPath }[], beforePx: number): number {
  let needed = beforePx;
  for (const { path } of figures) {
    const { pointer } = path;
    if (pointer === undefined || pointer.stance === "unknown") continue;
    needed = Math.max(needed, pointer.x + 1, ((pointer.y + 1) * GAME_WIDTH) / GAME_HEIGHT);
  }
  return needed <= beforePx ? beforePx : Math.ceil(needed / GROWTH_PX + 1) * GROWTH_PX;
}

/** From the window's pixels to CSS pixels of the canvas. */
function scaleOf({ width, gameWidth }: FittedWindow): number {
  return width / gameWidth;
}

/** The empty window. */
export function drawWindow(fitted: FittedWindow, palette: MousePalette): void {
  const { context, width, height } = fitted;
  const step = GRID_PX * scaleOf(fitted);
  context.clearRect(0, 0, width, height);
  context.fillStyle = palette.scene;
  context.fillRect(0, 0, width, height);
  context.strokeStyle = palette["scene-grid"];
  context.lineWidth = 1;
  context.beginPath();
  for (let x = step; x < width - 1; x += step) {
    context.moveTo(x, 0);
    context.lineTo(x, height);
  }
  for (let y = step; y < height - 1; y += step) {
    context.moveTo(0, y);
    context.lineTo(width, y);
  }
  context.stroke();
}

/** The lines of many paths. `weight` 1 is the selected path; less is one among many. */
export function drawLines(
  fitted: FittedWindow,
  paths: readonly DrawnPath[],
  colours: readonly string[],
  weight: number,
): void {
  const { context } = fitted;
  const scale = scaleOf(fitted);
  const batches: (Path2D | undefined)[] = [];
  for (const { lines } of paths) {
    for (const { fromX, fromY, x, y, speed, age } of lines) {
      const level = speedLevel(speed) * AGE_LEVELS + Math.min(AGE_LEVELS - 1, Math.floor(age * AGE_LEVELS));
      const batch = batches[level] ?? new Path2D();
      batches[level] = batch;
      batch.moveTo(fromX * scale, fromY * scale);
      batch.lineTo(x * scale, y * scale);
    }
  }
  context.save();
  context.lineCap = "round";
  for (const [level, batch] of batches.entries()) {
    if (batch === undefined) continue;
    const speed = Math.floor(level / AGE_LEVELS);
    context.globalAlpha = weight * (1 - (level % AGE_LEVELS) / AGE_LEVELS) ** 1.2;
    context.strokeStyle = colours[speed] ?? "";
    // Faster is thicker too: it shows where there are few colours.
    context.lineWidth = (1.4 + (1.8 * speed) / (SPEED_LEVELS - 1)) * (0.6 + 0.4 * weight);
    context.stroke(batch);
  }
  context.restore();
}

/** Rests, ends of packets, clicks and exits of one path. */
export function drawMarks(fitted: FittedWindow, path: DrawnPath, palette: MousePalette, weight: number): void {
  const { context } = fitted;
  const scale = scaleOf(fitted);
  context.save();
  for (const rest of path.rests) drawRest(context, rest, scale, palette, weight);
  for (const end of path.ends) drawEnd(context, end, scale, palette, weight);
  for (const { x, y, age } of path.exits) {
    context.globalAlpha = weight * fade(age);
    context.strokeStyle = palette["text-dim"];
    context.lineWidth = 1.5;
    context.setLineDash([2, 2]);
    context.strokeRect(x * scale - 5, y * scale - 5, 10, 10);
    context.setLineDash([]);
  }
  context.restore();
}

/** Width of a rest's circle: its area grows with time, up to what would hide the window. */
export function restRadius(ms: number): number {
  return Math.min(30, 9 * Math.sqrt(ms / 1000));
}

function drawRest(
  context: CanvasRenderingContext2D,
  { x, y, ms, age }: PathRest,
  scale: number,
  palette: MousePalette,
  weight: number,
): void {
  context.beginPath();
  context.arc(x * scale, y * scale, Math.max(2, restRadius(ms) * scale), 0, 2 * Math.PI);
  context.fillStyle = palette["mouse-rest"];
  context.strokeStyle = palette["mouse-rest"];
  context.globalAlpha = 0.16 * weight * fade(age);
  context.fill();
  context.globalAlpha = 0.8 * weight * fade(age);
  context.lineWidth = 1;
  context.stroke();
}

function drawEnd(
  context: CanvasRenderingContext2D,
  { x, y, age, early, turnRadians }: PacketEnd,
  scale: number,
  palette: MousePalette,
  weight: number,
): void {
  context.save();
  context.globalAlpha = weight * fade(age);
  context.translate(x * scale, y * scale);
  if (early) {
    context.rotate(Math.PI / 4);
    context.fillStyle = palette.accent;
    context.strokeStyle = palette.scene;
    context.lineWidth = 1;
    context.fillRect(-3.4, -3.4, 6.8, 6.8);
    context.strokeRect(-3.4, -3.4, 6.8, 6.8);
  } else {
    context.rotate(turnRadians);
    context.strokeStyle = palette.text;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(-6, 0);
    context.lineTo(6, 0);
    context.stroke();
  }
  context.restore();
}

function fade(age: number): number {
  return Math.max(0, 1 - age) ** 0.7;
}

/** The own pointer's latest movement, which the feed does not show yet. */
export function drawPending(
  fitted: FittedWindow,
  places: readonly { readonly x: number; readonly y: number }[],
  palette: MousePalette,
): void {
  const { context } = fitted;
  const scale = scaleOf(fitted);
  context.save();
  context.strokeStyle = palette.text;
  context.lineWidth = 1.5;
  context.lineCap = "round";
  context.setLineDash([0.5, 4.5]);
  context.beginPath();
  for (const { x, y } of places) context.lineTo(x * scale, y * scale);
  context.stroke();
  context.restore();
}

/** The pointers, the selected ones last, so that they lie on top. */
export function drawPointers(fitted: FittedWindow, figures: readonly Figure[], palette: MousePalette): void {
  const { context } = fitted;
  const scale = scaleOf(fitted);
  for (const figure of figures) {
    const { pointer } = figure.path;
    if (pointer === undefined || pointer.stance === "unknown") continue;
    context.save();
    context.translate(pointer.x * scale, pointer.y * scale);
    drawPointer(context, figure, pointer, palette);
    context.restore();
    if (figure.label !== undefined) drawName(fitted, figure, figure.label, pointer, palette);
  }
}

/** A shape and a colour for what the kinematics say: nothing depends on colour alone. */
function drawPointer(
  context: CanvasRenderingContext2D,
  { reading, own, selected }: Figure,
  { stance }: Pointer,
  palette: MousePalette,
): void {
  const size = selected || own ? 6.5 : 5;
  if (selected || own) {
    context.strokeStyle = own ? palette.accent : palette.text;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(0, 0, size + 5, 0, 2 * Math.PI);
    context.stroke();
  }
  readingShape(context, reading, size);
  context.lineWidth = 2;
  if (stance === "outside") {
    context.globalAlpha = 0.8;
    context.setLineDash([2, 2]);
    context.strokeStyle = readingColour(reading, palette);
    context.stroke();
    return;
  }
  context.fillStyle = reading === "early" ? palette.scene : readingColour(reading, palette);
  context.fill();
  context.lineWidth = reading === "early" ? 2 : 1.5;
  context.strokeStyle = reading === "early" ? palette["text-dim"] : palette.scene;
  context.stroke();
}

/** Round like a hand, square like a machine, half of both in doubt, empty while too little is known. */
function readingShape(context: CanvasRenderingContext2D, reading: Reading, size: number): void {
  context.beginPath();
  if (reading === "machine") context.rect(-size * 0.92, -size * 0.92, size * 1.84, size * 1.84);
  else if (reading === "unclear") {
    context.moveTo(0, -size * 1.15);
    context.lineTo(size * 1.15, size * 0.8);
    context.lineTo(-size * 1.15, size * 0.8);
    context.closePath();
  } else context.arc(0, 0, size, 0, 2 * Math.PI);
}

function readingColour(reading: Reading, palette: MousePalette): string {
  switch (reading) {
    case "early":
      return palette["text-dim"];
    case "human":
      return palette["mouse-human"];
    case "unclear":
      return palette["mouse-unclear"];
    case "machine":
      return palette["mouse-machine"];
  }
}

/** Beside the pointer, within the canvas. */
function drawName(
  fitted: FittedWindow,
  { own, selected }: Figure,
  label: string,
  { x, y }: Pointer,
  palette: MousePalette,
): void {
  const { context, width, height } = fitted;
  const scale = scaleOf(fitted);
  const text = shortName(label);
  context.save();
  context.font = nameFont(own || selected);
  const textWidth = context.measureText(text).width;
  const gap = own || selected ? 15 : 10;
  const rightOf = x * scale + gap;
  const left = rightOf + textWidth > width - 3 ? x * scale - gap - textWidth : rightOf;
  const middle = Math.min(height - 8, Math.max(8, y * scale));
  context.textBaseline = "middle";
  context.fillStyle = own || selected ? palette.text : palette["text-dim"];
  haloText(context, text, left, middle, palette);
  context.restore();
}

/** The session whose pointer or path is nearest to a position, if one is near. */
export function nearestFigure<T extends { readonly path: DrawnPath }>(
  figures: readonly T[],
  at: { readonly x: number; readonly y: number },
  withinPx: number,
): T | undefined {
  let best: T | undefined;
  let bestPx = withinPx;
  const consider = (figure: T, x: number, y: number, headStartPx: number): void => {
    const px = Math.hypot(x - at.x, y - at.y) - headStartPx;
    if (px > bestPx) return;
    bestPx = px;
    best = figure;
  };
  for (const figure of figures) {
    for (const { x, y } of figure.path.lines) consider(figure, x, y, 0);
    // A click means a pointer first, though another session's path runs through it.
    const { pointer } = figure.path;
    if (pointer !== undefined && pointer.stance !== "unknown") consider(figure, pointer.x, pointer.y, withinPx / 2);
  }
  return best;
}

/** Speed against time, in the colours of the path. For the eye only: the numbers beside it say the same. */
export function drawProfile(
  { context, width, height }: FittedCanvas,
  samples: readonly { readonly atMs: number; readonly speed: number }[],
  span: { readonly fromMs: number; readonly toMs: number },
  colours: readonly string[],
): void {
  const x = (atMs: number): number => ((atMs - span.fromMs) / (span.toMs - span.fromMs)) * width;
  const y = (speed: number): number => height - 1 - Math.min(1, speed / FASTEST_PX_PER_SECOND) * (height - 3);
  const gradient = context.createLinearGradient(0, height, 0, y(FASTEST_PX_PER_SECOND));
  for (const [index, colour] of colours.entries()) gradient.addColorStop(index / (colours.length - 1), colour);
  context.clearRect(0, 0, width, height);
  context.beginPath();
  for (const { atMs, speed } of samples) context.lineTo(x(atMs), y(speed));
  context.strokeStyle = gradient;
  context.lineWidth = 1.5;
  context.lineJoin = "round";
  context.stroke();
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return;
  context.lineTo(x(last.atMs), height);
  context.lineTo(x(first.atMs), height);
  context.globalAlpha = 0.25;
  context.fillStyle = gradient;
  context.fill();
  context.globalAlpha = 1;
}
