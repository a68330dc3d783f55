/**
 * What every world is made of: players, rooms, effects, saved worlds.
 *
 * ```ts
 * import { EffectQueue, PlayerTable } from "wirewalk/world-kit";
 *
 * const players = new PlayerTable(100);
 * const effects = new EffectQueue();
 * players.checkJoin(7, undefined);
 * players.add(7, { room: "lobby" });
 * effects.enter(7, "lobby");
 * players.checkJoin(0, undefined); // throws RangeError: Cannot join: id must be 1..65535, got 0
 * effects.take(); // => [{ effect: "enter", player: 7, room: "lobby" }]
 * ```
 *
 * @module
 */
export { digestOf } from "./digest.ts";
export { type BanRequest, EffectQueue, type Observation } from "./effect-queue.ts";
export {
  type Left,
  LeftPlaces,
  type LeftPlacesOptions,
  mayBeSeveral,
  type SavedLeftPlaces,
  savedLeftPlaces,
} from "./left-places.ts";
export { copyPlain, findUnplain } from "./plain-data.ts";
export { MAX_PLAYER_ID, PlayerTable } from "./player-table.ts";
export { type RoomOf, RoomTable, type RoomTableOptions } from "./room-table.ts";
export { savedVerdict } from "./saved-parts.ts";
export { checkSaved, type SavedOutline, savedOptions, savedWorld } from "./saved-world.ts";
export { checkState } from "./state/check.ts";
export { copyState } from "./state/copy.ts";
export {
  bytes,
  choice,
  flag,
  list,
  type MembersOf,
  mapOf,
  maybe,
  number,
  optionalMember,
  plainData,
  type State,
  type StateOf,
  state,
  text,
  tuple,
  typedArray,
} from "./state/describe.ts";
