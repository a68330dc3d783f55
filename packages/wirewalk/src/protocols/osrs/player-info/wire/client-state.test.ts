import { describe, expect, it, test } from "vitest";
import { createRandom } from "../../../../motion/index.ts";
import { expectEqual } from "../../../../testing/inner-loops.ts";
import { scaled } from "../../../../testing/scale.ts";
import type { JsonObject } from "../../../../wire/index.ts";
import { wireErrorOf } from "../../../../wire/testing/check-layout.ts";
import { RandomWorld } from "../testing/random-world.ts";
import type { PlayerInfoState } from "./client-state.ts";
import { PLAYER_SLOTS } from "./constants.ts";
import { PlayerInfoDecoder } from "./decoder.ts";
import { PlayerInfoEngine } from "./engine/engine.ts";
import { type MaskRevision, noMasks } from "./masks/mask-revision.ts";
import { namedRevisions } from "./masks/named-revisions.ts";
import { revision206 } from "./masks/revision-206.ts";
import type { PlayerInfoUpdate } from "./player-info-update.ts";

const TICKS = scaled(250, 25);

const restore = (state: PlayerInfoState): PlayerInfoDecoder =>
  PlayerInfoDecoder.fromState(JSON.parse(JSON.stringify(state)) as JsonObject);

/** What the next packets are read by, and what they say of players. */
function memoryOf(decoder: PlayerInfoDecoder): object {
  const { local, flags, quarters, x, z, level, localIndex, locals } = decoder;
  const externals: number[] = [];
  for (let index = 1; index < PLAYER_SLOTS; index++) if (local[index] === 0) externals.push(quarters[index] as number);
  const tiles = Array.from(locals, (index) => [index, level[index], x[index], z[index]]);
  return { localIndex, tiles, flags: flags.join(""), externals: externals.join() };
}

/** What of a player comes by masks. Who never got an appearance may look like the player before, for all the server knows. */
function dressOf(decoder: PlayerInfoDecoder, { keptValues }: RandomWorld): object {
  return Array.from(decoder.locals, (index) => {
    const { speed, interacting, appearance } = decoder.player(index) ?? {};
    return [index, speed, interacting, keptValues.get("appearance")?.has(index) ? appearance?.join() : "another's"];
  });
}

/** All but what follows from the part of the map that is loaded. */
function shown({ moves, ...update }: PlayerInfoUpdate): object {
  return { ...update, moves: moves.map(({ arrival: _, speed: __, ...move }) => move) };
}

describe("a decoder that begins in the middle of a stream", () => {
  const play = (seed: number, dialect: string, revision: MaskRevision, players: number): number => {
    const random = createRandom(seed);
    const twins = new Map<number, { readonly twin: PlayerInfoDecoder; readonly of: object; readonly inits: number }>();
    const look = (observer: number): void => {
      const of = world.observers.get(observer);
      if (of === undefined) throw new Error("there is no such observer");
      const twin = restore(world.engine.clientState(observer));
      expect(memoryOf(twin)).toEqual(memoryOf(of.decoder));
      twins.set(observer, { twin, of, inits: of.inits });
    };
    const someone = (): number => random.pick([...world.observers.keys()]);
    const world: RandomWorld = new RandomWorld({
      random: random.fork(),
      dialect,
      revision,
      players,
      observers: 6,
      side: 40,
      viewDistance: 15,
      maxLocals: 250,
      activity: 0.5,
      talk: 0.3,
      talkLength: 10,
      // After comings and goings that no packet has shown yet.
      onTick: () => {
        if (world.observers.size > 0 && random.chance(0.2)) look(someone());
      },
    });
    let compared = 0;
    for (let tick = 0; tick < TICKS; tick++) {
      world.tick();
      for (const [observer, { twin, of, inits }] of twins) {
        const shadow = world.observers.get(observer);
        if (shadow !== of || shadow.inits !== inits) {
          twins.delete(observer);
          continue;
        }
        twin.decode(world.engine.packet(observer));
        compared++;
        expectEqual(memoryOf(twin), memoryOf(shadow.decoder));
        if (world.engine.waitingFor(observer).length > 0) continue;
        expectEqual(dressOf(twin, world), dressOf(shadow.decoder, world));
      }
      if (random.chance(0.2)) look(someone());
    }
    return compared;
  };

  it.each([
    [1, "client", noMasks, 30],
    [2, "client", revision206, 60],
    [3, "documented", revision206, 60],
    [4, "client", revision206, 400],
  ])(
    "knows what the client knows, and goes on with it (seed %i, %s, %o, %i players)",
    (seed, dialect, revision, players) => {
      expect(play(seed, dialect, revision, players)).toBeGreaterThan(TICKS);
    },
  );

  it("reads the same from each packet as the client", () => {
    const engine = new PlayerInfoEngine({ dialect: "client", revision: revision206 });
    const random = createRandom(8);
    for (let index = 1; index <= 50; index++) engine.add(index, { level: 0, x: 3200 + index, z: 3200 });
    const client = new PlayerInfoDecoder({ dialect: "client", revision: revision206 });
    client.init(engine.observe(25), 25);
    const { x, z } = client.scene;
    let twin: PlayerInfoDecoder | undefined;
    for (let tick = 0; tick < 300; tick++) {
      for (let index = 1; index <= 50; index++) {
        const at = engine.tileOf(index);
        const step = (): number => random.integer(-2, 2);
        if (random.chance(0.01)) engine.teleport(index, { ...at, x: 3200 + random.integer(0, 50) });
        else engine.move(index, at.x + step(), at.z + step());
        if (random.chance(0.1)) engine.setBlock(index, "moveSpeed", { speed: random.integer(0, 2) });
        if (random.chance(0.1)) engine.setBlock(index, "sequence", { id: tick, delay: 0 });
      }
      engine.tick();
      const update = client.decode(engine.packet(25));
      if (twin !== undefined) expect(shown(twin.decode(engine.packet(25)))).toEqual(shown(update));
      if (tick % 100 === 50) twin = restore({ ...engine.clientState(25), scene: [x, z] });
    }
    expect(twin?.localIndex).toBe(25);
  });

  it("does not change what is looked at", () => {
    const packets = (looks: boolean): string => {
      const world = new RandomWorld({
        random: createRandom(12),
        dialect: "client",
        revision: revision206,
        players: 40,
        observers: 3,
        side: 30,
        viewDistance: 15,
        maxLocals: 250,
        activity: 0.5,
        talk: 0.5,
        talkLength: 10,
        onTick: () => {
          if (looks) for (const observer of world.observers.keys()) world.engine.clientState(observer);
        },
      });
      let text = "";
      for (let tick = 0; tick < 50; tick++) {
        world.tick();
        for (const observer of world.observers.keys()) {
          if (looks) world.engine.clientState(observer);
          text += `${world.engine.packet(observer).join()};`;
        }
      }
      return text;
    };
    expect(packets(true)).toBe(packets(false));
  });
});

describe("a decoder's own state", () => {
  it("makes another decoder that reads the same in later packets", () => {
    const { 223: revision223, 239: revision239 } = namedRevisions;
    for (const [at, revision] of [revision206, revision223, revision239].entries()) {
      if (revision === undefined) throw new Error("there is no such revision");
      const random = createRandom(5 + at);
      const world = new RandomWorld({
        random: random.fork(),
        dialect: "client",
        revision,
        players: 60,
        observers: 3,
        side: 40,
        viewDistance: 15,
        maxLocals: 250,
        activity: 0.5,
        talk: 0.3,
        talkLength: 10,
      });
      const seen = (decoder: PlayerInfoDecoder, isFresh: boolean): object[] =>
        Array.from(decoder.locals, (index) => {
          const { orientation, ...player } = decoder.player(index) ?? { orientation: 0 };
          // That of players who were out of view is not told; a block of 239 faces either a target or an angle.
          return isFresh && revision !== revision239 ? { ...player, orientation } : player;
        });
      const twins = new Map<object, PlayerInfoDecoder>();
      let compared = 0;
      for (let tick = 0; tick < TICKS; tick++) {
        const inits = new Map([...world.observers.values()].map((shadow) => [shadow, shadow.inits]));
        world.tick();
        for (const [observer, shadow] of world.observers) {
          const { decoder } = shadow;
          const twin = inits.get(shadow) === shadow.inits ? twins.get(shadow) : undefined;
          twin?.decode(world.engine.packet(observer));
          if (twin !== undefined) compared++;
          const now = twin ?? restore(decoder.clientState());
          expectEqual(memoryOf(now), memoryOf(decoder));
          expectEqual(now.scene, decoder.scene);
          expectEqual(seen(now, twin === undefined), seen(decoder, twin === undefined));
          if (random.chance(0.2)) twins.set(shadow, restore(decoder.clientState()));
          else twins.set(shadow, now);
        }
      }
      expect(compared).toBeGreaterThan(TICKS);
    }
  });

  it("leaves out what no client can use, and is none before the initialisation", () => {
    const decoder = new PlayerInfoDecoder({ dialect: "client", revision: revision206 });
    expect(() => decoder.clientState()).toThrow("There is no state: no initialisation has come");
    // A server that writes what ours refuses: speed 90.
    const careless = { ...revision206, blocks: revision206.blocks.map(({ clientNeeds: _, ...block }) => block) };
    const engine = new PlayerInfoEngine({ dialect: "client", revision: careless });
    engine.add(5, { level: 0, x: 3200, z: 3201 });
    decoder.init(engine.observe(5), 5);
    engine.setBlock(5, "moveSpeed", { speed: 90 });
    engine.setBlock(5, "faceEntity", { target: 7 });
    engine.tick();
    decoder.decode(engine.packet(5));
    const twin = restore(decoder.clientState());
    expect([decoder.player(5)?.speed, twin.player(5)?.speed]).toEqual([90, 0]);
    expect(twin.player(5)?.interacting).toBe(7);
  });
});

describe("a state", () => {
  const engine = new PlayerInfoEngine({ dialect: "client", revision: revision206 });
  engine.add(5, { level: 0, x: 3200, z: 3201 });
  engine.observe(5);
  engine.setBlock(5, "moveSpeed", { speed: 2 });
  engine.tick();
  const state = engine.clientState(5);

  test("of a revision without a name has the revision in it", () => {
    const { blocks, ...rest } = revision206;
    const revision = { ...rest, name: "own", blocks: blocks.slice(5) };
    const other = new PlayerInfoEngine({ dialect: "client", revision });
    other.add(7, { level: 3, x: 16_000, z: 3 });
    other.add(8, { level: 3, x: 2, z: 16_000 });
    other.observe(7);
    other.setBlock(7, "moveSpeed", { speed: 2 });
    other.tick();
    const twin = restore(other.clientState(7));
    expect(twin.revision).toMatchObject({ name: "own", extensions: [0x80] });
    expect(twin.revision.blocks.map(({ name }) => name)).toEqual(revision.blocks.map(({ name }) => name));
    expect(twin.player(7)).toMatchObject({ level: 3, x: 16_000, z: 3, speed: 2 });
    expect(twin.quarters[8]).toBe((3 << 28) | 1);
  });

  test("exists only for observers", () => {
    engine.add(6, { level: 0, x: 0, z: 0 });
    expect(() => engine.clientState(6)).toThrow("Player 6 does not observe");
    expect(() => engine.clientState(7)).toThrow("Slot 7 has no player");
  });

  test.each([
    ["index", { index: 0 }],
    ["dialect", { dialect: "spoken" }],
    ["dialect", { dialect: ["client"] }],
    ["revision", { revision: "207" }],
    ["revision", { revision: "toString" }],
    ["extensions", { revision: { name: "x", extensions: 1, blocks: [] } }],
    ["players", { players: 7 }],
    ["players", { players: [] }],
    ["players[0]", { players: [[5, 0, 3200]] }],
    ["players[0]", { players: [[5, 4, 3200, 3201]] }],
    ["quarters[0]", { quarters: [[2048, 1]] }],
    ["quarters[0]", { quarters: [[6, -1]] }],
    ["quarters", { quarters: Array.from({ length: 3000 }, () => [1, 1]) }],
    ["skipped", { skipped: "00" }],
    ["skipped", { skipped: 7 }],
    ["masks[0]", { masks: [[5, 1]] }],
    ["scene", { scene: [1] }],
  ])("that is wrong in %s is refused: %j", (path, change) => {
    expect(wireErrorOf(() => PlayerInfoDecoder.fromState({ ...state, ...change } as JsonObject))).toMatchObject({
      code: "bad-value",
      path,
    });
  });

  test("with masks that are none is refused where they are read", () => {
    const broken = { ...state, masks: [[5, "01"]] } as unknown as JsonObject;
    expect(wireErrorOf(() => PlayerInfoDecoder.fromState(broken))?.code).toBe("truncated");
  });
});
