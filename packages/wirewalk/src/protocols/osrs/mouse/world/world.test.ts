import { describe, expect, it } from "vitest";
import { createRandom, type Verdict } from "../../../../motion/index.ts";
import { parseHex } from "../../../../wire/index.ts";
import type { Effect } from "../../../world.ts";
import { MouseBot, mouseCheats } from "../bots/bot.ts";
import { mouseDialects } from "../wire/dialect.ts";
import type { MouseMoveMessage } from "../wire/message.ts";
import { readMousePacket, writeMousePacket } from "../wire/packet.ts";
import { PLAYBACK_DELAY_MS } from "./path-rows.ts";
import { MouseWorld } from "./world.ts";

const joining = { account: "a", name: "Zezima" };

function receive(world: MouseWorld, player: number, hex: string, nowMs: number): void {
  const payload = parseHex(hex);
  world.receive(player, { message: "mouseMove", value: readMousePacket("client", payload) }, payload, nowMs);
}

/** Plays bots of every kind in one world. */
function playAll(dialect: string, minutes: number): { world: MouseWorld; effects: Effect[]; kinds: string[] } {
  const world = new MouseWorld({ dialect, seed: 1 });
  const kinds = ["none", ...mouseCheats].flatMap((cheat) => new Array<string>(5).fill(cheat));
  const bots = kinds.map((cheat, number) => {
    world.join(number + 1, { account: `a${number}`, name: `bot${number}` }, 0);
    const bot = new MouseBot({ dialect, random: createRandom(number), number, cheat });
    bot.start(0);
    return bot;
  });
  const effects: Effect[] = [];
  for (let now = 0; now < minutes * 60_000; now += 20) {
    for (const [number, bot] of bots.entries()) {
      for (const message of bot.step(now)) {
        world.receive(number + 1, message, writeMousePacket(dialect, message.value), now);
      }
    }
    effects.push(...world.takeEffects());
  }
  return { world, effects, kinds };
}

describe("evidence", () => {
  it.each(mouseDialects.map(({ name }) => name))(
    "%s: every cheat is flagged with its reason, no human is",
    (dialect) => {
      const { effects, kinds } = playAll(dialect, 3);
      const verdicts = effects.flatMap((effect): Verdict[] => (effect.effect === "verdict" ? [effect.verdict] : []));
      // Evidence, never a ban, and nothing is sent.
      expect([...new Set(effects.map(({ effect }) => effect))].sort()).toEqual(["enter", "observe", "verdict"]);
      expect(verdicts.every(({ kind }) => kind === "flag")).toBe(true);
      for (const [number, cheat] of kinds.entries()) {
        const rules = verdicts.filter(({ player }) => player === number + 1).map(({ rule }) => rule);
        expect(new Set(rules).size).toBe(rules.length);
        if (cheat === "none") expect(rules).toEqual([]);
        if (cheat === "linear") expect(rules).toContain("straight-lines");
        if (cheat === "bezier") expect(rules).toContain("constant-speed");
        if (cheat === "replayed") expect(rules).toContain("identical-strokes");
      }
      for (const { measured, allowed, message, stateBefore } of verdicts) {
        expect(measured).not.toBe(allowed);
        expect(message.length).toBeGreaterThan(2);
        expect(stateBefore).toMatchObject({ known: true, findings: expect.anything(), summary: expect.anything() });
      }
    },
  );

  it("a clock that goes back is benign, and the session goes on", () => {
    const world = new MouseWorld({ dialect: "client", seed: 1 });
    world.join(1, joining, 0);
    receive(world, 1, "fb00 ffff000a000a e860", 1000);
    receive(world, 1, "0000 c200c80384", 1100);
    const verdicts = world.takeEffects().filter(({ effect }) => effect === "verdict");
    expect(verdicts).toMatchObject([{ verdict: { kind: "benign", rule: "clock-back", player: 1, atMs: 1000 } }]);
    expect(world.session(1)?.path.at(-1)).toMatchObject({ x: 900, y: 200, known: true });
  });
});

describe("connecting again", () => {
  /** One hand that connects again every `everyMs`; its verdicts, and the strokes that are known of it in the end. */
  function play(cheat: string, account: string, everyMs: number, minutes = 4, restores = false) {
    let world = new MouseWorld({ dialect: "client", seed: 1 });
    const bot = new MouseBot({ dialect: "client", random: createRandom(3), number: 0, cheat });
    bot.start(0);
    const effects: Effect[] = [];
    world.join(1, { account, name: "a" }, 0);
    for (let now = 20; now < minutes * 60_000; now += 20) {
      if (now % everyMs === 0) {
        world.leave(1, now);
        if (restores) {
          const saved = world.save();
          world = new MouseWorld({ dialect: "client", seed: 1 });
          world.restore(saved);
        }
        world.join(1, { account, name: "a" }, now);
      }
      for (const message of bot.step(now)) {
        world.receive(1, message, writeMousePacket("client", message.value), now);
      }
      effects.push(...world.takeEffects());
    }
    const verdicts = effects.flatMap((effect) => (effect.effect === "verdict" ? [effect.verdict] : []));
    return { verdicts: verdicts.map(({ rule }) => rule), summary: world.session(1)?.kinematics.summary() };
  }

  // Fewer strokes than the ten that a finding needs.
  const shortMs = 10_000;

  it("does not end the measurements of a known player, through a restart of the server as well", () => {
    for (const restores of [false, true]) {
      expect(play("replayed", "address:192.0.2.7 ann", shortMs, 4, restores).verdicts).toContain("identical-strokes");
    }
    expect(play("replayed", "login:ann", shortMs).verdicts).toContain("identical-strokes");
  });

  it("does not make a person a machine, and no time runs backwards", () => {
    const { verdicts, summary } = play("none", "login:ann", shortMs);
    expect(verdicts).toEqual([]);
    expect(summary?.strokes).toBeGreaterThan(30);
    expect(summary?.durationMs).toBeGreaterThan(60_000);
    expect(summary?.durationMs).toBeLessThan(240_000);
  });

  it("begins anew where an address may be several people, and after ten minutes", () => {
    expect(play("replayed", "address:192.0.2.7", shortMs).verdicts).toEqual([]);
    const world = new MouseWorld({ dialect: "client", seed: 1 });
    const bot = new MouseBot({ dialect: "client", random: createRandom(3), number: 0, cheat: "none" });
    bot.start(0);
    world.join(1, joining, 0);
    for (let now = 0; now < 30_000; now += 20) {
      for (const message of bot.step(now)) world.receive(1, message, writeMousePacket("client", message.value), now);
    }
    const strokesAfter = (ms: number): number | undefined => {
      const later = new MouseWorld({ dialect: "client", seed: 1 });
      later.restore(world.save());
      later.tick(ms);
      later.join(1, joining, ms);
      return later.session(1)?.kinematics.count;
    };
    world.leave(1, 30_000);
    expect(strokesAfter(629_000)).toBeGreaterThan(5);
    expect(strokesAfter(630_000)).toBe(0);
  });
});

describe("spectators receive", () => {
  it("every packet with its points, and whether a button must have sent it", () => {
    const world = new MouseWorld({ dialect: "client", seed: 1 });
    world.join(1, joining, 0);
    receive(world, 1, "0500 ffff012c0190 295e", 10_000);
    receive(world, 1, "0000 5860", 12_000);
    receive(world, 1, "0000 5860", 12_300);
    const seen = world.takeEffects().filter((effect) => effect.effect === "observe");
    expect(seen.map(({ what, data }) => [what, data.packet, data.early])).toEqual([
      ["mouse-packet", 0, false],
      ["mouse-packet", 1, false],
      ["mouse-packet", 2, true],
    ]);
    expect(seen[0]).toMatchObject({
      player: 1,
      data: {
        bytes: 10,
        spanMs: 50,
        cutBytes: 0,
        points: [
          { x: 400, y: 300, atMs: 9950, known: true, outside: false, speed: 0, packet: 0 },
          { x: 405, y: 298, atMs: 10_000, known: true, outside: false, packet: 0 },
        ],
      },
    });
  });

  it("the kinematics every few strokes", () => {
    const { effects } = playAll("client", 1);
    const seen = effects.flatMap((effect) => (effect.effect === "observe" ? [effect] : []));
    const last = seen.findLast(({ what, player }) => what === "mouse-kinematics" && player === 6);
    expect(last?.data).toMatchObject({
      score: expect.any(Number),
      findings: expect.anything(),
      summary: { strokes: expect.any(Number) },
    });
  });
});

describe("tracks", () => {
  it("show where the pointer was a little while ago", () => {
    const world = new MouseWorld({ dialect: "client", seed: 1 });
    world.join(1, joining, 0);
    expect(world.tracks(0)).toMatchObject([{ player: 1, stance: "unknown", source: "guessed" }]);
    // (400,300), then 50 ms later (405,298), and (500,200) 50 ms after that.
    receive(world, 1, "0602 ffff012c0190 295e 82df1e", 10_000);
    const at = (ms: number) => world.tracks(ms + PLAYBACK_DELAY_MS)[0];
    expect(at(9900)).toMatchObject({ position: { x: 400, y: 300 }, stance: "move", source: "claimed" });
    expect(at(9925)).toMatchObject({ position: { x: 402.5, y: 299 }, velocity: { x: 100, y: -40 } });
    expect(at(9950)?.position).toEqual({ x: 405, y: 298 });
    expect(at(12_000)).toMatchObject({ position: { x: 500, y: 200 }, velocity: { x: 0, y: 0 }, stance: "rest" });
    receive(world, 1, "0000 c280000000", 12_000);
    expect(at(12_000)).toMatchObject({ stance: "outside" });
    expect(world.tracks(12_000, "elsewhere")).toEqual([]);
  });

  it("of relative records alone are unknown", () => {
    const world = new MouseWorld({ dialect: "client", seed: 1 });
    world.join(1, joining, 0);
    receive(world, 1, "0000 5860", 10_000);
    expect(world.tracks(20_000)).toMatchObject([{ stance: "unknown", source: "guessed" }]);
  });

  it("paths are bounded, and on the world's clock", () => {
    const { world } = playAll("client", 1);
    for (let player = 1; player <= 20; player++) {
      const session = world.session(player);
      expect(session?.path.length).toBeLessThanOrEqual(256);
      const times = session?.path.map(({ atMs }) => atMs) ?? [];
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.at(-1)).toBeLessThanOrEqual(60_000);
      expect(times.at(-1)).toBeGreaterThan(50_000);
    }
  });
});

describe("sessions", () => {
  it("the position of a player who logs in again is unknown until a record carries one", () => {
    const world = new MouseWorld({ dialect: "client", seed: 1 });
    world.join(1, joining, 0);
    receive(world, 1, "0000 ffff000a000a", 100);
    expect(world.session(1)?.tracker.known).toBe(true);
    world.leave(1, 200);
    expect(world.session(1)).toBeUndefined();
    world.join(1, joining, 300);
    receive(world, 1, "0000 5860", 400);
    expect(world.session(1)?.tracker.known).toBe(false);
    receive(world, 1, "0000 c200c80384", 500);
    expect(world.session(1)?.path.at(-1)).toMatchObject({ x: 900, y: 200, known: true });
  });

  it("come and go", () => {
    const world = new MouseWorld({ dialect: "client", seed: 1 });
    expect(world.rooms()).toEqual(new Map());
    world.join(1, joining, 0);
    world.join(2, joining, 0);
    expect(() => world.join(2, joining, 0)).toThrow("player 2 is here already");
    expect(() => world.join(3, { ...joining, room: "x" }, 0)).toThrow("bad-room");
    expect(world.rooms()).toEqual(new Map([["mouse", 2]]));
    world.leave(2, 0);
    world.leave(2, 0);
    receive(world, 2, "0000 5860", 0);
    expect(world.takeEffects().map(({ effect }) => effect)).toEqual(["enter", "enter", "exit"]);
    expect(world.takeEffects()).toEqual([]);
    for (let player = 2; player <= world.capacity; player++) world.join(player, joining, 0);
    expect(world.refuses(joining)).toBe("full");
    expect(() => new MouseWorld({ dialect: "java", seed: 1 })).toThrow(RangeError);
  });
});

describe("bots", () => {
  it("are their seed, whatever the steps of their clock", () => {
    const run = (stepMs: number): MouseMoveMessage[] => {
      const bot = new MouseBot({ dialect: "client", random: createRandom(5), number: 0, cheat: "none" });
      const out: MouseMoveMessage[] = [...bot.start(0), ...bot.receive({ message: "x", value: {} }, 0)];
      for (let now = 0; now <= 24_000; now += stepMs) out.push(...bot.step(now));
      return out;
    };
    const messages = run(20);
    expect(messages.length).toBeGreaterThan(10);
    expect(run(40)).toEqual(messages);
    // A stall of our own process is caught up with, within bounds.
    expect(run(24_000).length).toBeGreaterThan(2);
  });

  it("cheat only in ways that exist", () => {
    const bot = new MouseBot({ dialect: "client", random: createRandom(5), number: 0, cheat: "teleport" });
    expect(() => bot.start(0)).toThrow("Unknown cheat teleport of osrs/mouse: it has linear, bezier, replayed");
    expect(new MouseBot({ dialect: "client", random: createRandom(5), number: 0, cheat: "none" }).step(50)).toEqual([]);
  });
});

describe("paths", () => {
  it("keep what later tracks show, and the last point before it", () => {
    const { world } = playAll("client", 1);
    const lengths = Array.from({ length: 20 }, (_, index) => world.session(index + 1)?.path.length ?? 0);
    // Two seconds of a packet and the delay of the playback, a point each 50 ms at most.
    expect(Math.max(...lengths)).toBeLessThanOrEqual(100);
    expect(Math.max(...lengths)).toBeGreaterThan(20);
  });

  it("that have all been shown are one point", () => {
    const world = new MouseWorld({ dialect: "client", seed: 1 });
    world.join(1, joining, 0);
    receive(world, 1, "0602 ffff012c0190 295e 82df1e", 10_000);
    expect(world.session(1)?.path).toHaveLength(3);
    receive(world, 1, "0000 ffff012c0190", 60_000);
    expect(world.session(1)?.path).toHaveLength(2);
  });
});
