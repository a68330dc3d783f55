/**
 * Finds the players within a distance of a tile, for any tile and distance. Prefix sets take one operation per edge of
 * the square and word of 32 players, and no distance test.
 */
import { PLAYER_SLOTS, SET_WORDS, WORLD_TILES } from "../constants.ts";
import { countBits, type EngineMemory } from "./engine-memory.ts";

/** Sorts the visible players of a tick along both axes, and finds the players in view. */
export class ViewSets {
  readonly #memory: EngineMemory;
  readonly #counts = new Int32Array(WORLD_TILES + 1);
  readonly #sorted = new Int32Array(PLAYER_SLOTS);
  readonly #visible = new Int32Array(PLAYER_SLOTS);

  constructor(memory: EngineMemory) {
    this.#memory = memory;
  }

  /** Number of visible players. */
  count = 0;

  /** Makes the sets of this tick from `memory.visible`. */
  beginTick(): void {
    const { visible, visibleOn, level, x, z, xSets, zSets, xRank, zRank } = this.#memory;
    for (const set of visibleOn) set.fill(0);
    let count = 0;
    for (let word = 0; word < SET_WORDS; word++) {
      let left = visible[word] as number;
      while (left !== 0) {
        const low = left & -left;
        left ^= low;
        const index = (word << 5) + 31 - Math.clz32(low);
        const set = visibleOn[level[index] as number] as Int32Array;
        set[word] = (set[word] as number) | low;
        this.#visible[count++] = index;
      }
    }
    this.count = count;
    this.#sort(x, count, xSets, xRank);
    this.#sort(z, count, zSets, zRank);
  }

  #sort(coordinate: Int32Array, count: number, sets: Int32Array, rank: Int32Array): void {
    const counts = this.#counts;
    counts.fill(0);
    for (let at = 0; at < count; at++) {
      const place = (coordinate[this.#visible[at] as number] as number) + 1;
      counts[place] = (counts[place] as number) + 1;
    }
    let before = 0;
    let different = 0;
    for (let tile = 0; tile < WORLD_TILES; tile++) {
      const here = counts[tile + 1] as number;
      counts[tile] = before;
      before += here;
      if (here > 0) different++;
      rank[tile] = different;
    }
    for (let at = 0; at < count; at++) {
      const index = this.#visible[at] as number;
      const tile = coordinate[index] as number;
      const place = counts[tile] as number;
      counts[tile] = place + 1;
      this.#sorted[place] = index;
    }
    sets.fill(0, 0, SET_WORDS);
    let base = 0;
    let last = -1;
    for (let at = 0; at < count; at++) {
      const index = this.#sorted[at] as number;
      const tile = coordinate[index] as number;
      if (tile !== last) {
        last = tile;
        sets.copyWithin(base + SET_WORDS, base, base + SET_WORDS);
        base += SET_WORDS;
      }
      const word = base + (index >> 5);
      sets[word] = (sets[word] as number) | (1 << (index & 31));
    }
  }

  /** Fills `view` with visible players of `level`, at most `distance` tiles away on each axis. Returns their count. */
  within(view: Int32Array, level: number, x: number, z: number, distance: number): number {
    const { visibleOn, xSets, zSets, xRank, zRank } = this.#memory;
    const on = visibleOn[level] as Int32Array;
    let count = 0;
    if (distance >= WORLD_TILES) {
      for (let word = 0; word < SET_WORDS; word++) {
        const seen = on[word] as number;
        view[word] = seen;
        count += countBits(seen);
      }
      return count;
    }
    const west = setBefore(xRank, x - distance - 1);
    const east = setBefore(xRank, x + distance);
    const south = setBefore(zRank, z - distance - 1);
    const north = setBefore(zRank, z + distance);
    for (let word = 0; word < SET_WORDS; word++) {
      const seen =
        (on[word] as number) &
        (xSets[east + word] as number) &
        ~(xSets[west + word] as number) &
        (zSets[north + word] as number) &
        ~(zSets[south + word] as number);
      view[word] = seen;
      if (seen !== 0) count += countBits(seen);
    }
    return count;
  }
}

/** Place of the set of players whose coordinate is not greater. */
function setBefore(rank: Int32Array, coordinate: number): number {
  if (coordinate < 0) return 0;
  return (rank[Math.min(coordinate, WORLD_TILES - 1)] as number) * SET_WORDS;
}
