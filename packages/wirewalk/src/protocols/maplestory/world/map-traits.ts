/** What rules ask of a map again and again, worked out once for each map. */
import { type Foothold, isWall } from "../maps/foothold.ts";
import { type MapleMap, type Portal, portalKinds } from "../maps/map.ts";
import { isPlainPortal, isSpring } from "../maps/portals.ts";
import type { Point } from "../wire/messages.ts";
import type { MapleRuleLimits } from "./limits.ts";

/** A portal that throws a body. Pixels per second; undefined where the map does not say how fast. */
export interface Spring extends Point {
  readonly reachX: number;
  readonly reachY: number;
  readonly acrossPxPerSecond: number;
  readonly risePxPerSecond: number | undefined;
}

/** A portal that leads elsewhere on its map: the client goes through it by itself. */
export interface InnerPortal {
  readonly from: Portal;
  readonly to: readonly Portal[];
}

/** Walls at one x that continue each other. */
export interface WallExtent {
  readonly top: number;
  readonly bottom: number;
}

export interface MapTraits {
  readonly springs: readonly Spring[];
  readonly inner: readonly InnerPortal[];
  /** Portals that are touched and lead to another map. */
  readonly touched: readonly Portal[];
  /** Portals where players enter. */
  readonly starts: readonly Portal[];
  /** Portals where a player may be put: it stays there until it presses a key. */
  readonly safe: readonly Portal[];
  /** The walls by their ids, with what continues them. */
  readonly walls: ReadonlyMap<number, WallExtent>;
  /** Footholds that carry a body on. */
  readonly conveyors: readonly Foothold[];
  /** No water, no springs, no conveyors: bodies only walk, fall and climb. */
  readonly isPlain: boolean;
}

/** How near a spring a body may be thrown at most, pixels, unless the map says more. */
const TOUCH_PX = 100;

/** How far below the lowest foothold a body has fallen out of the map, pixels: the client stops it 100 px below. */
export const FALLEN_PX = 50;

const known = new WeakMap<MapleMap, MapTraits>();

/** The traits of a map. */
export function traitsOf(map: MapleMap): MapTraits {
  let traits = known.get(map);
  if (traits === undefined) {
    traits = traitsFrom(map);
    known.set(map, traits);
  }
  return traits;
}

function traitsFrom(map: MapleMap): MapTraits {
  const { mapId, footholds, portals, waters, swims, flies } = map;
  const springs = portals.filter(isSpring).map(springOf);
  const leading = portals.filter((portal) => portal.target !== undefined && !isSpring(portal));
  const inner = leading
    .filter(({ target }) => target?.mapId === mapId)
    .map((from) => ({ from, to: portals.filter(({ name }) => name === from.target?.portal) }))
    .filter(({ to }) => to.length > 0);
  const conveyors = footholds.filter(({ force = 0 }) => force !== 0);
  const isPlain = springs.length === 0 && waters.length === 0 && !swims && !flies && conveyors.length === 0;
  return {
    springs,
    inner,
    touched: leading.filter(({ kind, target }) => kind === portalKinds.touched && target?.mapId !== mapId),
    starts: portals.filter(({ kind }) => kind === portalKinds.start),
    safe: portals.filter(isPlainPortal),
    walls: new Map(footholds.filter(isWall).map((wall) => [wall.id, extentOf(map, wall)])),
    conveyors,
    isPlain,
  };
}

function springOf({ x, y, impactX = 0, impactY, reachX = TOUCH_PX, reachY = TOUCH_PX }: Portal): Spring {
  return {
    x,
    y,
    reachX: Math.max(TOUCH_PX, reachX),
    reachY: Math.max(TOUCH_PX, reachY),
    acrossPxPerSecond: impactX,
    risePxPerSecond: impactY === undefined ? undefined : Math.abs(impactY),
  };
}

function extentOf(map: MapleMap, wall: Foothold): WallExtent {
  let top = Math.min(wall.y1, wall.y2);
  let bottom = Math.max(wall.y1, wall.y2);
  for (const side of ["previous", "next"] as const) {
    let at: Foothold = wall;
    const isUp = wall.y2 < wall.y1;
    // A map has finitely many, but they may be joined in a circle.
    for (let count = 0; count < map.footholds.length; count++) {
      const neighbour = map.foothold(at[side]);
      if (neighbour === undefined || !isWall(neighbour) || neighbour.x1 !== wall.x1) break;
      if (neighbour === wall || neighbour.y2 < neighbour.y1 !== isUp) break;
      top = Math.min(top, neighbour.y1, neighbour.y2);
      bottom = Math.max(bottom, neighbour.y1, neighbour.y2);
      at = neighbour;
    }
  }
  return { top, bottom };
}

/** Whether a way within the map may lead through one of its portals without any time. */
export function leadsThroughPortal(map: MapleMap, from: Point, to: Point, reachPx: number): boolean {
  const { inner, starts } = traitsOf(map);
  for (const portal of inner) {
    const { x, y, reachX = 0, reachY = 0 } = portal.from;
    const isIn = Math.abs(from.x - x) <= Math.max(reachPx, reachX) && Math.abs(from.y - y) <= Math.max(reachPx, reachY);
    if (isIn && portal.to.some((there) => isWithin(there, to, reachPx))) return true;
  }
  // Who falls out of the map is put back to where players enter.
  return from.y > map.bounds.bottom + FALLEN_PX && starts.some((start) => isWithin(start, to, reachPx));
}

/** Whether a place is a seat of the map. */
export function isSeat(map: MapleMap, at: Point, reachPx: number): boolean {
  return map.seats.some((seat) => isWithin(seat, at, reachPx));
}

/** Whether the map explains that a player is elsewhere at once: a portal within it, or a seat. */
export function explainsInstant(
  map: MapleMap | undefined,
  from: Point,
  to: Point,
  { portalPx, seatPx, slackPx }: Pick<MapleRuleLimits, "portalPx" | "seatPx" | "slackPx">,
): boolean {
  if (map === undefined) return false;
  if (leadsThroughPortal(map, from, to, portalPx)) return true;
  return Math.hypot(to.x - from.x, to.y - from.y) <= seatPx && isSeat(map, to, slackPx);
}

function isWithin(a: Point, b: Point, reachPx: number): boolean {
  return Math.abs(a.x - b.x) <= reachPx && Math.abs(a.y - b.y) <= reachPx;
}
