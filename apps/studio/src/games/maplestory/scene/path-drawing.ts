/** Drawing of packets on the map: the path of their fragments, and a node for each fragment. */
import type { Point } from "wirewalk/maplestory";
import type { MapArea } from "wirewalk/maplestory/maps";
import type { FittedCanvas } from "../../../draw/canvas.ts";
import { type Batch, pointInBatch } from "../play/batch.ts";
import { type Camera, toScreen } from "./camera.ts";
import { kindColour, type MaplePalette, traceMark } from "./marks.ts";
import type { Place } from "./time-line.ts";

/** Paths are drawn this far above the feet, in the map's pixels: the edge of the ground would hide a line along it. */
const LIFT_PX = 14;

/** A dot for each step of the client, so that the spacing shows the speed. */
const STEP_MS = 30;
/** Without dots, one point of so many is enough for the curve, and points nearer to each other than this on the canvas are one. */
const PLAIN_STEPS = 3;
const LEAST_PX = 1.5;
/** Degrees of transparency of paths without dots: those of one colour and degree are one line for the canvas. */
const STRENGTHS = 6;

export interface DrawnBatch {
  readonly key: string;
  readonly batch: Batch;
  readonly colour: string;
  /** 0 to 1. */
  readonly strength: number;
  /** With a dot for each step. */
  readonly inDetail: boolean;
}

/** A node where it was drawn, for the pointer. */
export interface DrawnNode extends Point {
  readonly place: Place;
}

/** The way of a batch: points, one a step, the start first, and what they span. */
interface Way {
  readonly points: readonly Point[];
  readonly area: MapArea;
}

/** They do not change. */
const ways = new WeakMap<Batch, Way>();

export function wayOf(batch: Batch, dialect: string): readonly Point[] {
  return knownWay(batch, dialect).points;
}

function knownWay(batch: Batch, dialect: string): Way {
  let way = ways.get(batch);
  if (way === undefined) {
    const points: Point[] = [];
    for (let ms = 0; ms < batch.durationMs; ms += STEP_MS) points.push(pointInBatch(batch, ms, dialect));
    points.push(pointInBatch(batch, batch.durationMs, dialect));
    way = { points, area: spanOf([...points, ...batch.nodes]) };
    ways.set(batch, way);
  }
  return way;
}

function spanOf(points: readonly Point[]): MapArea {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

/** Whether something of its path is in an area. */
export function isPathIn(batch: Batch, dialect: string, { left, right, top, bottom }: MapArea): boolean {
  const { area } = knownWay(batch, dialect);
  return area.left <= right && area.right >= left && area.top <= bottom && area.bottom >= top;
}

/** The paths of a picture: those in detail over the others. */
export function drawWays(
  fitted: FittedCanvas,
  camera: Camera,
  batches: readonly DrawnBatch[],
  dialect: string,
  isCrowd = false,
): void {
  const { context } = fitted;
  // A crowd has hundreds of paths; a line for each took most of the time of a picture.
  const plain = new Map<string, DrawnBatch[]>();
  for (const drawn of batches) {
    if (drawn.inDetail) continue;
    const key = `${drawn.colour} ${strengthOf(drawn)}`;
    const others = plain.get(key);
    if (others === undefined) plain.set(key, [drawn]);
    else others.push(drawn);
  }
  context.save();
  // A line of one pixel is drawn in half of the time of a wider one.
  context.lineWidth = isCrowd ? 1 : 1.4;
  context.lineJoin = "bevel";
  for (const all of plain.values()) {
    const [first] = all;
    if (first === undefined) continue;
    context.globalAlpha = (0.75 * strengthOf(first)) / STRENGTHS;
    context.strokeStyle = first.colour;
    context.beginPath();
    for (const { batch } of all) tracePlain(context, camera, wayOf(batch, dialect));
    context.stroke();
  }
  context.restore();
  for (const drawn of batches) if (drawn.inDetail) drawDetailed(fitted, camera, drawn, dialect);
}

function strengthOf({ strength }: DrawnBatch): number {
  return Math.ceil(strength * STRENGTHS);
}

function tracePlain(context: CanvasRenderingContext2D, camera: Camera, way: readonly Point[]): void {
  const { scale, left, top } = camera;
  const last = way.length - 1;
  let [beforeX, beforeY] = [0, 0];
  for (let index = 0; index <= last; index = index === last ? last + 1 : Math.min(last, index + PLAIN_STEPS)) {
    const point = way[index];
    if (point === undefined) return;
    const [x, y] = [left + point.x * scale, top + (point.y - LIFT_PX) * scale];
    if (index > 0 && index < last && Math.abs(x - beforeX) + Math.abs(y - beforeY) < LEAST_PX) continue;
    if (index === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
    [beforeX, beforeY] = [x, y];
  }
}

/** A path with a dot for each step. */
function drawDetailed({ context }: FittedCanvas, camera: Camera, drawn: DrawnBatch, dialect: string): void {
  const { batch, colour, strength } = drawn;
  const way = wayOf(batch, dialect);
  context.save();
  context.globalAlpha = 0.75 * strength;
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.lineJoin = "round";
  context.beginPath();
  for (const point of way) {
    const { x, y } = lifted(camera, point);
    context.lineTo(x, y);
  }
  context.stroke();
  context.fillStyle = colour;
  context.beginPath();
  for (const point of way) {
    const { x, y } = lifted(camera, point);
    context.moveTo(x + 1.6, y);
    context.arc(x, y, 1.6, 0, 2 * Math.PI);
  }
  context.fill();
  context.restore();
}

/** Draws the nodes of a batch, and returns where they are. */
export function drawNodes(
  fitted: FittedCanvas,
  camera: Camera,
  { key, batch, strength, inDetail }: DrawnBatch,
  chosen: Place | undefined,
  palette: MaplePalette,
): readonly DrawnNode[] {
  const { context } = fitted;
  const isChosen = chosen?.key === key && chosen.batch === batch.number;
  const drawn: DrawnNode[] = [];
  context.save();
  for (const node of batch.nodes) {
    const { x, y } = lifted(camera, node);
    const isHot = isChosen && (chosen.fragment === undefined || chosen.fragment === node.index);
    context.globalAlpha = isChosen ? 1 : strength;
    traceMark(context, node.kind, x, y, isHot ? 4.6 : inDetail ? 3.4 : 2.6);
    context.fillStyle = kindColour(palette, node.kind);
    context.fill();
    context.lineWidth = isHot ? 2 : 1;
    context.strokeStyle = isHot ? palette.text : palette.scene;
    context.stroke();
    drawn.push({ x, y, place: { key, batch: batch.number, fragment: node.index } });
  }
  context.restore();
  return drawn;
}

/** Movement that no packet has reported yet. */
export function drawUnsent({ context }: FittedCanvas, camera: Camera, points: readonly Point[], colour: string): void {
  context.save();
  context.strokeStyle = colour;
  context.lineWidth = 1.6;
  context.lineCap = "round";
  context.setLineDash([0.5, 4]);
  context.beginPath();
  for (const point of points) {
    const { x, y } = lifted(camera, point);
    context.lineTo(x, y);
  }
  context.stroke();
  context.restore();
}

function lifted(camera: Camera, { x, y }: Point): Point {
  return toScreen(camera, { x, y: y - LIFT_PX });
}

/** The node that is nearest to a position, if one is near. */
export function nearestNode(nodes: readonly DrawnNode[], at: Point, withinPx: number): DrawnNode | undefined {
  let best: DrawnNode | undefined;
  let bestPx = withinPx;
  for (const node of nodes) {
    const px = Math.hypot(node.x - at.x, node.y - at.y);
    if (px > bestPx) continue;
    best = node;
    bestPx = px;
  }
  return best;
}
