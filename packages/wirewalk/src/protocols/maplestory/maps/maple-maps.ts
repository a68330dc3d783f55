/** Sets of maps, by number. */
import type { JsonObject } from "../../../wire/index.ts";
import { MapError, type WorldMaps } from "../../index.ts";
import { digestOf } from "../../world-kit/index.ts";
import type { Foothold } from "./foothold.ts";
import { type Ladder, type MapleMap, type MapParts, type MonsterPlan, makeMap, type Portal } from "./map.ts";
import type { MaplePhysics } from "./physics.ts";

/** The maps of a world of MapleStory. */
export interface MapleMaps extends WorldMaps {
  /** Undefined where the set has no such map, or where it cannot be read. The same object until the cache lets it go. */
  map(id: number): MapleMap | undefined;
  /** Of the set's `Physics.img`. Undefined where it has none, or where it cannot be read: the client's are taken. */
  readonly physics?: MaplePhysics | undefined;
}

/** Whether a set is one of MapleStory. */
export function isMapleMaps(maps: WorldMaps): maps is MapleMaps {
  return maps.game === "maplestory" && "map" in maps;
}

/** A set of maps that are in memory. */
export function mapleMapsOf(name: string, maps: readonly MapleMap[], physics?: MaplePhysics): MapleMaps {
  const byId = new Map(maps.map((map) => [map.mapId, map]));
  const map = (place: string): MapleMap | undefined => byId.get(Number(place));
  return {
    game: "maplestory",
    name,
    places: () => maps.map(({ mapId }) => String(mapId)),
    physics,
    map: (id) => byId.get(id),
    summary: (place) => summaryOf(map(place)),
    digest: (place) => digestOfMap(map(place), physics),
    parts: (place) => partsOf(map(place)),
    excerpt: (places) => excerptOf(places.map(map), physics),
  };
}

/** Maps as JSON, with the constants of movement that hold in them. */
export function excerptOf(maps: readonly (MapleMap | undefined)[], physics?: MaplePhysics): JsonObject {
  const all = maps.flatMap((map) => partsOf(map) ?? []);
  return { maps: all, ...(physics === undefined ? {} : { physics: { ...physics } }) };
}

/** The set of {@link excerptOf}. Throws {@link MapError} for anything else. */
export function mapsOfExcerpt({ maps, physics }: JsonObject): MapleMaps {
  try {
    const all = maps as unknown as readonly MapParts[];
    return mapleMapsOf("the case", all.map(makeMap), physics as unknown as MaplePhysics | undefined);
  } catch (error) {
    throw new MapError(`Cannot read an excerpt of maps: ${error instanceof Error ? error.message : String(error)}`);
  }
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

/** 64 bits of what rules use of a map, with the constants of movement that hold in it. Names for people are not in it. */
export function digestOfMap(map: MapleMap | undefined, physics?: MaplePhysics): string | undefined {
  if (map === undefined) return undefined;
  const { footholds, ladders, portals, seats, waters, monsters, swims, flies, friction, fieldLimit } = map;
  const byId = <T extends { readonly id: number }>(all: readonly T[], line: (each: T) => unknown): readonly unknown[] =>
    [...all].sort((a, b) => a.id - b.id).map(line);
  const digest = digestOf([
    byId(footholds, footholdLine),
    byId(ladders, ladderLine),
    byId(portals, portalLine),
    byId(seats, ({ id, x, y }) => [id, x, y]),
    waters.map(({ left, top, right, bottom }) => [left, top, right, bottom]),
    monsters.map(monsterLine),
    [swims, flies, friction, fieldLimit],
    physics ?? null,
  ]);
  return digest.toString(16).padStart(16, "0");
}

function footholdLine(foothold: Foothold) {
  const { id, x1, y1, x2, y2, previous, next, layer = 0, group = 0, force = 0, forbidsFall, blocksRise } = foothold;
  return [id, x1, y1, x2, y2, previous, next, layer, group, force, forbidsFall === true, blocksRise === true];
}

function ladderLine({ id, x, top, bottom, rope, closedTop }: Ladder) {
  return [id, x, top, bottom, rope === true, closedTop === true];
}

function portalLine({ id, name, kind, x, y, target, script, impactX, impactY, reachX, reachY }: Portal) {
  return [id, name, kind, x, y, target?.mapId, target?.portal, script, impactX, impactY, reachX, reachY];
}

function monsterLine({ template, x, y, speed, flies, mp, skills = [] }: MonsterPlan) {
  const costs = skills.map((skill) => [skill.id, skill.level, skill.mp, skill.restMs]);
  return [template, x, y, speed, flies === true, mp, costs];
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
