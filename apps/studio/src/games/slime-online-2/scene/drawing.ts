/** Draws a room and its slimes. World coordinates are pixels of the game, y downwards; a position is the feet. */
import type { DemoRoom, Rectangle } from "wirewalk/slime-online-2/maps";
import type { FittedCanvas } from "../../../draw/canvas.ts";
import type { TrailPoint } from "../../../feed/track-buffer.ts";
import { drawTag, haloText, type LabelSpace, NAME_PX, nameFont, shortName, TAG_FONT } from "../../labels.ts";
import type { Palette } from "../../palette.ts";
import type { Correction } from "../play/own-player.ts";

/** Size of a slime that stands still, in world pixels. */
const WIDTH = 30;
export const HEIGHT = 23;

/** Free space around the room, in CSS pixels. */
const MARGIN = 8;

/** Distance of names and keys from the top of the body, in CSS pixels. */
const HEAD_ROOM = 8;

/** The least distance of the own slime from the upper edge, in CSS pixels: its name and keys are above it. */
const OWN_ROOM_PX = 80;

/** The size of a room without known walls. */
const UNKNOWN_ROOM = { width: 960, height: 480 };

/** From world to screen. */
export interface Camera {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Which keys are held. */
export interface HeldKeys {
  readonly left: boolean;
  readonly right: boolean;
  readonly up: boolean;
  readonly down: boolean;
}

/** A slime as it is drawn. */
export interface SlimeLook {
  readonly x: number;
  readonly y: number;
  /** Pixels per frame. */
  readonly hsp: number;
  readonly vsp: number;
  readonly facesRight: boolean;
  readonly crouches: boolean;
  readonly colour: string;
}

/** The least part of a room's height that is visible. The sky may be cut off to draw slimes larger; the ground never is. */
const LEAST_SEEN = 0.6;

/** Over the highest platform, in world pixels: a jump, which rises 70, and the name and keys of who jumps. */
const JUMP_ROOM = 120;

/** Pixels of the screen for one of the world at which faces and keys are clear: where the whole room is drawn so, nothing is cut off. */
const CLEAR_SCALE = 1.5;

/** Around a player that is followed, the room is drawn so many times as large as from wall to wall, and its sides are cut off. */
const MOST_ZOOM = 1.4;
/** The same on a phone. */
const MOST_ZOOM_NARROW = 2;
/** Drawings that are narrower are a phone's, in CSS pixels. */
export const NARROW_PX = 600;

/** What must be visible: the own slime, or the one that is followed. */
export interface CameraFocus {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  /** From the ceiling to the floor, however small. */
  readonly isWhole?: boolean;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/**
 * The own slime, and while watching the followed one. `isStill`: the person wants no motion that they did not begin, so the drawing
 * does not pan after others.
 */
export function focusOf(own: Place | undefined, followed: Place | undefined, isStill: boolean): CameraFocus {
  const at = own ?? (isStill ? undefined : followed);
  return at === undefined ? {} : { x: at.x, y: at.y };
}

/** Shows the room from wall to wall, or the part of it around the focus as large as its platforms with the room over them fit. */
export function cameraFor(
  { width, height }: Pick<FittedCanvas, "width" | "height">,
  room: DemoRoom | undefined,
  focus: CameraFocus = {},
): Camera {
  const world = room ?? UNKNOWN_ROOM;
  // While the page is laid out, a drawing may be smaller than its margins.
  const tall = Math.max(1, height - 2 * MARGIN);
  // A slime at a wall stands half beyond it.
  const across = Math.max(1, width - 2 * MARGIN) / (world.width + WIDTH);
  const mostZoom = Math.min(width < NARROW_PX ? MOST_ZOOM_NARROW : MOST_ZOOM, Math.max(1, CLEAR_SCALE / across));
  const zoomed =
    focus.x === undefined ? across : Math.max(across, Math.min(tall / playedHeight(room), across * mostZoom));
  const seen = focus.isWhole === true ? 1 : focus.x === undefined ? LEAST_SEEN : leastSeen(room);
  const scale = Math.min(zoomed, tall / world.height / seen);
  const spare = tall - world.height * scale;
  const bottomTop = spare > 0 ? MARGIN + spare / 2 : MARGIN + spare;
  const ownTop = focus.y === undefined ? bottomTop : MARGIN + OWN_ROOM_PX - focus.y * scale;
  const side = MARGIN + (WIDTH / 2) * scale;
  const spareX = width - 2 * side - world.width * scale;
  const wanted = width / 2 - (focus.x ?? world.width / 2) * scale;
  return {
    scale,
    left: spareX >= 0 ? side + spareX / 2 : Math.max(side + spareX, Math.min(side, wanted)),
    top: Math.max(bottomTop, Math.min(MARGIN, ownTop)),
    width: world.width,
    height: world.height,
  };
}

/** From above the highest platform to the floor: where players are, in world pixels. */
function playedHeight(room: DemoRoom | undefined): number {
  if (room === undefined) return UNKNOWN_ROOM.height;
  const top = Math.min(...room.solids.map(({ y }) => y).filter((y) => y > 0));
  return Math.min(room.height, Math.max(room.height / 2, room.height - top + JUMP_ROOM));
}

function leastSeen(room: DemoRoom | undefined): number {
  return Math.min(LEAST_SEEN, playedHeight(room) / (room ?? UNKNOWN_ROOM).height);
}

/** Air, walls, ice and water. */
export function drawRoom(fitted: FittedCanvas, camera: Camera, room: DemoRoom | undefined, palette: Palette): void {
  const { context, width, height } = fitted;
  context.clearRect(0, 0, width, height);
  context.save();
  toWorld(context, camera);
  context.fillStyle = palette.scene;
  context.beginPath();
  context.roundRect(0, 0, camera.width, camera.height, 8 / camera.scale);
  context.fill();
  context.clip();
  context.strokeStyle = palette["scene-grid"];
  context.lineWidth = 1 / camera.scale;
  context.beginPath();
  for (let x = 60; x < camera.width; x += 60) {
    context.moveTo(x, 0);
    context.lineTo(x, camera.height);
  }
  for (let y = 60; y < camera.height; y += 60) {
    context.moveTo(0, y);
    context.lineTo(camera.width, y);
  }
  context.stroke();
  for (const solid of room?.solids ?? []) drawSolid(context, solid, palette);
  for (const ice of room?.ice ?? []) drawIce(context, ice, palette);
  context.restore();
}

/** Drawn over the slimes: a swimmer shows through it. */
export function drawWater(fitted: FittedCanvas, camera: Camera, room: DemoRoom | undefined, palette: Palette): void {
  const { context } = fitted;
  context.save();
  toWorld(context, camera);
  for (const { x, y, w, h } of room?.water ?? []) {
    context.globalAlpha = 0.4;
    context.fillStyle = palette["scene-water"];
    context.fillRect(x, y, w, h);
    context.globalAlpha = 1;
    context.fillRect(x, y, w, 1.5);
  }
  context.restore();
}

function drawSolid(context: CanvasRenderingContext2D, { x, y, w, h }: Rectangle, palette: Palette): void {
  context.fillStyle = palette["scene-solid"];
  context.fillRect(x, y, w, h);
  context.fillStyle = palette["scene-edge"];
  context.fillRect(x, y, w, Math.min(2, h));
}

function drawIce(context: CanvasRenderingContext2D, { x, y, w, h }: Rectangle, palette: Palette): void {
  const thickness = Math.max(h, 5);
  context.fillStyle = palette["scene-ice"];
  context.fillRect(x, y, w, thickness);
  // Shine: colour alone must not be what marks ice.
  context.strokeStyle = palette.scene;
  context.lineWidth = 1.2;
  context.beginPath();
  for (let at = x + 8; at < x + w - 4; at += 16) {
    context.moveTo(at, y + thickness - 1);
    context.lineTo(at + 4, y + 1);
  }
  context.stroke();
}

function toWorld(context: CanvasRenderingContext2D, { left, top, scale }: Camera): void {
  context.translate(left, top);
  context.scale(scale, scale);
}

/** A line that fades towards its oldest point. */
export function drawTrail(
  fitted: FittedCanvas,
  camera: Camera,
  points: readonly TrailPoint[],
  head: { readonly x: number; readonly y: number },
  colour: string,
): void {
  const { context } = fitted;
  context.save();
  toWorld(context, camera);
  context.strokeStyle = colour;
  context.lineWidth = 2.5;
  context.lineCap = "round";
  const all = [...points, { ...head, age: 0 }];
  for (let index = 1; index < all.length; index++) {
    const [from, to] = [all[index - 1], all[index]];
    if (from === undefined || to === undefined) continue;
    context.globalAlpha = 0.55 * (1 - from.age) ** 1.5;
    context.beginPath();
    // Half a body up: a line on the ground would be hidden by its edge.
    context.moveTo(from.x, from.y - HEIGHT / 2);
    context.lineTo(to.x, to.y - HEIGHT / 2);
    context.stroke();
  }
  context.restore();
}

function bodyPath(context: CanvasRenderingContext2D, width: number, height: number): void {
  const half = width / 2;
  context.beginPath();
  context.moveTo(-half, -3);
  context.bezierCurveTo(-half * 1.02, -height * 0.75, -half * 0.6, -height, 0, -height);
  context.bezierCurveTo(half * 0.6, -height, half * 1.02, -height * 0.75, half, -3);
  context.quadraticCurveTo(half, 0, half - 4, 0);
  context.lineTo(-half + 4, 0);
  context.quadraticCurveTo(-half, 0, -half, -3);
  context.closePath();
}

/** Wide when it crouches, tall when it flies; its width swings as it walks. */
function bodySize({ vsp, hsp, x, crouches }: SlimeLook): { readonly width: number; readonly height: number } {
  if (crouches) return { width: WIDTH * 1.16, height: HEIGHT * 0.62 };
  const stretch = Math.min(0.3, Math.abs(vsp) * 0.045) + Math.min(1, Math.abs(hsp)) * 0.06 * Math.sin(x / 7);
  return { width: WIDTH * (1 - stretch * 0.6), height: HEIGHT * (1 + stretch) };
}

export function drawSlime(fitted: FittedCanvas, camera: Camera, look: SlimeLook, palette: Palette, own: boolean): void {
  const { context } = fitted;
  const { width, height } = bodySize(look);
  context.save();
  toWorld(context, camera);
  context.translate(look.x, look.y);
  bodyPath(context, width, height);
  context.fillStyle = look.colour;
  context.fill();
  context.lineWidth = own ? 3 : 1.5;
  context.strokeStyle = own ? palette.text : palette.scene;
  context.stroke();
  // Both eyes on the side that it faces, pupils at their edge: facing is visible without colour.
  const side = look.facesRight ? 1 : -1;
  for (const at of [1.5, 9]) {
    context.fillStyle = "#ffffff";
    context.beginPath();
    context.ellipse(side * at, -height * 0.58, 3.4, 4.2, 0, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = "#10151c";
    context.beginPath();
    context.arc(side * (at + 1.4), -height * 0.56, 1.9, 0, 2 * Math.PI);
    context.fill();
  }
  context.restore();
}

/** A ring around the player whose messages are on the wire. */
export function drawFollowed(fitted: FittedCanvas, camera: Camera, look: SlimeLook, palette: Palette): void {
  const { context } = fitted;
  context.save();
  context.beginPath();
  const [x, y] = [camera.left + look.x * camera.scale, camera.top + (look.y - HEIGHT / 2) * camera.scale];
  context.arc(x, y, Math.max(22, WIDTH * camera.scale * 0.9), 0, 2 * Math.PI);
  context.globalAlpha = 0.1;
  context.fillStyle = palette.accent;
  context.fill();
  context.globalAlpha = 0.9;
  context.setLineDash([4, 4]);
  context.lineWidth = 1.5;
  context.strokeStyle = palette.accent;
  context.stroke();
  context.restore();
}

/** A click this near to a body means it, in CSS pixels. */
const CLICK_PX = 28;

/** The player nearest to a place on the screen. */
export function nearestSlime<P>(
  { left, top, scale }: Camera,
  figures: readonly { readonly player: P; readonly look: SlimeLook }[],
  at: { readonly x: number; readonly y: number },
): P | undefined {
  let best: P | undefined;
  let bestPx = CLICK_PX;
  for (const { player, look } of figures) {
    const px = Math.hypot(left + look.x * scale - at.x, top + (look.y - HEIGHT / 2) * scale - at.y);
    if (px > bestPx) continue;
    bestPx = px;
    best = player;
  }
  return best;
}

/** Where the server has a player that is drawn where it is predicted: an outline, which hides nothing. */
export function drawOutline(fitted: FittedCanvas, camera: Camera, x: number, y: number, palette: Palette): void {
  const { context } = fitted;
  context.save();
  toWorld(context, camera);
  context.translate(x, y);
  bodyPath(context, WIDTH + 6, HEIGHT + 5);
  context.setLineDash([4, 3]);
  context.lineWidth = 1.5;
  context.strokeStyle = palette.text;
  context.globalAlpha = 0.75;
  context.stroke();
  context.restore();
}

/** Name and held keys above a head, in the same size at every scale. */
export function drawLabel(
  fitted: FittedCanvas,
  camera: Camera,
  look: SlimeLook,
  label: { readonly name: string | undefined; readonly keys: HeldKeys; readonly own: boolean },
  palette: Palette,
  space: LabelSpace,
): void {
  const { context } = fitted;
  const { name = "", keys } = label;
  const isHeld = keys.left || keys.right || keys.up || keys.down;
  if (name === "" && !isHeld) return;
  const text = shortName(name);
  context.save();
  context.font = nameFont(label.own);
  const nameHeight = text === "" ? 0 : NAME_PX;
  const wide = Math.max(context.measureText(text).width + 2, isHeld ? KEYS_WIDE : 0);
  const at = space.place(
    camera.left + look.x * camera.scale,
    camera.top + (look.y - bodySize(look).height) * camera.scale - HEAD_ROOM + 2,
    wide,
    nameHeight + (isHeld ? KEYS_TALL : 0),
  );
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  context.fillStyle = label.own ? palette.text : palette["text-dim"];
  haloText(context, text, at.x, at.y - 2, palette);
  if (isHeld) drawKeys(context, at.x, at.y - nameHeight - 2, keys, palette);
  context.restore();
}

/** Whether a slime is outside of the drawing. */
export function isBeyond({ width, height }: FittedCanvas, camera: Camera, look: SlimeLook): boolean {
  const x = camera.left + look.x * camera.scale;
  const y = camera.top + (look.y - HEIGHT / 2) * camera.scale;
  return x < 0 || x > width || y < 0 || y > height;
}

/** How far under its feet the name of a slime beyond an edge ends, in CSS pixels: over the ground, where it covers no other. */
const BEYOND_PX = 50;

/** A slime outside of the drawing: its name at the edge, with an arrow towards it. */
export function drawBeyond(
  fitted: FittedCanvas,
  camera: Camera,
  look: SlimeLook,
  words: { readonly text: string; readonly colour: string },
  palette: Palette,
  space: LabelSpace,
): void {
  const { context, width, height } = fitted;
  const x = camera.left + look.x * camera.scale;
  const y = camera.top + look.y * camera.scale;
  const text = x < 0 ? `← ${words.text}` : x > width ? `${words.text} →` : `${words.text} ${y < 0 ? "↑" : "↓"}`;
  context.font = TAG_FONT;
  const tall = 18;
  const at = space.place(
    x,
    Math.min(height - 4, Math.max(y + BEYOND_PX, tall + 4)),
    context.measureText(text).width + 14,
    tall,
  );
  drawTag(context, at.x, at.y - tall / 2, text, words.colour, palette);
}

/** Size of the key caps over a name, in CSS pixels. */
const KEYS_TALL = 20;
const KEYS_WIDE = 28;

const CAP = 8;
const GAP = 1.5;

/** Four key caps arranged as on a keyboard. */
function drawKeys(context: CanvasRenderingContext2D, x: number, y: number, keys: HeldKeys, palette: Palette): void {
  const step = CAP + GAP;
  const caps: readonly [held: boolean, dx: number, dy: number, turns: number][] = [
    [keys.left, -step, 0, 0.5],
    [keys.down, 0, 0, 0.25],
    [keys.right, step, 0, 0],
    [keys.up, 0, -step, 0.75],
  ];
  for (const [held, dx, dy, turns] of caps) {
    context.save();
    context.translate(x + dx, y + dy - CAP / 2);
    context.beginPath();
    context.roundRect(-CAP / 2, -CAP / 2, CAP, CAP, 2);
    context.globalAlpha = held ? 1 : 0.35;
    context.fillStyle = held ? palette.accent : palette["scene-edge"];
    context.fill();
    if (held) {
      context.rotate(turns * 2 * Math.PI);
      context.fillStyle = palette.scene;
      context.beginPath();
      context.moveTo(2.6, 0);
      context.lineTo(-1.6, -2.5);
      context.lineTo(-1.6, 2.5);
      context.fill();
    }
    context.restore();
  }
}

/** The straight way between two places, as a dashed line. */
export function drawWay(
  { context }: FittedCanvas,
  { left, top, scale }: Camera,
  from: { readonly x: number; readonly y: number },
  to: { readonly x: number; readonly y: number },
  colour: string,
): void {
  context.save();
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.setLineDash([6, 4]);
  context.beginPath();
  context.moveTo(left + from.x * scale, top + (from.y - HEIGHT / 2) * scale);
  context.lineTo(left + to.x * scale, top + (to.y - HEIGHT / 2) * scale);
  context.stroke();
  context.restore();
}

/** A correction: a cross at the predicted place and a line to the server's. `age` is 0 for a new one, 1 when it disappears. */
export function drawCorrection(
  fitted: FittedCanvas,
  camera: Camera,
  correction: Omit<Correction, "atMs">,
  age: number,
  palette: Palette,
): void {
  const { context } = fitted;
  const place = (x: number, y: number): [number, number] => [
    camera.left + x * camera.scale,
    camera.top + (y - HEIGHT / 2) * camera.scale,
  ];
  const [fromX, fromY] = place(correction.fromX, correction.fromY);
  const [toX, toY] = place(correction.toX, correction.toY);
  context.save();
  context.globalAlpha = Math.min(1, (1 - age) * 3);
  drawWay(
    fitted,
    camera,
    { x: correction.fromX, y: correction.fromY },
    { x: correction.toX, y: correction.toY },
    palette.correct,
  );
  context.strokeStyle = palette.correct;
  context.lineWidth = 2;
  context.beginPath();
  for (const side of [-1, 1]) {
    context.moveTo(fromX - 6, fromY - 6 * side);
    context.lineTo(fromX + 6, fromY + 6 * side);
  }
  context.stroke();
  context.beginPath();
  context.arc(toX, toY, 14 + age * 10, 0, 2 * Math.PI);
  context.stroke();
  // Below the tag of the verdict, which appears at the same moment.
  const again = correction.replayed === 0 ? "" : `, ${correction.replayed} frames played again`;
  drawTag(
    context,
    toX,
    toY + Math.max(18, WIDTH * 0.7 * camera.scale) + 36,
    `↺ corrected by the server${again}`,
    palette.correct,
    palette,
  );
  context.restore();
}

/** A verdict on this player. */
export function drawVerdict(
  fitted: FittedCanvas,
  camera: Camera,
  at: { readonly x: number; readonly y: number },
  verdict: { readonly text: string; readonly colour: string },
  age: number,
  palette: Palette,
  space: LabelSpace,
): void {
  const { context } = fitted;
  const x = camera.left + at.x * camera.scale;
  const y = camera.top + (at.y - HEIGHT / 2) * camera.scale;
  context.save();
  context.globalAlpha = Math.min(1, (1 - age) * 3);
  context.strokeStyle = verdict.colour;
  context.lineWidth = 2;
  context.beginPath();
  const radius = Math.max(18, WIDTH * 0.7 * camera.scale);
  context.arc(x, y, radius + 6 * age, 0, 2 * Math.PI);
  context.stroke();
  space.take(drawTag(context, x, y + radius + 12, verdict.text, verdict.colour, palette));
  context.restore();
}
