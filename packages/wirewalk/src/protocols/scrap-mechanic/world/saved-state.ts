/** The state of a world as plain data: what `save` returns and `restore` takes. */
import type { PlayerId, SavedFairClock } from "../../../motion/index.ts";
import type { Effect } from "../../world.ts";
import {
  checkMembers,
  type Kinds,
  type Left,
  LeftPlaces,
  type PlayerTable,
  type SavedLeftPlaces,
} from "../../world-kit/index.ts";
import type { ScrapServerMessage } from "../wire/codec.ts";
import { type Character, checkLeft, type LeftCharacter, type SavedCharacter } from "./character.ts";

/** A session of the world. */
export interface Player {
  readonly id: PlayerId;
  readonly account: string;
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
export const SCHEMA = 7;

/** The state of a `ScrapWorld`. The model, the ground, the ceiling and the seats are options. */
export interface SavedState {
  readonly players: readonly SavedPlayer[];
  /** The players of each room, in their order there. */
  readonly rooms: readonly (readonly [string, readonly PlayerId[]])[];
  /** What players left behind that disconnected. */
  readonly left: SavedLeftPlaces<LeftCharacter>;
  readonly effects: readonly Effect<ScrapServerMessage>[];
  readonly clock: SavedFairClock;
}

export interface SavedPlayer extends Omit<Player, "character"> {
  readonly character: SavedCharacter | undefined;
}

export const stateKinds: Kinds<SavedState> = {
  players: "array",
  rooms: "array",
  left: "object",
  effects: "array",
  clock: "object",
};
const leftPlacesKinds: Kinds<SavedLeftPlaces<LeftCharacter>> = { nextId: "number", entries: "array" };
const leftKinds: Kinds<Left<LeftCharacter>> = {
  id: "number",
  account: "string",
  room: "string",
  leftMs: "number",
  kept: "object",
};
export const clockKinds: Kinds<SavedFairClock> = { tickedMs: "number?", totalMs: "number" };
export const playerKinds: Kinds<SavedPlayer> = {
  id: "number",
  account: "string",
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

/** A character is kept for ten minutes, and more of them than a world has players. */
const leftLimits = { keptMs: 600_000, most: 20_000 };

/** Throws `TypeError` for malformed data. */
export function createLeftPlaces(saved?: SavedLeftPlaces<LeftCharacter>): LeftPlaces<LeftCharacter> {
  if (saved === undefined) return new LeftPlaces(leftLimits);
  const { nextId, entries } = checkMembers<SavedLeftPlaces<LeftCharacter>>(saved, "state.left", leftPlacesKinds);
  const checked = entries.map((entry) => {
    const left = checkMembers<Left<LeftCharacter>>(entry, "state.left.entries[]", leftKinds);
    return { ...left, kept: checkLeft(left.kept) };
  });
  return new LeftPlaces(leftLimits, { nextId, entries: checked });
}
