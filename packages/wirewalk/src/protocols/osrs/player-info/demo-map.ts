/**
 * A made-up map, and ways through it: what moves the players of the demo. A game brings its own.
 *
 * ```ts
 * const map = new DemoMap(1);
 * map.isOpen(3204, 3204); // => true
 * map.findWay({ x: 3204, z: 3204 }, { x: 3206, z: 3205 }); // => [{ x: 3205, z: 3204 }, { x: 3206, z: 3205 }]
 * ```
 */
import { createRandom } from "../../../motion/index.ts";
import { SCENE_TILES, walkX, walkZ } from "./constants.ts";

/** The south-west tile of the demo's map, and its side: what a client has loaded at once. */
export const DEMO_ORIGIN = 3152;
export const DEMO_TILES = SCENE_TILES;
/** How far away a way may end, along each axis: the finder looks at no more than 31 x 31 tiles. */
export const MAX_WAY_TILES = 15;
/** Houses of the map: about one tile in ten is walled. */
const HOUSES = 40;
const MAX_HOUSE_TILES = 8;
/** Around the middle there are none. */
const SQUARE_TILES = 6;

export interface MapTile {
  readonly x: number;
  readonly z: number;
}

/** Houses on a square, from a seed; the same seed gives the same map. Without a seed there are none. */
export class DemoMap {
  /** 1 for walls, row by row from south-west. */
  readonly #walls = new Uint8Array(DEMO_TILES * DEMO_TILES);
  // Of the finder: from which direction each tile of its window was reached, -1 not yet.
  readonly #reached = new Int8Array((2 * MAX_WAY_TILES + 1) ** 2);
  readonly #queue = new Int16Array(this.#reached.length);

  constructor(seed: number | undefined) {
    if (seed === undefined) return;
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
          // Doors to the south and to the north: nobody is shut in by one house.
          const isDoor = x === door && (z === 0 || z === depth - 1);
          this.#walls[(south + z) * DEMO_TILES + west + x] = isWall && !isDoor ? 1 : 0;
        }
      }
    }
    const middle = DEMO_TILES >> 1;
    for (let x = middle - SQUARE_TILES; x <= middle + SQUARE_TILES; x++) {
      for (let z = middle - SQUARE_TILES; z <= middle + SQUARE_TILES; z++) this.#walls[z * DEMO_TILES + x] = 0;
    }
  }

  /** Whether a player may stand there. */
  isOpen(x: number, z: number): boolean {
    const column = x - DEMO_ORIGIN;
    const row = z - DEMO_ORIGIN;
    const inside = column >= 0 && row >= 0 && column < DEMO_TILES && row < DEMO_TILES;
    return inside && this.#walls[row * DEMO_TILES + column] === 0;
  }

  /** Whether a step in a direction leads to an open tile, past no corner of a wall. */
  #mayStep(x: number, z: number, direction: number): boolean {
    const dx = walkX[direction] as number;
    const dz = walkZ[direction] as number;
    return this.isOpen(x + dx, z + dz) && (dx === 0 || dz === 0 || (this.isOpen(x + dx, z) && this.isOpen(x, z + dz)));
  }

  /** The shortest way, tile by tile without the first; empty when there is none within {@link MAX_WAY_TILES}. */
  findWay(from: MapTile, to: MapTile): readonly MapTile[] {
    const side = 2 * MAX_WAY_TILES + 1;
    const west = from.x - MAX_WAY_TILES;
    const south = from.z - MAX_WAY_TILES;
    const cellOf = (x: number, z: number): number => (z - south) * side + x - west;
    const isNear = (x: number, z: number): boolean => x >= west && z >= south && x < west + side && z < south + side;
    if (!isNear(to.x, to.z) || !this.isOpen(to.x, to.z)) return [];
    const reached = this.#reached.fill(-1);
    const start = cellOf(from.x, from.z);
    const goal = cellOf(to.x, to.z);
    reached[start] = walkX.length;
    this.#queue[0] = start;
    for (let next = 0, end = 1; next < end && reached[goal] === -1; next++) {
      const cell = this.#queue[next] as number;
      const x = west + (cell % side);
      const z = south + Math.floor(cell / side);
      // Straight steps first: 1, 3, 4 and 6 are those along an axis.
      for (const direction of [1, 3, 4, 6, 0, 2, 5, 7]) {
        const toX = x + (walkX[direction] as number);
        const toZ = z + (walkZ[direction] as number);
        if (!isNear(toX, toZ) || !this.#mayStep(x, z, direction)) continue;
        const neighbour = cellOf(toX, toZ);
        if (reached[neighbour] !== -1) continue;
        reached[neighbour] = direction;
        this.#queue[end++] = neighbour;
      }
    }
    if (reached[goal] === -1) return [];
    const way: MapTile[] = [];
    for (let { x, z } = to; cellOf(x, z) !== start; ) {
      way.push({ x, z });
      const direction = reached[cellOf(x, z)] as number;
      x -= walkX[direction] as number;
      z -= walkZ[direction] as number;
    }
    return way.reverse();
  }
}
