/**
 * A made-up map and ways through it, for the players of the demo. A game has its own.
 *
 * ```ts
 * const map = new DemoMap(1);
 * map.isOpen(8192, 8192); // => true
 * map.findWay({ x: 8192, z: 8192 }, { x: 8194, z: 8193 }); // => [{ x: 8193, z: 8192 }, { x: 8194, z: 8193 }]
 * map.isOpen(8192, 8192, 1); // => false
 * ```
 */
import { createRandom, type Random } from "../../../../motion/index.ts";
import { QUARTER_TILES, SCENE_TILES, walkX, walkZ } from "../wire/constants.ts";
import type { MapTile, WalkMap } from "./walk-map.ts";

/** The side of the demo's map: as much as a client has loaded. */
export const DEMO_TILES = SCENE_TILES;
/** Its south-west tile: four map quarters meet in its middle, so players walk from one to another. */
export const DEMO_ORIGIN = QUARTER_TILES - DEMO_TILES / 2;
/** Levels of the map: the ground, and the upper storeys of the houses. */
export const DEMO_LEVELS = 2;
/** The distance at which a way may end, along each axis: the finder visits at most 31 x 31 tiles. */
export const MAX_WAY_TILES = 15;
/** Houses of the map: about one tile in ten is walled. */
const HOUSES = 40;
const MAX_HOUSE_TILES = 8;
/** Tiles around the middle without houses. */
const SQUARE_TILES = 6;

/** Directions of steps, those along an axis first: so ways are straight where they can be. */
const directions: readonly number[] = [1, 3, 4, 6, 0, 2, 5, 7];
/** By direction: how much farther the tile is in the map's rows. */
const strides: readonly number[] = walkX.map((dx, direction) => (walkZ[direction] as number) * DEMO_TILES + dx);

/** The map that was made last. */
let last: { readonly seed: number | undefined; readonly map: DemoMap } | undefined;

/**
 * The map of a seed; the last one is kept. It never changes, and making one takes 1 to 2 ms: half of what a world takes that
 * is made to be restored.
 */
export function demoMap(seed: number | undefined): DemoMap {
  if (last === undefined || last.seed !== seed) last = { seed, map: new DemoMap(seed) };
  return last.map;
}

const CELLS = DEMO_TILES * DEMO_TILES;

/**
 * Houses of two storeys on a square, from a seed; the same seed gives the same map. Each house has stairs. Without a seed there
 * are no houses, and no level over the ground.
 */
export class DemoMap implements WalkMap {
  readonly levels: number = DEMO_LEVELS;
  /** 1 for walls, level by level, row by row from south-west. */
  readonly #walls = new Uint8Array(DEMO_LEVELS * CELLS).fill(1, CELLS);
  /** By tile: in which directions one may step, a bit for each. */
  readonly #steps = new Uint8Array(DEMO_LEVELS * CELLS);
  readonly #stairs = new Uint8Array(CELLS);
  /** Of the finder: from which direction each tile was reached, -1 not yet. */
  readonly #reached = new Int8Array(DEMO_TILES * DEMO_TILES);
  readonly #queue = new Int16Array((2 * MAX_WAY_TILES + 1) ** 2);

  constructor(seed: number | undefined) {
    if (seed !== undefined) this.#build(seed);
    for (let cell = 0; cell < CELLS; cell++) {
      const x = DEMO_ORIGIN + (cell % DEMO_TILES);
      const z = DEMO_ORIGIN + Math.floor(cell / DEMO_TILES);
      for (let level = 0; level < (seed === undefined ? 1 : DEMO_LEVELS); level++) {
        if (!this.isOpen(x, z, level)) continue;
        let steps = 0;
        for (const direction of directions) if (this.#mayStep(x, z, direction, level)) steps |= 1 << direction;
        this.#steps[level * CELLS + cell] = steps;
      }
    }
  }

  #build(seed: number): void {
    const random = createRandom(seed);
    for (let house = 0; house < HOUSES; house++) {
      const width = random.integer(3, MAX_HOUSE_TILES);
      const depth = random.integer(3, MAX_HOUSE_TILES);
      const west = random.integer(0, DEMO_TILES - width);
      const south = random.integer(0, DEMO_TILES - depth);
      const door = random.integer(1, width - 2);
      for (let x = 0; x < width; x++) {
        for (let z = 0; z < depth; z++) {
          const isWall = x === 0 || z === 0 || x === width - 1 || z === depth - 1;
          // Doors to the south and to the north: a house alone closes no player in.
          const isDoor = x === door && (z === 0 || z === depth - 1);
          const cell = (south + z) * DEMO_TILES + west + x;
          this.#walls[cell] = isWall && !isDoor ? 1 : 0;
          if (!isWall) this.#walls[CELLS + cell] = 0;
        }
      }
      this.#stairs[(south + 1) * DEMO_TILES + west + 1] = 1;
    }
    const middle = DEMO_TILES >> 1;
    for (let x = middle - SQUARE_TILES; x <= middle + SQUARE_TILES; x++) {
      for (let z = middle - SQUARE_TILES; z <= middle + SQUARE_TILES; z++) this.#walls[z * DEMO_TILES + x] = 0;
    }
  }

  /** Whether a player may stand there. */
  isOpen(x: number, z: number, level = 0): boolean {
    const column = x - DEMO_ORIGIN;
    const row = z - DEMO_ORIGIN;
    const inside = column >= 0 && row >= 0 && column < DEMO_TILES && row < DEMO_TILES;
    return inside && this.#walls[level * CELLS + row * DEMO_TILES + column] === 0;
  }

  /** A tile of the ground. */
  someTile(random: Random): MapTile {
    for (;;) {
      const x = DEMO_ORIGIN + random.integer(0, DEMO_TILES - 1);
      const z = DEMO_ORIGIN + random.integer(0, DEMO_TILES - 1);
      if (this.isOpen(x, z)) return { x, z };
    }
  }

  /** Whether stairs lead from here to the same tile of the other level. */
  isStairs(x: number, z: number): boolean {
    return this.isOpen(x, z) && this.isOpen(x, z, 1) && this.#stairs[cellOf({ x, z })] === 1;
  }

  /** Whether a step in a direction leads to an open tile, past no corner of a wall. */
  #mayStep(x: number, z: number, direction: number, level: number): boolean {
    const dx = walkX[direction] as number;
    const dz = walkZ[direction] as number;
    if (!this.isOpen(x + dx, z + dz, level)) return false;
    return dx === 0 || dz === 0 || (this.isOpen(x + dx, z, level) && this.isOpen(x, z + dz, level));
  }

  /**
   * The shortest way, tile by tile without the first; empty when there is no way within {@link MAX_WAY_TILES}, or it does
   * not begin on the map.
   */
  findWay(from: MapTile, to: MapTile, level = 0): readonly MapTile[] {
    const isNear = Math.max(Math.abs(to.x - from.x), Math.abs(to.z - from.z)) <= MAX_WAY_TILES;
    if (!isNear || !this.isOpen(to.x, to.z, level) || !this.isOpen(from.x, from.z, level)) return [];
    const reached = this.#reached.fill(-1);
    const start = cellOf(from);
    const goal = cellOf(to);
    reached[start] = walkX.length;
    this.#queue[0] = start;
    for (let next = 0, end = 1; next < end && reached[goal] === -1; next++) {
      const cell = this.#queue[next] as number;
      const steps = this.#steps[level * CELLS + cell] as number;
      const x = (cell % DEMO_TILES) + DEMO_ORIGIN - from.x;
      const z = Math.floor(cell / DEMO_TILES) + DEMO_ORIGIN - from.z;
      for (const direction of directions) {
        if ((steps & (1 << direction)) === 0) continue;
        const neighbour = cell + (strides[direction] as number);
        if (reached[neighbour] !== -1) continue;
        const away = Math.max(Math.abs(x + (walkX[direction] as number)), Math.abs(z + (walkZ[direction] as number)));
        if (away > MAX_WAY_TILES) continue;
        reached[neighbour] = direction;
        this.#queue[end++] = neighbour;
      }
    }
    return reached[goal] === -1 ? [] : this.#wayBack(start, goal);
  }

  #wayBack(start: number, goal: number): MapTile[] {
    const way: MapTile[] = [];
    for (let cell = goal; cell !== start; cell -= strides[this.#reached[cell] as number] as number) {
      way.push({ x: DEMO_ORIGIN + (cell % DEMO_TILES), z: DEMO_ORIGIN + Math.floor(cell / DEMO_TILES) });
    }
    return way.reverse();
  }
}

function cellOf({ x, z }: MapTile): number {
  return (z - DEMO_ORIGIN) * DEMO_TILES + x - DEMO_ORIGIN;
}
