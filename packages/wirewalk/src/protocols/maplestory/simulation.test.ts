import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createRandom, type Verdict } from "../../motion/index.ts";
import type { NetworkConditions } from "../../net/index.ts";
import { scale, scaled } from "../../testing/scale.ts";
import { type ProcessStall, type SimulatedBot, type SimulationResult, simulate } from "../../testing/simulation.ts";
import { MapleBot, type MapleBotOptions } from "./bots/bot.ts";
import { mapleStory } from "./maplestory.ts";
import { hashPattern } from "./movement/verification-pattern.ts";
import type { MapleClientMessage, MapleServerMessage } from "./wire/codec.ts";
import { MapleWorld } from "./world/world.ts";
import type { MapleWorldOptions } from "./world/world-options.ts";

const MINUTE_MS = 60_000;
/** 500 ms of jitter, and now and then two seconds in which nothing leaves. */
const badNetwork: NetworkConditions = {
  latencyMs: { low: 20, high: 240 },
  jitterMs: 500,
  stall: { everyMs: 60_000, durationMs: 2000 },
};
const honestMinutes = scaled(5, 1);
/** Half of them in each of two rooms: what a room costs grows with the square of its players. */
const honestCount = scaled(20, 6);
/** Conditions under which messages come many seconds late, and in bursts. */
const lateNetworks: Readonly<Record<string, NetworkConditions>> = {
  "stalls of 5 s": {
    latencyMs: { low: 20, high: 240 },
    jitterMs: 50,
    stall: { everyMs: 30_000, durationMs: 5000 },
  },
  "5 % loss in bursts of 3": { latencyMs: { low: 20, high: 240 }, jitterMs: 50, loss: { rate: 0.05, burst: 3 } },
};
const lateMinutes = scaled(20, 1);
const lateCount = scaled(10, 6);

interface Flock {
  count: number;
  dialect?: string;
  bot?: Partial<MapleBotOptions>;
  minutes: number;
  seed: number;
  world?: Partial<MapleWorldOptions>;
  network?: NetworkConditions;
  serverStall?: ProcessStall;
  /** Which bots do the cheat; default all. */
  cheats?: (number: number) => boolean;
  onVerdict?: (verdict: Verdict) => void;
}

function play(flock: Flock): SimulationResult {
  const { count, dialect = "v62", bot = {}, minutes, seed, world = {}, cheats = () => true } = flock;
  const random = createRandom(seed);
  const bots = Array.from({ length: count }, (_, number): SimulatedBot<MapleClientMessage, MapleServerMessage> => {
    const room = (number % 2) + 1;
    const cheat = cheats(number) ? (bot.cheat ?? "none") : "none";
    const options: MapleBotOptions = { dialect, random: random.fork(), number, room, ...bot, cheat };
    return {
      bot: new MapleBot(options),
      joining: { account: `account${number}`, name: `bot${number}`, room: String(room) },
      startMs: number * 37,
      listens: true,
    };
  });
  return simulate({
    protocol: { ...mapleStory, createWorld: (options) => new MapleWorld({ ...options, ...world }) },
    world: { dialect, seed, demo: true },
    seed,
    durationMs: minutes * MINUTE_MS,
    conditions: flock.network ?? badNetwork,
    bots,
    ...(flock.serverStall === undefined ? {} : { serverStall: flock.serverStall }),
    ...(flock.onVerdict === undefined ? {} : { onVerdict: flock.onVerdict }),
  });
}

const serious = ({ kind }: Verdict): boolean => kind !== "accept" && kind !== "benign";
const brief = ({ kind, rule, measured, allowed, unit, player, atMs }: Verdict): string =>
  `${kind} ${rule}: ${measured} of ${allowed} ${unit}, player ${player} at ${atMs}`;

describe("honest players through a bad network", () => {
  // `v95` has the recorder and the rules of `v83`; small runs play it in `bots/bot.test.ts`.
  const dialects = scale < 1 ? ["v62", "v83", "documented"] : ["v62", "v83", "v95", "documented"];

  it.each(dialects)(`${honestCount} bots of %s play without a verdict above benign`, (dialect) => {
    const { verdicts, refused, received, delivered } = play({
      count: honestCount,
      dialect,
      minutes: honestMinutes,
      seed: 1,
    });
    expect(verdicts.filter(serious).map(brief)).toEqual([]);
    expect(refused).toBe(0);
    // A bot that walks half of the time sends a message each second, which the others of its room receive.
    expect(received).toBeGreaterThan((honestMinutes * 60 * honestCount) / 2);
    expect(delivered).toBeGreaterThan((received * honestCount) / 5);
  });

  it.each(
    Object.entries(lateNetworks).flatMap(([name, network]) =>
      ["v62", "documented"].map((dialect) => [name, dialect, network] as const),
    ),
  )("neither do those who suffer %s, in %s", (_, dialect, network) => {
    const { verdicts, refused } = play({ count: lateCount, dialect, minutes: lateMinutes, seed: 7, network });
    expect(verdicts.filter(serious).map(brief)).toEqual([]);
    expect(refused).toBe(0);
  });

  it.each(["v62", "documented"])(
    "neither do those of %s in the process of a server that stands most of the time",
    (dialect) => {
      const serverStall = { everyMs: 630, durationMs: 50, longestMs: 5000, withBots: true };
      const network = { latencyMs: { low: 0, high: 5 }, jitterMs: 0 };
      const { verdicts, received } = play({ count: 10, dialect, minutes: lateMinutes, seed: 7, network, serverStall });
      expect(verdicts.filter(serious).map(brief)).toEqual([]);
      expect(received).toBeGreaterThan(lateMinutes * 100);
    },
  );

  it("bots that use the agreed pattern have no verdict either, and bots without it are flagged", () => {
    const pattern = hashPattern((bytes) => createHmac("sha256", "agreed").update(bytes).digest());
    const options = { count: 6, dialect: "documented", minutes: 1, seed: 2, world: { pattern } };
    expect(play({ ...options, bot: { pattern } }).verdicts.filter(serious)).toEqual([]);
    const unsigned = play(options).verdicts.filter(serious);
    expect(new Set(unsigned.map(({ rule, player }) => `${rule} ${player}`)).size).toBe(6);
    expect(unsigned[0]).toMatchObject({ kind: "flag", rule: "pattern", unit: "wrong bytes" });
  });
});

/** Of cheats that gain: what a room costs grows with the square of its players. */
const gainers = scaled(10, 4);

describe("cheats are flagged, with evidence", () => {
  it.each([
    ["speed", "speed", "px/s"],
    ["teleport", "teleport", "px"],
    ["hover", "flight", "px"],
    ["spoofed-box", "box", "px"],
    ["replayed-path", "teleport", "px"],
    ["foreign-monster", "monster-control", "mobId"],
  ])("%s: %s", (cheat, rule, unit) => {
    // The first two cheat, one in each room, the next two do not, and so on.
    const isCheat = (number: number): boolean => (number >> 1) % 2 === 0;
    const count = scaled(12, 6);
    const { verdicts, refused } = play({
      count,
      minutes: scaled(2, 1),
      seed: 3,
      bot: { cheat },
      cheats: isCheat,
    });
    const found = verdicts.filter((verdict) => serious(verdict) && verdict.rule === rule);
    // Ids are given in the order of coming: 1, 2, 5, 6, 9 and 10 of twelve cheat.
    const ids = Array.from({ length: count }, (_, number) => number + 1).filter((id) => isCheat(id - 1));
    expect([...new Set(found.map(({ player }) => player))].sort((a, b) => a - b)).toEqual(ids);
    for (const verdict of found) {
      expect(verdict.unit).toBe(unit);
      expect(verdict.message.length).toBeGreaterThan(4);
      expect(verdict.stateBefore).toHaveProperty("fieldKey");
      if (rule !== "monster-control") expect(verdict.measured).toBeGreaterThan(verdict.allowed ?? Infinity);
    }
    // The honest among them are left alone.
    const others = verdicts.filter((verdict) => serious(verdict) && !ids.includes(verdict.player));
    expect(others.map(brief)).toEqual([]);
    expect(refused).toBe(0);
  });

  it("vacuum: all its monsters in one place", () => {
    const { verdicts } = play({ count: 2, minutes: 2, seed: 4, bot: { cheat: "vacuum" } });
    const found = verdicts.filter(({ rule, kind }) => rule === "vacuum-box" && kind === "flag");
    expect(new Set(found.map(({ player }) => player)).size).toBe(2);
    expect(found[0]?.measured).toBeGreaterThanOrEqual(10);
  });

  it("vacuum: every one of a crowd within a minute, also those who get few monsters", () => {
    const count = scaled(20, 12);
    const { verdicts } = play({ count, minutes: 1, seed: 4, bot: { cheat: "vacuum" } });
    const rules = ["monster-ground", "vacuum-pull", "vacuum-box", "aggro-far", "aggro-rate"];
    const found = verdicts.filter((verdict) => serious(verdict) && rules.includes(verdict.rule));
    expect(new Set(found.map(({ player }) => player)).size).toBe(count);
  });

  it.each([
    // Flagged within a minute or half a minute, and corrected where it gains a tolerance.
    ["speed-1.05", 60, "flag"],
    ["speed-1.1", 30, "flag"],
    ["speed", 30, "correct"],
    ["clock-1.5", 60, "flag"],
    ["leap", 90, "correct"],
    ["aggro", 60, "reject"],
  ])("%s: each of them within %i s, a %s", (cheat, seconds, kind) => {
    const count = scaled(10, 4);
    const { verdicts } = play({ count, minutes: seconds / 60, seed: 8, bot: { cheat } });
    const found = new Set(verdicts.filter((verdict) => verdict.kind === kind).map(({ player }) => player));
    expect([...found].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    // Whatever it does: it never holds more than a tolerance.
    for (const { stateBefore } of verdicts) expect(stateBefore.gainPx).toBeLessThanOrEqual(50);
  });

  it("reconnect: the corrections of all its connections add up to a ban", () => {
    const { bans, verdicts } = play({ count: 4, minutes: 4, seed: 8, bot: { cheat: "reconnect" } });
    expect(new Set(bans.map(({ account }) => account)).size).toBe(4);
    // A ban takes more corrections than any one connection had.
    const perConnection = new Map<number, number>();
    for (const { kind, player } of verdicts) {
      if (kind === "correct") perConnection.set(player, (perConnection.get(player) ?? 0) + 1);
    }
    expect(Math.max(...perConnection.values())).toBeLessThan(5);
  });

  it("idle-burst: what it saved up while it stood still is corrected", () => {
    const { verdicts } = play({ count: gainers, minutes: 1, seed: 9, bot: { cheat: "idle-burst" } });
    expect(verdicts.filter(({ kind, rule }) => kind === "correct" && rule === "gain").length).toBeGreaterThan(0);
    expect(new Set(verdicts.filter(serious).map(({ player }) => player)).size).toBe(gainers);
  });

  it("five times the speed is corrected within a second of walking", () => {
    const { verdicts } = play({ count: gainers, minutes: 1, seed: 8, bot: { cheat: "speed-5" } });
    // A path is half a second: two of them that it walks all the time are too much.
    const corrected = verdicts.filter(({ kind }) => kind === "correct");
    expect(new Set(corrected.map(({ player }) => player)).size).toBe(gainers);
    expect(corrected.length).toBeGreaterThan(verdicts.filter(({ rule }) => rule === "speed").length / 2);
  });

  it("speed and teleport in documented too", () => {
    for (const cheat of ["speed", "teleport"]) {
      const { verdicts } = play({ count: 4, dialect: "documented", minutes: 2, seed: 5, bot: { cheat } });
      const found = verdicts.filter((verdict) => serious(verdict) && verdict.rule === cheat);
      expect(new Set(found.map(({ player }) => player)).size).toBe(4);
    }
  });

  it("enforcement log flags and does not correct", () => {
    const { verdicts } = play({
      count: 4,
      minutes: 1,
      seed: 6,
      bot: { cheat: "teleport" },
      world: { enforcement: "log" },
    });
    const kinds = new Set(verdicts.filter(serious).map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(["flag"]));
  });
});

it("equal seeds give equal verdicts", () => {
  const run = (): readonly Verdict[] => play({ count: 6, minutes: 1, seed: 9, bot: { cheat: "teleport" } }).verdicts;
  const verdicts = run();
  expect(verdicts.length).toBeGreaterThan(0);
  expect(run()).toEqual(verdicts);
});
