import { describe, expect, it } from "vitest";
import { createRandom, type PlayerId, type Random } from "../../../motion/index.ts";
import { NetworkLink, VirtualClock } from "../../../net/index.ts";
import { scaled } from "../../../testing/scale.ts";
import type { Effect } from "../../world.ts";
import { type MapleClientMessage, type MapleServerMessage, mapleCodec } from "../wire/codec.ts";
import { MapleWorld } from "./world.ts";

const codec = mapleCodec("v62");
const SECONDS = scaled(10_000, 500);
const BOTS = 50;
const ROOMS = ["1", "2", "1-2", "2-2"];

function must(holds: boolean, rule: string): void {
  if (!holds) expect.fail(rule);
}

/** A client that drives the monsters that it was assigned, and sometimes others. */
interface Driver {
  readonly player: PlayerId;
  readonly up: NetworkLink;
  readonly down: NetworkLink;
  readonly drives: Set<number>;
  /** A crash that the server has not noticed yet: it neither receives nor sends. */
  isDead: boolean;
}

/** Clients that join, leave, hide and crash, on one clock. */
class Crowd {
  readonly clock = new VirtualClock();
  readonly world = new MapleWorld({ dialect: "v62", seed: 1, demo: true });
  readonly drivers = new Map<PlayerId, Driver>();
  /** The players that the server has assigned each monster to, by its messages. */
  readonly assigned = new Map<number, Set<PlayerId>>();
  readonly counts = { moves: 0, relayed: 0, refused: 0, closed: 0, answered: 0 };
  readonly #random: Random;
  #lastId = 0;

  constructor(seed: number) {
    this.#random = createRandom(seed);
  }

  join(): void {
    const player = ++this.#lastId;
    const conditions = { latencyMs: { low: 10, high: 200 }, jitterMs: 300 };
    const link = (): NetworkLink => new NetworkLink({ conditions, delivery: "ordered", random: this.#random });
    this.drivers.set(player, { player, up: link(), down: link(), drives: new Set(), isDead: false });
    this.world.join(
      player,
      { account: `${player}`, name: `${player}`, room: this.#random.pick(ROOMS) },
      this.clock.now(),
    );
    this.settle();
    this.send(player, { message: "playerLoggedIn", value: { characterId: player, reserved: 0 } });
  }

  leave(player: PlayerId): void {
    this.world.leave(player, this.clock.now());
    this.drivers.delete(player);
    for (const players of this.assigned.values()) players.delete(player);
    this.settle();
  }

  send(player: PlayerId, message: MapleClientMessage): void {
    const driver = this.drivers.get(player);
    if (driver === undefined || driver.isDead) return;
    const payload = codec.write("client", message);
    const [atMs = 0] = driver.up.send(this.clock.now());
    this.clock.after(atMs - this.clock.now(), () => {
      if (!this.drivers.has(player)) return;
      const before = this.#placesOf(message);
      this.world.receive(player, message, payload, this.clock.now());
      this.settle(player, message, before);
    });
  }

  #placesOf(message: MapleClientMessage): string {
    if (message.message !== "moveLife") return "";
    for (const room of ROOMS) {
      const monster = this.world.monsters(room).get(message.value.mobId);
      if (monster !== undefined) return `${monster.controller} ${monster.x} ${monster.y}`;
    }
    return "none";
  }

  /** Carries out the effects, and checks the rules. */
  settle(from?: PlayerId, sent?: MapleClientMessage, before = ""): void {
    const effects = this.world.takeEffects();
    if (sent?.message === "moveLife") this.#checkLife(from, sent.value, before, effects);
    for (const effect of effects) {
      if (effect.effect === "close") {
        this.counts.closed += 1;
        this.leave(effect.player);
      } else if (effect.effect === "send") {
        this.#note(effect.to, effect.message);
        this.#deliver(effect.to, effect.message);
      }
    }
  }

  #checkLife(
    from: PlayerId | undefined,
    value: Extract<MapleClientMessage, { message: "moveLife" }>["value"],
    before: string,
    effects: readonly Effect<MapleServerMessage>[],
  ): void {
    this.counts.moves += 1;
    const answers = effects.filter(
      (effect) => effect.effect === "send" && effect.message.message === "moveMonsterResponse",
    );
    // A million checks: `expect` alone would take most of the time.
    const [answer] = answers as readonly Extract<Effect<MapleServerMessage>, { effect: "send" }>[];
    const answered = answer?.message.value as { readonly mobId?: number; readonly moveId?: number } | undefined;
    must(answers.length === 1 && answer?.to === from, "a move has one answer");
    must(answered?.mobId === value.mobId && answered.moveId === value.moveId, "the answer is that of the move");
    this.counts.answered += 1;
    const relays = effects.filter(
      (effect) => effect.effect === "broadcast" && effect.message.message === "moveMonster",
    );
    const after = this.#placesOf({ message: "moveLife", value });
    // The sender controls it, or has taken it over after an attack.
    if (after.startsWith(`${from} `)) {
      must(relays.length === 1, "a driver's move is relayed");
      this.counts.relayed += 1;
    } else {
      must(relays.length === 0 && after === before, "nobody else moves it");
      this.counts.refused += 1;
    }
  }

  #note(to: PlayerId, message: MapleServerMessage): void {
    if (message.message === "changeMap") for (const players of this.assigned.values()) players.delete(to);
    if (message.message !== "controlMonster") return;
    const { mode, mobId } = message.value;
    const players = this.assigned.get(mobId) ?? new Set();
    this.assigned.set(mobId, players);
    if (mode === "stop") players.delete(to);
    else players.add(to);
  }

  #deliver(to: PlayerId, message: MapleServerMessage): void {
    const driver = this.drivers.get(to);
    if (driver === undefined) return;
    const [atMs = 0] = driver.down.send(this.clock.now());
    this.clock.after(atMs - this.clock.now(), () => {
      if (driver.isDead) return;
      if (message.message === "ping") this.send(to, { message: "pong", value: {} });
      if (message.message === "changeMap") driver.drives.clear();
      if (message.message !== "controlMonster") return;
      if (message.value.mode === "stop") driver.drives.delete(message.value.mobId);
      else driver.drives.add(message.value.mobId);
    });
  }
}

describe(`fifty bots join, leave, hide and crash for ${SECONDS} seconds`, () => {
  it("every monster on a map with a visible player has exactly one controller within a second, and no other client moves it", () => {
    const random = createRandom(11);
    const crowd = new Crowd(12);
    const { clock, world } = crowd;
    const hidden = new Set<PlayerId>();
    let moveId = 0;
    let checked = 0;
    let lonely = 0;
    const anybody = (): PlayerId | undefined =>
      crowd.drivers.size === 0 ? undefined : random.pick([...crowd.drivers.keys()]);

    clock.every(world.tickMs, () => {
      world.tick(clock.now());
      crowd.settle();
    });
    clock.every(500, () => {
      if (crowd.drivers.size < BOTS && random.chance(0.4)) crowd.join();
      const player = anybody();
      if (player === undefined) return;
      const nowMs = clock.now();
      const driver = crowd.drivers.get(player);
      const place = world.tracks(nowMs).find((track) => track.player === player)?.room;
      const roomed = place !== undefined;
      const luck = random.next();
      // Sometimes nearly all players leave at once, and maps are empty.
      if (luck < 0.004) for (const each of [...crowd.drivers.keys()]) if (random.chance(0.97)) crowd.leave(each);
      if (luck < 0.06) crowd.leave(player);
      else if (luck < 0.09 && driver !== undefined) driver.isDead = true;
      else if (luck < 0.3 && roomed) {
        world.setHidden(player, !hidden.has(player), nowMs);
        if (!hidden.delete(player)) hidden.add(player);
      } else if (luck < 0.4 && roomed) world.changeMap(player, random.integer(1, 2), random.integer(1, 2), 0, nowMs);
      else if (luck < 0.5 && place !== undefined) {
        const mob = [...world.monsters(place).keys()][random.integer(0, 3)];
        if (mob !== undefined) world.attack(player, mob, nowMs);
      }
      crowd.settle();
    });
    // Paths of 1080 ms; sometimes a client moves a monster that it was not assigned.
    clock.every(1080, () => {
      for (const { player, drives } of crowd.drivers.values()) {
        const foreign = random.chance(0.02) ? [1_000_001 + random.integer(0, 40)] : [];
        for (const mobId of [...drives, ...foreign]) {
          const node = {
            type: 0,
            x: random.integer(-50, 50),
            y: 0,
            vx: 0,
            vy: 0,
            foothold: 1,
            state: 4,
            durationMs: 1080,
          };
          moveId = (moveId + 1) & 0xffff;
          crowd.send(player, {
            message: "moveLife",
            value: {
              mobId,
              moveId,
              flags: 0,
              actionAndDirection: -1,
              target: new Uint8Array(4),
              moveFlags: 0,
              unknown: 1,
              start: { x: 0, y: 0 },
              fragments: [node],
              keypad: [],
              box: { left: 0, top: 0, right: 0, bottom: 0 },
            },
          });
        }
      }
    });
    clock.every(1000, () => {
      for (const room of ROOMS) {
        const visible = new Set(world.visiblePlayers(room));
        for (const { mobId, controller } of world.monsters(room).values()) {
          const controllers = [...(crowd.assigned.get(mobId) ?? [])];
          if (visible.size === 0) {
            must(controllers.length === 0, "nobody drives where nobody is");
            lonely += 1;
            continue;
          }
          must(controllers.length === 1 && controllers[0] === controller, "one controller, who was assigned");
          must(visible.has(controller ?? -1), "a visible controller");
          checked += 1;
        }
      }
    });
    clock.advanceTo(SECONDS * 1000);
    expect(crowd.counts.answered).toBe(crowd.counts.moves);
    expect(crowd.counts.relayed).toBeGreaterThan(SECONDS * 10);
    expect(crowd.counts.refused).toBeGreaterThan(SECONDS / 10);
    expect(crowd.counts.closed).toBeGreaterThan(SECONDS / 200);
    expect(checked).toBeGreaterThan(SECONDS * 10);
    expect(lonely).toBeGreaterThan(SECONDS / 100);
  });
});
