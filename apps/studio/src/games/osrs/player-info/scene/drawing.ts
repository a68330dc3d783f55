/** Draws the two maps. Positions are tiles: a player on tile 3200 is drawn at 3200.5. */
import type { FittedCanvas } from "../../../../draw/canvas.ts";
import { type Box, haloText, isOver, nameFont, shortName } from "../../../labels.ts";
import type { PaletteWith } from "../../../palette.ts";
import { isTeleport, STEP_MS, type Step } from "../play/steps.ts";
import { type Camera, toScreen } from "./camera.ts";
import { terrainPlace } from "./terrain.ts";

/** Custom properties of this view's style sheet. */
export const playerInfoColours = [
  "pi-ground",
  "pi-ground-2",
  "pi-wall",
  "pi-wall-edge",
  "pi-local",
  "pi-local-2",
  "pi-external",
  "pi-external-2",
  "pi-masks",
  "pi-alignment",
  "pi-stairs",
  "pi-said",
  "pi-hit",
  "pi-miss",
  "pi-health",
  "pi-spot",
] as const;

export type PlayerInfoPalette = PaletteWith<(typeof playerInfoColours)[number]>;

/** A player's relation to the observer's client. `unknown`: no player is followed. */
export type Role = "self" | "local" | "external" | "unknown";

/** A player as it is drawn. */
export interface Dot {
  readonly index: number;
  readonly x: number;
  readonly z: number;
  readonly level: number;
  readonly role: Role;
  /** The direction in which it looks, clockwise from north, in radians; undefined: unknown. */
  readonly facing: number | undefined;
  /** Undefined while names are not shown. */
  readonly label: string | undefined;
  readonly isPointedAt: boolean;
}

/** A square of tiles around a tile: an observer's view. */
export interface ViewSquare {
  readonly x: number;
  readonly z: number;
  readonly distance: number;
}

/** Below this many pixels a tile has no grid, and a player no face. */
export const DETAILED_PX = 7;

/** With more steps on the screen each is drawn fainter: then they show density, not single ways. */
const MANY_STEPS = 500;

/** Ages of steps that are drawn at once. */
const AGE_LEVELS = 4;

/** The ground, the grid and the walls. */
export function drawGround(
  fitted: FittedCanvas,
  camera: Camera,
  picture: HTMLCanvasElement | undefined,
  palette: PlayerInfoPalette,
): void {
  const { context, width, height } = fitted;
  const { pxPerTile } = camera;
  context.fillStyle = palette.scene;
  context.fillRect(0, 0, width, height);
  if (picture !== undefined) {
    const { x, z, tiles } = terrainPlace;
    const corner = toScreen(camera, fitted, x, z + tiles);
    context.imageSmoothingEnabled = pxPerTile < DETAILED_PX;
    context.drawImage(picture, corner.x, corner.y, tiles * pxPerTile, tiles * pxPerTile);
  }
  if (pxPerTile >= DETAILED_PX) drawGrid(fitted, camera, 1, palette["scene-grid"], 0.5);
  if (pxPerTile * 8 >= DETAILED_PX * 2) drawGrid(fitted, camera, 8, palette["scene-edge"], 0.22);
}

function drawGrid(fitted: FittedCanvas, camera: Camera, everyTiles: number, colour: string, alpha: number): void {
  const { context, width, height } = fitted;
  const west = Math.floor((camera.x - width / 2 / camera.pxPerTile) / everyTiles) * everyTiles;
  const south = Math.floor((camera.z - height / 2 / camera.pxPerTile) / everyTiles) * everyTiles;
  context.save();
  context.globalAlpha = alpha;
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  for (let x = west; ; x += everyTiles) {
    const at = Math.round(toScreen(camera, fitted, x, 0).x) + 0.5;
    if (at > width) break;
    context.moveTo(at, 0);
    context.lineTo(at, height);
  }
  for (let z = south; ; z += everyTiles) {
    const at = Math.round(toScreen(camera, fitted, 0, z).y) + 0.5;
    if (at < 0) break;
    context.moveTo(0, at);
    context.lineTo(width, at);
  }
  context.stroke();
  context.restore();
}

/** The observer's view, and the part of the map that its client has loaded. */
export function drawView(
  fitted: FittedCanvas,
  camera: Camera,
  view: ViewSquare,
  scene: { readonly x: number; readonly z: number; readonly tiles: number } | undefined,
  palette: PlayerInfoPalette,
): void {
  const { context } = fitted;
  const side = (2 * view.distance + 1) * camera.pxPerTile;
  const corner = toScreen(camera, fitted, view.x - view.distance, view.z + view.distance + 1);
  context.save();
  context.fillStyle = palette.accent;
  context.globalAlpha = 0.05;
  context.fillRect(corner.x, corner.y, side, side);
  context.globalAlpha = 0.85;
  context.strokeStyle = palette.accent;
  context.lineWidth = 1.5;
  context.strokeRect(corner.x, corner.y, side, side);
  if (scene !== undefined) {
    const edge = toScreen(camera, fitted, scene.x, scene.z + scene.tiles);
    context.globalAlpha = 0.7;
    context.setLineDash([6, 5]);
    context.lineWidth = 1;
    context.strokeStyle = palette["text-dim"];
    context.strokeRect(edge.x, edge.y, scene.tiles * camera.pxPerTile, scene.tiles * camera.pxPerTile);
  }
  context.restore();
}

/** The last steps of players; a teleport is a ring at its end. */
export function drawSteps(
  fitted: FittedCanvas,
  camera: Camera,
  steps: readonly Step[],
  nowMs: number,
  palette: PlayerInfoPalette,
): void {
  const { context } = fitted;
  const batches = Array.from({ length: AGE_LEVELS }, () => new Path2D());
  for (const step of steps) {
    const age = Math.min(AGE_LEVELS - 1, Math.floor(((nowMs - step.atMs) / STEP_MS) * AGE_LEVELS));
    const batch = batches[Math.max(0, age)];
    const to = toScreen(camera, fitted, step.x + 0.5, step.z + 0.5);
    if (batch === undefined || isOff(fitted, to, camera.pxPerTile * 3)) continue;
    if (isTeleport(step)) {
      const radius = Math.max(3, camera.pxPerTile * 0.75);
      batch.moveTo(to.x + radius, to.y);
      batch.arc(to.x, to.y, radius, 0, 2 * Math.PI);
      continue;
    }
    const from = toScreen(camera, fitted, step.fromX + 0.5, step.fromZ + 0.5);
    batch.moveTo(from.x, from.y);
    batch.lineTo(to.x, to.y);
  }
  context.save();
  context.strokeStyle = palette.text;
  context.lineWidth = Math.max(1, Math.min(2.5, camera.pxPerTile * 0.16));
  context.lineCap = "round";
  for (const [age, batch] of batches.entries()) {
    context.globalAlpha = (steps.length > MANY_STEPS ? 0.25 : 0.5) * (1 - age / AGE_LEVELS);
    context.stroke(batch);
  }
  context.restore();
}

export function isOff(
  { width, height }: FittedCanvas,
  { x, y }: { readonly x: number; readonly y: number },
  margin: number,
) {
  return x < -margin || y < -margin || x > width + margin || y > height + margin;
}

/** Radius of a player: a share of a tile, but large enough to be seen and clicked. */
export function dotRadius(pxPerTile: number, role: Role): number {
  const radius = Math.min(9, Math.max(role === "external" ? 1.8 : 2.6, pxPerTile * 0.36));
  return role === "self" ? radius + 1.2 : radius;
}

/** All players, the observer on top. Those of another level than `level` are hollow. */
export function drawDots(
  fitted: FittedCanvas,
  camera: Camera,
  dots: readonly Dot[],
  level: number,
  palette: PlayerInfoPalette,
): void {
  for (const role of ["external", "unknown", "local", "self"] as const) {
    drawRole(
      fitted,
      camera,
      dots.filter((dot) => dot.role === role),
      role,
      level,
      palette,
    );
  }
  for (const dot of dots) if (dot.isPointedAt) drawPointedAt(fitted, camera, dot, palette);
  drawLabels(fitted, camera, dots, palette);
}

function drawRole(
  fitted: FittedCanvas,
  camera: Camera,
  dots: readonly Dot[],
  role: Role,
  level: number,
  palette: PlayerInfoPalette,
): void {
  const { context } = fitted;
  const radius = dotRadius(camera.pxPerTile, role);
  const colour = roleColour(role, palette);
  const [solid, hollow, faces] = [new Path2D(), new Path2D(), new Path2D()];
  const isFaced = camera.pxPerTile >= DETAILED_PX && role !== "external";
  for (const { x, z, level: of, facing } of dots) {
    const at = toScreen(camera, fitted, x, z);
    if (isOff(fitted, at, radius)) continue;
    const path = of === level ? solid : hollow;
    path.moveTo(at.x + radius, at.y);
    path.arc(at.x, at.y, radius, 0, 2 * Math.PI);
    if (!isFaced || facing === undefined) continue;
    const [dx, dy] = [Math.sin(facing), -Math.cos(facing)];
    faces.moveTo(at.x + dx * radius * 0.2, at.y + dy * radius * 0.2);
    faces.lineTo(at.x + dx * (radius + 3), at.y + dy * (radius + 3));
  }
  context.save();
  context.lineWidth = 1.5;
  context.globalAlpha = role === "external" ? 0.85 : 1;
  context.strokeStyle = palette.scene;
  context.stroke(solid);
  context.fillStyle = colour;
  context.fill(solid);
  context.strokeStyle = colour;
  context.stroke(hollow);
  context.lineWidth = 2;
  context.lineCap = "round";
  context.stroke(faces);
  if (role === "self") {
    context.strokeStyle = palette.text;
    context.lineWidth = 2;
    context.stroke(solid);
    context.stroke(hollow);
  }
  context.restore();
}

export function roleColour(role: Role, palette: PlayerInfoPalette): string {
  switch (role) {
    case "self":
      return palette.accent;
    case "local":
      return palette["pi-local"];
    case "external":
      return palette["pi-external"];
    case "unknown":
      return palette["text-dim"];
  }
}

/** A ring around the player under the pointer. */
function drawPointedAt(fitted: FittedCanvas, camera: Camera, dot: Dot, palette: PlayerInfoPalette): void {
  const { context } = fitted;
  const at = toScreen(camera, fitted, dot.x, dot.z);
  context.save();
  context.strokeStyle = palette.text;
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(at.x, at.y, dotRadius(camera.pxPerTile, dot.role) + 4, 0, 2 * Math.PI);
  context.stroke();
  context.restore();
}

/** Players that client and server have on different tiles: a line from the client's to the server's. */
export function drawDifferences(
  fitted: FittedCanvas,
  camera: Camera,
  places: readonly {
    readonly client: { readonly x: number; readonly z: number };
    readonly server: { readonly x: number; readonly z: number } | undefined;
  }[],
  palette: PlayerInfoPalette,
): void {
  const { context } = fitted;
  context.save();
  context.strokeStyle = palette.reject;
  context.lineWidth = 2;
  for (const { client, server } of places) {
    const from = toScreen(camera, fitted, client.x + 0.5, client.z + 0.5);
    const size = Math.max(5, camera.pxPerTile * 0.6);
    context.strokeRect(from.x - size, from.y - size, 2 * size, 2 * size);
    if (server === undefined) continue;
    const to = toScreen(camera, fitted, server.x + 0.5, server.z + 0.5);
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.stroke();
  }
  context.restore();
}

/** Names beside their players, within the canvas, the observer's first. A name that would cover another is left out. */
function drawLabels(fitted: FittedCanvas, camera: Camera, dots: readonly Dot[], palette: PlayerInfoPalette): void {
  const { context, width, height } = fitted;
  const taken: Box[] = [];
  const named = dots.filter(({ label }) => label !== undefined);
  const first = named.filter(({ role, isPointedAt }) => role === "self" || isPointedAt);
  context.save();
  context.textBaseline = "middle";
  context.fillStyle = palette.text;
  for (const dot of new Set([...first, ...named])) {
    const at = toScreen(camera, fitted, dot.x, dot.z);
    const radius = dotRadius(camera.pxPerTile, dot.role);
    if (isOff(fitted, at, radius)) continue;
    const text = shortName(dot.label ?? "");
    context.font = nameFont(dot.role === "self");
    const wide = context.measureText(text).width;
    const gap = radius + 5;
    const left = at.x + gap + wide > width - 3 ? at.x - gap - wide : at.x + gap;
    const middle = Math.min(height - 8, Math.max(8, at.y));
    const box = { left: left - 3, right: left + wide + 3, top: middle - 6, bottom: middle + 6 };
    if (taken.some((other) => isOver(box, other))) continue;
    taken.push(box);
    haloText(context, text, left, middle, palette);
  }
  context.restore();
}

/** The player nearest to a pixel, if one is near. Of several on one tile, the last drawn. */
export function nearestDot(
  dots: readonly Dot[],
  camera: Camera,
  size: { readonly width: number; readonly height: number },
  at: { readonly x: number; readonly y: number },
  withinPx: number,
): Dot | undefined {
  let best: Dot | undefined;
  let bestPx = withinPx;
  for (const dot of dots) {
    const place = toScreen(camera, size, dot.x, dot.z);
    const px = Math.hypot(place.x - at.x, place.y - at.y);
    if (px > bestPx) continue;
    best = dot;
    bestPx = px;
  }
  return best;
}
