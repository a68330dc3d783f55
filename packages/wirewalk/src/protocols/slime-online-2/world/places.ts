/**
 * Where players were when they left, and what they had gained by then: to come back is no way to get elsewhere
 * (standard 8.11).
 *
 * Source: docs/protocols/slime-online-2.md 8.11.
 */
import {
  checkMembers,
  copyPlain,
  type Kinds,
  type Left,
  LeftPlaces,
  type SavedLeftPlaces,
} from "../../world-kit/index.ts";
import type { Place } from "./ghost.ts";
import type { PositionState } from "./player.ts";
import type { SavedRate } from "./rate-limit.ts";

/** What is kept of a player that disconnected. Plain data. */
export interface LeftPlace {
  readonly position: PositionState;
  /** Where this player began in the room: a client that starts anew begins there again. */
  readonly start: Place | undefined;
  readonly rate: SavedRate;
  readonly warpsPaidMs: number;
  readonly chatPaidMs: number;
}

export type Places = LeftPlaces<LeftPlace>;
export type SavedPlaces = SavedLeftPlaces<LeftPlace>;

/** Later an account begins anew. And more of them than one world has players: about 500 bytes each. */
const limits = { keptMs: 600_000, most: 20_000 };

const savedKinds: Kinds<SavedPlaces> = { nextId: "number", entries: "array" };
const leftKinds: Kinds<Left<LeftPlace>> = {
  id: "number",
  account: "string",
  room: "string",
  leftMs: "number",
  kept: "object",
};
const placeKinds: Kinds<LeftPlace> = {
  position: "object",
  start: "object?",
  rate: "object",
  warpsPaidMs: "number",
  chatPaidMs: "number",
};

/** @param saved what {@link savePlaces} returned. Throws `TypeError` for malformed data. */
export function createPlaces(saved?: SavedPlaces): Places {
  if (saved === undefined) return new LeftPlaces(limits);
  for (const left of checkMembers<SavedPlaces>(saved, "places", savedKinds).entries) {
    checkMembers<Left<LeftPlace>>(left, "place", leftKinds);
    checkMembers<LeftPlace>(left.kept, `place ${left.id}`, placeKinds);
  }
  return new LeftPlaces(limits, copyPlain(saved));
}

export function savePlaces(places: Places): SavedPlaces {
  return copyPlain(places.save());
}
