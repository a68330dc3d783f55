import { describe, expect, it } from "vitest";
import { createRandom, type PlayerId } from "../../../motion/index.ts";
import { scaled } from "../../../testing/scale.ts";
import { digestOf } from "../../world-kit/index.ts";
import type { OsrsBot } from "../bots/bot.ts";
import { mouseCheats } from "../mouse/bots/bot.ts";
import { osrs } from "../osrs.ts";
import { noMasks } from "../player-info/wire/masks/mask-revision.ts";
import { revision206 } from "../player-info/wire/masks/revision-206.ts";
import { OsrsWorld } from "./world.ts";

const cheats = ["none", ...mouseCheats];

/** One of several worlds that all get the same calls. */
interface Stage {
  world: OsrsWorld;
  /** Another world, to be restored into: one that has already been played in. */
  spare: OsrsWorld;
}

/**
 * Bots of every kind come, go, move their mice and are followed, in a world that is never saved and in one that is saved
 * and restored at random moments. Gives how often it was, and how many kinds of verdicts there were.
 */
function play(dialect: string, revision: typeof revision206, seconds: number): { moves: number; rules: Set<string> } {
  const create = (): OsrsWorld => new OsrsWorld({ dialect, seed: 3, demo: true, revision });
  const [plain, moved]: [Stage, Stage] = [
    { world: create(), spare: create() },
    { world: create(), spare: create() },
  ];
  const random = createRandom(5);
  const codec = osrs.codec(dialect);
  const bots = new Map<PlayerId, OsrsBot>();
  const rules = new Set<string>();
  let next = 1;
  let moves = 0;
  const both = (call: (world: OsrsWorld) => void): void => {
    call(plain.world);
    if (random.chance(0.01)) move();
    call(moved.world);
    if (random.chance(0.01)) move();
  };
  const move = (): void => {
    const saved = structuredClone(moved.world.save());
    moved.spare.restore(saved);
    [moved.world, moved.spare] = [moved.spare, moved.world];
    expect(moved.world.digest()).toBe(digestOf(saved));
    moves += 1;
  };
  const join = (nowMs: number): void => {
    const player = next++;
    const name = `p${player}`;
    const room = random.pick(["mouse", "world", undefined] as const);
    both((world) => world.join(player, { account: name, name, ...(room === undefined ? {} : { room }) }, nowMs));
    const cheat = cheats[player % cheats.length] as string;
    const bot = osrs.bots.create({ dialect, random: random.fork(), number: player, cheat, part: "mouse" }) as OsrsBot;
    bot.start(nowMs);
    bots.set(player, bot);
  };
  for (let count = 0; count < 12; count++) join(0);
  for (let nowMs = 20; nowMs < seconds * 1000; nowMs += 20) {
    for (const [player, bot] of bots) {
      for (const message of bot.step(nowMs)) {
        const payload = codec.write("client", message);
        both((world) => world.receive(player, message, payload, nowMs));
      }
    }
    if (nowMs % 600 === 0) both((world) => world.tick(nowMs));
    if (nowMs % 2000 === 0) {
      const player = random.pick([...bots.keys()]);
      const calls: readonly (() => void)[] = [
        () => join(nowMs),
        () => both((world) => world.follow(player, nowMs)),
        () => both((world) => world.follow(player, nowMs)),
        () => both((world) => world.unfollow(player)),
        () => both((world) => world.refresh(player, nowMs)),
        () => {
          both((world) => world.leave(player, nowMs));
          bots.delete(player);
        },
      ];
      random.pick(calls)();
    }
    const [effects, others] = [plain.world.takeEffects(), moved.world.takeEffects()];
    if (digestOf(effects) !== digestOf(others)) expect(others).toEqual(effects);
    for (const effect of effects) if (effect.effect === "verdict") rules.add(effect.verdict.rule);
    if (nowMs % 3000 === 0) {
      expect(moved.world.tracks(nowMs)).toEqual(plain.world.tracks(nowMs));
      expect(moved.world.rooms()).toEqual(plain.world.rooms());
      expect(moved.world.digest()).toBe(plain.world.digest());
    }
  }
  return { moves, rules };
}

describe("a world that was saved and restored", () => {
  it.each(osrs.dialects.map(({ name }) => name))("goes on byte for byte: %s", (dialect) => {
    const { moves, rules } = play(dialect, dialect === "native" ? noMasks : revision206, scaled(300, 40));
    expect(moves).toBeGreaterThan(10);
    // So strokes, scores and what was said of them are among what was saved.
    expect([...rules]).toEqual(expect.arrayContaining(["straight-lines", "constant-speed"]));
  });

  it("is refused where its parts have other players", () => {
    const world = new OsrsWorld({ dialect: "client", seed: 1, revision: revision206 });
    world.join(1, { account: "a", name: "a" }, 0);
    world.join(2, { account: "b", name: "b", room: "mouse" }, 0);
    const saved = world.save();
    const state = saved.state as { readonly players: readonly object[] };
    const [first, second] = state.players;
    const before = world.digest();
    for (const players of [
      [first],
      [second],
      [first, second, { ...first, id: 3 }],
      [first, { ...second, room: undefined }],
    ]) {
      const wrong = structuredClone({ ...saved, state: { ...state, players } });
      expect(() => world.restore(wrong)).toThrow("Cannot restore: state.bodies or state.mice has other players");
    }
    expect(world.digest()).toBe(before);
  });
});
