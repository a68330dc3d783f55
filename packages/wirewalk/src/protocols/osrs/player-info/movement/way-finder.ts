/**
 * Ways to a tile, as the game's server finds them: breadth first over 128 x 128 tiles around the player, and at each tile west, east,
 * south, north, south-west, south-east, north-west, north-east. Where no way leads to the tile, the way ends at the tile nearest to it, of
 * those within 10 tiles along each axis and fewer than 100 steps away; of several the one with the fewest steps, then the west-most, then
 * the south-most. A way has 25 corners at most, the end among them, and ends at the last of these.
 *
 * Sources: the Old School RuneScape Wiki, page Pathfinding; the public path finder `2004Scape/rsmod-pathfinder`.
 */
import type { Collision } from "../../maps/collision.ts";
import type { MapTile } from "./walk-map.ts";

/** Tiles that are searched along each axis; the player stands on the 65th. */
const SEARCH_TILES = 128;
const HALF = SEARCH_TILES / 2;
/** How far from the tile a way may end instead. */
const NEAR_TILES = 10;
/** Such a way has fewer steps. */
const NEAR_STEPS = 100;
const MAX_CORNERS = 25;

/** In the order in which they are tried. */
const stepX: readonly number[] = [-1, 1, 0, 0, -1, 1, -1, 1];
const stepZ: readonly number[] = [0, 0, -1, 1, -1, -1, 1, 1];

export interface Way {
  /** Without the first tile; empty for a player that stays. */
  readonly tiles: readonly MapTile[];
  /** Whether it leads to the tile, and not near it. */
  readonly arrives: boolean;
  /** Whether a region that is not known was met: the game may have found a shorter way. */
  readonly metUnknown: boolean;
}

/** Finds ways. It keeps its memory of 160 KiB between searches. */
export class WayFinder {
  readonly #collision: Collision;
  /** From which step each tile was reached: its number plus 1, 0 not yet. */
  readonly #reached = new Uint8Array(SEARCH_TILES * SEARCH_TILES);
  readonly #steps = new Uint16Array(SEARCH_TILES * SEARCH_TILES);
  readonly #queue = new Uint16Array(SEARCH_TILES * SEARCH_TILES);

  constructor(collision: Collision) {
    this.#collision = collision;
  }

  findWay(level: number, from: MapTile, to: MapTile): Way {
    const [baseX, baseZ] = [from.x - HALF, from.z - HALF];
    const start = HALF * SEARCH_TILES + HALF;
    const [toX, toZ] = [to.x - baseX, to.z - baseZ];
    const isInside = toX >= 0 && toZ >= 0 && toX < SEARCH_TILES && toZ < SEARCH_TILES;
    const goal = isInside ? toZ * SEARCH_TILES + toX : -1;
    const { reached, metUnknown } = this.#search(level, baseX, baseZ, start, goal);
    const end = reached ? goal : this.#nearest(toX, toZ);
    if (end === undefined) return { tiles: [], arrives: false, metUnknown };
    const tiles = this.#wayBack(start, end).map((cell) => {
      return { x: baseX + (cell % SEARCH_TILES), z: baseZ + Math.floor(cell / SEARCH_TILES) };
    });
    const kept = withinCorners(from, tiles);
    return { tiles: kept, arrives: reached && kept.length === tiles.length, metUnknown };
  }

  #search(level: number, baseX: number, baseZ: number, start: number, goal: number) {
    const reached = this.#reached.fill(0);
    // Another number than those of steps.
    reached[start] = stepX.length + 1;
    this.#steps[start] = 0;
    this.#queue[0] = start;
    let metUnknown = false;
    for (let next = 0, end = 1; next < end; next++) {
      const cell = this.#queue[next] as number;
      if (cell === goal) return { reached: true, metUnknown };
      const [column, row] = [cell % SEARCH_TILES, Math.floor(cell / SEARCH_TILES)];
      for (let step = 0; step < stepX.length; step++) {
        const [dx, dz] = [stepX[step] as number, stepZ[step] as number];
        const [atX, atZ] = [column + dx, row + dz];
        if (atX < 0 || atZ < 0 || atX >= SEARCH_TILES || atZ >= SEARCH_TILES) continue;
        const neighbour = atZ * SEARCH_TILES + atX;
        if (reached[neighbour] !== 0) continue;
        const may = this.#collision.mayStep(level, baseX + column, baseZ + row, dx, dz);
        if (may === undefined) metUnknown = true;
        if (may !== true) continue;
        reached[neighbour] = step + 1;
        this.#steps[neighbour] = (this.#steps[cell] as number) + 1;
        this.#queue[end++] = neighbour;
      }
    }
    return { reached: false, metUnknown };
  }

  /** Of the tiles that were reached, the one where a way ends that does not arrive. */
  #nearest(toX: number, toZ: number): number | undefined {
    let best: number | undefined;
    let bestDistance = Number.POSITIVE_INFINITY;
    let bestSteps = NEAR_STEPS;
    for (let x = Math.max(0, toX - NEAR_TILES); x <= Math.min(SEARCH_TILES - 1, toX + NEAR_TILES); x++) {
      for (let z = Math.max(0, toZ - NEAR_TILES); z <= Math.min(SEARCH_TILES - 1, toZ + NEAR_TILES); z++) {
        const cell = z * SEARCH_TILES + x;
        const steps = this.#steps[cell] as number;
        if (this.#reached[cell] === 0 || steps >= NEAR_STEPS) continue;
        const distance = (x - toX) ** 2 + (z - toZ) ** 2;
        if (distance > bestDistance || (distance === bestDistance && steps >= bestSteps)) continue;
        [best, bestDistance, bestSteps] = [cell, distance, steps];
      }
    }
    return best;
  }

  #wayBack(start: number, end: number): number[] {
    const way: number[] = [];
    for (let cell = end; cell !== start; ) {
      way.push(cell);
      const step = (this.#reached[cell] as number) - 1;
      cell -= (stepZ[step] as number) * SEARCH_TILES + (stepX[step] as number);
    }
    return way.reverse();
  }
}

/** The part of a way up to its 25th corner. */
function withinCorners(from: MapTile, tiles: readonly MapTile[]): readonly MapTile[] {
  let corners = 0;
  let before = from;
  for (const [at, tile] of tiles.entries()) {
    const next = tiles[at + 1];
    const turns = next === undefined || next.x - tile.x !== tile.x - before.x || next.z - tile.z !== tile.z - before.z;
    if (turns) corners += 1;
    if (corners === MAX_CORNERS) return tiles.slice(0, at + 1);
    before = tile;
  }
  return tiles;
}
