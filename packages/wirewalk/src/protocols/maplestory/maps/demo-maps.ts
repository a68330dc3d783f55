/**
 * Two made-up maps, joined by portals, for bots, the page, and a server started with bots. They are files as users have them, in
 * `packages/wirewalk/maps/maplestory`.
 */
import { encodeLatin1 } from "../../../wire/index.ts";
import { memoryFiles } from "../../index.ts";
import { demoFiles } from "./demo-files.ts";
import { loadMaps } from "./load.ts";
import type { MapleMap } from "./map.ts";

/** Their numbers. */
export const demoMapIds: readonly number[] = Object.keys(demoFiles)
  .flatMap((path) => /\/(\d{9})\.img\.xml$/.exec(path)?.slice(1) ?? [])
  .map(Number);

let read: readonly MapleMap[] | undefined;

/** The demo maps; row `i` has the number `i + 1`. They are read when they are first asked for: most programs have maps of their own. */
export function demoMaps(): readonly MapleMap[] {
  read ??= readDemoMaps();
  return read;
}

function readDemoMaps(): readonly MapleMap[] {
  const bytes = Object.entries(demoFiles).map(([path, text]) => [path, encodeLatin1(text)] as const);
  const maps = loadMaps(memoryFiles("demo", new Map(bytes)));
  return demoMapIds.map((id) => {
    const map = maps.map(id);
    if (map === undefined) throw new RangeError(`Demo map ${id} cannot be read`);
    return map;
  });
}

/** A demo map by its number; undefined for any other. */
export function demoMap(mapId: number): MapleMap | undefined {
  return demoMapIds.includes(mapId) ? demoMaps()[mapId - 1] : undefined;
}
