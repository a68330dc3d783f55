/** The state of a world as plain data: what `save` returns and `restore` takes. */
import type { PlayerId, SavedFairClock } from "../../../motion/index.ts";
import type { Effect } from "../../world.ts";
import type { Kinds, PlayerTable } from "../../world-kit/index.ts";
import type { ScrapServerMessage } from "../wire/codec.ts";
import type { Character, SavedCharacter } from "./character.ts";

/** A session of the world. */
export interface Player {
  readonly id: PlayerId;
  readonly room: string;
  /** By the fair clock. Undefined after the hello, or after it did not arrive in time. */
  helloUntilMs: number | undefined;
  /** Undefined before the hello. */
  character: Character | undefined;
}

export interface Room {
  /** In the order of their hellos. */
  readonly players: Set<Character>;
}

/** Counts the changes of the shape of `SavedState`. */
export const SCHEMA = 2;

/** The state of a `ScrapWorld`. The model and the ground are options. */
export interface SavedState {
  readonly players: readonly SavedPlayer[];
  /** The players of each room, in their order there. */
  readonly rooms: readonly (readonly [string, readonly PlayerId[]])[];
  readonly effects: readonly Effect<ScrapServerMessage>[];
  readonly clock: SavedFairClock;
}

export interface SavedPlayer extends Omit<Player, "character"> {
  readonly character: SavedCharacter | undefined;
}

export const stateKinds: Kinds<SavedState> = { players: "array", rooms: "array", effects: "array", clock: "object" };
export const clockKinds: Kinds<SavedFairClock> = { tickedMs: "number?", totalMs: "number" };
export const playerKinds: Kinds<SavedPlayer> = {
  id: "number",
  room: "string",
  helloUntilMs: "number?",
  character: "object?",
};

/** The characters of saved ids. Throws `RangeError` for a player without one. */
export function* charactersOf(players: PlayerTable<Player>, ids: Iterable<PlayerId>): Iterable<Character> {
  for (const id of ids) {
    const { character } = players.need(id);
    if (character === undefined) throw new RangeError(`Cannot restore: player ${id} has no character`);
    yield character;
  }
}
