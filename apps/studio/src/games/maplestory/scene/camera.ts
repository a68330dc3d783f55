/** From the map's pixels to the canvas's. Pure. */

import type { Point } from "wirewalk/maplestory";
import type { MapleMap } from "wirewalk/maplestory/maps";

export interface Camera {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

/** Free space around the footholds, in the map's pixels: heads and jumps are above them. */
const ABOVE_PX = 95;
const BELOW_PX = 34;
const BESIDE_PX = 24;

/** The bounds without a map and without actors. */
const NOWHERE = { left: -400, right: 400, top: -200, bottom: 100 };

/** The whole map, as large as it fits; for an unknown map the bounds of the known positions. */
export function cameraFor(
  { width, height }: { readonly width: number; readonly height: number },
  map: MapleMap | undefined,
  places: readonly Point[],
): Camera {
  const { left, right, top, bottom } = map === undefined ? boundsOf(places) : mapBounds(map);
  const worldWidth = right - left + 2 * BESIDE_PX;
  const worldHeight = bottom - top + ABOVE_PX + BELOW_PX;
  const scale = Math.min(width / worldWidth, height / worldHeight);
  return {
    scale,
    left: (width - worldWidth * scale) / 2 - (left - BESIDE_PX) * scale,
    top: (height - worldHeight * scale) / 2 - (top - ABOVE_PX) * scale,
  };
}

export function toScreen({ scale, left, top }: Camera, { x, y }: Point): Point {
  return { x: left + x * scale, y: top + y * scale };
}

/** The reverse of `toScreen`. */
export function toMap({ scale, left, top }: Camera, { x, y }: Point): Point {
  return { x: (x - left) / scale, y: (y - top) / scale };
}

interface Bounds {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function mapBounds({ left, right, footholds, ladders }: MapleMap): Bounds {
  const heights = [...footholds.flatMap(({ y1, y2 }) => [y1, y2]), ...ladders.flatMap((ladder) => [ladder.top])];
  return { left, right, top: Math.min(...heights), bottom: Math.max(...heights) };
}

function boundsOf(places: readonly Point[]): Bounds {
  const bounds = { ...NOWHERE };
  for (const { x, y } of places) {
    bounds.left = Math.min(bounds.left, x);
    bounds.right = Math.max(bounds.right, x);
    bounds.top = Math.min(bounds.top, y);
    bounds.bottom = Math.max(bounds.bottom, y);
  }
  return bounds;
}
