/** Which part of a map is on the canvas: what is followed, the whole map, or where the person at the page has moved it. Pure. */
import type { Point } from "wirewalk/maplestory";
import { type MapleMap, portalKinds } from "wirewalk/maplestory/maps";
import { type Camera, cameraAt, cameraFor, type Size, shownArea, toMap } from "./camera.ts";

/** From this scale on the whole map can be read: a body is 20 pixels high. */
const LEAST_READABLE_SCALE = 0.4;

/** What the client shows: so much of the map is around the followed player, at the canvas's own shape. */
const CLIENT_PX = { width: 800, height: 600 };
const LEAST_NEAR_SCALE = 0.5;
const MOST_NEAR_SCALE = 1.5;

/** Limits of the scale that a wheel reaches: the whole map, and a body of 200 pixels. */
const MOST_SCALE = 4;

/** The camera comes so much nearer to what it follows in a second; farther away than this it jumps. */
const FOLLOW_PER_SECOND = 6;
const JUMP_PX = 1_500;

/** `near`: around what is followed. `free`: it was moved there. */
export type ViewMode = "near" | "whole" | "free";

/** The scale around what is followed: the larger the canvas, the more of the map and the larger. */
export function nearScale({ width, height }: Size): number {
  const scale = Math.sqrt((width * height) / (CLIENT_PX.width * CLIENT_PX.height));
  return Math.min(MOST_NEAR_SCALE, Math.max(LEAST_NEAR_SCALE, scale));
}

/** Whether a map is so large that its whole cannot be read on a canvas. */
export function isLarge(size: Size, map: MapleMap | undefined): boolean {
  return map !== undefined && cameraFor(size, map, []).scale < LEAST_READABLE_SCALE;
}

export class ViewFinder {
  /** Undefined: nearby on a large map, the whole of a small one. */
  #chosen: ViewMode | undefined;
  #at: Point | undefined;
  #scale = 1;
  #map: MapleMap | undefined;
  #atMs = 0;

  /** How it is shown. */
  modeOn(size: Size, map: MapleMap | undefined): ViewMode {
    return this.#chosen ?? (isLarge(size, map) ? "near" : "whole");
  }

  /** Undefined: as it suits the map. */
  choose(mode: ViewMode | undefined): void {
    this.#chosen = mode;
    if (mode !== "free") this.#at = undefined;
  }

  /** Moves what is shown by pixels of the canvas. */
  pan(camera: Camera, size: Size, dx: number, dy: number): void {
    const middle = toMap(camera, { x: size.width / 2 - dx, y: size.height / 2 - dy });
    this.#free(middle, camera.scale);
  }

  /** Zooms by a factor; the position of the map under `at`, in pixels of the canvas, stays there. */
  zoom(camera: Camera, size: Size, at: Point, factor: number): void {
    const least = Math.min(cameraFor(size, this.#map, []).scale, LEAST_NEAR_SCALE);
    const scale = Math.min(MOST_SCALE, Math.max(least, camera.scale * factor));
    const under = toMap(camera, at);
    this.#free({ x: under.x + (size.width / 2 - at.x) / scale, y: under.y + (size.height / 2 - at.y) / scale }, scale);
  }

  /** The camera of a picture. `target`: what is followed; undefined while there is nothing to follow. */
  camera(
    size: Size,
    map: MapleMap | undefined,
    places: readonly Point[],
    target: Point | undefined,
    nowMs: number,
  ): Camera {
    if (map !== this.#map) {
      this.#map = map;
      this.#at = undefined;
      if (this.#chosen === "free") this.#chosen = undefined;
    }
    const passedMs = Math.max(0, nowMs - this.#atMs);
    this.#atMs = nowMs;
    const mode = this.modeOn(size, map);
    if (mode === "whole" || map === undefined) return cameraFor(size, map, places);
    if (mode === "free") return cameraAt(size, this.#at ?? { x: 0, y: 0 }, this.#scale);
    const scale = nearScale(size);
    const wanted = within(size, map, target ?? this.#at ?? entranceOf(map), scale);
    this.#at = nearer(this.#at, wanted, passedMs);
    return cameraAt(size, this.#at, scale);
  }

  #free(at: Point, scale: number): void {
    this.#chosen = "free";
    this.#at = at;
    this.#scale = scale;
  }
}

/** Where players enter, while nobody is followed: some portals are far from all ground. */
function entranceOf({ portals, footholds, below }: MapleMap): Point {
  const start = portals.find(({ kind, x, y }) => kind === portalKinds.start && below(x, y) !== undefined);
  const [first] = footholds;
  return start ?? (first === undefined ? { x: 0, y: 0 } : { x: first.x1, y: first.y1 });
}

/** The middle of the canvas so that no more than its free space is seen beside the map. */
function within({ width, height }: Size, map: MapleMap, { x, y }: Point, scale: number): Point {
  const area = shownArea(map, []);
  return {
    x: clamp(x, area.left + width / 2 / scale, area.right - width / 2 / scale),
    // Feet are a little under the middle: one jumps up more often than down.
    y: clamp(y - height / 10 / scale, area.top + height / 2 / scale, area.bottom - height / 2 / scale),
  };
}

/** Between two limits; between those that are the wrong way round, their middle. */
function clamp(value: number, low: number, high: number): number {
  return low > high ? (low + high) / 2 : Math.min(high, Math.max(low, value));
}

function nearer(from: Point | undefined, to: Point, passedMs: number): Point {
  if (from === undefined || Math.hypot(to.x - from.x, to.y - from.y) > JUMP_PX) return to;
  const part = 1 - Math.exp((-passedMs / 1000) * FOLLOW_PER_SECOND);
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}
