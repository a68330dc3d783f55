import { describe, expect, it, test } from "vitest";
import { createRandom } from "../../../../../motion/index.ts";
import { scale, scaled } from "../../../../../testing/scale.ts";
import { u8, u16be, windows1252String } from "../../../../../wire/index.ts";
import { digestOf, findUnplain } from "../../../../world-kit/index.ts";
import { RandomWorld, type RandomWorldOptions } from "../../testing/random-world.ts";
import { playerInfoDialects } from "../dialect.ts";
import { noMasks } from "../masks/mask-revision.ts";
import { parseMaskRevision } from "../masks/parse-mask-revision.ts";
import { revision206 } from "../masks/revision-206.ts";
import { PlayerInfoEngine, type PlayerInfoEngineOptions } from "./engine.ts";
import type { SavedEngine } from "./saved-engine.ts";

const town: Omit<RandomWorldOptions, "random"> = {
  dialect: "client",
  revision: revision206,
  players: 60,
  observers: 12,
  side: 50,
  viewDistance: 15,
  maxLocals: 250,
  activity: 0.6,
  talk: 0.3,
  talkLength: 12,
  // In `npm test` they are compared alone: `engine.test.ts` reads the packets of such worlds at every size.
  isRead: scale >= 1,
};

/** A revision with its own blocks, one kept of each kind. */
const ownRevision = parseMaskRevision({
  name: "own",
  extensions: [0x40],
  blocks: [
    {
      name: "title",
      flag: 0x100,
      kept: "player",
      fields: [{ name: "text", node: windows1252String({ limit: 255 }).node }],
    },
    { name: "pose", flag: 0x4, kept: "standing", fields: [{ name: "pose", node: u8.node }] },
    { name: "worn", flag: 0x1, kept: "index", initial: { id: 7 }, fields: [{ name: "id", node: u16be.node }] },
    { name: "colour", flag: 0x2, perObserver: true, fields: [{ name: "id", node: u16be.node }] },
  ],
});

/** All that an engine says of its observers, and of the client of one of them. */
function said({ engine, observers }: RandomWorld, tick: number): object {
  const indices = [...observers.keys()];
  const followed = indices[tick % indices.length];
  return {
    client: followed === undefined ? undefined : engine.clientState(followed),
    observers: indices.map((observer) => [
      observer,
      engine.packet(observer).slice(),
      engine.waitingFor(observer),
      engine.viewDistanceOf(observer),
      engine.localCountOf(observer),
    ]),
  };
}

/**
 * Two runs of one seed, side by side. In the second, the engine is saved and replaced at random moments: by one that has
 * already run, so that nothing of its own past may be left.
 */
function play(options: Partial<RandomWorldOptions>, seed: number, ticks: number): number {
  const moments = createRandom(seed + 1000);
  let replaced = 0;
  const { dialect, revision, viewDistance, maxLocals } = { ...town, ...options };
  let spare = new PlayerInfoEngine({ dialect, revision, viewDistance, maxLocals });
  const replace = (): void => {
    const saved = structuredClone(second.engine.save());
    spare.restore(saved);
    expect(digestOf(spare.save())).toBe(digestOf(saved));
    [spare, second.engine] = [second.engine, spare];
    replaced += 1;
  };
  const sometimes = (): void => {
    if (moments.chance(0.3)) replace();
  };
  let before = 0n;
  const first: RandomWorld = new RandomWorld({
    ...town,
    ...options,
    random: createRandom(seed),
    // When comings, goings and blocks have happened that no packet has carried yet.
    onTick: () => {
      before = digestOf(first.engine.save());
    },
  });
  const second: RandomWorld = new RandomWorld({
    ...town,
    ...options,
    random: createRandom(seed),
    // Its packets are compared with those of the first.
    isRead: false,
    onTick: () => {
      sometimes();
      expect(digestOf(second.engine.save())).toBe(before);
    },
  });
  for (let tick = 0; tick < ticks; tick++) {
    first.tick();
    second.tick();
    const [one, other] = [said(first, tick), said(second, tick)];
    // Comparing digests is fast; comparing values names what differs.
    if (digestOf(one) !== digestOf(other)) expect(other).toEqual(one);
    expect(digestOf(second.engine.save())).toBe(digestOf(first.engine.save()));
    sometimes();
  }
  return replaced;
}

describe.each(playerInfoDialects)("an engine that was saved and restored ($name)", ({ name: dialect }) => {
  const endless = { viewDistance: Number.POSITIVE_INFINITY, maxLocals: 2047 };
  it.each<[string, Partial<RandomWorldOptions>, seeds: number, ticks: number]>([
    ["a town", {}, 4, 100],
    ["without masks", { revision: noMasks }, 2, 100],
    ["with another revision", { revision: ownRevision, talk: 0.8, isRead: true }, 4, 100],
    ["a crowd on one tile", { players: 200, side: 1, maxLocals: 40 }, 2, 60],
    ["more to say than fits", { players: 700, side: 30, activity: 1, talk: 1, talkLength: 200, ...endless }, 2, 30],
  ])("goes on byte for byte: %s", (_, options, seeds, fullTicks) => {
    const ticks = scaled(fullTicks, 6);
    for (let seed = 1; seed <= scaled(seeds, 1); seed++) {
      expect(play({ dialect, ...options }, seed, ticks)).toBeGreaterThan(ticks / 4);
    }
  });
});

describe("a saved engine", () => {
  /** In the middle of a run, with something of everything. */
  const world = new RandomWorld({
    ...town,
    players: 700,
    side: 30,
    activity: 1,
    talk: 1,
    talkLength: 200,
    viewDistance: Number.POSITIVE_INFINITY,
    maxLocals: 2047,
    random: createRandom(2),
  });
  for (let tick = 0; tick < 3; tick++) world.tick();
  const [observer = 0] = world.observers.keys();
  world.engine.setStanding(observer, [...world.players.keys()].find((index) => index !== observer) ?? 0, "never");
  world.engine.setBlockFor(observer, observer, "hits", { hits: [], bars: [] });
  world.engine.setBlock(observer, "say", { text: "x" });
  const gone = [...world.players.keys()].find((index) => !world.observers.has(index)) ?? 0;
  world.engine.remove(gone);
  world.engine.add(gone, { level: 0, x: 1, z: 1 });
  const saved = world.engine.save();
  const create = (): PlayerInfoEngine =>
    new PlayerInfoEngine({
      dialect: "client",
      revision: revision206,
      viewDistance: Number.POSITIVE_INFINITY,
      maxLocals: 2047,
    });

  it("is plain data that shares nothing with its engine", () => {
    expect(findUnplain(saved)).toBeUndefined();
    const copy = structuredClone(saved);
    world.engine.tick();
    world.engine.setBlock(observer, "appearance", { data: new Uint8Array(31).fill(1) });
    expect(saved).toEqual(copy);
    const engine = create();
    engine.restore(copy);
    engine.setBlock(observer, "appearance", { data: new Uint8Array(31).fill(4) });
    engine.tick();
    expect(copy).toEqual(saved);
    // Somebody waits, is owed, stands otherwise and has a block of its own: the cases above are all in it.
    const { ownPackets, standings, masks, replaced } = saved;
    for (const part of [ownPackets.waiting, ownPackets.waitingBlocks.keys, ownPackets.own.keys, standings.indices]) {
      expect(part.length).toBeGreaterThan(0);
    }
    for (const part of [masks.set.keys, masks.kept.keys, replaced]) expect(part.length).toBeGreaterThan(0);
  });

  it("is refused by an engine with other options", () => {
    const others: readonly [PlayerInfoEngineOptions, string][] = [
      [
        { dialect: "documented", revision: revision206 },
        'Cannot restore: engine.dialect "client", expected "documented"',
      ],
      [{ dialect: "client", revision: ownRevision }, "Cannot restore: engine.revision must be object"],
      [{ dialect: "client" }, 'Cannot restore: engine.revision "206", expected "none"'],
      [{ dialect: "client", revision: revision206 }, "Cannot restore: engine.viewDistance 16384, expected 15"],
      [
        { dialect: "client", revision: revision206, viewDistance: Number.POSITIVE_INFINITY },
        "Cannot restore: engine.maxLocals 2047, expected 250",
      ],
    ];
    for (const [options, message] of others)
      expect(() => new PlayerInfoEngine(options).restore(saved)).toThrow(message);
  });

  type Change = (saved: { -readonly [K in keyof SavedEngine]: SavedEngine[K] }) => void;
  test.each<[string, Change]>([
    ["engine.more is unknown", (data) => Object.assign(data, { more: 1 })],
    ["engine.ticks must be a count", (data) => (data.ticks = -1)],
    ["engine.present must be 64 words", (data) => (data.present = new Int32Array(63))],
    ["engine.hidden must be without slot 0", (data) => (data.hidden[0] = 1)],
    ["engine.tiles must be tiles", (data) => (data.tiles[5] = -1)],
    ["engine.sentTiles must be 2048 words", (data) => (data.sentTiles = new Int32Array(2047))],
    ["engine.quarters must be map quarters", (data) => (data.quarters[9] = 2)],
    ["engine.replaced must be pairs of a slot and a tile", (data) => (data.replaced = Int32Array.of(2048, 0))],
    ["engine.replaced must be pairs of a slot and a tile", (data) => (data.replaced = Int32Array.of(3, 0, 3, 0))],
    ["engine.observers.indices must be indices", (data) => data.observers.indices.reverse()],
    ["engine.observers.indices must be indices", (data) => data.present.fill(0)],
    ["engine.observers.radius must be distances", (data) => (data.observers.radius[0] = -1)],
    ["engine.observers.views must be players in view", (data) => data.observers.views.fill(0)],
    ["engine.observers.known must be 3 sets", (data) => Object.assign(data.observers, { known: [] })],
    ["engine.observers.known[1] must be", (data) => Object.assign(data.observers.known, { 1: new Int32Array(1) })],
    ["engine.standings.first must be", (data) => Object.assign(data.standings, { first: new Int32Array(9) })],
    ["engine.masks.set.keys must be keys of blocks", (data) => (data.masks.set.keys[0] = 31)],
    ["engine.masks.kept.keys must be ascending", (data) => data.masks.kept.keys.reverse()],
    ["engine.masks.kept.lengths must be lengths", (data) => (data.masks.kept.lengths[0] = -1)],
    ["engine.masks.kept.bytes must be", (data) => Object.assign(data.masks.kept, { bytes: new Uint8Array(1) })],
    [
      "engine.masks.kept.keys must be keys of blocks",
      // `say`, ordinal 6, is no kept block.
      (data) => {
        const kept = { keys: Int32Array.of((observer << 5) | 6), lengths: Int32Array.of(1), bytes: Uint8Array.of(0) };
        Object.assign(data.masks, { kept });
      },
    ],
    ["engine.masks.first must be 192 words", (data) => Object.assign(data.masks, { first: new Int32Array(64) })],
    ["engine.masks.changed must be 192 words", (data) => Object.assign(data.masks, { changed: new Int32Array(64) })],
    ["engine.ownPackets.owed must be 64 words", (data) => Object.assign(data.ownPackets, { owed: new Int32Array(1) })],
    ["engine.ownPackets.own.keys must be keys of blocks", (data) => (data.ownPackets.own.keys[0] = 0)],
    ["engine.ownPackets.waiting must be who waits", (data) => (data.ownPackets.waiting[2] = -1)],
    ["engine.ownPackets.waitingBlocks.keys must be", (data) => (data.ownPackets.waitingBlocks.keys[0] = 0)],
  ])("that is wrong is refused, and nothing has changed: %s", (message, change) => {
    const engine = create();
    engine.add(7, { level: 1, x: 5, z: 5 });
    engine.observe(7);
    const before = digestOf(engine.save());
    const wrong = structuredClone(saved);
    change(wrong);
    expect(() => engine.restore(wrong)).toThrow(`Cannot restore: ${message}`);
    expect(digestOf(engine.save())).toBe(before);
  });

  it.each([null, 7, [], "x"])("is not %s", (data) => {
    expect(() => create().restore(data as unknown as SavedEngine)).toThrow(
      new TypeError("Cannot restore: engine must be an object"),
    );
  });
});
