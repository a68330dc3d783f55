/** A room of Slime Online 2: what rules, bots and the page know of it. */
import { digestOf } from "../../world-kit/index.ts";
import { type Rectangle, type RoomGeometry, rectangleRoom } from "./geometry.ts";

/** A place in a room: pixels, y downwards. */
export interface RoomPlace {
  readonly x: number;
  readonly y: number;
}

/** Where a door leads. What is left out is not known. */
export interface DoorTarget {
  readonly room?: number;
  readonly x?: number;
  readonly y?: number;
}

/** A place from where a client warps. */
export interface RoomDoor extends RoomPlace {
  /** Pixels. Without `w` and `h` only the place of the door is known, and not how far it reaches. */
  readonly w?: number;
  readonly h?: number;
  readonly to: DoorTarget;
}

/** What a reader left out, or could not make sure of. */
export interface RoomOmission {
  readonly what: string;
  /** The place in its list, or the number that the file gives it. */
  readonly id: number;
  readonly reason: string;
}

/** What a room is made from. */
export interface RoomParts {
  /** 0 to 65535, as on the wire. */
  readonly room: number;
  readonly title: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** The edges of the room stop nobody. Default false. */
  readonly open?: boolean;
  /** Undefined: not known, and neither is where a player can stand. */
  readonly solids?: readonly Rectangle[] | undefined;
  readonly ice?: readonly Rectangle[];
  readonly water?: readonly Rectangle[];
  /** Where players may stand at any height: slopes, moving platforms. */
  readonly free?: readonly Rectangle[];
  /** Undefined: not known, so that any warp may be honest. */
  readonly doors?: readonly RoomDoor[] | undefined;
  /** Where players come in. */
  readonly spawns?: readonly RoomPlace[];
  /** Where a player may get to without a door, from any room: save points, where a player comes back to life. */
  readonly returns?: readonly RoomPlace[];
  readonly omitted?: readonly RoomOmission[];
}

/** The room with all of its doors. Pixels. */
export interface RoomBounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The ground that a player may have under its feet. Where a room is not known, all of it is possible. */
export interface Terrain {
  readonly ice: boolean;
  readonly water: boolean;
  readonly slopes: boolean;
  /** The shape of the room is known, so that the place of each landing is checked by itself. */
  readonly isKnown: boolean;
  /** The y of its lowest ground, px; Infinity where it is not known. */
  readonly bottom: number;
}

export const anyTerrain: Terrain = { ice: true, water: true, slopes: true, isKnown: false, bottom: Infinity };

/** A room. */
export interface SlimeRoom extends Required<RoomParts> {
  readonly bounds: RoomBounds;
  readonly terrain: Terrain;
  /** Undefined where the solids are not known. */
  readonly geometry: RoomGeometry | undefined;
}

/** Throws `RangeError` for a size that is not positive. */
export function makeRoom(parts: RoomParts): SlimeRoom {
  const { open = false, solids, ice = [], water = [], free = [], doors, omitted = [] } = parts;
  const { spawns = [], returns = [] } = parts;
  const known = { ...parts, open, solids, ice, water, free, doors, spawns, returns, omitted };
  const bounds = boundsOf(parts);
  return {
    ...known,
    bounds,
    terrain: terrainOf(parts, bounds),
    geometry: solids === undefined ? undefined : rectangleRoom({ ...known, solids }),
  };
}

function boundsOf({ width, height, doors = [] }: RoomParts): RoomBounds {
  const bounds = { left: 0, top: 0, right: width, bottom: height };
  for (const { x, y, w = 0, h = 0 } of doors) {
    bounds.left = Math.min(bounds.left, x);
    bounds.top = Math.min(bounds.top, y);
    bounds.right = Math.max(bounds.right, x + w);
    bounds.bottom = Math.max(bounds.bottom, y + h);
  }
  return bounds;
}

function terrainOf({ solids, ice = [], water = [], free = [] }: RoomParts, { bottom }: RoomBounds): Terrain {
  if (solids === undefined) return anyTerrain;
  return { ice: ice.length > 0, water: water.length > 0, slopes: free.length > 0, isKnown: true, bottom };
}

/** 64 bits of what rules use of a room, the same in whatever order its parts are. */
export function digestOfRoom(room: SlimeRoom): string {
  const { room: number, width, height, open, solids, ice, water, free, doors, spawns, returns } = room;
  const areas = [solids, ice, water, free].map((all) => inOrder(all?.map(({ x, y, w, h }) => [x, y, w, h])));
  const ways = inOrder(doors?.map(({ x, y, w, h, to }) => [x, y, w, h, to.room, to.x, to.y]));
  const digest = digestOf([
    number,
    width,
    height,
    open,
    areas,
    ways,
    ...[spawns, returns].map((places) => inOrder(places.map(({ x, y }) => [x, y]))),
  ]);
  return digest.toString(16).padStart(16, "0");
}

type Row = readonly (number | undefined)[];

function inOrder(rows: readonly Row[] | undefined): readonly Row[] | undefined {
  return rows?.toSorted((a, b) => {
    for (let index = 0; index < a.length; index++) {
      const difference = (a[index] ?? -Infinity) - (b[index] ?? -Infinity);
      if (difference !== 0 && !Number.isNaN(difference)) return difference;
    }
    return 0;
  });
}

/** A room in numbers; null for what is not known. */
export function summaryOfRoom(room: SlimeRoom) {
  const { room: number, title, width, height, open, solids, ice, water, free, doors, spawns, omitted } = room;
  return {
    room: number,
    title,
    width,
    height,
    open,
    solids: solids?.length ?? null,
    ice: ice.length,
    water: water.length,
    free: free.length,
    doors: doors?.length ?? null,
    spawns: spawns.length,
    omitted: omitted.map(({ what, id, reason }) => ({ what, id, reason })),
  };
}
