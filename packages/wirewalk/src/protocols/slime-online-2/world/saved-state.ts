/** A world as plain data. Physics, the shapes of rooms and the message of the day are options: named, and not state. */
import { u16le } from "../../../wire/index.ts";
import type { Effect } from "../../world.ts";
import {
  list,
  mapOf,
  number,
  type PlayerTable,
  plainData,
  RoomTable,
  type StateOf,
  state,
  text,
} from "../../world-kit/index.ts";
import { savedFairClock } from "../../world-kit/saved-parts.ts";
import type { SlimeServerMessage } from "../wire/codec.ts";
import { savedDeparted } from "./enforcement.ts";
import { savedPlaces } from "./places.ts";
import type { Player, Room } from "./player.ts";
import { savedPlayer } from "./saved-player.ts";

export const savedState = state({
  /** In the order in which they joined. */
  players: list(savedPlayer),
  /** The players of each room, in the order in which they entered it. */
  rooms: mapOf(u16le, list(number)),
  departed: savedDeparted,
  places: savedPlaces,
  fairClock: savedFairClock,
  effects: list(plainData<Effect<SlimeServerMessage>>()),
  /** Rooms of the given set, with their digests, in the order in which they were first used. */
  used: mapOf(text, text),
});
type SavedRooms = StateOf<typeof savedState>["rooms"];

export function saveRooms(rooms: RoomTable<number, Room>): SavedRooms {
  return new Map(Array.from(rooms.entries(), ([room, { players }]) => [room, Array.from(players, ({ id }) => id)]));
}

/** Throws `RangeError` unless each player is in its own room and in no other. */
export function restoreRooms(saved: SavedRooms, players: PlayerTable<Player>): RoomTable<number, Room> {
  let placed = 0;
  const rooms = Array.from(saved, ([room, ids]): [number, Room] => {
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
