/**
 * Where players were when they left, and what they had gained by then: to come back is no way to get elsewhere
 * (standard 8.11).
 *
 * Source: docs/protocols/slime-online-2.md 8.11.
 */
import {
  LeftPlaces,
  maybe,
  number,
  type SavedLeftPlaces,
  type StateOf,
  savedLeftPlaces,
  state,
} from "../../world-kit/index.ts";
import { savedPlace } from "./ghost.ts";
import { savedPosition } from "./player.ts";
import { savedRate } from "./rate-limit.ts";

/** What is kept of a player that disconnected. Plain data. */
const leftPlace = state({
  position: savedPosition,
  /** Where this player began in the room: a client that starts anew begins there again. */
  start: maybe(savedPlace),
  rate: savedRate,
  warpsPaidMs: number,
  strangeDoorsPaidMs: number,
  chatPaidMs: number,
});
export type LeftPlace = Readonly<StateOf<typeof leftPlace>>;

export type Places = LeftPlaces<LeftPlace>;
export type SavedPlaces = SavedLeftPlaces<LeftPlace>;
export const savedPlaces = savedLeftPlaces(leftPlace);

/** Later an account begins anew. And more of them than one world has players: about 500 bytes each. */
const limits = { keptMs: 600_000, most: 20_000 };

/** @param saved what `save` of other places returned. */
export function createPlaces(saved?: SavedPlaces): Places {
  return new LeftPlaces(limits, saved);
}
