/**
 * Monster control: which client computes and sends the movement of which monster. Bookkeeping alone; the world sends what
 * changes to the clients.
 *
 * Rules (standard 9.1): the visible player on the map with the fewest monsters is assigned; a controller that is still
 * there keeps control; a hidden game master never controls, or monsters stand frozen; an attacker takes over.
 */
import type { PlayerId } from "../../../motion/index.ts";
import { copyState, flag, list, mapOf, maybe, number, type StateOf, state } from "../../world-kit/index.ts";
import type { Spawn } from "../wire/messages.ts";
import type { Spawn as SpawnV83 } from "../wire/messages-v83.ts";
import type { Spawn as SpawnV95 } from "../wire/messages-v95.ts";
import { mapleLimitTable } from "./limit-table.ts";

/** Nothing that happened longer ago is late. */
const MAX_SILENCE_MS = mapleLimitTable.silenceMs.most;

/** A monster without its room. */
const savedMonster = state({
  mobId: number,
  template: number,
  /** Mana that is left: each skill costs some, and no message of movement restores it. */
  mp: number,
  /** The skill that its controller was told to use next, until it uses it. */
  granted: maybe(state({ id: number, level: number })),
  /** When it may use a skill again. */
  restedMs: number,
  x: number,
  y: number,
  state: number,
  foothold: number,
  originFoothold: number,
  controller: maybe(number),
  /** Whether it fights its controller. */
  aggro: flag,
  /** When it was given to its controller, and where it was then; -Infinity before. */
  givenMs: number,
  givenX: number,
  givenY: number,
  /** Former controllers, and when each lost it: until it knows, its paths are late and not wrong. */
  former: mapOf(number, number),
  attacked: maybe(state({ player: number, untilMs: number })),
  /** When its controller last moved it; -Infinity before. */
  movedAtMs: number,
});

/** A monster that lives on a map. */
export interface Monster extends StateOf<typeof savedMonster> {
  readonly mobId: number;
  readonly template: number;
  readonly room: string;
}

/** The monsters of a room as plain data. */
export const savedMonsterControl = state({
  /** In the order in which they appeared. */
  monsters: list(savedMonster),
  /** Visible players in the order in which they came. */
  controllers: list(number),
  gone: mapOf(number, number),
});

/** A change of a monster's controller. `from` must stop if it is still on the map. */
export interface Assignment {
  readonly monster: Monster;
  readonly from: PlayerId | undefined;
  readonly to: PlayerId | undefined;
}

const statusMask = Uint8Array.of(0, 0, 0, 0x08, 0, 0, 0, 0);

/** What a client needs to know of a monster. */
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

/** The same for a client of `v83`: no status effects. */
export function spawnV83Of(monster: Monster, controlled: boolean): SpawnV83 {
  return { ...spawnOf(monster, controlled), statusMask: new Uint8Array(16) };
}

/** The same for a client of `v95`. */
export function spawnV95Of(monster: Monster, controlled: boolean): SpawnV95 {
  return { ...spawnV83Of(monster, controlled), phase: 0 };
}

/** The monsters of one map and channel, and the players on it who can control them. */
export class MonsterControl {
  readonly #monsters = new Map<number, Monster>();
  /** Visible players in the order in which they came, and how many monsters each controls. */
  readonly #controllers = new Map<PlayerId, number>();
  /** Monsters that are gone, and since when: a client that does not know yet still sends their paths. */
  readonly #gone = new Map<number, number>();

  /** The monsters of a saved room. Throws `RangeError` for a monster that is there twice or has an unknown controller. */
  static restore({ monsters, controllers, gone }: StateOf<typeof savedMonsterControl>, room: string): MonsterControl {
    const control = new MonsterControl();
    for (const player of controllers) control.#controllers.set(player, 0);
    for (const saved of monsters) {
      const { mobId, controller } = saved;
      if (controller !== undefined && !control.#controllers.has(controller)) {
        throw new RangeError(`Cannot restore: player ${controller} cannot control monster ${mobId}`);
      }
      if (control.#monsters.has(mobId)) throw new RangeError(`Cannot restore: monster ${mobId} is there twice`);
      control.#monsters.set(mobId, { ...copyState(savedMonster, saved), room });
      if (controller !== undefined) control.#count(controller, 1);
    }
    for (const [mobId, goneMs] of gone) control.#gone.set(mobId, goneMs);
    return control;
  }

  save(): StateOf<typeof savedMonsterControl> {
    const monsters = Array.from(this.#monsters.values(), ({ room: _, ...monster }) => monster);
    return copyState(savedMonsterControl, { monsters, controllers: this.#controllers.keys(), gone: this.#gone });
  }

  get monsters(): ReadonlyMap<number, Monster> {
    return this.#monsters;
  }

  /** How many monsters a player controls. */
  countOf(player: PlayerId): number {
    return this.#controllers.get(player) ?? 0;
  }

  /** Players who can control monsters here, in the order in which they came. */
  get controllers(): Iterable<PlayerId> {
    return this.#controllers.keys();
  }

  /** A monster appears. */
  add(monster: Monster, nowMs: number): readonly Assignment[] {
    this.#monsters.set(monster.mobId, monster);
    return this.#assignAll(nowMs);
  }

  /** When a monster was removed; undefined for one that was not here. */
  goneSince(mobId: number): number | undefined {
    return this.#gone.get(mobId);
  }

  /** A monster is gone. */
  remove(mobId: number, nowMs: number): void {
    forgetBefore(nowMs - MAX_SILENCE_MS, this.#gone);
    const monster = this.#monsters.get(mobId);
    if (monster !== undefined) this.#gone.set(mobId, nowMs);
    if (monster?.controller !== undefined) this.#count(monster.controller, -1);
    this.#monsters.delete(mobId);
  }

  /** A visible player is on the map: it came, or is no longer hidden. */
  enter(player: PlayerId, nowMs: number): readonly Assignment[] {
    if (!this.#controllers.has(player)) this.#controllers.set(player, 0);
    return this.#assignAll(nowMs);
  }

  /** A player has left the map, or hides. */
  exit(player: PlayerId, nowMs: number): readonly Assignment[] {
    if (!this.#controllers.delete(player)) return [];
    const released: Assignment[] = [];
    for (const monster of this.#monsters.values()) {
      if (monster.controller !== player) continue;
      const to = this.#leastBusy();
      this.#give(monster, to, nowMs);
      released.push({ monster, from: player, to });
    }
    return released;
  }

  /** A player attacks a monster, or is noticed by it: it controls it from now on. */
  attack(
    mobId: number,
    player: PlayerId,
    nowMs: number,
    attackMs: number = mapleLimitTable.attackMs.default,
  ): readonly Assignment[] {
    const monster = this.#monsters.get(mobId);
    if (monster === undefined || !this.#controllers.has(player)) return [];
    monster.attacked = { player, untilMs: nowMs + attackMs };
    const from = monster.controller;
    if (from === player && monster.aggro) return [];
    this.#give(monster, player, nowMs);
    monster.aggro = true;
    return [{ monster, from: from === player ? undefined : from, to: player }];
  }

  /**
   * Gives monsters to others that their controllers have not moved for so long. Where nobody else is, nothing changes. Those that do not
   * move by themselves stay.
   */
  passOn(idleMs: number, moves: (monster: Monster) => boolean, nowMs: number): readonly Assignment[] {
    if (this.#controllers.size < 2) return [];
    const passed: Assignment[] = [];
    for (const monster of this.#monsters.values()) {
      const { controller: from, movedAtMs, givenMs } = monster;
      if (from === undefined || nowMs - Math.max(movedAtMs, givenMs) <= idleMs || !moves(monster)) continue;
      const to = this.#leastBusy(from);
      this.#give(monster, to, nowMs);
      passed.push({ monster, from, to });
    }
    return passed;
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

  #leastBusy(but?: PlayerId): PlayerId | undefined {
    let best: PlayerId | undefined;
    let fewest = Infinity;
    for (const [player, count] of this.#controllers) {
      if (player === but || count >= fewest) continue;
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
      forgetBefore(nowMs - MAX_SILENCE_MS, monster.former);
      monster.former.set(from, nowMs);
    }
    monster.controller = to;
    monster.givenMs = nowMs;
    monster.givenX = monster.x;
    monster.givenY = monster.y;
    monster.aggro = false;
    if (to !== undefined) this.#count(to, 1);
  }

  #count(player: PlayerId, change: number): void {
    const count = this.#controllers.get(player);
    if (count !== undefined) this.#controllers.set(player, count + change);
  }
}

/** Drops what is older than a time. */
function forgetBefore(beforeMs: number, times: Map<number, number>): void {
  for (const [key, atMs] of times) if (atMs < beforeMs) times.delete(key);
}
