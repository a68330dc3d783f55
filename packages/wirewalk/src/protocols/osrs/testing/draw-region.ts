/** Regions out of drawings, for tests and examples. */
import { LEVEL_BYTES, REGION_TILES, Region } from "../maps/region.ts";

/**
 * A region in which players may walk on the tiles that are drawn as `.`, on the ground, and step between any two of them that are beside
 * each other. The first line is the north-most one, the last one is the south edge of the region; a line begins at its west edge.
 *
 * ```ts
 * drawRegion(50, 50, ["..", ".#"]).mayStepNorth(0, 3200, 3200); // => true
 * drawRegion(50, 50, ["..", ".#"]).mayStepEast(0, 3200, 3200); // => false
 * ```
 */
export function drawRegion(x: number, z: number, lines: readonly string[]): Region {
  const bytes = new Uint8Array(LEVEL_BYTES);
  const isOpen = (tileX: number, tileZ: number): boolean => lines[lines.length - 1 - tileZ]?.[tileX] === ".";
  const set = (tileX: number, tileZ: number, flag: number): void => {
    const bit = (tileZ * REGION_TILES + tileX) * 2 + flag;
    bytes[bit >> 3] = (bytes[bit >> 3] as number) | (1 << (bit & 7));
  };
  for (let tileZ = 0; tileZ < REGION_TILES; tileZ++) {
    for (let tileX = 0; tileX < REGION_TILES; tileX++) {
      if (!isOpen(tileX, tileZ)) continue;
      if (isOpen(tileX, tileZ + 1)) set(tileX, tileZ, 0);
      if (isOpen(tileX + 1, tileZ)) set(tileX, tileZ, 1);
    }
  }
  return new Region(x, z, bytes);
}
