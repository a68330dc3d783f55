/** A world as plain data. Physics, the shapes of rooms and the message of the day are options: named, and not state. */
import type { PlayerId, SavedFairClock } from "../../../motion/index.ts";
import type { Effect } from "../../world.ts";
import { type Kinds, PlayerTable, RoomTable } from "../../world-kit/index.ts";
import type { SlimeServerMessage } from "../wire/codec.ts";
import type { SavedDeparted } from "./enforcement.ts";
import type { SavedPlaces } from "./places.ts";
import type { Player, Room } from "./player.ts";
import type { PlayerMotion } from "./player-motion.ts";
import { restorePlayer, type SavedPlayer, savePlayer } from "./saved-player.ts";

export interface SavedState {
  /** In the order in which they joined. */
  readonly players: readonly SavedPlayer[];
  /** The players of each room, in the order in which they entered it. */
  readonly rooms: ReadonlyMap<number, readonly PlayerId[]>;
  readonly departed: SavedDeparted;
  readonly places: SavedPlaces;
  readonly fairClock: SavedFairClock;
  readonly effects: readonly Effect<SlimeServerMessage>[];
}

export const stateKinds: Kinds<SavedState> = {
  players: "array",
  rooms: "map",
  departed: "map",
  places: "object",
  fairClock: "object",
  effects: "array",
};

export const fairClockKinds: Kinds<SavedFairClock> = { tickedMs: "number?", totalMs: "number" };

export function savePlayers(players: PlayerTable<Player>): SavedState["players"] {
  return Array.from(players.values(), savePlayer);
}

export function saveRooms(rooms: RoomTable<number, Room>): SavedState["rooms"] {
  return new Map(Array.from(rooms.entries(), ([room, { players }]) => [room, Array.from(players, ({ id }) => id)]));
}

/** Throws `TypeError` or `RangeError` for malformed data. */
export function restorePlayers(
  saved: SavedState["players"],
  capacity: number,
  motion: PlayerMotion,
): PlayerTable<Player> {
  const players = Array.from(saved, (data): [PlayerId, Player] => {
    const player = restorePlayer(data, motion);
    return [player.id, player];
  });
  return new PlayerTable(capacity, players);
}

/** Throws `RangeError` unless each player is in its own room and in no other. */
export function restoreRooms(saved: SavedState["rooms"], players: PlayerTable<Player>): RoomTable<number, Room> {
  let placed = 0;
  const rooms = Array.from(saved, ([room, ids]): [number, Room] => {
    if (!(Number.isInteger(room) && room >= 0 && room <= 0xffff)) {
      throw new RangeError(`Cannot restore: a room must be a u16, got ${room}`);
    }
    const inRoom = new Set(Array.from(ids, (id) => players.need(id)));
    if (inRoom.size === 0) throw new RangeError(`Cannot restore: room ${room} has no players`);
    for (const player of inRoom) {
      if (player.room !== room) throw new RangeError(`Cannot restore: player ${player.id} is in room ${player.room}`);
    }
    placed += inRoom.size;
    return [room, { players: inRoom }];
  });
  if (placed !== players.size) throw new RangeError(`Cannot restore: ${players.size - placed} players have no room`);
  return new RoomTable({ rooms });
}
