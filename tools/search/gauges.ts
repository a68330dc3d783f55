/** What a player gains over the rules, as others see it: each measure by itself, from the tracks of one player in the order of time. */
import type { Position, Track } from "../../packages/wirewalk/src/motion/index.ts";
import type { World } from "../../packages/wirewalk/src/protocols/world.ts";

/** A measure. `greatest` is 0 or about that for an honest player. */
export interface Gauge {
  add(track: Track, world: World): void;
  readonly greatest: number;
}

/** What a line may hold back, seconds: 5 s of silence, and what is under way. */
export const LATE_SECONDS = 6;

/** Tracks of one room after the other; a new room begins anew, and so does a player that has connected again. */
abstract class RoomGauge implements Gauge {
  greatest = 0;
  #last: Track | undefined;

  add(track: Track, world: World): void {
    const { room, player } = this.#last ?? {};
    const last = room === track.room && player === track.player ? this.#last : undefined;
    this.#last = track;
    if (last === undefined) this.begin(track, world);
    else this.go(last, track, world);
  }

  protected reach(gain: number): void {
    this.greatest = Math.max(this.greatest, gain);
  }

  protected begin(_track: Track, _world: World): void {
    // Most begin with nothing.
  }

  protected abstract go(last: Track, track: Track, world: World): void;
}

/** What of a way counts. */
export type WayOf = (last: Track, track: Track) => number;

export const across: WayOf = (last, track) => Math.abs(track.position.x - last.position.x);
/** Over the ground, whose third axis is height. */
export const overGround: WayOf = (last, track) =>
  Math.hypot(track.position.x - last.position.x, track.position.y - last.position.y);
/** Upwards where y grows downwards. */
export const upwards: WayOf = (last, track) => Math.max(0, last.position.y - track.position.y);
/** Along ladders and ropes alone. */
export const climbed: WayOf = (last, track) =>
  isClimbing(last) && isClimbing(track) ? Math.abs(track.position.y - last.position.y) : 0;

const isClimbing = ({ stance }: Track): boolean => stance === "ladder" || stance === "rope";

/** How {@link BeyondSpeed} measures. */
export interface SpeedGaugeOptions {
  readonly way: WayOf;
  readonly perSecond: number;
  /** What of it counts as nothing. Default 0. */
  readonly free?: number;
  /** What a line may have held back of slower play: so many seconds of it may be caught up. Default 0. */
  readonly lateSeconds?: number;
}

/** Way beyond a speed, in all; slower play uses it up. */
export class BeyondSpeed extends RoomGauge {
  readonly #options: SpeedGaugeOptions;
  readonly #least: number;
  #held = 0;

  constructor(options: SpeedGaugeOptions) {
    super();
    this.#options = options;
    this.#least = -(options.lateSeconds ?? 0) * options.perSecond;
  }

  protected override begin(): void {
    this.#held = 0;
  }

  protected go(last: Track, track: Track): void {
    const { way, perSecond, free = 0 } = this.#options;
    const seconds = (track.atMs - last.atMs) / 1000;
    this.#held = Math.max(this.#least, this.#held + way(last, track) - perSecond * seconds);
    this.reach(this.#held - free);
  }
}

const WINDOW_MS = 10_000;

/** Way within ten seconds beyond what a speed allows: also for one that goes to and fro. */
export class TenSeconds extends RoomGauge {
  readonly #way: WayOf;
  readonly #perSecond: number;
  #ways: { readonly fromMs: number; readonly atMs: number; readonly way: number }[] = [];
  #sum = 0;

  constructor(way: WayOf, perSecond: number) {
    super();
    this.#way = way;
    this.#perSecond = perSecond;
  }

  protected override begin(): void {
    this.#ways = [];
    this.#sum = 0;
  }

  protected go(last: Track, track: Track): void {
    const way = this.#way(last, track);
    this.#ways.push({ fromMs: last.atMs, atMs: track.atMs, way });
    this.#sum += way;
    while ((this.#ways[0]?.atMs ?? track.atMs) <= track.atMs - WINDOW_MS) this.#sum -= this.#ways.shift()?.way ?? 0;
    const windowMs = Math.max(WINDOW_MS, track.atMs - (this.#ways[0]?.fromMs ?? track.atMs));
    this.reach(this.#sum - (this.#perSecond * windowMs) / 1000);
  }
}

/** How bodies fall. */
export interface Fall {
  /** Per second, upwards. */
  readonly jump: number;
  readonly gravity: number;
  readonly most: number;
}

/** How high above something that carries it a body is, 0 for one that is carried; undefined where that is not known. */
export type HeightOf = (track: Track) => number | undefined;

/** Height above the way of a full jump from where something last carried the body, and above what would carry it. */
export class AboveJump extends RoomGauge {
  readonly #fall: Fall;
  readonly #heightOf: HeightOf;
  #top: { y: number; vy: number } | undefined;

  constructor(fall: Fall, heightOf: HeightOf) {
    super();
    this.#fall = fall;
    this.#heightOf = heightOf;
  }

  protected override begin(track: Track): void {
    this.#top = { y: track.position.y, vy: -this.#fall.jump };
  }

  protected go(last: Track, track: Track): void {
    const { y } = track.position;
    const height = this.#heightOf(track) ?? 0;
    if (this.#top === undefined || height <= 0) {
      this.#top = { y, vy: -this.#fall.jump };
      return;
    }
    // A body that hangs in the air while nothing comes from its client may be a stall of the line.
    if (y === last.position.y && track.position.x === last.position.x) return;
    const { gravity, most } = this.#fall;
    const seconds = (track.atMs - last.atMs) / 1000;
    const vy = Math.min(most, this.#top.vy + gravity * seconds);
    // The mean speed; where the fastest fall is reached within the step it is a little too low, which favours the player.
    this.#top = { y: this.#top.y + ((this.#top.vy + vy) / 2) * seconds, vy };
    this.reach(Math.min(this.#top.y - y, height));
  }
}

/** Way inside of what is solid, and beyond the edges of a room. */
export class InsideSolid extends RoomGauge {
  readonly #isSolid: (room: string, position: Position) => boolean;
  #way = 0;

  constructor(isSolid: (room: string, position: Position) => boolean) {
    super();
    this.#isSolid = isSolid;
  }

  protected override begin(): void {
    this.#way = 0;
  }

  protected go(last: Track, track: Track): void {
    if (!this.#isSolid(track.room, track.position) || !this.#isSolid(last.room, last.position)) return;
    this.#way += Math.hypot(track.position.x - last.position.x, track.position.y - last.position.y);
    this.reach(this.#way);
  }
}

/** Way between where a player left a room and where it came back, beyond what it could have run since. Known entrances do not count. */
export class CameBack implements Gauge {
  greatest = 0;
  readonly #perSecond: number;
  readonly #isEntrance: (room: string, position: Position) => boolean;
  readonly #left = new Map<string, Track>();
  #last: Track | undefined;

  constructor(perSecond: number, isEntrance: (room: string, position: Position) => boolean) {
    this.#perSecond = perSecond;
    this.#isEntrance = isEntrance;
  }

  add(track: Track): void {
    const before = this.#left.get(track.room);
    if (before !== undefined && this.#last?.room !== track.room && !this.#isEntrance(track.room, track.position)) {
      const seconds = (track.atMs - before.atMs) / 1000;
      this.greatest = Math.max(this.greatest, across(before, track) - this.#perSecond * seconds);
    }
    this.#left.set(track.room, track);
    this.#last = track;
  }
}

/** A monster, as far as it is measured here. */
export interface SeenMonster {
  readonly mobId: number;
  readonly x: number;
  readonly y: number;
  readonly controller?: number | undefined;
}

/** Seconds for which none of the monsters that the player controls moved. */
export class FrozenMonsters implements Gauge {
  greatest = 0;
  readonly #monsters: (world: World, room: string) => Iterable<SeenMonster>;
  #places = "";
  #sinceMs = 0;

  constructor(monsters: (world: World, room: string) => Iterable<SeenMonster>) {
    this.#monsters = monsters;
  }

  add(track: Track, world: World): void {
    let places = `${track.room} `;
    let count = 0;
    for (const { x, y, controller } of this.#monsters(world, track.room)) {
      if (controller === undefined) continue;
      count += 1;
      places += `${x},${y} `;
    }
    if (count === 0 || places !== this.#places) this.#sinceMs = track.atMs;
    this.#places = places;
    this.greatest = Math.max(this.greatest, (track.atMs - this.#sinceMs) / 1000);
  }
}

/** By how much the monsters that the player controls have come nearer to each other: pixels, in the mean. */
export class HerdedMonsters implements Gauge {
  greatest = 0;
  readonly #monsters: (world: World, room: string) => Iterable<SeenMonster>;
  #room = "";
  #spread = 0;

  constructor(monsters: (world: World, room: string) => Iterable<SeenMonster>) {
    this.#monsters = monsters;
  }

  add(track: Track, world: World): void {
    const places = [...this.#monsters(world, track.room)].filter(({ controller }) => controller !== undefined);
    if (places.length < 3) return;
    const mean = places.reduce((sum, { x }) => sum + x, 0) / places.length;
    const spread = places.reduce((sum, { x }) => sum + Math.abs(x - mean), 0) / places.length;
    if (track.room !== this.#room) {
      this.#room = track.room;
      this.#spread = spread;
    }
    this.greatest = Math.max(this.greatest, this.#spread - spread);
  }
}
