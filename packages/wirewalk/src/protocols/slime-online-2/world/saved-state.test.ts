/** A world saved and restored at any moment goes on as the one that was not. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { scaled } from "../../../testing/scale.ts";
import { simulate } from "../../../testing/simulation.ts";
import type { SavedWorld } from "../../world.ts";
import { SlimeBot, type SlimeBotOptions } from "../bots/bot.ts";
import { slimeOnline2 } from "../slime-online-2.ts";
import { play, steps } from "../testing/scripts.ts";
import { type Options, pair, Stage } from "../testing/stage.ts";
import { TwinWorlds } from "../testing/twin-worlds.ts";
import type { SlimeClientMessage } from "../wire/codec.ts";
import { slimeDialects } from "../wire/dialect.ts";
import { SlimeWorld } from "./world.ts";

describe("bots, cheats and stalls", () => {
  // One stall at least.
  const durationMs = scaled(20_000, 6_000);
  const cases: Options[] = [
    ...slimeDialects.map(({ name }) => ({ dialect: name, demo: true, motd: "Welcome" })),
    { dialect: "v0106", enforcement: "log", landing: "ballistic" },
    { dialect: "documented", strict: true, demo: true, landing: "ballistic" },
  ];

  it.each(cases)("%j", (options) => {
    const { dialect = "documented" } = options;
    // One of each, twice, in rooms of seven.
    const crew: Partial<SlimeBotOptions>[] = [
      {},
      { cheat: "teleport" },
      { cheat: "jump-teleport" },
      { cheat: "speed" },
      { cheat: "key-spam" },
      { speed: 1.5 },
      {},
    ];
    const random = createRandom(11);
    const bots = [...crew, ...crew].map((each, number) => {
      const room = number < crew.length ? 2 : 3;
      return {
        bot: new SlimeBot({ dialect, random: random.fork(), number, cheat: "none", room, ...each }),
        joining: { account: `account${number}`, name: `bot${number}`, room: String(room) },
        startMs: number * 300,
        listens: true,
      };
    });
    let twins: TwinWorlds | undefined;
    const { verdicts } = simulate({
      protocol: {
        ...slimeOnline2,
        createWorld(all) {
          twins = new TwinWorlds(all, 41);
          return twins;
        },
      },
      world: { seed: 1, ...options, dialect },
      seed: 12,
      durationMs,
      conditions: { latencyMs: { low: 20, high: 240 }, jitterMs: 60, stall: { everyMs: 7000, durationMs: 5500 } },
      bots,
    });
    expect(twins?.restores).toBeGreaterThan(durationMs / 400);
    expect(twins?.tracks(durationMs).length).toBeGreaterThan(0);
    expect(new Set(verdicts.map(({ kind }) => kind)).size).toBeGreaterThan(2);
  });
});

describe("any calls, saved after each", () => {
  it.each(slimeDialects.map(({ name }) => name))("%s", (dialect) => {
    fc.assert(
      fc.property(steps(dialect), fc.boolean(), (script, strict) => {
        const stage = new Stage({ dialect, demo: true, strict }, (all) => new TwinWorlds(all, 1));
        play(stage.join(5, { room: "3" }), script);
        stage.picture();
      }),
      { numRuns: scaled(15, 3) },
    );
  });
});

/** A world with something in every part of its state. */
function richStage(): Stage {
  const stage = new Stage({ dialect: "v0106", demo: true }).join(1).join(2).join(4, { room: "2" });
  stage.move(1, "landing", 448, 160);
  stage.move(4, "upPress", 220);
  stage.to(5000);
  for (let leap = 0; leap < 3; leap++) stage.to(stage.now + 4000).move(1, "landing", 20_000, 160);
  stage.leave(1).join(3);
  for (const x of [448, 9000]) stage.move(2, "landing", x, 160);
  stage.to(stage.now + 4000).move(2, "landing", 30_000, 160);
  stage.move(2, "rightPress", 448, 160);
  stage.world.setFactors(2, { speed: 2, jump: 1 }, stage.now);
  stage.world.allowAnywhere(4, stage.now);
  stage.join(6);
  // Effects wait to be taken.
  stage.world.refresh(2, stage.now);
  return stage;
}

/** Calls back for every member of plain data, innermost first, with a way to set it. */
function eachMember(data: unknown, visit: (path: string, value: unknown, set: (value: unknown) => void) => void): void {
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    const entries = value instanceof Map ? [...value] : Object.entries(value);
    for (const [key, member] of entries) {
      const inner = `${path}.${key}`;
      walk(member, inner);
      visit(inner, member, (other) => {
        if (value instanceof Map) value.set(key, other);
        else (value as Record<string, unknown>)[key] = other;
      });
    }
  };
  walk(data, "");
}

/** Changes all that can be changed in plain data. */
function scribble(data: object): void {
  eachMember(data, (_path, value, set) => {
    if (ArrayBuffer.isView(value)) (value as Uint8Array).fill(7);
    else if (typeof value === "number") set(value + 1);
    else if (typeof value === "boolean") set(!value);
    else if (typeof value === "string") set(`${value}!`);
    else if (value instanceof Map) value.clear();
    else if (Array.isArray(value)) value.length = 0;
  });
}

describe("what is saved", () => {
  it("shares nothing with the world, nor does a world with what it was restored from", () => {
    const { world } = richStage();
    const digest = world.digest();
    const saved = world.save();
    const restored = new SlimeWorld({ dialect: "v0106", seed: 1, demo: true });
    restored.restore(saved);
    scribble(saved);
    expect(world.digest()).toBe(digest);
    expect(restored.digest()).toBe(digest);
    // Nor with effects that were taken.
    const effects = restored.takeEffects();
    const empty = restored.digest();
    scribble(effects);
    expect(restored.digest()).toBe(empty);
  });

  it("evidence of a ban is not what was given out as verdicts", () => {
    const stage = pair();
    for (let leap = 0; leap < 5; leap++) stage.to(5000 + leap * 5000).move(1, "landing", 20_000, 160);
    const digest = stage.world.digest();
    scribble(stage.verdicts);
    expect(stage.world.digest()).toBe(digest);
  });

  it("does not depend on tracks", () => {
    const [asked, other] = [richStage(), richStage()];
    for (const stage of [asked, other]) stage.move(4, "rightPressAir");
    asked.world.tracks(asked.now + 5000);
    expect(asked.world.digest()).toBe(other.world.digest());
  });

  it("contains nothing that decides nothing, such as violations that do not count", () => {
    const [left, right] = [pair(), pair()];
    for (const stage of [left, right]) {
      stage.move(1, "upPress", 448);
      stage.move(1, "upRelease");
    }
    // Their evidence differs.
    expect(left.move(1, "leftReleaseAir")).toEqual(["reject transition"]);
    expect(right.move(1, "rightReleaseAir")).toEqual(["reject transition"]);
    expect(left.world.digest()).toBe(right.world.digest());
  });

  it("each call that changes what comes later changes the digest", () => {
    const stage = richStage();
    const digests = new Set<bigint>();
    const now = stage.now + 100;
    const send = (message: SlimeClientMessage): void => stage.world.receive(2, message, new Uint8Array(), now);
    const calls: (() => void)[] = [
      () => {},
      () => stage.world.takeEffects(),
      () => stage.world.join(7, { account: "g", name: "G" }, now),
      () => send({ message: "movePlayer", value: { code: 4, direction: "downPress" } }),
      () => send({ message: "ping", value: {} }),
      () => stage.world.warp(2, 3, 40, 40, now),
      () => stage.world.setFactors(2, { speed: 3, jump: 1 }, now),
      () => stage.world.allowAnywhere(2, now + 1),
      () => stage.world.leave(2, now),
      () => stage.world.tick(now + 90_000),
    ];
    for (const call of calls) {
      call();
      digests.add(stage.world.digest());
    }
    expect(digests.size).toBe(calls.length);
  });
});

describe("what cannot be restored is refused, and nothing changes", () => {
  function refuses(change: (saved: SavedWorld) => void): unknown {
    const { world } = richStage();
    const saved = structuredClone(world.save());
    change(saved);
    const other = new SlimeWorld({ dialect: "v0106", seed: 1, demo: true });
    other.join(9, { account: "z", name: "Z" }, 0);
    const digest = other.digest();
    try {
      other.restore(saved);
    } catch (error) {
      expect(other.digest()).toBe(digest);
      return error;
    }
    return undefined;
  }

  it("another dialect, protocol or schema", () => {
    expect(refuses((saved) => Object.assign(saved, { world: "slime-online-2/documented" }))).toBeInstanceOf(RangeError);
    expect(refuses((saved) => Object.assign(saved, { world: "maplestory/v0106" }))).toBeInstanceOf(RangeError);
    expect(refuses((saved) => Object.assign(saved, { schema: saved.schema + 1 }))).toBeInstanceOf(RangeError);
    expect(refuses(() => {})).toBeUndefined();
  });

  it("any member of a player that is missing or of another kind", () => {
    const paths: string[] = [];
    eachMember(richStage().world.save().state, (path) => {
      // Evidence and effects are data for others; their insides decide nothing here.
      if (/^\.players\.\d+\.(?!rate|newcomers|antiCheat)/.test(path) || /^\.\w+$/.test(path)) paths.push(path);
    });
    expect(paths.length).toBeGreaterThan(150);
    const accepted = paths.filter((path) => {
      const error = refuses(({ state }) =>
        eachMember(state, (at, _value, set) => {
          if (at === path) set(Symbol.iterator);
        }),
      );
      return !(error instanceof TypeError || error instanceof RangeError);
    });
    expect(accepted).toEqual([]);
  });

  it("players twice, without a room, or in two", () => {
    interface State {
      players: { known: object }[];
      rooms: Map<number, number[]>;
    }
    const change = (edit: (state: State) => void): unknown => refuses(({ state }) => edit(state as State));
    expect(change(({ players }) => players.push(...players))).toBeInstanceOf(RangeError);
    expect(change(({ rooms }) => rooms.clear())).toBeInstanceOf(RangeError);
    expect(change(({ rooms }) => rooms.set(7, [2]))).toBeInstanceOf(RangeError);
    expect(change(({ rooms }) => rooms.set(7, []))).toBeInstanceOf(RangeError);
    expect(change(({ rooms }) => rooms.set(1, [77]))).toBeInstanceOf(RangeError);
    expect(change(({ rooms }) => rooms.set(70_000, []))).toBeInstanceOf(RangeError);
    const first = (edit: object): unknown => change(({ players }) => Object.assign(players[0] ?? {}, edit));
    for (const id of [0, 70_000, 1.5]) expect(first({ id })).toBeInstanceOf(RangeError);
    expect(first({ rate: { times: new Float64Array(1001), spare: 0, atMs: 0 } })).toBeInstanceOf(RangeError);
    expect(change(({ players }) => Object.assign(players[0]?.known ?? {}, { sprDir: 0 }))).toBeInstanceOf(RangeError);
  });
});
