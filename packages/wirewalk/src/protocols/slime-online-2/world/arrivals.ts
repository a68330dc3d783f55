/**
 * Where players come in: the room and place of a newcomer, of an account that comes back, and of a client that starts anew
 * (docs/protocols/slime-online-2.md, standard 8.11).
 */
import type { PlayerId } from "../../../motion/index.ts";
import type { Joining } from "../../world.ts";
import { demoRoom } from "../movement/demo-rooms.ts";
import { type Place, wirePlace } from "./ghost.ts";
import { positionBy } from "./judging.ts";
import { Places, type SavedPlaces } from "./places.ts";
import type { Player } from "./player.ts";
import type { Arrival } from "./player-motion.ts";
import type { Move } from "./validation.ts";

/** Where a player comes in that asked for no room. */
const DEFAULT_ROOM = 1;
const MAX_ROOM = 65_535;
/** A client that starts anew says that it is this close to where it started before. */
const START_PX = 16;
const DEFAULT_SPAWN: Place = { x: 448, y: 160 };

/** As much of a place as a message carries. */
export type Claim = Pick<Move, "x" | "y">;

export interface ArrivalsOptions {
  /** Whether the rooms have the demo's places to come in. */
  readonly demo: boolean;
  /** Whether the dialect has a login: it says where the player is. Elsewhere a client begins in the room that it names. */
  readonly hasLogin: boolean;
}

export class Arrivals {
  readonly #options: ArrivalsOptions;
  readonly #places: Places;

  /** @param saved what {@link save} returned. Throws `TypeError` for malformed data. */
  constructor(options: ArrivalsOptions, saved?: SavedPlaces) {
    this.#options = options;
    this.#places = new Places(saved);
  }

  of(
    id: PlayerId,
    { account, room: wanted, isShared }: Joining,
    nowMs: number,
  ): Pick<Arrival, "room" | "at" | "placed" | "left"> {
    const { hasLogin } = this.#options;
    const wantedRoom = wanted === undefined ? undefined : roomNumber(wanted);
    // With a login where the account was last.
    const sought = hasLogin ? wantedRoom : (wantedRoom ?? DEFAULT_ROOM);
    const left = isShared ? undefined : this.#places.take(account, sought, nowMs);
    const room = left?.room ?? wantedRoom ?? DEFAULT_ROOM;
    const spawns = this.#spawnsOf(room);
    const spawn = spawns[id % spawns.length] ?? DEFAULT_SPAWN;
    const { x, y = spawn.y } = left?.position.travel ?? spawn;
    return { room, at: wirePlace({ x, y }), placed: hasLogin, left };
  }

  /** Keeps where a player that leaves was, and what it has gained, for when it comes back. */
  keepPlace(player: Player, nowMs: number): void {
    const { account, room, start, pace, rate, warpsPaidMs } = player;
    const position = positionBy(player, nowMs);
    if (player.isShared || position.travel === undefined) return;
    const place = { room, position, start, pace: pace.save(), rate: rate.save(), warpsPaidMs, leftMs: nowMs };
    this.#places.leave(account, place);
  }

  /** Whether a player that came back a short time ago begins where it began before: its client has started anew. */
  beginsAnew(player: Player, { x, y }: Claim): boolean {
    if (!player.returned || this.#options.hasLogin || x === undefined || y === undefined) return false;
    const starts = player.start === undefined ? this.#spawnsOf(player.room) : [player.start];
    return starts.some((start) => Math.abs(x - start.x) <= START_PX && Math.abs(y - start.y) <= START_PX);
  }

  /** Forgets what was kept for too long. */
  tick(nowMs: number): void {
    this.#places.tick(nowMs);
  }

  save(): SavedPlaces {
    return this.#places.save();
  }

  #spawnsOf(room: number): readonly Place[] {
    return (this.#options.demo ? demoRoom(room)?.spawns : undefined) ?? [DEFAULT_SPAWN];
  }
}

/** A position was accepted. */
export function noteStart(player: Player, { x, y }: Claim): void {
  if (x === undefined || y === undefined) return;
  player.returned = false;
  player.start ??= { x, y };
}

/** A room's number from its name; undefined for an invalid name. */
export function roomNumber(name: string): number | undefined {
  if (!/^\d{1,5}$/.test(name)) return undefined;
  const room = Number(name);
  return room <= MAX_ROOM ? room : undefined;
}
