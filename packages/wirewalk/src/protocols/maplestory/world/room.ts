/** Rooms: a map on a channel, with the players and monsters on it. */
import type { PlayerId } from "../../../motion/index.ts";
import type { MapleMap } from "../maps/map.ts";
import { MonsterControl } from "./monsters.ts";

const MAX_MAP_ID = 999_999_999;
/** The number that the game itself writes where there is no map: a room whose map is unknown. */
export const UNKNOWN_MAP = MAX_MAP_ID;
const MAX_CHANNEL = 20;

export interface Room {
  readonly name: string;
  readonly mapId: number;
  readonly channel: number;
  /** Undefined where the world does not know the map. */
  readonly map: MapleMap | undefined;
  readonly players: Set<PlayerId>;
  readonly control: MonsterControl;
  /** The id of the map's first monster; the others follow it. */
  readonly firstMobId: number;
  /** When spectators last received its monsters. */
  shownAtMs: number;
}

/** A number of a map and a channel. */
export interface RoomKey {
  readonly mapId: number;
  readonly channel: number;
}

/** A room's name: the map's number, followed by the channel unless it is the first. */
export function roomName(mapId: number, channel: number): string {
  return channel === 1 ? String(mapId) : `${mapId}-${channel}`;
}

/** The map and channel in a room's name; undefined for an invalid name. */
export function parseRoom(name: string): RoomKey | undefined {
  const [, map, channel = "1"] = /^(\d{1,9})(?:-(\d{1,2}))?$/.exec(name) ?? [];
  if (map === undefined) return undefined;
  const key = { mapId: Number(map), channel: Number(channel) };
  const isKnown = key.mapId <= MAX_MAP_ID && key.channel >= 1 && key.channel <= MAX_CHANNEL;
  return isKnown ? key : undefined;
}

/** The channel in `channel-2`, which a newcomer may ask for instead of a room: it comes in on its own map. */
export function parseChannel(name: string): number | undefined {
  const channel = Number(/^channel-(\d{1,2})$/.exec(name)?.[1]);
  return channel >= 1 && channel <= MAX_CHANNEL ? channel : undefined;
}

/** The name that a newcomer to a channel asks for; undefined for a channel that no client shows. */
export function channelName(channel: number): string | undefined {
  return channel >= 1 && channel <= MAX_CHANNEL ? `channel-${channel}` : undefined;
}

/** The map of a room on another channel; undefined for an unknown room or channel. */
export function roomOnChannel(name: string, channel: number): string | undefined {
  const key = parseRoom(name);
  return key === undefined || channelName(channel) === undefined ? undefined : roomName(key.mapId, channel);
}

/** A room without players and monsters. */
export function createRoom(
  { mapId, channel }: RoomKey,
  map: MapleMap | undefined,
  firstMobId: number,
  nowMs: number,
): Room {
  return {
    name: roomName(mapId, channel),
    mapId,
    channel,
    map,
    players: new Set(),
    control: new MonsterControl(),
    firstMobId,
    shownAtMs: nowMs,
  };
}

/** Whether the room's monsters are those of its map: game code has placed none and killed none. */
export function isAsPlanned({ map, control, firstMobId }: Room): boolean {
  const planned = map?.monsters.length ?? 0;
  if (control.monsters.size !== planned) return false;
  for (const mobId of control.monsters.keys()) {
    if (mobId < firstMobId || mobId >= firstMobId + planned) return false;
  }
  return true;
}
