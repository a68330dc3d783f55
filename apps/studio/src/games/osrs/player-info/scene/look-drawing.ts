/** Draws over the players of the client's map what its client shows of them. */
import type { FittedCanvas } from "../../../../draw/canvas.ts";
import { haloText, shortName } from "../../../labels.ts";
import type { Look, ShownHit, Tint } from "../play/looks.ts";
import { type Camera, toScreen } from "./camera.ts";
import { DETAILED_PX, type Dot, dotRadius, isOff, type PlayerInfoPalette } from "./drawing.ts";

const BAR_WIDE = 22;
const LINE = 13;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** All players with a look, those who are spoken of last: words lie over bodies. */
export function drawLooks(
  fitted: FittedCanvas,
  camera: Camera,
  dots: readonly Dot[],
  lookOf: (index: number) => Look | undefined,
  palette: PlayerInfoPalette,
): void {
  const { context } = fitted;
  const shown = dots.flatMap((dot) => {
    const at = toScreen(camera, fitted, dot.x, dot.z);
    const look = isOff(fitted, at, 40) ? undefined : lookOf(dot.index);
    return look === undefined ? [] : [{ at, look, radius: dotRadius(camera.pxPerTile, dot.role) }];
  });
  const places = new Map(dots.map((dot) => [dot.index, toScreen(camera, fitted, dot.x, dot.z)]));
  context.save();
  context.textAlign = "center";
  context.textBaseline = "middle";
  if (camera.pxPerTile >= DETAILED_PX) {
    for (const { at, look } of shown) drawTarget(context, at, places.get(look.target ?? 0), palette);
    for (const { at, look, radius } of shown) drawBody(context, at, radius, look, palette);
  }
  for (const { at, look, radius } of shown) drawAbove(context, at, radius, look, palette);
  context.restore();
}

function drawTarget(
  context: CanvasRenderingContext2D,
  from: Point,
  to: Point | undefined,
  palette: PlayerInfoPalette,
): void {
  if (to === undefined) return;
  context.save();
  context.setLineDash([2, 4]);
  context.lineWidth = 1;
  context.globalAlpha = 0.7;
  context.strokeStyle = palette["pi-hit"];
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  context.stroke();
  context.restore();
}

/** Clothes above and below, a tint over them, and what goes on around the body. */
function drawBody(
  context: CanvasRenderingContext2D,
  { x, y }: Point,
  radius: number,
  look: Look,
  palette: PlayerInfoPalette,
): void {
  const { wears, tint, animation, spot, isFrozen, transparency } = look;
  const inner = radius * 0.66;
  context.save();
  context.globalAlpha = 1 - transparency;
  if (wears !== undefined) {
    context.fillStyle = clothColour(wears.npc ?? wears.places[4] ?? 0, wears.colours[1] ?? 0);
    disc(context, x, y, inner, Math.PI, 2 * Math.PI);
    context.fillStyle = clothColour(wears.npc ?? wears.places[7] ?? 0, wears.colours[2] ?? 0);
    disc(context, x, y, inner, 0, Math.PI);
  }
  if (tint !== undefined) {
    context.globalAlpha = tint.weight;
    context.fillStyle = tintColour(tint);
    disc(context, x, y, radius, 0, 2 * Math.PI);
  }
  context.restore();
  context.lineWidth = 1.5;
  if (animation !== undefined) ring(context, x, y, radius + 3, palette["pi-said"], [3, 3]);
  if (isFrozen) ring(context, x, y, radius + 5, palette["pi-miss"], []);
  if (spot !== undefined) star(context, x, y, radius + 4, palette["pi-spot"]);
}

/** The tables of colours are in the game's cache: what is told apart there, is here too. */
function clothColour(item: number, colour: number): string {
  return `hsl(${(item * 47 + colour * 29) % 360} 55% 52%)`;
}

function tintColour({ hue, saturation, lightness }: Tint): string {
  return `hsl(${hue * 360} ${saturation * 100}% ${lightness * 100}%)`;
}

function disc(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  from: number,
  until: number,
): void {
  context.beginPath();
  context.arc(x, y, radius, from, until);
  context.fill();
}

function ring(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  colour: string,
  dash: readonly number[],
): void {
  context.strokeStyle = colour;
  context.setLineDash([...dash]);
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.stroke();
  context.setLineDash([]);
}

function star(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string): void {
  context.strokeStyle = colour;
  context.beginPath();
  for (let ray = 0; ray < 8; ray++) {
    const [dx, dy] = [Math.cos((ray * Math.PI) / 4), Math.sin((ray * Math.PI) / 4)];
    context.moveTo(x + dx * radius, y + dy * radius);
    context.lineTo(x + dx * (radius + 4), y + dy * (radius + 4));
  }
  context.stroke();
}

/** From the head up: hits, the bar, words. */
function drawAbove(
  context: CanvasRenderingContext2D,
  { x, y }: Point,
  radius: number,
  { hits, bar, says }: Look,
  palette: PlayerInfoPalette,
): void {
  drawHits(context, x, y, hits, palette);
  let top = y - radius - 6;
  if (bar !== undefined) {
    context.fillStyle = palette["pi-hit"];
    context.fillRect(x - BAR_WIDE / 2, top - 2, BAR_WIDE, 4);
    context.fillStyle = palette["pi-health"];
    context.fillRect(x - BAR_WIDE / 2, top - 2, BAR_WIDE * bar, 4);
    top -= LINE - 3;
  }
  if (says === undefined) return;
  context.font = "600 11px system-ui, sans-serif";
  context.fillStyle = palette["pi-said"];
  haloText(context, shortName(says), x, top, palette);
}

function drawHits(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  hits: readonly ShownHit[],
  palette: PlayerInfoPalette,
): void {
  context.font = "600 9px system-ui, sans-serif";
  for (const [at, { value }] of hits.entries()) {
    const [left, up] = [x + (at % 2) * 16 - (hits.length > 1 ? 8 : 0), y - Math.floor(at / 2) * 12];
    context.fillStyle = value === 0 ? palette["pi-miss"] : palette["pi-hit"];
    disc(context, left, up, 7.5, 0, 2 * Math.PI);
    context.fillStyle = "#fff";
    context.fillText(String(value), left, up + 0.5);
  }
}
