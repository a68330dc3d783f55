/** From the map's pixels to the canvas's. Pure. */

import type { Point } from "wirewalk/maplestory";
import type { MapArea, MapleMap } from "wirewalk/maplestory/maps";

export interface Camera {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Free space around the footholds, in the map's pixels: heads and jumps are above them. */
const ABOVE_PX = 95;
const BELOW_PX = 34;
const BESIDE_PX = 24;

/** The bounds without a map and without actors. */
const NOWHERE = { left: -400, right: 400, top: -200, bottom: 100 };

/** The whole map, as large as it fits; for an unknown map the bounds of the known positions. */
export function cameraFor(size: Size, map: MapleMap | undefined, places: readonly Point[]): Camera {
  const area = shownArea(map, places);
  const scale = Math.min(size.width / (area.right - area.left), size.height / (area.bottom - area.top));
  return cameraAt(size, middleOf(area), scale);
}

/** A camera with a position of the map in the middle of the canvas. */
export function cameraAt({ width, height }: Size, { x, y }: Point, scale: number): Camera {
  return { scale, left: width / 2 - x * scale, top: height / 2 - y * scale };
}

export function toScreen({ scale, left, top }: Camera, { x, y }: Point): Point {
  return { x: left + x * scale, y: top + y * scale };
}

/** The reverse of `toScreen`. */
export function toMap({ scale, left, top }: Camera, { x, y }: Point): Point {
  return { x: (x - left) / scale, y: (y - top) / scale };
}

/** What of the map is on a canvas, with `margin` pixels of the canvas around it. */
export function areaOf(camera: Camera, { width, height }: Size, margin = 0): MapArea {
  const { x: left, y: top } = toMap(camera, { x: -margin, y: -margin });
  const { x: right, y: bottom } = toMap(camera, { x: width + margin, y: height + margin });
  return { left, top, right, bottom };
}

/** Heights of the maps' areas by map: they do not change, and a map has a thousand parts. */
const areas = new WeakMap<MapleMap, MapArea>();

/** Everything that the whole map is, with free space around it; for an unknown map, the known positions. */
export function shownArea(map: MapleMap | undefined, places: readonly Point[]): MapArea {
  const known = map && areas.get(map);
  if (known !== undefined) return known;
  const { left, right, top, bottom } = map === undefined ? boundsOf(places) : mapBounds(map);
  const area = { left: left - BESIDE_PX, right: right + BESIDE_PX, top: top - ABOVE_PX, bottom: bottom + BELOW_PX };
  if (map !== undefined) areas.set(map, area);
  return area;
}

function middleOf({ left, right, top, bottom }: MapArea): Point {
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

/** Without portals: some lie far outside. A map without footholds is what its other parts are. */
function mapBounds({ bounds, footholds, ladders, portals, seats }: MapleMap): MapArea {
  if (footholds.length === 0) return boundsOf([...portals, ...seats]);
  return { ...bounds, top: ladders.reduce((top, ladder) => Math.min(top, ladder.top), bounds.top) };
}

function boundsOf(places: readonly Point[]): MapArea {
  const bounds = { ...NOWHERE };
  for (const { x, y } of places) {
    bounds.left = Math.min(bounds.left, x);
    bounds.right = Math.max(bounds.right, x);
    bounds.top = Math.min(bounds.top, y);
    bounds.bottom = Math.max(bounds.bottom, y);
  }
  return bounds;
}
