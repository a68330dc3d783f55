/** Footholds: the lines that a map is made of. Pixels, y downwards. */

/**
 * A line. From left to right one stands on it; a vertical one is a wall beside the footholds that it joins; from right to left it is an
 * underside.
 */
export interface Foothold {
  /** Unique in its map. */
  readonly id: number;
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  /** Ids of the footholds before and after it, 0 at an edge. */
  readonly previous: number;
  readonly next: number;
  /** Depth of drawing; in the air a wall keeps off bodies of its own layer and group. Default 0. */
  readonly layer?: number;
  /** The connected piece that it belongs to. Default 0. */
  readonly group?: number;
  /** Of a conveyor: pixels per second, to the right. */
  readonly force?: number;
  /** One cannot drop down from it. */
  readonly forbidsFall?: true;
  /** One cannot pass it from below. */
  readonly blocksRise?: true;
}

/** A rectangle. */
export interface MapArea {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Whether it is vertical: one stands beside it, not on it. */
export function isWall({ x1, x2 }: Foothold): boolean {
  return x1 === x2;
}

/** Whether one can stand on it. */
export function isFloor({ x1, x2 }: Foothold): boolean {
  return x1 < x2;
}

/** The height of a foothold at x. Of a wall it is the upper end. */
export function heightAt({ x1, y1, x2, y2 }: Foothold, x: number): number {
  return x1 === x2 ? Math.min(y1, y2) : y1 + ((y2 - y1) * (x - x1)) / (x2 - x1);
}

/** How far a place is from a foothold, pixels. */
export function distanceTo(line: Foothold, x: number, y: number): number {
  const share = shareAt(line, x, y);
  const dx = x - line.x1 - share * (line.x2 - line.x1);
  const dy = y - line.y1 - share * (line.y2 - line.y1);
  // `Math.hypot` takes several times as long.
  return Math.sqrt(dx * dx + dy * dy);
}

/** The place of a foothold that is nearest to another one. */
export function nearestOn(line: Foothold, x: number, y: number): { readonly x: number; readonly y: number } {
  const share = shareAt(line, x, y);
  return { x: line.x1 + share * (line.x2 - line.x1), y: line.y1 + share * (line.y2 - line.y1) };
}

/** How far along a foothold that is, from 0 to 1. */
function shareAt({ x1, y1, x2, y2 }: Foothold, x: number, y: number): number {
  const width = x2 - x1;
  const height = y2 - y1;
  const square = width * width + height * height;
  return square === 0 ? 0 : Math.min(1, Math.max(0, ((x - x1) * width + (y - y1) * height) / square));
}
