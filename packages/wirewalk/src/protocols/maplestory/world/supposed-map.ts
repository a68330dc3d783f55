/**
 * What an unknown map must have if a player's paths are honest: conveyors, springs, and portals within it. It may have them anywhere, but each is
 * somewhere, does the same every time, and no map has many: what a player supposes beyond that is flagged as on a known map.
 *
 * Source: docs/protocols/maplestory.md 8.2.3.
 */
import { list, number, optionalMember, type StateOf, state } from "../../world-kit/index.ts";
import type { Point } from "../wire/messages.ts";
import { FALLEN_PX } from "./map-traits.ts";

const savedPlace = { x: number, y: number };

/** What a player supposes of its map. */
export const savedSupposedMap = state({
  /** Stretches of ground that carry bodies to one side: `side` is 1 to the right, -1 to the left. */
  conveyors: list(state({ left: number, right: number, top: number, bottom: number, side: number })),
  springs: list(state(savedPlace)),
  portals: list(state({ ...savedPlace, toX: number, toY: number })),
  /** Once it has gone through a portal: the milliseconds of its paths that are left for others. */
  portalMs: optionalMember(number),
  /** The lowest place that has carried the body. */
  lowestY: number,
});
export type SupposedMap = Readonly<StateOf<typeof savedSupposedMap>>;

export const nothingSupposed: SupposedMap = {
  conveyors: [],
  springs: [],
  portals: [],
  lowestY: Number.NEGATIVE_INFINITY,
};

/**
 * The most of any map: counted in 2,996 maps of an open v83 server, where the richest have 20 stretches, 24 springs and 45 portals within the
 * map. There the strongest conveyor has 300 px/s, and no map has both ice and conveyors, springs or water.
 */
const MAX_CONVEYORS = 32;
const MAX_SPRINGS = 32;
const MAX_PORTALS = 64;
export const CONVEYOR_PX_PER_SECOND = 300;
/** In the same maps none leads farther than 13,544 px. */
const MAX_PORTAL_PX = 14_000;
/** A body goes through portals no more often than once in so long, and a few times at once, milliseconds. */
const PORTAL_MS = 1000;
const PORTALS_AT_ONCE = 3;

/** Conveyors of one side that are so near belong to one stretch, across and in height, pixels. */
const GAP_PX = 64;
const HEIGHT_PX = 24;
/** A stretch that is no higher is flat, and has the conveyors that are so near to its height. */
const FLAT_PX = 8;
/** So near two places are those of the same spring, or where the same portal begins, pixels. */
const REACH_PX = 100;
/** A portal leads to one place, pixels: it is rounded, and the body may fall there. */
const ARRIVAL_PX = 10;

/** With a conveyor that carries to a side from one place to another; undefined where the map cannot have it. */
export function withConveyor(map: SupposedMap, from: Point, to: Point): SupposedMap | undefined {
  const side = to.x > from.x ? 1 : -1;
  const middle = middleOf(from, to);
  if (map.conveyors.some((each) => each.side !== side && isFlat(each) && isOn(each, middle, 0, FLAT_PX))) {
    return undefined;
  }
  const index = map.conveyors.findIndex((each) => each.side === side && isOn(each, middle, GAP_PX, HEIGHT_PX));
  const known = map.conveyors[index] ?? { left: middle.x, right: middle.x, top: middle.y, bottom: middle.y, side };
  const left = Math.min(known.left, from.x, to.x);
  const right = Math.max(known.right, from.x, to.x);
  const top = Math.min(known.top, from.y, to.y);
  const bottom = Math.max(known.bottom, from.y, to.y);
  if (index < 0) {
    if (map.conveyors.length === MAX_CONVEYORS) return undefined;
    return { ...map, conveyors: [...map.conveyors, { left, right, top, bottom, side }] };
  }
  if (left === known.left && right === known.right && top === known.top && bottom === known.bottom) return map;
  return { ...map, conveyors: map.conveyors.with(index, { left, right, top, bottom, side }) };
}

/** Whether one that is supposed carries to a side from one place to another. */
export function isOnConveyor({ conveyors }: SupposedMap, from: Point, to: Point): boolean {
  if (conveyors.length === 0) return false;
  const side = to.x > from.x ? 1 : -1;
  const middle = middleOf(from, to);
  return conveyors.some((each) => each.side === side && isOn(each, middle, GAP_PX, HEIGHT_PX));
}

type Conveyor = SupposedMap["conveyors"][number];

function middleOf(from: Point, to: Point): Point {
  return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
}

function isOn({ left, right, top, bottom }: Conveyor, { x, y }: Point, acrossPx: number, heightPx: number): boolean {
  return x > left - acrossPx && x < right + acrossPx && y >= top - heightPx && y <= bottom + heightPx;
}

function isFlat({ top, bottom }: Conveyor): boolean {
  return bottom - top <= FLAT_PX;
}

/** With a spring near a place. */
export function withSpring(map: SupposedMap, { x, y }: Point): SupposedMap | undefined {
  if (map.springs.some((each) => isWithin(each.x - x, each.y - y, REACH_PX))) return map;
  if (map.springs.length === MAX_SPRINGS) return undefined;
  return { ...map, springs: [...map.springs, { x, y }] };
}

/** After so much of a path. */
export function rested(map: SupposedMap, durationMs: number): SupposedMap {
  if (map.portalMs === undefined) return map;
  const portalMs = Math.min(PORTALS_AT_ONCE * PORTAL_MS, map.portalMs + durationMs);
  return portalMs === map.portalMs ? map : { ...map, portalMs };
}

/** With a portal from near a place to another one, or the way back of a body that has fallen out of the map. */
export function withPortal(map: SupposedMap, from: Point, to: Point): SupposedMap | undefined {
  const { portalMs = PORTALS_AT_ONCE * PORTAL_MS } = map;
  if (portalMs < PORTAL_MS || Math.hypot(to.x - from.x, to.y - from.y) > MAX_PORTAL_PX) return undefined;
  const used = { ...map, portalMs: portalMs - PORTAL_MS };
  const hasFallen = from.y > map.lowestY + FALLEN_PX;
  for (const { x, y, toX, toY } of map.portals) {
    if (!isWithin(toX - to.x, toY - to.y, ARRIVAL_PX)) continue;
    if (hasFallen || isWithin(x - from.x, y - from.y, REACH_PX)) return used;
  }
  if (map.portals.length === MAX_PORTALS) return undefined;
  return { ...used, portals: [...map.portals, { x: from.x, y: from.y, toX: to.x, toY: to.y }] };
}

function isWithin(dx: number, dy: number, reachPx: number): boolean {
  return Math.abs(dx) <= reachPx && Math.abs(dy) <= reachPx;
}
