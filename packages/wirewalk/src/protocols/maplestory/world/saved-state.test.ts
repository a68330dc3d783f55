import { describe, expect, it } from "vitest";
import { createRandom, type PlayerId, type Random } from "../../../motion/index.ts";
import { scaled } from "../../../testing/scale.ts";
import { digestOf, findUnplain } from "../../world-kit/index.ts";
import { MapleBot } from "../bots/bot.ts";
import { mapleCheats } from "../bots/cheats.ts";
import { TestWorld, walk } from "../testing/test-world.ts";
import { type MapleClientMessage, mapleCodec } from "../wire/codec.ts";
import { Fragment } from "../wire/fragment.ts";
import { boxOf, type Point } from "../wire/messages.ts";
import type { Monster } from "./monsters.ts";
import { MapleWorld, type MapleWorldOptions } from "./world.ts";

const STEP_MS = 10;

/** Two worlds that must stay equal: every now and then the second is made anew out of what the first has saved. */
class TwinWorlds {
  readonly options: MapleWorldOptions;
  readonly counts = { restored: 0, withEffects: 0, verdicts: 0, maps: 0 };
  readonly #first: MapleWorld;
  #second: MapleWorld;

  constructor(options: MapleWorldOptions) {
    this.options = options;
    this.#first = new MapleWorld(options);
    this.#second = new MapleWorld(options);
  }

  get world(): MapleWorld {
    return this.#first;
  }

  /** Makes a call in both, and returns the effects, which are equal. */
  call(call: (world: MapleWorld) => void, nowMs: number, mayRestore: () => boolean) {
    call(this.#first);
    call(this.#second);
    if (mayRestore()) this.#restore();
    const effects = this.#first.takeEffects();
    const same = this.#second.takeEffects();
    if (digestOf(same) !== digestOf(effects)) expect(same, `effects at ${nowMs}`).toEqual(effects);
    for (const effect of effects) {
      if (effect.effect === "verdict") this.counts.verdicts += 1;
      if (effect.effect === "enter") this.counts.maps += 1;
    }
    return effects;
  }

  compare(nowMs: number): void {
    const [tracks, same] = [this.#first.tracks(nowMs), this.#second.tracks(nowMs)];
    // Comparing digests is fast; comparing values names what differs.
    if (digestOf(same) !== digestOf(tracks)) expect(same).toEqual(tracks);
    expect(this.#second.digest(), `digest at ${nowMs}`).toBe(this.#first.digest());
    expect(this.#second.rooms()).toEqual(this.#first.rooms());
  }

  #restore(): void {
    const saved = this.#first.save();
    expect(findUnplain(saved)).toBeUndefined();
    // A world that has played already: nothing of it may be left.
    const world = this.counts.restored % 2 === 0 ? new MapleWorld(this.options) : this.#second;
    world.restore(structuredClone(saved));
    expect(digestOf(world.save())).toBe(digestOf(saved));
    this.#second = world;
    this.counts.restored += 1;
    if ((saved.state as { readonly effects: readonly unknown[] }).effects.length > 0) this.counts.withEffects += 1;
  }
}

/** What game code does to a player, or around it. */
function gameCode(random: Random, player: PlayerId, nowMs: number): (world: MapleWorld) => void {
  const room = random.pick(["1", "2", "1-2", "77"]);
  const pick = random.integer(0, 20);
  switch (random.integer(0, 8)) {
    case 0:
      return (world) => world.setHidden(player, pick % 2 === 0, nowMs);
    case 1:
      return (world) => world.changeMap(player, (pick % 2) + 1, (pick % 3) + 1, 0, nowMs);
    case 2:
      return (world) => world.spawnMonster(room, 100_100, { x: pick, y: 100 }, nowMs);
    case 3:
      return (world) => {
        const mobId = [...world.monsters(room).keys()][pick];
        if (mobId !== undefined) world.killMonster(room, mobId, nowMs);
      };
    case 4:
      return (world) => {
        const mobId = [...world.monsters("1").keys()][pick];
        if (mobId !== undefined) world.attack(player, mobId, nowMs);
      };
    case 5:
      return (world) => world.addPet(player, BigInt(pick % 3), pick % 3, nowMs);
    case 6:
      return (world) => world.addSummon(player, pick % 3, nowMs);
    case 7:
      return (world) => world.setFactors(player, { speed: 1 + pick / 20, jump: 1 });
    default:
      return (world) => world.refresh(player, nowMs);
  }
}

/** Messages that no bot sends: long and fast paths of any monster of the map, and paths of summons. */
function noise(random: Random, dialect: string, monsters: readonly Readonly<Monster>[]): readonly MapleClientMessage[] {
  const isLong = random.chance(0.1);
  const far = random.pick([10, 300, 9000]);
  const pathFrom = ({ x, y }: Point) => {
    const start = { x: Math.round(x), y: Math.round(y) };
    const end = { x: Math.max(-0x8000, Math.min(0x7fff, start.x + far)), y: start.y };
    const fields = { type: 0, ...end, foothold: 1, state: 2, durationMs: 1080 };
    const fragments = Array.from({ length: isLong ? 255 : random.integer(0, 2) }, () =>
      Fragment.of("absolute", fields),
    );
    return dialect === "v62"
      ? { start, fragments, keypad: [], box: boxOf(start, fragments) }
      : { opaque: new Uint8Array(4), fragments, rest: new Uint8Array(1) };
  };
  if (monsters.length === 0 || random.chance(0.3)) {
    return [{ message: "moveSummon", value: { summonId: random.integer(0, 2), ...pathFrom({ x: 0, y: 0 }) } }];
  }
  const monster = random.pick(monsters);
  const fixed = { flags: 1, actionAndDirection: -1, target: new Uint8Array(4), moveFlags: 0, unknown: 1 };
  const life = { mobId: monster.mobId, moveId: 7, ...fixed, ...pathFrom(monster) };
  return Array<MapleClientMessage>(isLong ? 4 : 1).fill({ message: "moveLife", value: life });
}

/** Bots, honest and cheating, with noise and game code between, in both worlds. */
function playTwins(options: MapleWorldOptions, seed: number, durationMs: number): TwinWorlds {
  const { dialect } = options;
  const twins = new TwinWorlds(options);
  const codec = mapleCodec(dialect);
  const random = createRandom(seed);
  const mayRestore = (): boolean => random.chance(0.02);
  const bots = new Map<PlayerId, { readonly bot: MapleBot; nextMs: number }>();
  const isSilent = new Map<PlayerId, "no" | "to-pings" | "always">();
  let lastId = 0;
  const send = (player: PlayerId, messages: readonly MapleClientMessage[], nowMs: number): void => {
    for (const message of messages) {
      if (!bots.has(player)) return;
      if (message.message === "pong" && isSilent.get(player) !== "no") continue;
      const payload = codec.write("client", message);
      const receive = (world: MapleWorld): void => world.receive(player, codec.read("client", payload), payload, nowMs);
      for (const effect of twins.call(receive, nowMs, mayRestore)) {
        if (effect.effect === "send") answer(effect.to, effect.message, nowMs);
        else if (effect.effect === "close") leave(effect.player, nowMs);
      }
    }
  };
  const answer = (player: PlayerId, message: Parameters<MapleBot["receive"]>[0], nowMs: number): void =>
    send(player, bots.get(player)?.bot.receive(message, nowMs) ?? [], nowMs);
  const leave = (player: PlayerId, nowMs: number): void => {
    if (!bots.delete(player)) return;
    for (const effect of twins.call((world) => world.leave(player, nowMs), nowMs, mayRestore)) {
      if (effect.effect === "send") answer(effect.to, effect.message, nowMs);
    }
  };
  const join = (nowMs: number): void => {
    const number = lastId;
    lastId += 1;
    const cheat = random.pick(["none", ...mapleCheats]);
    // Some never log in, and some never answer a ping.
    isSilent.set(lastId, random.chance(0.2) ? "always" : random.chance(0.2) ? "to-pings" : "no");
    const bot = new MapleBot({ dialect, random: random.fork(), number, cheat, room: (number % 2) + 1 });
    const joining = { account: `${number}`, name: `${number}`, room: String((number % 2) + 1) };
    bots.set(lastId, { bot, nextMs: nowMs });
    const effects = twins.call((world) => world.join(lastId, joining, nowMs), nowMs, mayRestore);
    expect(effects.every(({ effect }) => effect === "enter" || effect === "send")).toBe(true);
    const first = bot.start(nowMs);
    if (isSilent.get(lastId) !== "always") send(lastId, first, nowMs);
  };
  for (let nowMs = 0; nowMs < durationMs; nowMs += STEP_MS) {
    if (bots.size < 8 && random.chance(0.05)) join(nowMs);
    for (const [player, each] of bots) {
      if (each.nextMs > nowMs) continue;
      // Now and then a connection holds everything back for a while.
      each.nextMs = nowMs + (random.chance(0.005) ? 2000 : each.bot.stepMs);
      send(player, each.bot.step(nowMs), nowMs);
    }
    const [player] = bots.size === 0 ? [] : random.pick([...bots]);
    if (player !== undefined && random.chance(0.03)) {
      const call = gameCode(random, player, nowMs);
      const guarded = (world: MapleWorld): void => {
        try {
          call(world);
        } catch (error) {
          // One pet too many.
          if (!(error instanceof RangeError)) throw error;
        }
      };
      for (const effect of twins.call(guarded, nowMs, mayRestore)) {
        if (effect.effect === "send") answer(effect.to, effect.message, nowMs);
      }
    }
    if (player !== undefined && random.chance(0.05)) {
      const room = twins.world.tracks(nowMs).find((track) => track.player === player)?.room;
      send(player, noise(random, dialect, [...twins.world.monsters(room ?? "").values()]), nowMs);
    }
    if (player !== undefined && random.chance(0.001)) leave(player, nowMs);
    if (nowMs % 100 === 0) twins.call((world) => world.tick(nowMs), nowMs, mayRestore);
    if (nowMs % 500 === 0) twins.compare(nowMs);
  }
  return twins;
}

describe("a world that was saved and restored goes on as the one that was not", () => {
  it.each<[string, Partial<MapleWorldOptions>]>([
    ["v62", {}],
    ["v62", { enforcement: "log" }],
    ["v62", { demo: false, mayTeleport: (player) => player % 2 === 0 }],
    ["documented", {}],
    ["documented", { pattern: (section, sequence) => new Uint8Array(23).fill(section.length + sequence) }],
  ])("%s %j", (dialect, options) => {
    const { counts } = playTwins({ dialect, seed: 1, demo: true, ...options }, 7, scaled(65_000, 45_000));
    expect(counts.restored).toBeGreaterThan(20);
    expect(counts.withEffects).toBeGreaterThan(10);
    expect(counts.verdicts).toBeGreaterThan(10);
    expect(counts.maps).toBeGreaterThan(10);
  });
});

describe("a saved world", () => {
  /** A player that moved, on a map with monsters. */
  function played(): TestWorld {
    const world = new TestWorld();
    world.logIn(3);
    world.addSummon(3, 9, 0);
    world.attack(3, 1_000_001, 0);
    world.nowMs = 600;
    world.send(3, walk({ x: -500, y: 300 }, -440));
    world.setHidden(3, true, 700);
    return world;
  }

  it("shares nothing with its world", () => {
    const world = played();
    const saved = world.save();
    const before = digestOf(saved);
    world.setHidden(3, false, 800);
    world.takeEffects();
    world.nowMs = 1200;
    world.send(3, walk({ x: -440, y: 300 }, -400));
    world.leave(3, 2000);
    expect(digestOf(saved)).toBe(before);
    const restored = new TestWorld();
    restored.restore(saved);
    restored.leave(3, 2000);
    expect(digestOf(saved)).toBe(before);
  });

  it("is of one dialect", () => {
    const saved = played().save();
    expect(saved.world).toBe("maplestory/v62");
    const world = new TestWorld({ dialect: "documented" });
    const before = world.digest();
    expect(() => world.restore(saved)).toThrow(RangeError);
    expect(world.digest()).toBe(before);
  });

  type State = {
    players: Record<string, unknown>[];
    rooms: {
      name: string;
      players: unknown[];
      control: { controllers: unknown[]; monsters: Record<string, unknown>[] };
    }[];
    nextMobId: unknown;
  };
  const first = <T>(list: readonly T[]): T => {
    const [item] = list;
    if (item === undefined) throw new Error("nothing is there");
    return item;
  };
  const budget = { creditMs: 0, atMs: 0 };

  it.each<[string, (state: State) => void]>([
    ["a missing member", (state) => Reflect.deleteProperty(state, "nextMobId")],
    ["a member of another kind", (state) => (state.nextMobId = "1")],
    ["a player without a place", (state) => (first(state.players).x = undefined)],
    ["an unknown member of a player", (state) => (first(state.players).extra = 1)],
    ["an invalid start", (state) => (first(state.players).start = "far")],
    ["an invalid budget", (state) => (first(state.players).budget = { creditMs: 0 })],
    ["an invalid ghost", (state) => (first(state.players).ghost = { playedToMs: 1 })],
    ["an invalid score", (state) => (first(state.players).scores = [{}])],
    ["a pet with an invalid id", (state) => (first(state.players).pets = new Map([[1, { slot: 0, budget }]]))],
    ["a player with an invalid id", (state) => (first(state.players).id = 70_000)],
    ["a player who is there twice", (state) => state.players.push(first(state.players))],
    ["an invalid room", (state) => (first(state.rooms).name = "01")],
    ["a room that is there twice", (state) => state.rooms.push({ ...first(state.rooms), players: [] })],
    ["an unknown player in a room", (state) => first(state.rooms).players.push(4)],
    ["a player in two rooms", (state) => state.rooms.push({ ...first(state.rooms), name: "2" })],
    [
      "a monster that is there twice",
      ({ rooms }) => {
        const { monsters } = first(rooms).control;
        monsters.push(first(monsters));
      },
    ],
    ["a controller who is not there", ({ rooms }) => (first(first(rooms).control.monsters).controller = 9)],
    ["a controller from elsewhere", ({ rooms }) => first(rooms).control.controllers.push(9)],
    ["a monster without a place", ({ rooms }) => (first(first(rooms).control.monsters).y = undefined)],
  ])("with %s is refused and changes nothing", (_, damage) => {
    const saved = structuredClone(played().save());
    damage(saved.state as State);
    const world = played();
    const before = world.digest();
    expect(() => world.restore(saved)).toThrow(/^Cannot/);
    expect(() => world.restore({ ...saved, schema: 1 })).toThrow(RangeError);
    expect(world.digest()).toBe(before);
  });
});
