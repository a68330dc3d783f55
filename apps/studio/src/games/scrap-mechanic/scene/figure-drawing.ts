/** How a character looks from above. Sizes are the screen's, so that they are read at any zoom. */
import { LEVEL_PITCH, MAX_PITCH, type MovementKeys } from "wirewalk/scrap-mechanic";
import type { FittedCanvas } from "../../../draw/canvas.ts";
import { drawTag, haloText, type LabelSpace, NAME_PX, nameFont } from "../../labels.ts";
import type { PaletteWith } from "../../palette.ts";
import { beyondEdge, type Camera, type Point, toScreen } from "../play/camera.ts";
import { directionArrow, type Figure, forward, type InputBufferState, walkingWay } from "../play/figure.ts";

/** Custom properties of the style sheet beyond those that every palette has. */
export const scrapColours = ["accept"] as const;

export type ScrapPalette = PaletteWith<(typeof scrapColours)[number]>;

/** A body, in metres, and the least and most that it takes on the screen. */
const BODY_METRES = 0.4;
const LEAST_BODY_PX = 6.5;
const MOST_BODY_PX = 17;

/** The wedge of a look: half its angle, and its length beyond the body for a level look. */
const WEDGE_RADIANS = 0.42;
const WEDGE_PX = 24;

/** A jump is drawn up the screen, this much for each metre at least. */
const LEAST_LIFT_PX_PER_METRE = 16;

/** How a figure is drawn. */
export interface FigureLook {
  readonly colour: string;
  readonly own: boolean;
  /** Whether the player is chosen in the list. */
  readonly chosen: boolean;
}

/** The size of a body on the screen. */
export function bodyPx({ scale }: Camera): number {
  return Math.min(MOST_BODY_PX, Math.max(LEAST_BODY_PX, BODY_METRES * scale));
}

/** Where a figure's body is on the screen, above its shadow while it jumps. */
export function bodyPlace(fitted: FittedCanvas, camera: Camera, figure: Figure): Point {
  const { x, y } = toScreen(camera, fitted, figure);
  return { x, y: y - figure.lift * Math.max(LEAST_LIFT_PX_PER_METRE, camera.scale) };
}

/** Of the arrow to somebody out of sight. */
const ARROW_PX = 6;

/** Draws an arrow at the edge for a player out of view. Returns whether it did. */
export function drawBeyond(fitted: FittedCanvas, camera: Camera, figure: Figure, colour: string): boolean {
  const edge = beyondEdge(fitted, toScreen(camera, fitted, figure), 2 * ARROW_PX);
  if (edge === undefined) return false;
  const { context } = fitted;
  context.save();
  context.translate(edge.x, edge.y);
  context.rotate(edge.radians);
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(ARROW_PX, 0);
  context.lineTo(-ARROW_PX * 0.7, ARROW_PX * 0.8);
  context.lineTo(-ARROW_PX * 0.7, -ARROW_PX * 0.8);
  context.fill();
  context.restore();
  return true;
}

/** The server's position of a player drawn by prediction or as a ghost: an outline that hides nothing. */
export function drawTruth(fitted: FittedCanvas, camera: Camera, figure: Figure, palette: ScrapPalette): void {
  const { context } = fitted;
  const { x, y } = bodyPlace(fitted, camera, figure);
  const radius = bodyPx(camera) + 3;
  const way = forward(figure.yawTurns);
  context.save();
  context.setLineDash([4, 3]);
  context.lineWidth = 1.5;
  context.strokeStyle = palette.text;
  context.globalAlpha = 0.75;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.stroke();
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(x + way.x * radius, y + way.y * radius);
  context.lineTo(x + way.x * (radius + 5), y + way.y * (radius + 5));
  context.stroke();
  context.restore();
}

/** A character with its look, its shadow and what its keys do to it. */
export function drawFigure(
  fitted: FittedCanvas,
  camera: Camera,
  figure: Figure,
  look: FigureLook,
  palette: ScrapPalette,
): void {
  const { context } = fitted;
  const ground = toScreen(camera, fitted, figure);
  const body = bodyPlace(fitted, camera, figure);
  const radius = bodyPx(camera) * (lies(figure) ? 0.72 : 1) * (1 + Math.min(0.25, figure.lift * 0.15));
  context.save();
  if (figure.lift > 0.02) drawShadow(context, ground, body, radius, palette);
  context.translate(body.x, body.y);
  drawWedge(context, figure, radius, look.colour);
  if (figure.keys.sprint && figure.keys.horizontal) drawChevrons(context, figure, radius, look.colour);
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.fillStyle = look.colour;
  context.fill();
  context.lineWidth = look.own ? 2.5 : 1.5;
  context.strokeStyle = look.own || look.chosen ? palette.text : palette.scene;
  context.stroke();
  drawNose(context, figure, radius, palette);
  // Flat on the ground: a rim around a smaller body.
  if (lies(figure)) {
    context.beginPath();
    context.arc(0, 0, bodyPx(camera) + 1.5, 0, 2 * Math.PI);
    context.lineWidth = 1.5;
    context.strokeStyle = look.colour;
    context.stroke();
  }
  if (figure.keys.aim) drawAim(context, figure, radius, palette);
  context.restore();
  drawPitch(context, body, radius, figure.pitch, look, palette);
}

function lies({ keys, body }: Figure): boolean {
  return body !== "seated" && (keys.crawl || body !== undefined);
}

function drawShadow(
  context: CanvasRenderingContext2D,
  ground: Point,
  body: Point,
  radius: number,
  palette: ScrapPalette,
): void {
  context.fillStyle = palette.text;
  context.globalAlpha = 0.28;
  context.beginPath();
  context.ellipse(ground.x, ground.y, radius * 0.9, radius * 0.6, 0, 0, 2 * Math.PI);
  context.fill();
  context.globalAlpha = 0.5;
  context.strokeStyle = palette.text;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(ground.x, ground.y);
  context.lineTo(body.x, body.y);
  context.stroke();
  context.globalAlpha = 1;
}

/** Which way somebody looks; the more up or down, the shorter, as from above. */
function drawWedge(context: CanvasRenderingContext2D, figure: Figure, radius: number, colour: string): void {
  const level = Math.sin((Math.min(figure.pitch, MAX_PITCH) / 256) * 2 * Math.PI);
  const reach = 5 + WEDGE_PX * Math.max(0, level);
  // Canvas angles begin at the right and go clockwise; a look begins at the top and goes the other way.
  const middle = -Math.PI / 2 - figure.yawTurns * 2 * Math.PI;
  context.fillStyle = colour;
  context.globalAlpha = 0.3;
  // Paler with the distance.
  for (const share of [1, 0.55]) {
    context.beginPath();
    context.moveTo(0, 0);
    context.arc(0, 0, radius + reach * share, middle - WEDGE_RADIANS, middle + WEDGE_RADIANS);
    context.closePath();
    context.fill();
  }
  context.globalAlpha = 1;
}

/** The face: so that a look is read where the wedge is lost among others. */
function drawNose(
  context: CanvasRenderingContext2D,
  { yawTurns }: Figure,
  radius: number,
  palette: ScrapPalette,
): void {
  const way = forward(yawTurns);
  context.beginPath();
  context.arc(way.x * radius * 0.5, way.y * radius * 0.5, Math.max(1.8, radius * 0.28), 0, 2 * Math.PI);
  context.fillStyle = palette.scene;
  context.fill();
}

/** The lines behind a sprinting player. */
function drawChevrons(context: CanvasRenderingContext2D, figure: Figure, radius: number, colour: string): void {
  const way = walkingWay(figure);
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.lineJoin = "miter";
  for (const [index, alpha] of [0.9, 0.5].entries()) {
    const from = radius + 5 + index * 5;
    const [x, y] = [-way.x * from, -way.y * from];
    const wing = radius * 0.55;
    context.globalAlpha = alpha;
    context.beginPath();
    context.moveTo(x - way.x * wing - way.y * wing, y - way.y * wing + way.x * wing);
    context.lineTo(x, y);
    context.lineTo(x - way.x * wing + way.y * wing, y - way.y * wing - way.x * wing);
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** A line of sight with a cross at its end. */
function drawAim(context: CanvasRenderingContext2D, { yawTurns }: Figure, radius: number, palette: ScrapPalette): void {
  const way = forward(yawTurns);
  const end = radius + 26;
  context.strokeStyle = palette.reject;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(way.x * radius, way.y * radius);
  context.lineTo(way.x * end, way.y * end);
  context.moveTo(way.x * end - 4, way.y * end);
  context.lineTo(way.x * end + 4, way.y * end);
  context.moveTo(way.x * end, way.y * end - 4);
  context.lineTo(way.x * end, way.y * end + 4);
  context.stroke();
}

const PITCH_PX = 16;

/** A gauge beside the body: from level up or down, as far as somebody looks. */
function drawPitch(
  context: CanvasRenderingContext2D,
  body: Point,
  radius: number,
  pitch: number,
  look: FigureLook,
  palette: ScrapPalette,
): void {
  const half = look.own ? PITCH_PX * 0.75 : PITCH_PX / 2;
  const x = body.x + radius + 6;
  const up = ((Math.min(pitch, MAX_PITCH) - LEVEL_PITCH) / LEVEL_PITCH) * half;
  context.save();
  context.fillStyle = palette.scene;
  context.globalAlpha = 0.85;
  context.fillRect(x - 1, body.y - half - 1, 6, 2 * half + 2);
  context.globalAlpha = 1;
  context.fillStyle = palette["scene-solid"];
  context.fillRect(x, body.y - half, 4, 2 * half);
  context.fillStyle = look.colour;
  context.fillRect(x, up > 0 ? body.y - up : body.y, 4, Math.max(0.5, Math.abs(up)));
  context.fillStyle = palette.text;
  context.fillRect(x - 1.5, body.y - 0.5, 7, 1);
  context.fillRect(x - 1.5, body.y - up - 1, 7, 2);
  context.restore();
}

const CAP = 12;
const CAP_GAP = 2;

/** What is held, in the letters of the legend. */
export function keyCaps(keys: MovementKeys, direction: number): readonly string[] {
  const caps = [
    keys.horizontal ? directionArrow(direction) : "",
    keys.sprint ? "S" : "",
    keys.crawl ? "C" : "",
    keys.jump ? "J" : "",
    keys.aim ? "A" : "",
  ];
  return caps.filter((cap) => cap !== "");
}

/** What stands over a head. */
export interface FigureLabel {
  readonly name: string | undefined;
  readonly hasKeys: boolean;
  readonly strong: boolean;
}

/** The name and the held keys over a head. */
export function drawLabel(
  fitted: FittedCanvas,
  camera: Camera,
  figure: Figure,
  label: FigureLabel,
  palette: ScrapPalette,
  space: LabelSpace,
): void {
  const { context } = fitted;
  const caps = label.hasKeys ? keyCaps(figure.keys, figure.direction) : [];
  const name = label.name ?? "";
  if (name === "" && caps.length === 0) return;
  const body = bodyPlace(fitted, camera, figure);
  const nameHeight = name === "" ? 0 : NAME_PX;
  context.save();
  context.font = nameFont(label.strong);
  const wide = Math.max(context.measureText(name).width + 2, (CAP + CAP_GAP) * caps.length);
  const tall = nameHeight + (caps.length === 0 ? 0 : CAP + CAP_GAP);
  const at = space.place(body.x, body.y - bodyPx(camera) - 6, wide, tall);
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  context.fillStyle = label.strong ? palette.text : palette["text-dim"];
  haloText(context, name, at.x, at.y - 3, palette);
  const y = at.y - nameHeight - CAP / 2 + 1;
  let x = at.x - ((CAP + CAP_GAP) * (caps.length - 1)) / 2;
  context.font = "700 9px system-ui, sans-serif";
  context.textBaseline = "middle";
  for (const cap of caps) {
    context.beginPath();
    context.roundRect(x - CAP / 2, y - CAP / 2 - 2, CAP, CAP, 2.5);
    context.fillStyle = palette.accent;
    context.fill();
    context.fillStyle = palette.scene;
    context.fillText(cap, x, y - 1.5);
    x += CAP + CAP_GAP;
  }
  context.restore();
}

/** A rule spoke of this character just now. */
export function drawVerdict(
  fitted: FittedCanvas,
  camera: Camera,
  figure: Figure,
  verdict: { readonly text: string; readonly colour: string },
  age: number,
  palette: ScrapPalette,
): void {
  const { context } = fitted;
  const { x, y } = bodyPlace(fitted, camera, figure);
  context.save();
  context.globalAlpha = Math.min(1, (1 - age) * 3);
  context.strokeStyle = verdict.colour;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(x, y, bodyPx(camera) + 7 + 6 * age, 0, 2 * Math.PI);
  context.stroke();
  drawTag(context, x, y + bodyPx(camera) + 20, verdict.text, verdict.colour, palette);
  context.restore();
}

/** Of a bar, for each tick; longer buffers than these are drawn at its end. */
const TICK_PX = 3;
const BAR_TICKS = 10;
const BAR_PX = 3.5;

/** What waits on the server, under the body: a box for each tick, and a mark where it is meant to be. */
export function drawBuffer(
  fitted: FittedCanvas,
  camera: Camera,
  figure: Figure,
  { depth, target }: InputBufferState,
  palette: ScrapPalette,
): void {
  const { context } = fitted;
  const { x, y } = toScreen(camera, fitted, figure);
  const ticks = Math.max(4, Math.min(BAR_TICKS, Math.max(depth, target)));
  const left = x - (ticks * TICK_PX) / 2;
  const top = y + bodyPx(camera) + 7;
  context.save();
  context.fillStyle = palette.scene;
  context.fillRect(left - 1, top - 1, ticks * TICK_PX + 2, BAR_PX + 2);
  for (let tick = 0; tick < ticks; tick++) {
    context.fillStyle = tick < depth ? palette.accept : palette["scene-solid"];
    context.fillRect(left + tick * TICK_PX, top, TICK_PX - 0.75, BAR_PX);
  }
  context.fillStyle = palette.text;
  context.fillRect(left + Math.min(ticks, target) * TICK_PX - 1, top - 1.5, 1.5, BAR_PX + 3);
  context.restore();
}
