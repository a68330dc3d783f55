/**
 * The numbers of player info, and its directions.
 *
 * Source: docs/protocols/osrs-player-info.md 1.3, 5.10 and 10.
 */

/** Player slots of a world, slot 0 included, which is never a player: a player's index is 1..2047. */
export const PLAYER_SLOTS = 2048;
/** The highest player index. */
export const MAX_PLAYER_INDEX = PLAYER_SLOTS - 1;
/** Words of 32 bits that hold one bit for every slot. */
export const SET_WORDS = PLAYER_SLOTS / 32;

/** The size of the client's buffer: a longer packet ends the client. */
export const MAX_PACKET_BYTES = 40_000;

/** Tiles of the world along each axis; positions are 0..16383 and teleports count modulo this. */
export const WORLD_TILES = 16_384;
/** Tiles of a map quarter along each axis. */
export const QUARTER_TILES = 8192;
/** Levels of the world; all sums of levels are modulo this. */
export const LEVELS = 4;

/** Tiles along each side of the part of the map that a client has loaded. */
export const SCENE_TILES = 104;
/** The client moves a walking player by teleports when it stands within this many tiles of the loaded map's edge. */
export const SCENE_MARGIN_TILES = 12;
/** Units of the client's fine positions in one tile. The document says 12 once; its own numbers say 128. */
export const UNITS_PER_TILE = 128;

/** The middle of a tile, in units. */
export function middleOf(tile: number): number {
  return tile * UNITS_PER_TILE + UNITS_PER_TILE / 2;
}

/** Milliseconds between two packets. */
export const TICK_MS = 600;
/** Milliseconds of one cycle of the client, in which it moves drawn players. */
export const CYCLE_MS = 20;

/** The temporary move speed that means: do not walk there, be there. */
export const STOP_SPEED = 127;

/** Step of a walk by its direction 0..7: south-west, south, south-east, west, east, north-west, north, north-east. */
export const walkX: readonly number[] = Object.freeze([-1, 0, 1, -1, 1, -1, 0, 1]);
export const walkZ: readonly number[] = Object.freeze([-1, -1, -1, 0, 0, 1, 1, 1]);

/** Step of a run by its direction 0..15: the outer ring of a square of 5 x 5 tiles, row by row from south-west. */
export const runX: readonly number[] = Object.freeze([-2, -1, 0, 1, 2, -2, 2, -2, 2, -2, 2, -2, -1, 0, 1, 2]);
export const runZ: readonly number[] = Object.freeze([-2, -2, -2, -2, -2, -1, -1, 0, 0, 1, 1, 2, 2, 2, 2, 2]);

/** A tile of the world: level 0..3, x and z 0..16383, x to the east and z to the north. */
export interface WorldTile {
  readonly level: number;
  readonly x: number;
  readonly z: number;
}

/** A map quarter as clients and servers remember it: level << 28 | x << 14 | z, the last two 0..255. */
export function packQuarter(level: number, x: number, z: number): number {
  return (level << 28) | ((x & 0xff) << 14) | (z & 0xff);
}

/** The map quarter of a tile. */
export function quarterOf(level: number, x: number, z: number): number {
  return packQuarter(level, x >> 13, z >> 13);
}

/** Throws `RangeError` unless this is the index of a player. */
export function checkIndex(index: number): void {
  if (!(Number.isInteger(index) && index >= 1 && index <= MAX_PLAYER_INDEX)) {
    throw new RangeError(`A player's index must be an integer in 1..${MAX_PLAYER_INDEX}, got ${String(index)}`);
  }
}

/** Throws `RangeError` unless this is a tile of the world. */
export function checkTile(level: number, x: number, z: number): void {
  const fits = Number.isInteger(level) && level >= 0 && level < LEVELS && isCoordinate(x) && isCoordinate(z);
  if (!fits) {
    throw new RangeError(`A tile must be level 0..3 and x and z 0..${WORLD_TILES - 1}, got ${level}, ${x}, ${z}`);
  }
}

function isCoordinate(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < WORLD_TILES;
}
