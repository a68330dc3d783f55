/** From the world's metres to the canvas: follows somebody, or shows everybody. World y goes up the screen. */

/** What is seen. */
export interface Camera {
  /** The world's point in the middle. */
  readonly x: number;
  readonly y: number;
  /** CSS pixels per metre. */
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How much is seen of the world at first while somebody is followed, pixels per metre, and how far the wheel goes. */
export const FOLLOW_SCALE = 26;
const MIN_SCALE = 4;
const MAX_SCALE = 120;

/** Margin around the shown players, in pixels: their names and gauges extend beyond their bodies. */
const MARGIN_PX = 54;

/** The view covers at least this many metres, also for a few players close together. */
const LEAST_METRES = 16;

/** Time in which the camera covers half of the way to its target. A followed player stands still in the middle. */
const FOLLOW_HALF_LIFE_MS = 40;
const FIT_HALF_LIFE_MS = 350;

/** A frame that is later than this is another sight: nothing is gone through on the way. */
const LEAP_MS = 1_000;

/** Where a point of the world is on the canvas. */
export function toScreen({ x, y, scale }: Camera, { width, height }: Size, point: Point): Point {
  return { x: width / 2 + (point.x - x) * scale, y: height / 2 - (point.y - y) * scale };
}

/** What shows all points, with room around them. */
export function fitting({ width, height }: Size, points: readonly Point[]): Camera {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [left, right] = points.length === 0 ? [0, 0] : [Math.min(...xs), Math.max(...xs)];
  const [bottom, top] = points.length === 0 ? [0, 0] : [Math.min(...ys), Math.max(...ys)];
  const scaleX = Math.max(1, width - 2 * MARGIN_PX) / Math.max(LEAST_METRES, right - left);
  const scaleY = Math.max(1, height - 2 * MARGIN_PX) / Math.max(LEAST_METRES, top - bottom);
  return { x: (left + right) / 2, y: (bottom + top) / 2, scale: clampScale(Math.min(scaleX, scaleY)) };
}

function clampScale(scale: number): number {
  return Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale));
}

/** The camera over time. */
export class CameraMan {
  #camera: Camera | undefined;
  #atMs = 0;
  #zoom = 1;

  /** By the wheel; above 1 is nearer. */
  zoom(factor: number): void {
    this.#zoom = Math.min(8, Math.max(1 / 8, this.#zoom * factor));
  }

  /** Shows `target` at the following scale, or all points without a target. */
  look(size: Size, target: Point | undefined, points: readonly Point[], nowMs: number): Camera {
    const wanted = target === undefined ? fitting(size, points) : { x: target.x, y: target.y, scale: FOLLOW_SCALE };
    const scale = clampScale(wanted.scale * this.#zoom);
    const passedMs = Math.max(0, nowMs - this.#atMs);
    this.#atMs = nowMs;
    const from = passedMs > LEAP_MS ? undefined : this.#camera;
    const halfLifeMs = target === undefined ? FIT_HALF_LIFE_MS : FOLLOW_HALF_LIFE_MS;
    const rest = from === undefined ? 0 : 2 ** (-passedMs / halfLifeMs);
    const mix = (to: number, before: number): number => to + (before - to) * rest;
    const { x, y, scale: fromScale } = from ?? wanted;
    this.#camera = { x: mix(wanted.x, x), y: mix(wanted.y, y), scale: mix(scale, fromScale) };
    return this.#camera;
  }
}

/** Where a point that is out of sight lies: at the canvas's edge, and which way on. Undefined for one in sight. */
export function beyondEdge(
  { width, height }: Size,
  point: Point,
  margin: number,
): (Point & { readonly radians: number }) | undefined {
  if (point.x >= 0 && point.x <= width && point.y >= 0 && point.y <= height) return undefined;
  const [dx, dy] = [point.x - width / 2, point.y - height / 2];
  const part = Math.min((width / 2 - margin) / Math.abs(dx), (height / 2 - margin) / Math.abs(dy));
  return { x: width / 2 + dx * part, y: height / 2 + dy * part, radians: Math.atan2(dy, dx) };
}

/** Metres between two lines of the grid: 1, 2, 5 or ten times that, at least so many pixels apart. */
export function gridStep(scale: number, leastPx: number): number {
  for (let ten = 1; ; ten *= 10) {
    for (const step of [ten, 2 * ten, 5 * ten]) if (step * scale >= leastPx) return step;
  }
}
