/**
 * Places: the ground, its ceilings and its seats, which both ends must have alike. Ours: the protocol carries none of it.
 *
 * ```ts
 * import { plain, yard } from "wirewalk/scrap-mechanic/movement";
 *
 * plain.ground(3, 4); // => 0
 * yard.ground(-8, -20); // => 4
 * yard.ceiling(10, -20); // => 1
 * yard.seats.length; // => 3
 * ```
 */
import type { WorldMaps } from "../../maps.ts";
import { gridMapsIn } from "../maps/grid-maps.ts";
import type { HeightGrid, Seat } from "../maps/height-grid.ts";
import type { Vector3 } from "../wire/unreliable-update.ts";
import { type Ceiling, flatGround, type Ground, openSky } from "./model.ts";

/** The names of the places that are built in. */
export type PlaceName = "yard" | "plain";

export type { Seat };

/** An area with sides along the axes. In units. */
export interface Area {
  readonly fromX: number;
  readonly toX: number;
  readonly fromY: number;
  readonly toY: number;
}

/** A ramp that rises along +X to `height` at `topX` and ends in a cliff at `toX`. */
export interface Ramp extends Area {
  readonly topX: number;
  readonly height: number;
}

/** A ceiling over flat ground. */
export interface LowCeiling extends Area {
  readonly height: number;
}

export interface Place {
  readonly ground: Ground;
  readonly ceiling: Ceiling;
  readonly seats: readonly Seat[];
  readonly ramps: readonly Ramp[];
  readonly lowCeilings: readonly LowCeiling[];
}

/** Middle of a seated body above the ground, units: 0.2 above that of a standing one, so that no walk leads there. Ours. */
const SEATED_HEIGHT = 0.9;
/** A seat is in reach of a body whose middle is no further away than this, in units. Ours. */
export const SEAT_REACH = 1.5;

/** The middle of a body on a seat. */
export function seatedPosition({ x, y }: Seat, ground: Ground): Vector3 {
  const place = { x: Math.fround(x), y: Math.fround(y) };
  return { ...place, z: Math.fround(ground(place.x, place.y) + SEATED_HEIGHT) };
}

/** The seat on which a body is: exactly there. */
export function seatAt(position: Readonly<Vector3>, seats: readonly Seat[], ground: Ground): Seat | undefined {
  return seats.find((seat) => {
    const { x, y, z } = seatedPosition(seat, ground);
    return x === position.x && y === position.y && z === position.z;
  });
}

/** Flat ground under an open sky. */
export const plain: Place = { ground: flatGround, ceiling: openSky, seats: [], ramps: [], lowCeilings: [] };

function isIn({ fromX, toX, fromY, toY }: Area, x: number, y: number): boolean {
  return x >= fromX && x <= toX && y >= fromY && y <= toY;
}

/** The north edge of everything in the yard: the ground and the sky of most steps are known by this alone. */
const YARD_EDGE = -18;

/** A fall of 4 units, which ends at 9 units/s, 1 above the speed at which a character tumbles. */
const ramp: Ramp = { fromX: -17, topX: -9, toX: -7, fromY: -22, toY: -19, height: 4 };
/** Room for a crawling body (0.8 units) and none for a standing one (1.4). */
const tunnel: LowCeiling = { fromX: 8, toX: 14, fromY: -22, toY: -19, height: 1 };

/** The demo's place: a plain with a ramp that ends in a cliff, a tunnel and three seats, all south of the spawns. */
export const yard: Place = {
  ground(x, y) {
    if (y > YARD_EDGE || !isIn(ramp, x, y)) return 0;
    return x >= ramp.topX ? ramp.height : ((x - ramp.fromX) / (ramp.topX - ramp.fromX)) * ramp.height;
  },
  ceiling: (x, y) => (y <= YARD_EDGE && isIn(tunnel, x, y) ? tunnel.height : Number.POSITIVE_INFINITY),
  seats: [2, 4, 6].map((x) => ({ x, y: -18.5, exit: { x, y: -17 } })),
  ramps: [ramp],
  lowCeilings: [tunnel],
};

/** The places that are built in, by name. */
export const places: Readonly<Record<PlaceName, Place>> = { yard, plain };

/** A place out of a file. */
export function gridPlace({ ground, ceiling, seats }: HeightGrid): Place {
  return { ground, ceiling, seats, ramps: [], lowCeilings: [] };
}

/** Where a character is: the same on both ends. */
export interface PlaceOptions {
  /** Default `plain`. */
  readonly place?: PlaceName | undefined;
  /** The places of the rooms, instead. A room of which they have none is `plain`. */
  readonly maps?: WorldMaps;
  /** Default 1. */
  readonly room?: number | string;
}

/** The place of options. Throws `TypeError` for maps of another game. */
export function placeOf(options: PlaceOptions): Place {
  const { place = "plain", room = 1 } = options;
  const maps = gridMapsIn(options);
  if (maps === undefined) return places[place];
  const grid = maps.grid(String(room));
  return grid === undefined ? plain : gridPlace(grid);
}
