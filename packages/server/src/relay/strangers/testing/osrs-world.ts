/** What happens among the players of a server: seeded walks, runs, teleports, arrivals and departures. */
import { Chance } from "./chance.ts";

export interface Tile {
  readonly level: number;
  readonly x: number;
  readonly z: number;
}

/** What others see of a player in one tick beside where it is. */
export interface Deed {
  readonly isTeleport?: boolean;
  readonly say?: string;
  readonly sequence?: number;
  /** 1 walk, 2 run. */
  readonly speed?: number;
}

export const HOME: Tile = { level: 0, x: 3222, z: 3218 };

/** Another quarter of the map: 8192 tiles and more away. */
const FAR: Tile = { level: 0, x: 9000, z: 9100 };

const HIGHEST_INDEX = 2047;

interface Body {
  tile: Tile;
  /** Where it was told to go. Players of sessions alone. */
  target?: Tile;
  readonly isSession: boolean;
}

export class OsrsWorld {
  readonly #chance: Chance;
  readonly #bodies = new Map<number, Body>();
  readonly #most: number;
  #deeds = new Map<number, Deed>();

  constructor({ seed, others }: { readonly seed: number; readonly others: number }) {
    this.#chance = new Chance(seed);
    this.#most = others;
    while (this.#bodies.size < others) this.#arrive();
  }

  tiles(): ReadonlyMap<number, Tile> {
    return new Map(Array.from(this.#bodies, ([index, { tile }]) => [index, tile]));
  }

  get deeds(): ReadonlyMap<number, Deed> {
    return this.#deeds;
  }

  enter(index: number, tile: Tile): void {
    this.#bodies.set(index, { tile, isSession: true });
  }

  leave(index: number): void {
    this.#bodies.delete(index);
  }

  /** The player of a session walks there in the ticks that follow, two tiles each. */
  go(index: number, x: number, z: number): void {
    const body = this.#bodies.get(index);
    if (body !== undefined) body.target = { ...body.tile, x, z };
  }

  step(): void {
    this.#deeds = new Map();
    for (const [index, body] of [...this.#bodies]) {
      if (body.isSession) this.#follow(index, body);
      else this.#wander(index, body);
    }
    if (this.#bodies.size < this.#most && this.#chance.oneIn(4)) this.#arrive();
  }

  #follow(index: number, body: Body): void {
    const { tile, target } = body;
    if (target === undefined) return;
    const [dx, dz] = [target.x - tile.x, target.z - tile.z];
    const stride = (distance: number): number => Math.max(-2, Math.min(2, distance));
    body.tile = { ...tile, x: tile.x + stride(dx), z: tile.z + stride(dz) };
    if (Math.max(Math.abs(dx), Math.abs(dz)) <= 2) delete body.target;
    if (dx !== 0 || dz !== 0) this.#deeds.set(index, { speed: 2 });
  }

  #wander(index: number, body: Body): void {
    const chance = this.#chance;
    const { level, x, z } = body.tile;
    switch (chance.below(24)) {
      case 0:
        this.#bodies.delete(index);
        return;
      case 1:
        body.tile = { level, x: x + chance.between(-15, 15), z: z + chance.between(-15, 15) };
        this.#deeds.set(index, { isTeleport: true });
        return;
      case 2:
        body.tile = this.#anywhere();
        this.#deeds.set(index, { isTeleport: true });
        return;
      case 3:
        body.tile = { level: (level + 1) & 3, x, z };
        this.#deeds.set(index, { isTeleport: true });
        return;
      case 4:
        this.#deeds.set(index, { say: `made up ${chance.below(1000)}` });
        return;
      case 5:
        this.#deeds.set(index, { sequence: chance.below(10_000) });
        return;
      case 6:
      case 7:
      case 8:
      case 9:
        return;
      default: {
        const speed = chance.oneIn(3) ? 2 : 1;
        const [dx, dz] = [chance.between(-speed, speed), chance.between(-speed, speed)];
        body.tile = { level, x: x + dx, z: z + dz };
        if (chance.oneIn(5)) this.#deeds.set(index, { speed });
      }
    }
  }

  #arrive(): void {
    let index = this.#chance.between(1, HIGHEST_INDEX);
    while (this.#bodies.has(index)) index = (index % HIGHEST_INDEX) + 1;
    this.#bodies.set(index, { tile: this.#anywhere(), isSession: false });
  }

  #anywhere(): Tile {
    const centre = this.#chance.oneIn(8) ? FAR : HOME;
    const aside = (at: number): number => at + this.#chance.between(-20, 20);
    return { level: this.#chance.oneIn(6) ? 1 : 0, x: aside(centre.x), z: aside(centre.z) };
  }
}
