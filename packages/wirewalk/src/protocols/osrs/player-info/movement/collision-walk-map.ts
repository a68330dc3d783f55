/** The ground of the game, out of collision maps, for the players of our own world. */
import type { Random } from "../../../../motion/index.ts";
import type { Collision } from "../../maps/collision.ts";
import { type CollisionMaps, parseRegionName, REGION_TILES } from "../../maps/index.ts";
import { SCENE_TILES } from "../wire/constants.ts";
import type { MapTile, WalkMap } from "./walk-map.ts";
import { WayFinder } from "./way-finder.ts";

/** Where new players of the game come in: the yard of Lumbridge's castle. */
const GAME_START: MapTile = { x: 3222, z: 3218 };
/** Tiles of the area along each axis: as much as a client has loaded. */
const AREA_TILES = SCENE_TILES;
const HALF = AREA_TILES / 2;

/** Tiles that steps lead to from a start, within half a scene of it, the start first. */
interface Area {
  readonly tiles: readonly MapTile[];
  has(x: number, z: number): boolean;
}

/**
 * Players walk within an area around their start: its middle is where new players of the game come in, or else in the first region of the
 * set that has an open tile. They stay on the ground: collision maps have no stairs.
 */
export class CollisionWalkMap implements WalkMap {
  readonly #collision: Collision;
  readonly #area: Area;
  readonly #finder: WayFinder;

  private constructor(collision: Collision, area: Area) {
    this.#collision = collision;
    this.#area = area;
    this.#finder = new WayFinder(collision);
  }

  /** Undefined where no tile of the set is open. */
  static create(maps: CollisionMaps, collision: Collision): CollisionWalkMap | undefined {
    const area = findArea(maps, collision);
    return area && new CollisionWalkMap(collision, area);
  }

  isOpen(x: number, z: number, level = 0): boolean {
    return this.#collision.isOpen(level, x, z);
  }

  isStairs(): boolean {
    return false;
  }

  findWay(from: MapTile, to: MapTile, level = 0): readonly MapTile[] {
    // No search for what no step leads to: it would look at all of 16,384 tiles.
    return this.#area.has(to.x, to.z) ? this.#finder.findWay(level, from, to).tiles : [];
  }

  someTile(random: Random): MapTile {
    return random.pick(this.#area.tiles);
  }
}

function findArea(maps: CollisionMaps, collision: Collision): Area | undefined {
  if (collision.isOpen(0, GAME_START.x, GAME_START.z)) return areaAround(collision, GAME_START);
  for (const place of maps.places()) {
    const region = parseRegionName(place);
    const area = region && largestArea(collision, region.x * REGION_TILES, region.z * REGION_TILES);
    if (area !== undefined) return area;
  }
  return undefined;
}

/** Of the areas around open tiles of a region, the one with the most tiles. */
function largestArea(collision: Collision, west: number, south: number): Area | undefined {
  let best: Area | undefined;
  const seen = new Set<number>();
  for (let tile = 0; tile < REGION_TILES * REGION_TILES; tile++) {
    const start = { x: west + (tile % REGION_TILES), z: south + Math.floor(tile / REGION_TILES) };
    if (seen.has(keyOf(start)) || !collision.isOpen(0, start.x, start.z)) continue;
    const area = areaAround(collision, start);
    for (const each of area.tiles) seen.add(keyOf(each));
    if (best === undefined || area.tiles.length > best.tiles.length) best = area;
  }
  return best;
}

function keyOf({ x, z }: MapTile): number {
  return x * 16_384 + z;
}

function areaAround(collision: Collision, start: MapTile): Area {
  const reached = new Uint8Array(AREA_TILES * AREA_TILES);
  const [west, south] = [start.x - HALF, start.z - HALF];
  const tiles: MapTile[] = [start];
  reached[HALF * AREA_TILES + HALF] = 1;
  for (let next = 0; next < tiles.length; next++) {
    const { x, z } = tiles[next] as MapTile;
    for (const [dx, dz] of sides) {
      const [column, row] = [x + dx - west, z + dz - south];
      if (column < 0 || row < 0 || column >= AREA_TILES || row >= AREA_TILES) continue;
      const cell = row * AREA_TILES + column;
      if (reached[cell] === 1 || collision.mayStep(0, x, z, dx, dz) !== true) continue;
      reached[cell] = 1;
      tiles.push({ x: x + dx, z: z + dz });
    }
  }
  return {
    tiles,
    has(x, z) {
      const [column, row] = [x - west, z - south];
      if (column < 0 || row < 0 || column >= AREA_TILES || row >= AREA_TILES) return false;
      return reached[row * AREA_TILES + column] === 1;
    },
  };
}

const sides = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
] as const;
