/**
 * Maps, as rules, bodies and the page use them: footholds, ladders and ropes, portals, seats, water.
 *
 * Pixels, x to the right, y **down**. Numbers are those on the wire: they need be in no order and may have gaps.
 *
 * Source: docs/protocols/maplestory.md 5, and the map files of the client.
 */
import type { Point } from "../wire/messages.ts";
import type { Foothold, MapArea } from "./foothold.ts";
import { FootholdIndex, type GroundBelow, type NearGround } from "./foothold-index.ts";

export interface Ladder {
  /** On the wire negative. */
  readonly id: number;
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
  /** Default a ladder. */
  readonly rope?: true;
  /** One cannot climb over its upper end onto a platform. */
  readonly closedTop?: true;
}

/** The kinds of portals, by their number in map files. */
export const portalKinds = {
  start: 0,
  invisible: 1,
  visible: 2,
  touched: 3,
  changeable: 4,
  changeableInvisible: 5,
  door: 6,
  script: 7,
  scriptInvisible: 8,
  scriptTouched: 9,
  hidden: 10,
  scriptHidden: 11,
  spring: 12,
  springOfOwn: 13,
} as const;

/** Where players enter and leave. */
export interface Portal extends Point {
  /** Its number on the wire. */
  readonly id: number;
  readonly name: string;
  /** One of {@link portalKinds}, or a number that no table knows. */
  readonly kind: number;
  /** Where it leads; undefined: nowhere, or where a script says. */
  readonly target?: { readonly mapId: number; readonly portal: string };
  /** The name of the script that runs. */
  readonly script?: string;
  /** Of springs: pixels per second; undefined: those of its kind. */
  readonly impactX?: number;
  readonly impactY?: number;
  /** Of one that is touched: how far from it, in pixels; undefined: the client's. */
  readonly reachX?: number;
  readonly reachY?: number;
}

/** A place to sit. */
export interface MapSeat extends Point {
  readonly id: number;
}

/** A monster that lives on the map. */
export interface MonsterPlan extends Point {
  /** The game's number of its kind. */
  readonly template: number;
  /** Pixels per second. */
  readonly speed: number;
  /** Whether its kind flies. Default false: its paths are on footholds. */
  readonly flies?: boolean;
  /** Its mana. Default 100. */
  readonly mp?: number;
  /** Skills of its kind, the one that is preferred first. Default: none. */
  readonly skills?: readonly MonsterSkill[];
}

/** A skill that a monster may use. */
export interface MonsterSkill {
  /** The game's numbers. */
  readonly id: number;
  readonly level: number;
  /** What it costs. */
  readonly mp: number;
  /** Milliseconds between two uses of any skill. */
  readonly restMs: number;
}

/** Something of a map file that a reader left out, and why. */
export interface Omission {
  /** `foothold`, `ladderRope`, `portal`, `seat`, `swimArea`, `life`. */
  readonly what: string;
  readonly id: number | string;
  /** Of the text, from 1; undefined where the file has no lines. */
  readonly line?: number;
  readonly reason: string;
}

/** What a map file says of movement. */
export interface MapParts {
  readonly mapId: number;
  /** For people. Default: the number. */
  readonly title?: string;
  readonly footholds: readonly Foothold[];
  readonly ladders?: readonly Ladder[];
  readonly portals?: readonly Portal[];
  readonly seats?: readonly MapSeat[];
  /** Water in a map that is not under water as a whole. */
  readonly waters?: readonly MapArea[];
  readonly monsters?: readonly MonsterPlan[];
  /** Under water: bodies swim and need no ground. Default false. */
  readonly swims?: boolean;
  /** Players fly. Default false. */
  readonly flies?: boolean;
  /** Of the ground: less than 1 is ice. Default 1. */
  readonly friction?: number;
  /** Bits of what is forbidden, as in the client. Default 0. */
  readonly fieldLimit?: number;
  /** The map whose places it has. */
  readonly linkedTo?: number;
  readonly omitted?: readonly Omission[];
}

/** A map ready for use. */
export interface MapleMap extends Required<Omit<MapParts, "linkedTo">> {
  readonly linkedTo: number | undefined;
  /** Of all footholds. Zeros where there are none. */
  readonly bounds: MapArea;
  /** The same as those of `bounds`. */
  readonly left: number;
  readonly right: number;
  foothold(id: number): Foothold | undefined;
  ladder(id: number): Ladder | undefined;
  portal(id: number): Portal | undefined;
  /** The first foothold that one can stand on at or below a position, and its height there. */
  below(x: number, y: number): GroundBelow | undefined;
  /** Whether a foothold that is no wall is within `reach` pixels of a position, sideways and up or down. */
  isNearGround(x: number, y: number, reach: number): boolean;
  /** Whether all footholds at this place are above it. False where there are none. */
  isBelowAll(x: number, y: number, reach: number): boolean;
  /** The footholds that an area touches, by the rectangles around them: what a drawing shows. Each once, in no order. */
  footholdsIn(area: MapArea): readonly Foothold[];
  /** The first wall that a straight way crosses. A way along a wall, or from its line on, crosses nothing. */
  wallBetween(from: Point, to: Point): Foothold | undefined;
  /** Walls from one x to another, both included, from left to right. */
  wallsFrom(left: number, right: number): readonly Foothold[];
  /** Whether a wall is there. */
  hasWalls(left: number, right: number): boolean;
  /** The foothold that is nearest to a place and no wall, the lowest number of several; undefined where none is within `reach` pixels. */
  nearest(x: number, y: number, reach: number, besides: number): NearGround | undefined;
  /** The highest foothold that a body comes through from above on a short way, and its height there. `except` is passed freely. */
  landing(from: Point, to: Point, except: number): GroundBelow | undefined;
  /** A foothold that a body would pass from below on a short way and that cannot be passed so. */
  ceiling(from: Point, to: Point): GroundBelow | undefined;
  /** Whether bodies swim here. */
  isWater(x: number, y: number): boolean;
}

/** Makes a map of its parts. Throws `RangeError` where an id is there twice: a reader leaves the second out. */
export function makeMap(parts: MapParts): MapleMap {
  const { mapId, title = String(mapId), footholds, ladders = [], portals = [], seats = [], waters = [] } = parts;
  const { monsters = [], swims = false, flies = false, friction = 1, fieldLimit = 0, omitted = [], linkedTo } = parts;
  const index = new FootholdIndex(footholds);
  const byId = tableOf(mapId, "foothold", footholds);
  const ladderById = tableOf(mapId, "ladder", ladders);
  const portalById = tableOf(mapId, "portal", portals);
  return {
    mapId,
    title,
    footholds,
    ladders,
    portals,
    seats,
    waters,
    monsters,
    swims,
    flies,
    friction,
    fieldLimit,
    linkedTo,
    omitted,
    bounds: index.bounds,
    left: index.bounds.left,
    right: index.bounds.right,
    foothold: (id) => byId.get(id),
    ladder: (id) => ladderById.get(id),
    portal: (id) => portalById.get(id),
    below: (x, y) => index.below(x, y),
    isNearGround: (x, y, reach) => index.isNear(x, y, reach),
    isBelowAll: (x, y, reach) => index.isBelowAll(x, y, reach),
    footholdsIn: (area) => index.within(area),
    wallBetween: (from, to) => index.wallBetween(from, to),
    wallsFrom: (left, right) => index.wallsFrom(left, right),
    hasWalls: (left, right) => index.hasWalls(left, right),
    nearest: (x, y, reach, besides) => index.nearest(x, y, reach, besides),
    landing: (from, to, except) => index.landing(from, to, except),
    ceiling: (from, to) => index.ceiling(from, to),
    isWater: (x, y) => {
      if (swims) return true;
      for (const { left, top, right, bottom } of waters) {
        if (x >= left && x <= right && y >= top && y <= bottom) return true;
      }
      return false;
    },
  };
}

function tableOf<T extends { readonly id: number }>(mapId: number, what: string, all: readonly T[]): Map<number, T> {
  const table = new Map(all.map((each) => [each.id, each]));
  if (table.size < all.length) throw new RangeError(`Map ${mapId}: two of its ${what}s have one number`);
  return table;
}

/** The foothold or the ladder with a number on the wire, in words. */
export function describeFoothold(map: MapleMap, foothold: number): string {
  if (foothold === 0) return "in the air";
  if (foothold > 0) return `foothold ${foothold}`;
  return map.ladder(-foothold)?.rope === true ? `rope ${-foothold}` : `ladder ${-foothold}`;
}
