/**
 * Who drives which monster. The server has no monsters' minds: one client on the map is asked to drive each, and its
 * word is relayed. Pure bookkeeping; the world says what changes to the clients.
 *
 * Rules (standard 9.1): the visible player on the map with the fewest; a controller that is still there
 * stays; a hidden game master never controls, or monsters stand frozen; who has just attacked takes over.
 */
import type { PlayerId } from "../../../motion/index.ts";
import type { Spawn } from "../wire/messages.ts";

/**
 * How long somebody who has lost a monster may still be heard of it without blame, milliseconds: what was on its way,
 * with a stall of three seconds in either direction, and the second in which it did not know.
 */
export const HAND_OVER_MS = 8000;
/** How long an attack gives the right to take over, milliseconds. */
export const ATTACK_MS = 3000;

/** A monster that lives on a map. */
export interface Monster {
  readonly mobId: number;
  readonly template: number;
  readonly room: string;
  readonly mp: number;
  x: number;
  y: number;
  state: number;
  foothold: number;
  originFoothold: number;
  controller: PlayerId | undefined;
  /** Whether it fights its controller. */
  aggro: boolean;
  /** Who had it before, and until when that explains a late path. */
  readonly former: Map<PlayerId, number>;
  attacked: { readonly player: PlayerId; readonly untilMs: number } | undefined;
  /** When it was last driven. */
  movedAtMs: number;
}

/** A monster's controller has changed; `from` is told to stop if it is still there. */
export interface Assignment {
  readonly monster: Monster;
  readonly from: PlayerId | undefined;
  readonly to: PlayerId | undefined;
}

const statusMask = Uint8Array.of(0, 0, 0, 0x08, 0, 0, 0, 0);

/** What a client must be told of a monster. */
export function spawnOf(monster: Monster, controlled: boolean): Spawn {
  const { template, x, y, state, originFoothold, foothold } = monster;
  return {
    status: controlled ? "controlled" : "notControlled",
    template,
    statusMask: statusMask.slice(),
    x,
    y,
    state,
    originFoothold,
    foothold,
    appear: -1,
    team: -1,
    effect: 0,
  };
}

/** The monsters of one map and channel, and who on it can drive them. */
export class MonsterControl {
  readonly #monsters = new Map<number, Monster>();
  /** Visible players in the order in which they came, and how many each drives. */
  readonly #drivers = new Map<PlayerId, number>();
  /** Monsters that are gone, and until when that explains a late path. */
  readonly #gone = new Map<number, number>();

  get monsters(): ReadonlyMap<number, Monster> {
    return this.#monsters;
  }

  /** How many monsters a player drives. */
  countOf(player: PlayerId): number {
    return this.#drivers.get(player) ?? 0;
  }

  /** A monster appears. */
  add(monster: Monster, nowMs: number): readonly Assignment[] {
    this.#monsters.set(monster.mobId, monster);
    return this.#assignAll(nowMs);
  }

  /** Whether a monster was here so lately that what is still said of it was on its way. */
  wasHere(mobId: number, nowMs: number): boolean {
    return nowMs <= (this.#gone.get(mobId) ?? -Infinity);
  }

  /** A monster is gone, with its controller. */
  remove(mobId: number, nowMs: number): void {
    for (const [gone, untilMs] of this.#gone) if (untilMs < nowMs) this.#gone.delete(gone);
    const monster = this.#monsters.get(mobId);
    if (monster !== undefined) this.#gone.set(mobId, nowMs + HAND_OVER_MS);
    if (monster?.controller !== undefined) this.#count(monster.controller, -1);
    this.#monsters.delete(mobId);
  }

  /** A visible player is on the map: came, or shows itself. */
  enter(player: PlayerId, nowMs: number): readonly Assignment[] {
    if (!this.#drivers.has(player)) this.#drivers.set(player, 0);
    return this.#assignAll(nowMs);
  }

  /** A player is not on the map any more, or hides. */
  exit(player: PlayerId, nowMs: number): readonly Assignment[] {
    if (!this.#drivers.delete(player)) return [];
    const released: Assignment[] = [];
    for (const monster of this.#monsters.values()) {
      if (monster.controller !== player) continue;
      const to = this.#leastBusy();
      this.#give(monster, to, nowMs);
      released.push({ monster, from: player, to });
    }
    return released;
  }

  /** Somebody attacks or is noticed: it drives from here on. */
  attack(mobId: number, player: PlayerId, nowMs: number): readonly Assignment[] {
    const monster = this.#monsters.get(mobId);
    if (monster === undefined || !this.#drivers.has(player)) return [];
    monster.attacked = { player, untilMs: nowMs + ATTACK_MS };
    const from = monster.controller;
    if (from === player && monster.aggro) return [];
    this.#give(monster, player, nowMs);
    monster.aggro = true;
    return [{ monster, from: from === player ? undefined : from, to: player }];
  }

  #assignAll(nowMs: number): readonly Assignment[] {
    const assigned: Assignment[] = [];
    for (const monster of this.#monsters.values()) {
      if (monster.controller !== undefined) continue;
      const to = this.#leastBusy();
      if (to === undefined) break;
      this.#give(monster, to, nowMs);
      assigned.push({ monster, from: undefined, to });
    }
    return assigned;
  }

  #leastBusy(): PlayerId | undefined {
    let best: PlayerId | undefined;
    let fewest = Infinity;
    for (const [player, count] of this.#drivers) {
      if (count >= fewest) continue;
      best = player;
      fewest = count;
    }
    return best;
  }

  #give(monster: Monster, to: PlayerId | undefined, nowMs: number): void {
    const from = monster.controller;
    if (from === to) return;
    if (from !== undefined) {
      this.#count(from, -1);
      for (const [player, untilMs] of monster.former) if (untilMs < nowMs) monster.former.delete(player);
      monster.former.set(from, nowMs + HAND_OVER_MS);
    }
    monster.controller = to;
    monster.aggro = false;
    if (to !== undefined) this.#count(to, 1);
  }

  #count(player: PlayerId, change: number): void {
    const count = this.#drivers.get(player);
    if (count !== undefined) this.#drivers.set(player, count + change);
  }
}
