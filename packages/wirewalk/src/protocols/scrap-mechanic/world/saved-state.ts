/** The state of a world as plain data: what `save` returns and `restore` takes. */
import type { PlayerId } from "../../../motion/index.ts";
import type { Effect } from "../../world.ts";
import {
  LeftPlaces,
  list,
  type MembersOf,
  mapOf,
  maybe,
  number,
  type PlayerTable,
  plainData,
  type SavedLeftPlaces,
  state,
  text,
  tuple,
} from "../../world-kit/index.ts";
import { savedFairClock } from "../../world-kit/saved-parts.ts";
import type { ScrapServerMessage } from "../wire/codec.ts";
import { type Character, type LeftCharacter, savedCharacter, savedLeftCharacters } from "./character.ts";

const sessionMembers = {
  id: number,
  account: text,
  room: text,
  /** By the fair clock. Undefined after the hello, or after it did not arrive in time. */
  helloUntilMs: maybe(number),
};

/** A session of the world. */
export interface Player extends MembersOf<typeof sessionMembers> {
  readonly id: PlayerId;
  readonly account: string;
  readonly room: string;
  /** Undefined before the hello. */
  character: Character | undefined;
}

export interface Room {
  /** In the order of their hellos. */
  readonly players: Set<Character>;
}

/** Counts the changes of the shape of `savedState`. */
export const SCHEMA = 8;

/** The state of a `ScrapWorld`. The model and the places are options. */
export const savedState = state({
  players: list(state({ ...sessionMembers, character: maybe(savedCharacter) })),
  /** The players of each room, in their order there. */
  rooms: list(tuple(text, list(number))),
  /** What players left behind that disconnected. */
  left: savedLeftCharacters,
  effects: list(plainData<Effect<ScrapServerMessage>>()),
  clock: savedFairClock,
  /** Places of the given maps, with their digests, in the order in which they were first used. */
  used: mapOf(text, text),
});

/** The characters of saved ids. Throws `RangeError` for a player without one. */
export function* charactersOf(players: PlayerTable<Player>, ids: Iterable<PlayerId>): Iterable<Character> {
  for (const id of ids) {
    const { character } = players.need(id);
    if (character === undefined) throw new RangeError(`Cannot restore: player ${id} has no character`);
    yield character;
  }
}

/** A character is kept for ten minutes, and more of them than a world has players. */
const leftLimits = { keptMs: 600_000, most: 20_000 };

export function createLeftPlaces(saved?: SavedLeftPlaces<LeftCharacter>): LeftPlaces<LeftCharacter> {
  return new LeftPlaces(leftLimits, saved);
}
