/** Drawing of packets on the map: the path of their fragments, and a node for each fragment. */
import type { Point } from "wirewalk/maplestory";
import type { FittedCanvas } from "../../../draw/canvas.ts";
import { type Batch, pointInBatch } from "../play/batch.ts";
import { type Camera, toScreen } from "./camera.ts";
import { kindColour, type MaplePalette, traceMark } from "./marks.ts";
import type { Place } from "./time-line.ts";

/** Paths are drawn this far above the feet, in the map's pixels: the edge of the ground would hide a line along it. */
const LIFT_PX = 14;

/** A dot for each step of the client, so that the spacing shows the speed. */
const STEP_MS = 30;
/** Without dots, one point of so many is enough for the curve. */
const PLAIN_STEPS = 3;

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

/** Points of each batch, one a step, the start first. They do not change. */
const ways = new WeakMap<Batch, readonly Point[]>();

export function wayOf(batch: Batch, dialect: string): readonly Point[] {
  let way = ways.get(batch);
  if (way === undefined) {
    const points: Point[] = [];
    for (let ms = 0; ms < batch.durationMs; ms += STEP_MS) points.push(pointInBatch(batch, ms, dialect));
    points.push(pointInBatch(batch, batch.durationMs, dialect));
    way = points;
    ways.set(batch, way);
  }
  return way;
}

export function drawWay(fitted: FittedCanvas, camera: Camera, drawn: DrawnBatch, dialect: string): void {
  const { context } = fitted;
  const { batch, colour, strength, inDetail } = drawn;
  const way = wayOf(batch, dialect);
  context.save();
  context.globalAlpha = 0.75 * strength;
  context.strokeStyle = colour;
  context.lineWidth = inDetail ? 2 : 1.4;
  context.lineJoin = "round";
  context.beginPath();
  const last = way.length - 1;
  for (let index = 0; index < last; index += inDetail ? 1 : PLAIN_STEPS) traceTo(context, camera, way[index]);
  traceTo(context, camera, way[last]);
  context.stroke();
  if (inDetail) {
    context.fillStyle = colour;
    context.beginPath();
    for (const point of way) {
      const { x, y } = lifted(camera, point);
      context.moveTo(x + 1.6, y);
      context.arc(x, y, 1.6, 0, 2 * Math.PI);
    }
    context.fill();
  }
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

function traceTo(context: CanvasRenderingContext2D, { scale, left, top }: Camera, point: Point | undefined): void {
  if (point !== undefined) context.lineTo(left + point.x * scale, top + (point.y - LIFT_PX) * scale);
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
