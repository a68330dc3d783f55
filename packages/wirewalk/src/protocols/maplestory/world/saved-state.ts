/** The state of a world as plain data: everything that decides later effects and tracks. */
import { FairClock, type PlayerId, type SavedFairClock } from "../../../motion/index.ts";
import type { Effect, SavedWorld } from "../../world.ts";
import {
  checkMembers,
  checkSaved,
  copyPlain,
  EffectQueue,
  type Kinds,
  PlayerTable,
  savedWorld,
} from "../../world-kit/index.ts";
import type { MapleServerMessage } from "../wire/codec.ts";
import { createLeftPoints, type SavedLeftPoints } from "./left-points.ts";
import { MonsterControl, type SavedMonsterControl } from "./monsters.ts";
import { CAPACITY, createRooms, TICK_MS, type WorldParts, type WorldState } from "./parts.ts";
import type { Departed, Player } from "./player.ts";
import { parseRoom, type Room, roomName } from "./room.ts";
import { restoreDeparted, restorePlayer, type SavedPlayer, savePlayer } from "./saved-player.ts";

interface SavedState {
  /** In the order in which they joined. */
  readonly players: readonly SavedPlayer[];
  /** In the order in which they were made. */
  readonly rooms: readonly SavedRoom[];
  readonly nextMobId: number;
  /** In the order in which they left. */
  readonly departed: ReadonlyMap<string, Departed>;
  readonly left: SavedLeftPoints;
  readonly clock: SavedFairClock;
  readonly effects: readonly Effect<MapleServerMessage>[];
}

interface SavedRoom {
  readonly name: string;
  /** In the order in which they entered. */
  readonly players: readonly PlayerId[];
  readonly control: SavedMonsterControl;
  readonly firstMobId: number;
  readonly shownAtMs: number;
}

const stateKinds: Kinds<SavedState> = {
  players: "array",
  rooms: "array",
  nextMobId: "number",
  departed: "map",
  left: "object",
  clock: "object",
  effects: "array",
};
const clockKinds: Kinds<SavedFairClock> = { tickedMs: "number?", totalMs: "number" };
const roomKinds: Kinds<SavedRoom> = {
  name: "string",
  players: "array",
  control: "object",
  firstMobId: "number",
  shownAtMs: "number",
};

export function saveState({
  outline,
  players,
  rooms,
  effects,
  nextMobId,
  departed,
  left,
  clock,
}: WorldParts): SavedWorld {
  const state: SavedState = {
    players: Array.from(players.values(), savePlayer),
    rooms: Array.from(rooms.values(), saveRoom),
    nextMobId,
    departed: copyPlain(departed),
    left: copyPlain(left.save()),
    clock: clock.save(),
    effects: effects.save(),
  };
  return savedWorld(outline, state);
}

function saveRoom({ name, players, control, firstMobId, shownAtMs }: Room): SavedRoom {
  return { name, players: [...players], control: control.save(), firstMobId, shownAtMs };
}

/** New state out of saved data. Throws `TypeError` or `RangeError` for malformed data. */
export function restoreState(saved: SavedWorld, { dialect, maps, outline, limits }: WorldParts): WorldState {
  const state = checkSaved<SavedState>(saved, { ...outline, members: stateKinds });
  const players = new PlayerTable<Player>(CAPACITY);
  for (const data of state.players) {
    const player = restorePlayer(data, dialect, limits);
    players.add(player.id, player);
  }
  const rooms = new Map<string, Room>();
  for (const data of state.rooms) {
    const room = restoreRoom(data, players, maps);
    if (rooms.has(room.name)) throw new RangeError(`Cannot restore: room ${room.name} is there twice`);
    rooms.set(room.name, room);
  }
  return {
    players,
    rooms: createRooms(rooms),
    effects: new EffectQueue<MapleServerMessage>(state.effects),
    nextMobId: state.nextMobId,
    departed: new Map(Array.from(state.departed, ([id, data]) => [id, restoreDeparted(data, id, limits)])),
    left: createLeftPoints(limits.departedMs, state.left),
    clock: new FairClock({ tickMs: TICK_MS }, checkMembers(state.clock, "state.clock", clockKinds)),
  };
}

function restoreRoom(data: unknown, players: PlayerTable<Player>, maps: WorldParts["maps"]): Room {
  const saved = checkMembers<SavedRoom>(data, "room", roomKinds);
  const key = parseRoom(saved.name);
  if (key === undefined || roomName(key.mapId, key.channel) !== saved.name) {
    throw new RangeError(`Cannot restore: there is no room ${saved.name}`);
  }
  const room: Room = {
    ...saved,
    ...key,
    map: maps(key.mapId),
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
