/**
 * Observers with the same view and the same state get the same bytes: a packet is written once, and found again by the
 * observer's tile.
 */
import { PLAYER_SLOTS, WORLD_TILES } from "../constants.ts";
import { type EngineMemory, STATE_WORDS } from "./engine-memory.ts";
import type { KnownBlocks } from "./known-blocks.ts";

/** Observers on one tile whose packets are compared before an observer gets one of its own. */
const MAX_TWINS = 8;
/** Lists of observers, by hash of the tile: a power of two. */
const BUCKETS = 4096;

/** The packets of one tick, by tile. */
export class SharedPackets {
  readonly #memory: EngineMemory;
  readonly #known: KnownBlocks;
  /** By bucket, and from there by observer: 0 ends a list. */
  readonly #head = new Int32Array(BUCKETS);
  readonly #next = new Int32Array(PLAYER_SLOTS);

  constructor(memory: EngineMemory, known: KnownBlocks) {
    this.#memory = memory;
    this.#known = known;
  }

  beginTick(): void {
    this.#head.fill(0);
  }

  bucketOf(observer: number): number {
    const { level, x, z } = this.#memory;
    const radius = this.#memory.radius[observer] as number;
    // Without a distance the tile does not matter.
    const tile = radius >= WORLD_TILES ? 0 : ((x[observer] as number) << 14) | (z[observer] as number);
    return Math.imul(tile + (level[observer] as number), 0x9e37_79b1) >>> 20;
  }

  add(observer: number, bucket: number): void {
    this.#next[observer] = this.#head[bucket] as number;
    this.#head[bucket] = observer;
  }

  /**
   * An observer of this tick with the packet that `observer` would get, or 0. Its next state is copied into that of
   * `observer`.
   */
  find(observer: number, bucket: number): number {
    const { level, x, z, state, next, radius } = this.#memory;
    const base = observer * STATE_WORDS;
    const endless = (radius[observer] as number) >= WORLD_TILES;
    let twin = this.#head[bucket] as number;
    for (let tries = 0; twin !== 0 && tries < MAX_TWINS; tries++, twin = this.#next[twin] as number) {
      if (level[twin] !== level[observer] || radius[twin] !== radius[observer]) continue;
      if (!endless && (x[twin] !== x[observer] || z[twin] !== z[observer])) continue;
      const other = twin * STATE_WORDS;
      let word = 0;
      while (word < STATE_WORDS && state[base + word] === state[other + word]) word++;
      if (word < STATE_WORDS || !this.#known.isSame(observer, twin)) continue;
      next.copyWithin(base, other, other + STATE_WORDS);
      return twin;
    }
    return 0;
  }
}
