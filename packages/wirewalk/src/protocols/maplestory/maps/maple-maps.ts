/** Sets of maps, by number. */
import type { JsonObject } from "../../../wire/index.ts";
import type { WorldMaps } from "../../index.ts";
import { digestOf } from "../../world-kit/index.ts";
import type { MapleMap, MapParts } from "./map.ts";

/** The maps of a world of MapleStory. */
export interface MapleMaps extends WorldMaps {
  /** Undefined where the set has no such map, or where it cannot be read. The same object until the cache lets it go. */
  map(id: number): MapleMap | undefined;
}

/** Whether a set is one of MapleStory. */
export function isMapleMaps(maps: WorldMaps): maps is MapleMaps {
  return maps.game === "maplestory" && "map" in maps;
}

/** A set of maps that are in memory. */
export function mapleMapsOf(name: string, maps: readonly MapleMap[]): MapleMaps {
  const byId = new Map(maps.map((map) => [map.mapId, map]));
  const map = (place: string): MapleMap | undefined => byId.get(Number(place));
  return {
    game: "maplestory",
    name,
    places: () => maps.map(({ mapId }) => String(mapId)),
    map: (id) => byId.get(id),
    summary: (place) => summaryOf(map(place)),
    digest: (place) => digestOfMap(map(place)),
    parts: (place) => partsOf(map(place)),
  };
}

/** What `makeMap` makes an equal map of, as JSON. */
export function partsOf(map: MapleMap | undefined): JsonObject | undefined {
  if (map === undefined) return undefined;
  const { mapId, title, footholds, ladders, portals, seats, waters, monsters } = map;
  const { swims, flies, friction, fieldLimit, linkedTo, omitted } = map;
  const all = { mapId, title, footholds, ladders, portals, seats, waters, monsters };
  const link = linkedTo === undefined ? {} : { linkedTo };
  const parts: MapParts = { ...all, swims, flies, friction, fieldLimit, omitted, ...link };
  // Plain data, without members that are undefined: JSON has none.
  return parts as unknown as JsonObject;
}

/** 64 bits of what rules use of a map. */
export function digestOfMap(map: MapleMap | undefined): string | undefined {
  if (map === undefined) return undefined;
  const { footholds, ladders, portals, seats, waters, monsters, swims, flies, friction, fieldLimit } = map;
  const sorted = [footholds, ladders, portals, seats].map((all) => [...all].sort((a, b) => a.id - b.id));
  const digest = digestOf({ all: sorted, waters, monsters, swims, flies, friction, fieldLimit });
  return digest.toString(16).padStart(16, "0");
}

/** A map in numbers. */
export function summaryOf(map: MapleMap | undefined) {
  if (map === undefined) return undefined;
  const { mapId, linkedTo, footholds, ladders, portals, seats, bounds, swims, flies, friction, omitted } = map;
  const count = <T>(all: readonly T[], is: (each: T) => boolean): number => all.filter(is).length;
  return {
    map: mapId,
    link: linkedTo ?? null,
    footholds: footholds.length,
    vertical: count(footholds, ({ x1, x2 }) => x1 === x2),
    reversed: count(footholds, ({ x1, x2 }) => x2 < x1),
    ropes: count(ladders, ({ rope }) => rope === true),
    ladders: count(ladders, ({ rope }) => rope !== true),
    portals: portals.length,
    seats: seats.length,
    ...(footholds.length === 0 ? { left: null, top: null, right: null, bottom: null } : bounds),
    swim: swims,
    fly: flies,
    friction,
    omitted: omitted.map(({ what, id, line, reason }) => ({
      what,
      id,
      ...(line === undefined ? {} : { line }),
      reason,
    })),
  };
}
