/** What the players of our own world walk on. */
import type { Random } from "../../../../motion/index.ts";

/** A tile, without its level. */
export interface MapTile {
  readonly x: number;
  readonly z: number;
}

/** Ground with walls, and the ways on it. */
export interface WalkMap {
  /** Whether a player may stand there. */
  isOpen(x: number, z: number, level?: number): boolean;
  /** Whether stairs lead from here to the same tile of the other level. */
  isStairs(x: number, z: number): boolean;
  /** A way, tile by tile without the first; empty where there is none. */
  findWay(from: MapTile, to: MapTile, level?: number): readonly MapTile[];
  /** A tile where a player may appear, on the ground. */
  someTile(random: Random): MapTile;
}
