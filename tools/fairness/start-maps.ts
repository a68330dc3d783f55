/** Maps of all kinds out of a set, for players to begin in: towns, hunting grounds, water, ice, springs, jump quests. */
import type { Random } from "../../packages/wirewalk/src/motion/index.ts";
import {
  isMapCheat,
  lieOf,
  MAP_CHEAT_WAYS,
  type MapleMapCheat,
} from "../../packages/wirewalk/src/protocols/maplestory/bots/map-cheats.ts";
import {
  isMapleMaps,
  type MapleMap,
  portalKinds,
} from "../../packages/wirewalk/src/protocols/maplestory/maps/index.ts";
import type { WorldMaps } from "../../packages/wirewalk/src/protocols/maps.ts";

/** What makes a map one of a kind. It may be of several. */
const kinds: Readonly<Record<string, (map: MapleMap) => boolean>> = {
  plain: ({ monsters }) => monsters.length === 0,
  hunting: ({ monsters }) => monsters.length > 5,
  water: ({ swims }) => swims,
  pool: ({ waters }) => waters.length > 0,
  ice: ({ friction }) => friction < 1,
  spring: ({ portals }) => portals.some(({ kind }) => kind === portalKinds.spring || kind === portalKinds.springOfOwn),
  touched: ({ portals }) =>
    portals.some(({ kind }) => kind === portalKinds.touched || kind === portalKinds.scriptTouched),
  conveyor: ({ footholds }) => footholds.some(({ force = 0 }) => force !== 0),
  flight: ({ flies }) => flies,
  "jump quest": ({ bounds, ladders, monsters }) =>
    bounds.bottom - bounds.top > 1500 && ladders.length > 5 && monsters.length === 0,
  seats: ({ seats }) => seats.length > 0,
  "closed footholds": ({ footholds }) =>
    footholds.some(({ blocksRise, forbidsFall }) => blocksRise === true || forbidsFall === true),
  undersides: ({ footholds }) => footholds.some(({ x1, x2 }) => x1 > x2),
};

const known = new WeakMap<WorldMaps, ReadonlyMap<string, readonly number[]>>();

/**
 * So many maps of a set, the kinds in turn and the maps of a kind by chance. The first call reads the whole set. Throws `RangeError`
 * where no map has a foothold and a portal. For a cheat that needs a map: such maps by chance, on which it can be played.
 */
export function startMaps(maps: WorldMaps, count: number, random: Random, cheat = "none"): readonly number[] {
  if (isMapCheat(cheat)) return mapsForCheat(maps, count, random, cheat);
  const byKind = known.get(maps) ?? mapsByKind(maps);
  known.set(maps, byKind);
  const pools = [...byKind.values()].filter((pool) => pool.length > 0);
  if (pools.length === 0) throw new RangeError(`${maps.name} has no map with footholds and portals`);
  const first = random.integer(0, pools.length - 1);
  const chosen = new Set<number>();
  for (let at = 0; chosen.size < count && at < count * pools.length; at++) {
    chosen.add(random.pick(pools[(first + at) % pools.length] as readonly number[]));
  }
  return [...chosen];
}

/** All maps of a set that can be played in, in order. The first call reads the whole set. */
export function playableMaps(maps: WorldMaps): readonly number[] {
  if (!isMapleMaps(maps)) return [];
  return maps
    .places()
    .map(Number)
    .filter((mapId) => isPlayable(maps.map(mapId)));
}

/** Maps without places of their own are as the one that they are linked to. */
function isPlayable(map: MapleMap | undefined): map is MapleMap {
  return map !== undefined && map.linkedTo === undefined && map.footholds.length > 0 && map.portals.length > 0;
}

/** How many of some maps are of each kind. One may be of several, or of none. */
export function kindsOf(maps: WorldMaps, mapIds: Iterable<number>): Readonly<Record<string, number>> {
  const counts = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, 0]));
  if (!isMapleMaps(maps)) return counts;
  for (const mapId of mapIds) {
    const map = maps.map(mapId);
    if (map === undefined) continue;
    for (const [kind, isOf] of Object.entries(kinds)) if (isOf(map)) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** The maps of each kind. */
function mapsByKind(maps: WorldMaps): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>(Object.keys(kinds).map((kind) => [kind, []]));
  if (!isMapleMaps(maps)) return found;
  for (const place of maps.places()) {
    const map = maps.map(Number(place));
    if (!isPlayable(map)) continue;
    for (const [kind, pool] of found) {
      if (kinds[kind]?.(map) === true) pool.push(map.mapId);
    }
  }
  return found;
}

function mapsForCheat(maps: WorldMaps, count: number, random: Random, cheat: MapleMapCheat): readonly number[] {
  const chosen: number[] = [];
  if (!isMapleMaps(maps)) return chosen;
  const left = maps.places().map(Number);
  while (chosen.length < count && left.length > 0) {
    const [mapId = 0] = left.splice(random.integer(0, left.length - 1), 1);
    const map = maps.map(mapId);
    if (map !== undefined && map.linkedTo === undefined && isFor(cheat, map)) chosen.push(mapId);
  }
  if (chosen.length === 0) throw new RangeError(`${maps.name} has no map for the cheat ${cheat}`);
  return chosen;
}

/** Whether a cheat can be played in all ways, wherever a player comes in. */
function isFor(cheat: MapleMapCheat, map: MapleMap): boolean {
  const starts = map.portals.filter(({ kind }) => kind === portalKinds.start);
  return (
    starts.length > 0 &&
    starts.every((start) =>
      Array.from({ length: MAP_CHEAT_WAYS }, (_, way) => lieOf(cheat, map, start, way)).every(Boolean),
    )
  );
}
