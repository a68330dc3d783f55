/** The state of a world as plain data: everything that decides later effects and tracks. */
import { FairClock } from "../../../motion/index.ts";
import type { Effect, SavedWorld } from "../../world.ts";
import {
  checkSaved,
  copyState,
  EffectQueue,
  list,
  mapOf,
  number,
  PlayerTable,
  plainData,
  type StateOf,
  savedWorld,
  state,
  text,
} from "../../world-kit/index.ts";
import { savedFairClock } from "../../world-kit/saved-parts.ts";
import { UsedMaps } from "../../world-kit/used-maps.ts";
import type { MapleServerMessage } from "../wire/codec.ts";
import { createLeftPoints, savedLeftPoints } from "./left-points.ts";
import { MonsterControl, savedMonsterControl } from "./monsters.ts";
import { CAPACITY, createRooms, TICK_MS, type WorldParts, type WorldState } from "./parts.ts";
import { type Player, savedDeparted } from "./player.ts";
import { parseRoom, type Room, roomName } from "./room.ts";
import { restoreDeparted, restorePlayer, savedPlayer } from "./saved-player.ts";

const savedRoom = state({
  name: text,
  /** In the order in which they entered. */
  players: list(number),
  control: savedMonsterControl,
  firstMobId: number,
  shownAtMs: number,
});

const savedState = state({
  /** In the order in which they joined. */
  players: list(savedPlayer),
  /** In the order in which they were made. */
  rooms: list(savedRoom),
  nextMobId: number,
  /** In the order in which they left. */
  departed: mapOf(text, savedDeparted),
  left: savedLeftPoints,
  clock: savedFairClock,
  effects: list(plainData<Effect<MapleServerMessage>>()),
  /** Maps of the given set, with their digests, in the order in which they were first used. */
  used: mapOf(text, text),
});

export function saveState({
  outline,
  players,
  rooms,
  effects,
  nextMobId,
  departed,
  left,
  clock,
  used,
}: WorldParts): SavedWorld {
  const parts = {
    players: Array.from(players.values(), ({ room: _, limits: _limits, ...player }) => player),
    rooms: Array.from(rooms.values(), ({ mapId: _, channel: _channel, map: _map, ...room }) => room),
    nextMobId,
    departed,
    left,
    clock,
    effects,
    used: used.digests,
  };
  return savedWorld(outline, copyState(savedState, parts));
}

/** New state out of saved data. Throws `TypeError` or `RangeError` for malformed data. */
export function restoreState(saved: SavedWorld, world: WorldParts): WorldState {
  const { dialect, maps, outline, limits } = world;
  const state = checkSaved(saved, outline, savedState);
  const used = new UsedMaps(state.used);
  used.mustBeIn(maps);
  const players = new PlayerTable<Player>(CAPACITY);
  for (const player of state.players) players.add(player.id, restorePlayer(player, dialect, limits));
  const rooms = new Map<string, Room>();
  for (const each of state.rooms) {
    if (rooms.has(each.name)) throw new RangeError(`Cannot restore: room ${each.name} is there twice`);
    rooms.set(each.name, restoreRoom(each, players, world));
  }
  return {
    players,
    rooms: createRooms(rooms),
    effects: new EffectQueue<MapleServerMessage>(state.effects),
    nextMobId: state.nextMobId,
    departed: new Map(Array.from(state.departed, ([id, departed]) => [id, restoreDeparted(departed, limits)])),
    left: createLeftPoints(limits.departedMs, state.left),
    clock: new FairClock({ tickMs: TICK_MS }, state.clock),
    used,
  };
}

function restoreRoom(saved: StateOf<typeof savedRoom>, players: PlayerTable<Player>, world: WorldParts): Room {
  const key = parseRoom(saved.name);
  if (key === undefined || roomName(key.mapId, key.channel) !== saved.name) {
    throw new RangeError(`Cannot restore: there is no room ${saved.name}`);
  }
  const room: Room = {
    ...saved,
    ...key,
    map: world.mapOf(key.mapId),
    players: new Set(saved.players),
    control: MonsterControl.restore(saved.control, saved.name),
  };
  for (const id of room.players) {
    const player = players.get(id);
    if (player === undefined || player.room !== undefined) {
      throw new RangeError(`Cannot restore: player ${id} of room ${room.name} is unknown or in two rooms`);
    }
    player.room = room;
  }
  for (const id of room.control.controllers) {
    if (!room.players.has(id)) throw new RangeError(`Cannot restore: player ${id} is not in room ${room.name}`);
  }
  return room;
}
