/**
 * Which part of the map the game has loaded: whole zones of 8 x 8 tiles around the observer, made anew when that comes
 * near their edge.
 */
import { SCENE_TILES } from "./constants.ts";

const ZONE_TILES = 8;
/** The game loads another part within two zones of the edge. */
const EDGE_TILES = 2 * ZONE_TILES;

/** Where the part around a tile begins, along either axis. */
export function sceneAround(tile: number): number {
  return ((tile >> 3) - Math.floor(SCENE_TILES / 2 / ZONE_TILES)) * ZONE_TILES;
}

/** Whether a tile is so near the edge of the part that begins at `start` that the game loads another. */
export function leavesScene(tile: number, start: number): boolean {
  const within = tile - start;
  return within < EDGE_TILES || within >= SCENE_TILES - EDGE_TILES;
}
