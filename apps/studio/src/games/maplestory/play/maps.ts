/** The maps of the watched server as far as this page knows them. */

import { parseRoom } from "wirewalk/maplestory";
import { createMap, demoMap, type MapleMap } from "wirewalk/maplestory/maps";
import type { WatchedRoom } from "../../game-view.ts";

/** The map of a room; undefined where the server has maps that this page does not know. */
export function mapOf({ world }: Pick<WatchedRoom, "world">, mapId: number): MapleMap | undefined {
  return world.demo !== null ? demoMap(mapId) : undefined;
}

/** The map's number in a room's name. */
export function mapIdOf(room: string): number {
  return parseRoom(room)?.mapId ?? 0;
}

/** The ground of an unknown map: a plain at the height at which players enter. */
export function plainMap(mapId: number): MapleMap {
  const platform = [
    [-1000, 0],
    [1000, 0],
  ] as const;
  return createMap({ mapId, title: `Map ${mapId}`, platforms: [platform], portals: [{ name: "start", x: 0, y: 0 }] });
}
