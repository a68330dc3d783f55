/**
 * Two made-up maps, joined by portals, for bots, the page, and a server started with bots. They are files as users have them, in
 * `packages/wirewalk/maps/maplestory`.
 */
import { encodeLatin1 } from "../../../wire/index.ts";
import { memoryFiles } from "../../index.ts";
import { demoFiles } from "./demo-files.ts";
import { loadMaps } from "./load.ts";
import type { MapleMap } from "./map.ts";

/** The demo maps; row `i` has the number `i + 1`. */
export const demoMaps: readonly MapleMap[] = readDemoMaps();

function readDemoMaps(): readonly MapleMap[] {
  const bytes = Object.entries(demoFiles).map(([path, text]) => [path, encodeLatin1(text)] as const);
  const maps = loadMaps(memoryFiles("demo", new Map(bytes)));
  return maps.places().map((place) => {
    const map = maps.map(Number(place));
    if (map === undefined) throw new RangeError(`Demo map ${place} cannot be read`);
    return map;
  });
}

/** A demo map by its number; undefined for any other. */
export function demoMap(mapId: number): MapleMap | undefined {
  return demoMaps[mapId - 1];
}
