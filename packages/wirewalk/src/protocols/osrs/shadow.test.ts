import { describe, expect, it } from "vitest";
import { createRandom, type PlayerId, type Random, type Track } from "../../motion/index.ts";
import { scaled } from "../../testing/scale.ts";
import { parseHex } from "../../wire/index.ts";
import { requireMembers } from "../members.ts";
import { savedWorldRules } from "../testing/saved-world-rules.ts";
import { Subject } from "../testing/subject.ts";
import { worldRules } from "../testing/world-rules.ts";
import type { World, WorldOptions } from "../world.ts";
import { type CollisionMaps, collisionMapsOf } from "./maps/collision-maps.ts";
import { Region } from "./maps/region.ts";
import { MouseHand } from "./mouse/bots/bot.ts";
import { osrs } from "./osrs.ts";
import { noMasks } from "./player-info/wire/masks/mask-revision.ts";
import { revision206 } from "./player-info/wire/masks/revision-206.ts";
import type { PlayerInfoServerMessage } from "./player-info/wire/message.ts";
import { OsrsShadowWorld, OsrsWorld } from "./world/world.ts";

const somebody = { account: "ann", name: "ann" };

/** What another server sends its first player: index, initialisation, and packets. */
function foreignStream(dialect: string): readonly PlayerInfoServerMessage[] {
  const server = osrs.createWorld({ dialect, seed: 5, demo: true });
  for (let player = 1; player <= 60; player++) server.join(player, { account: `p${player}`, name: `p${player}` }, 0);
  for (let tick = 1; tick <= 30; tick++) server.tick(tick * 600);
  return server.takeEffects().flatMap((effect) => {
    return effect.effect === "send" && effect.to === 1 ? [effect.message as PlayerInfoServerMessage] : [];
  });
}

/** The one rule of the contract that knows of sessions alone. */
const ROOMS_RULE = "exits and hides what it entered and showed";

/** Tracks of sessions, without the other server's players. */
class SessionsAlone extends OsrsShadowWorld {
  override tracks(nowMs: number, room?: string): readonly Track[] {
    return super.tracks(nowMs, room).filter(({ details }) => details?.name !== undefined);
  }
}

/** Our shadow worlds as a game, for the contract: game code is what the other server does. */
function shadowGame(dialect: string, World: typeof OsrsShadowWorld = OsrsShadowWorld, maps?: CollisionMaps) {
  const stream = foreignStream(dialect);
  const game = {
    ...osrs,
    createWorld: (options: WorldOptions) =>
      new World({ ...options, revision: revision206, ...(maps === undefined ? {} : { maps }) }),
  };
  const gameCode = (world: World, player: PlayerId, random: Random, nowMs: number): void => {
    // From the start, from the middle, and with packets left out.
    const from = random.chance(0.7) ? 0 : random.integer(0, stream.length - 1);
    const to = from + random.integer(2, stream.length);
    for (const message of stream.slice(from, to)) {
      if (random.chance(0.01)) continue;
      world.shadow?.observe(player, message, nowMs);
    }
  };
  const options = {
    rooms: [undefined, undefined, "mouse"],
    restores: scaled(20, 3),
    damages: scaled(60, 6),
    durationMs: scaled(30_000, 1200),
    otherWorlds: { revision: (given: WorldOptions) => new OsrsShadowWorld({ ...given, revision: noMasks }) },
    gameCode,
  };
  return new Subject(requireMembers(game, ["createWorld"], "be tested"), dialect, options);
}

describe.each(osrs.dialects.map(({ name }) => name))(
  "a world beside another server, by the contract: %s",
  (dialect) => {
    const [subject, sessions] = [shadowGame(dialect), shadowGame(dialect, SessionsAlone)];
    it.each([...worldRules.rules, ...savedWorldRules.rules])("$name", ({ name, check }) => {
      check(name === ROOMS_RULE ? sessions : subject, 1);
    });
  },
);

/** The demo's ground, on which nobody may step: each step of its players is found. */
const closed = collisionMapsOf(
  "closed",
  [127, 128].flatMap((x) => [127, 128].map((z) => new Region(x, z, new Uint8Array()))),
);

describe("a world beside another server, with maps, by the contract", () => {
  const subject = shadowGame("client", SessionsAlone, closed);
  it.each([...worldRules.rules, ...savedWorldRules.rules])("$name", ({ check }) => check(subject, 1));

  it("finds what is wrong there, and no verdict follows", () => {
    const world = osrs.createWorld({ dialect: "client", seed: 1, shadow: true, maps: closed });
    world.join(7, somebody, 0);
    for (const [at, message] of foreignStream("client").entries()) world.shadow?.observe(7, message, at * 600);
    const effects = world.takeEffects();
    const kinds = effects.map((effect) => (effect.effect === "observe" ? effect.what : effect.effect));
    expect(kinds.filter((kind) => kind === "server-notice").length).toBeGreaterThan(20);
    expect(kinds).not.toContain("verdict");
    expect([...(world.usedMaps?.() ?? [])].map(([place]) => place).sort()).toEqual([
      "127_127",
      "127_128",
      "128_127",
      "128_128",
    ]);
  });
});

describe("a world beside another server", () => {
  const create = (dialect = "client"): OsrsShadowWorld => {
    const world = osrs.createWorld({ dialect, seed: 1, demo: true, shadow: true });
    if (!(world instanceof OsrsShadowWorld)) throw new Error("it is no shadow world");
    return world;
  };

  it("has the players that the other server sends, and a mouse of each session", () => {
    const world = create();
    world.join(7, somebody, 0);
    for (const message of foreignStream("client")) world.observe(7, message, 600);
    const payload = parseHex("22 0000 ffff012c0190");
    world.receive(7, osrs.codec("client").read("client", payload), payload, 700);
    world.tick(1200);
    const [own, ...others] = world.tracks(1200, "world");
    expect([own?.player, own?.details?.index, others.length > 0]).toEqual([7, 1, true]);
    expect(world.tracks(1200, "mouse").map(({ player }) => player)).toEqual([7]);
    expect(world.tracks(1200)).toHaveLength(others.length + 2);
    const effects = world.takeEffects().map((effect) => effect.effect);
    expect(effects).toEqual(["enter", "show", "observe"]);
    world.leave(7, 1300);
    expect(world.tracks(1300)).toEqual([]);
  });

  it("is made by option shadow: every other world has players of its own, and neither restores the other", () => {
    const world = osrs.createWorld({ dialect: "client", seed: 1, demo: true });
    world.join(7, somebody, 0);
    const [before] = world.tracks(0);
    expect(world.shadow).toBeUndefined();
    expect(world.tracks(0)).toEqual([before]);
    expect(world).toBeInstanceOf(OsrsWorld);
    expect(() => world.restore(create().save())).toThrow("shadow was true and is undefined");
    expect(() => create().restore(world.save())).toThrow("shadow was undefined and is true");
  });

  it.each(["moveGameClick", "moveMinimapClick", "mouseClick", "nativeMouseClick", "IF_BUTTON"])(
    "judges nothing by %s",
    (message) => {
      for (const world of [create(), osrs.createWorld({ dialect: "client", seed: 1, demo: true })]) {
        world.join(7, somebody, 0);
        world.takeEffects();
        const digest = world.digest();
        const said = { message, value: { bytes: new Uint8Array(3) } };
        (world as World).receive(7, said, new Uint8Array([1, 2, 3]), 100);
        expect(world.takeEffects()).toEqual([]);
        expect(world.digest()).toBe(digest);
      }
    },
  );
});

describe("mice beside another server", () => {
  const OPCODE = 34;

  /** What the rules find in ten minutes of a bot in a layout, whose packets come in bursts, from a session on that is seen late. */
  function play(world: World, message: string, layout: string, cheat: string): readonly string[] {
    world.join(7, somebody, 0);
    const hand = new MouseHand({ dialect: layout, random: createRandom(4), number: 0, cheat }, 0);
    const found: string[] = [];
    for (let nowMs = 20; nowMs < 600_000; nowMs += 20) {
      for (const body of hand.step(nowMs)) {
        // A recording whose clock loses 0.2 %, and that arrives every two seconds. Its first minute is missing.
        const atMs = Math.floor((nowMs * 0.998) / 2000) * 2000;
        const payload = Uint8Array.from([OPCODE, ...body]);
        if (nowMs > 60_000) world.receive(7, { message, value: {} }, payload, atMs);
      }
      for (const effect of world.takeEffects()) {
        if (effect.effect === "verdict") found.push(`${effect.verdict.kind} ${effect.verdict.rule}`);
      }
    }
    return [...new Set(found)].sort();
  }

  const create = (dialect: string, more = {}): World =>
    new OsrsShadowWorld({ dialect, seed: 1, shadow: true, ...more }) as World;

  it.each([
    ["client", "mouseMove", "client", {}],
    ["native", "mouseMove", "native", {}],
    ["native", "mouseMove", "client", { mouseMoveLayout: "client" }],
    ["documented", "mouseMove", "documented", {}],
    ["client", "nativeMouseMove", "native", {}],
    ["native", "nativeMouseMove", "native", { mouseMoveLayout: "client" }],
    ["documented", "nativeMouseMove", "native", {}],
  ])("are judged by the layout of their message: in %s %s is %s", (dialect, message, layout, more) => {
    expect(play(create(dialect, more), message, layout, "none")).toEqual([]);
    expect(play(create(dialect, more), message, layout, "linear")).toContain("flag straight-lines");
    // A finger on a screen jumps too, and a `documented` session that is seen late has no positions.
    const jumps = play(create(dialect, more), message, layout, "jump").includes("flag jumps");
    expect(jumps).toBe(layout === "client");
  });

  it("go on with what was measured when the player's client changes, also where that was saved", () => {
    const world = create("client");
    const other = create("client");
    expect(play(world, "nativeMouseMove", "native", "linear")).toContain("flag straight-lines");
    const saved = structuredClone(world.save());
    other.restore(saved);
    expect(other.digest()).toBe(world.digest());
    const strokes = (each: World): unknown => each.tracks(600_000, "mouse")[0]?.details?.strokes;
    const before = strokes(world);
    expect(before).toBeGreaterThan(10);
    for (const each of [world, other]) {
      const payload = parseHex("22 0000 ffff012c0190");
      each.receive(7, { message: "mouseMove", value: {} }, payload, 600_000);
      expect(strokes(each)).toBeGreaterThanOrEqual(before as number);
    }
    expect(other.takeEffects()).toEqual(world.takeEffects());
    expect(other.digest()).toBe(world.digest());
  });
});
