/**
 * Where accounts were when they left, and what they had gained by then: to come back is no way to get elsewhere
 * (standard 8.11).
 *
 * Source: docs/protocols/slime-online-2.md 8.11.
 */
import type { SavedLinkPace } from "../../../motion/index.ts";
import { checkMembers, copyPlain, type Kinds } from "../../world-kit/index.ts";
import type { Place } from "./ghost.ts";
import type { PositionState } from "./player.ts";
import type { SavedRate } from "./rate-limit.ts";

/** What is kept of a player that left a room by disconnecting. Plain data. */
export interface LeftPlace {
  readonly room: number;
  readonly position: PositionState;
  /** Where this account began in the room: a client that starts anew begins there again. */
  readonly start: Place | undefined;
  readonly pace: SavedLinkPace;
  readonly rate: SavedRate;
  readonly warpsPaidMs: number;
  readonly leftMs: number;
}

/** By account and room, the first to leave first. */
export type SavedPlaces = ReadonlyMap<string, LeftPlace>;

/** Later an account begins anew. */
const KEPT_MS = 600_000;
/** More accounts than one world has players: about 500 bytes each. */
const MAX_PLACES = 20_000;

const placeKinds: Kinds<LeftPlace> = {
  room: "number",
  position: "object",
  start: "object?",
  pace: "object",
  rate: "object",
  warpsPaidMs: "number",
  leftMs: "number",
};

const keyOf = (account: string, room: number): string => `${room} ${account}`;

export class Places {
  readonly #places: Map<string, LeftPlace>;

  /** @param saved what {@link save} returned. Throws `TypeError` for malformed data. */
  constructor(saved: SavedPlaces = new Map()) {
    this.#places = new Map(
      Array.from(saved, ([key, data]) => [key, copyPlain(checkMembers<LeftPlace>(data, `place ${key}`, placeKinds))]),
    );
  }

  leave(account: string, place: LeftPlace): void {
    const key = keyOf(account, place.room);
    this.#places.delete(key);
    this.#places.set(key, place);
    for (const oldest of this.#places.keys()) {
      if (this.#places.size <= MAX_PLACES) return;
      this.#places.delete(oldest);
    }
  }

  /** Takes what the account left in a room, or in the room that it left last; undefined when that is too long ago. */
  take(account: string, room: number | undefined, nowMs: number): LeftPlace | undefined {
    const place = room === undefined ? this.#last(account) : this.#places.get(keyOf(account, room));
    if (place === undefined) return undefined;
    this.#places.delete(keyOf(account, place.room));
    return nowMs - place.leftMs < KEPT_MS ? place : undefined;
  }

  /** Forgets what is too old, the first to leave first. */
  tick(nowMs: number): void {
    for (const [key, { leftMs }] of this.#places) {
      if (nowMs - leftMs < KEPT_MS) return;
      this.#places.delete(key);
    }
  }

  save(): SavedPlaces {
    return copyPlain(this.#places);
  }

  /** Asked once for each login. */
  #last(account: string): LeftPlace | undefined {
    let last: LeftPlace | undefined;
    for (const [key, place] of this.#places) if (key === keyOf(account, place.room)) last = place;
    return last;
  }
}
