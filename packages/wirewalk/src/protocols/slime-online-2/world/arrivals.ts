/**
 * Where players come in: the room and place of a newcomer, of an account that comes back, and of a client that starts anew
 * (docs/protocols/slime-online-2.md, standard 8.11).
 */
import type { PlayerId } from "../../../motion/index.ts";
import type { Joining } from "../../world.ts";
import type { SlimeMaps } from "../maps/slime-maps.ts";
import { moveReach } from "../movement/reach.ts";
import { type Place, wirePlace } from "./ghost.ts";
import { anyPosition, positionBy } from "./judging.ts";
import type { SlimeRuleLimits } from "./limits.ts";
import { createPlaces, type Places, type SavedPlaces } from "./places.ts";
import type { Player, PositionState } from "./player.ts";
import type { Arrival } from "./player-motion.ts";
import { outOfSolids } from "./standing.ts";
import type { Move } from "./validation.ts";

const MAX_ROOM = 65_535;
const DEFAULT_SPAWN: Place = { x: 448, y: 160 };

/** As much of a place as a message carries. */
export type Claim = Pick<Move, "x" | "y">;

export interface ArrivalsOptions {
  /** The rooms that are known, with their places to come in. */
  readonly maps: SlimeMaps | undefined;
  /** Where a player comes in who asked for no room. */
  readonly startRoom: number;
  /** Whether the dialect has a login: it says where the player is. Elsewhere a client begins in the room that it names. */
  readonly hasLogin: boolean;
  readonly rules: SlimeRuleLimits;
}

/** How a player goes on that came back. */
export interface Resumption {
  readonly position: PositionState;
  readonly start: Place | undefined;
  /** The entry of what it left; undefined for a client that begins anew. */
  readonly taken: number | undefined;
}

export class Arrivals {
  readonly #options: ArrivalsOptions;
  readonly #places: Places;

  /** @param saved what {@link save} returned. */
  constructor(options: ArrivalsOptions, saved?: SavedPlaces) {
    this.#options = options;
    this.#places = createPlaces(saved);
  }

  of(id: PlayerId, { account, room: wanted }: Joining, nowMs: number): Omit<Arrival, "antiCheat" | "stalledMs"> {
    const { hasLogin, startRoom } = this.#options;
    const wantedRoom = wanted === undefined ? undefined : roomNumber(wanted);
    // With a login where the account was last.
    const sought = hasLogin ? wantedRoom : (wantedRoom ?? startRoom);
    const [left] = this.#places.of(account, sought === undefined ? undefined : String(sought), nowMs);
    // Without one, who came back shows in its first position.
    if (hasLogin && left !== undefined) this.#places.take(account, left.id);
    const room = left === undefined ? (wantedRoom ?? startRoom) : Number(left.room);
    const spawns = this.#spawnsOf(room);
    const spawn = spawns[id % spawns.length] ?? DEFAULT_SPAWN;
    const { x, y = spawn.y } = left?.kept.position.reach ?? spawn;
    const returnedFrom = hasLogin ? undefined : left?.id;
    return { room, at: wirePlace({ x, y }), placed: hasLogin, left: left?.kept, returnedFrom };
  }

  /**
   * Keeps where a player that leaves was, and what it has gained, for when it comes back.
   *
   * @param at where its keys have taken it: a jump does not say how high it begins, and a login puts the client there.
   */
  keepPlace(player: Player, at: Place, nowMs: number): void {
    const { account, start, rate, warpsPaidMs, strangeDoorsPaidMs, chatPaidMs } = player;
    const room = String(player.room);
    const { reach, ...counted } = positionBy(player, nowMs, this.#options.rules);
    // Of a player that came back and sent no position since, what it left is still there.
    if (reach === undefined || player.returnedFrom !== undefined) return;
    this.#settleAnew(player, nowMs);
    // The keys that a client holds when it connects again are unknown until it presses the next.
    const { mostSlide } = player.limits.bounds;
    const slides = { leftSlide: mostSlide, rightSlide: mostSlide, leftHidden: Infinity, rightHidden: Infinity };
    const loose = { loose: true, jumps: Math.max(1, reach.jumps), ...slides };
    const isInJump = this.#options.hasLogin && reach.jumps > 0;
    const { x, y } = isInJump ? at : reach;
    const free = y === undefined ? undefined : outOfSolids(this.#options.maps?.room(player.room)?.geometry, { x, y });
    const from = free !== undefined && (isInJump || free.y !== y) ? moveReach(reach, free.x, free.y, nowMs) : reach;
    const position = { ...counted, reach: { ...from, ...loose } };
    const kept = { position, start, rate: rate.save(), warpsPaidMs, strangeDoorsPaidMs, chatPaidMs };
    this.#places.add({ account, room, leftMs: nowMs, kept });
  }

  /**
   * What the first position of a player is measured from whose account left something in this room: the place that fits. Undefined
   * for other positions, and where nothing fits: then it is measured from what was left last.
   *
   * @param accepts whether a state of positions allows this position.
   */
  resume(
    { account, room, position, start, returnedFrom }: Player,
    claim: Claim,
    nowMs: number,
    accepts: (state: PositionState) => boolean,
  ): Resumption | undefined {
    if (returnedFrom === undefined || claim.x === undefined) return undefined;
    const all = this.#places.of(account, String(room), nowMs);
    const known = all.flatMap(({ kept }) => (kept.start === undefined ? [] : [kept.start]));
    const starts = known.length === 0 ? this.#spawnsOf(room) : known;
    const isStart = starts.some((each) => isNear(claim, each, this.#options.rules.startPx));
    // Who begins where it began before has most likely not run there: the way costs it no time.
    const measured = (from: PositionState): PositionState => (isStart ? movedTo(from, claim) : from);
    if (accepts(position)) return { position: measured(position), start, taken: returnedFrom };
    const fitting = all.find(({ kept }) => accepts(kept.position));
    if (fitting !== undefined) {
      return { position: measured(fitting.kept.position), start: fitting.kept.start, taken: fitting.id };
    }
    return isStart ? { position: anyPosition(nowMs), start: undefined, taken: undefined } : undefined;
  }

  /** The first position was accepted. */
  resumed(player: Player, { start, taken }: Resumption, nowMs: number): void {
    player.start = start;
    if (taken === undefined) player.anewMs = nowMs;
    else this.#places.take(player.account, taken);
  }

  /** The player is about to enter a room, at this place. */
  moved(player: Player, room: number, at: Place, nowMs: number): void {
    player.returnedFrom = undefined;
    if (room === player.room) return;
    this.#settleAnew(player, nowMs);
    player.anewMs = undefined;
    player.start = at;
  }

  /** Forgets what was kept for too long. */
  tick(nowMs: number): void {
    this.#places.tick(nowMs);
  }

  save(): SavedPlaces {
    return this.#places.save();
  }

  /**
   * A player that began anew leaves. It may be one that had left something here, which nobody else has taken meanwhile: then this
   * is forgotten, or it could go back and forth between the two places by connecting again.
   */
  #settleAnew({ account, room, anewMs }: Player, nowMs: number): void {
    if (anewMs === undefined) return;
    const before = this.#places.of(account, String(room), nowMs).find(({ leftMs }) => leftMs <= anewMs);
    if (before !== undefined) this.#places.take(account, before.id);
  }

  #spawnsOf(room: number): readonly Place[] {
    const spawns = this.#options.maps?.room(room)?.spawns ?? [];
    return spawns.length === 0 ? [DEFAULT_SPAWN] : spawns;
  }
}

/** The state of a player that stands elsewhere, and has gained as much. */
function movedTo({ baseline, reach, ...state }: PositionState, { x, y }: Claim): PositionState {
  return {
    ...state,
    baseline: baseline && { ...baseline, x: x ?? baseline.x, y: y ?? baseline.y },
    reach: reach && { ...reach, x: x ?? reach.x, y: y ?? reach.y, footX: x ?? reach.footX, footY: y ?? reach.footY },
  };
}

/** Whether a client that starts anew may begin here. */
function isNear({ x = Infinity, y }: Claim, start: Place, px: number): boolean {
  return Math.abs(x - start.x) <= px && Math.abs((y ?? start.y) - start.y) <= px;
}

/** A position was accepted. */
export function noteStart(player: Player, { x, y }: Claim): void {
  if (x === undefined) return;
  player.returnedFrom = undefined;
  player.hasStood = true;
  if (y !== undefined) player.start ??= { x, y };
}

/** A room's number from its name; undefined for an invalid name. */
export function roomNumber(name: string): number | undefined {
  if (!/^\d{1,5}$/.test(name)) return undefined;
  const room = Number(name);
  return room <= MAX_ROOM ? room : undefined;
}
