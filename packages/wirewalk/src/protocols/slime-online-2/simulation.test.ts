import { describe, expect, it } from "vitest";
import { createRandom, type Verdict } from "../../motion/index.ts";
import type { NetworkConditions } from "../../net/index.ts";
import { scaled } from "../../testing/scale.ts";
import { type SimulatedBot, type SimulationResult, simulate } from "../../testing/simulation.ts";
import { SlimeBot, type SlimeBotOptions } from "./bots/bot.ts";
import { demoRooms } from "./maps/demo-rooms.ts";
import type { SlimeRoom } from "./maps/room.ts";
import { type SlimeMaps, slimeMapsOf } from "./maps/slime-maps.ts";
import { slimeOnline2 } from "./slime-online-2.ts";
import type { SlimeClientMessage, SlimeServerMessage } from "./wire/codec.ts";
import type { SlimeWorldOptions } from "./world/world.ts";

/** 20 to 300 ms one way with jitter, and stalls of two seconds in which nothing is sent. */
const badNetwork: NetworkConditions = {
  latencyMs: { low: 20, high: 240 },
  jitterMs: 60,
  stall: { everyMs: 30_000, durationMs: 2000 },
};
/** Without the stalls: to measure how soon a rule finds something. */
const calmNetwork: NetworkConditions = { latencyMs: badNetwork.latencyMs, jitterMs: badNetwork.jitterMs };
const MINUTE_MS = 60_000;

interface Flock {
  count: number;
  dialect?: string;
  bot?: Partial<SlimeBotOptions>;
  minutes: number;
  seed: number;
  enforcement?: "enforce" | "log";
  conditions?: NetworkConditions;
}

function play(flock: Flock): SimulationResult {
  const { count, dialect = "documented", bot = {}, minutes, seed, enforcement = "enforce" } = flock;
  const random = createRandom(seed);
  const isHonest = bot.cheat === undefined && bot.speed === undefined;
  const bots = Array.from({ length: count }, (_, number): SimulatedBot<SlimeClientMessage, SlimeServerMessage> => {
    // Rooms of twenty.
    const room = Math.floor(number / 20) + 1;
    const options = { dialect, random: random.fork(), number, cheat: "none", room: demoRoomOf(room), ...bot };
    return {
      bot: new SlimeBot(options),
      joining: { account: `account${number}`, name: `bot${number}`, room: String(room) },
      startMs: number * 7,
      listens: dialect === "v0106",
    };
  });
  const world: SlimeWorldOptions = {
    dialect,
    seed,
    enforcement,
    // Cheats run through the walls of the rooms, which others find: `world/standing.test.ts`.
    ...(isHonest || inRooms.has(bot.cheat) ? { maps: demoRoomsFor(count) } : {}),
  };
  return simulate({
    protocol: slimeOnline2,
    world,
    seed,
    durationMs: minutes * MINUTE_MS,
    conditions: flock.conditions ?? badNetwork,
    bots,
  });
}

/** Cheats that leave the ground or the room. */
const inRooms: ReadonlySet<string | undefined> = new Set(["air-stairs", "wall", "door-hop"]);

/** The demo rooms as the rooms that so many players are in. Doors lead from demo room to demo room, where nobody is else. */
function demoRoomsFor(count: number): SlimeMaps {
  const rooms = Array.from({ length: Math.max(demoRooms.length, Math.ceil(count / 20)) }, (_, index): SlimeRoom => {
    return { ...(demoRooms[index % demoRooms.length] as SlimeRoom), room: index + 1 };
  });
  return slimeMapsOf("demo", rooms);
}

/** The four demo rooms, over and over. */
function demoRoomOf(room: number): number {
  return ((room - 1) % demoRooms.length) + 1;
}

const serious = ({ kind }: Verdict): boolean => kind !== "accept" && kind !== "benign";

/** The first serious verdict (of a rule) of each player, with the seconds since its first message arrived. */
function firstFindings(result: SimulationResult, rule?: string): Map<number, { verdict: Verdict; seconds: number }> {
  const findings = new Map<number, { verdict: Verdict; seconds: number }>();
  for (const verdict of result.verdicts) {
    const { player, atMs } = verdict;
    if (!serious(verdict) || findings.has(player) || (rule !== undefined && rule !== verdict.rule)) continue;
    findings.set(player, { verdict, seconds: (atMs - (result.firstReceivedMs.get(player) ?? 0)) / 1000 });
  }
  return findings;
}

const kindsOf = (verdicts: readonly Verdict[]): string[] =>
  [...new Set(verdicts.map(({ kind, rule }) => `${kind} ${rule}`))].sort();

describe("honest players through bad networks", () => {
  // All four demo rooms, and a few stalls for each.
  const crowd = { count: scaled(500, 40), minutes: scaled(10, 1) };

  // Every second bot sends no landings.
  it(`${crowd.count} bots in rooms of 20 play ${crowd.minutes} minutes without a verdict above benign`, () => {
    const { verdicts, bans, received, delivered, refused } = play({ ...crowd, seed: 1 });
    expect(verdicts.filter(serious)).toEqual([]);
    expect(bans).toEqual([]);
    expect(refused).toBe(0);
    expect(received).toBeGreaterThan(crowd.count * crowd.minutes * 160);
    // Everybody but the sender, in rooms of twenty.
    expect(delivered).toBeGreaterThan(received * 18);
  });

  it("nor do bots of 0.106, which log in, answer pings and introduce themselves", () => {
    const count = scaled(60, 20);
    const { verdicts, bans, received, refused } = play({ count, dialect: "v0106", minutes: 2, seed: 2 });
    expect(verdicts.filter(serious)).toEqual([]);
    expect(bans).toEqual([]);
    expect(refused).toBe(0);
    expect(received).toBeGreaterThan(count * 250);
  });

  it("nor on a connection that stalls every few seconds", () => {
    const count = scaled(60, 20);
    const conditions: NetworkConditions = { ...badNetwork, stall: { everyMs: 4000, durationMs: 2000 } };
    for (let seed = 1; seed <= scaled(3, 1); seed++) {
      const { verdicts, received } = play({ count, minutes: 3, seed, conditions });
      expect(verdicts.filter(serious)).toEqual([]);
      expect(received).toBeGreaterThan(count * 333);
    }
  });
});

describe("honest players through worse networks", () => {
  const minutes = scaled(40, 1);
  const stall = { everyMs: 30_000, durationMs: 5000, regular: true };
  const loss = { rate: 0.05, burst: 3, memoryMs: 150 };
  const latencyMs = { low: 20, high: 80 };

  it.each<[string, NetworkConditions]>([
    ["500 ms of jitter", { latencyMs, jitterMs: 500 }],
    ["5 s stalls every 30 s", { latencyMs, jitterMs: 20, stall }],
    ["5 % loss in bursts of 3", { latencyMs, jitterMs: 20, loss }],
    ["64 kbit/s", { latencyMs, jitterMs: 20, bytesPerSecond: 8000 }],
    ["all of it", { latencyMs, jitterMs: 500, stall, loss, bytesPerSecond: 8000 }],
  ])(`%s: nothing above benign in ${minutes} minutes of 10 players of each kind of dialect`, (_, conditions) => {
    for (const dialect of ["documented", "v0106"]) {
      const { verdicts, bans, refused } = play({ count: 10, dialect, minutes, seed: 11, conditions });
      expect(verdicts.filter(serious)).toEqual([]);
      expect(bans).toEqual([]);
      expect(refused).toBe(0);
    }
  });
});

describe("cheats", () => {
  const count = scaled(60, 10);
  const minutes = 1;

  it.each(["teleport", "jump-teleport"])("%s is caught on its first message, and the sixth bans", (cheat) => {
    const result = play({ count, minutes, seed: 3, bot: { cheat } });
    const findings = firstFindings(result);
    expect(findings.size).toBe(count);
    for (const { verdict, seconds } of findings.values()) {
      expect(verdict).toMatchObject({ kind: "correct", rule: "teleport", unit: "px" });
      expect(verdict.measured).toBeGreaterThan(verdict.allowed ?? Infinity);
      // A bot leaps for the first time after sixty frames.
      expect(seconds).toBeLessThan(1.4);
    }
    expect(result.bans.map(({ account }) => account).sort()).toHaveLength(count);
    for (const { evidence, durationMs } of result.bans) {
      expect(evidence.map(({ rule }) => rule)).toEqual(new Array(6).fill("teleport"));
      expect(durationMs).toBe(24 * 60 * MINUTE_MS);
    }
    // The far place was sent to no player, and the banned have left.
    expect(result.world.rooms().size).toBe(0);
  });

  it.each(["teleport", "jump-teleport"])("%s is banned within fifteen seconds", (cheat) => {
    expect(play({ count: 5, minutes: 0.25, seed: 3, bot: { cheat }, conditions: calmNetwork }).bans).toHaveLength(5);
  });

  it("eight times the speed is refused within a second by the document's rule", () => {
    const result = play({ count, minutes, seed: 4, bot: { cheat: "speed" }, conditions: calmNetwork });
    const findings = firstFindings(result, "teleport");
    expect(findings.size).toBe(count);
    for (const { verdict, seconds } of findings.values()) {
      expect(verdict.kind).toBe("correct");
      expect(seconds).toBeLessThan(1);
    }
  });

  const dialects = ["documented", "v0106"] as const;

  it.each(dialects)("1.5 times the speed is found within five seconds by the time that it takes, in %s", (dialect) => {
    const result = play({ count, dialect, minutes, seed: 5, bot: { speed: 1.5 } });
    const findings = firstFindings(result);
    expect(findings.size).toBe(count);
    for (const { verdict, seconds } of findings.values()) {
      expect(verdict).toMatchObject({ kind: "correct", rule: "unreachable" });
      expect(seconds).toBeLessThan(5);
    }
    expect(kindsOf(result.verdicts.filter(serious))).toContain("correct unreachable");
  });

  it.each(dialects)(
    "5.5 times the speed passes the document's rule on the flat, and is found within a second, in %s",
    (dialect) => {
      const result = play({ count, dialect, minutes, seed: 6, bot: { speed: 5.5 }, conditions: calmNetwork });
      const findings = firstFindings(result);
      expect(findings.size).toBe(count);
      for (const { verdict, seconds } of findings.values()) {
        expect(verdict).toMatchObject({ kind: "correct", rule: "unreachable" });
        expect(seconds).toBeLessThan(1);
      }
    },
  );

  // Seconds from the first message to the first correction, on a line that works.
  it.each([
    ["speed-5", 1],
    ["speed-1.5", 30],
    ["speed-1.1", 30],
    ["speed-1.05", 60],
    ["climb", 2],
    ["warp", 1],
    ["door-hop", 2],
    ["slow-teleport", 2],
    ["idle-jump", 31],
    ["reconnect", 12],
    ["air-stairs", 2],
    ["glide", 6],
    ["rest-burst", 20],
    ["rest-sprint", 40],
    ["zigzag", 1],
    ["air-landing", 2],
    ["jump-cancel", 5],
    // It claims 60 px each second, and the first may be the end of a jump in which it came in: the second one is found.
    ["swim-rise", 3],
    ["hover", 10],
    ["room-hop", 8],
    ["crouch-run", 60],
  ] as const)("%s is corrected within %i s, in both kinds of dialect", (cheat, withinSeconds) => {
    for (const dialect of dialects) {
      const result = play({ count: 4, dialect, minutes: 1, seed: 8, bot: { cheat }, conditions: calmNetwork });
      const findings = [...firstFindings(result).values()];
      expect(findings.length).toBeGreaterThanOrEqual(4);
      for (const { verdict, seconds } of findings.slice(0, 4)) {
        expect(verdict.kind).toBe("correct");
        expect(seconds).toBeLessThan(withinSeconds);
      }
    }
  });

  it("a teleport every 13 seconds adds up to a ban", () => {
    const { bans } = play({ count: 2, minutes: 5, seed: 9, bot: { cheat: "slow-teleport" }, conditions: calmNetwork });
    expect(bans).toHaveLength(2);
    expect(bans[0]?.reason).toBe("Corrected again and again");
  });

  it("more than sixty messages a second are refused", () => {
    const result = play({ count, minutes: 0.25, seed: 7, bot: { cheat: "key-spam" }, conditions: calmNetwork });
    const limited = result.verdicts.filter(({ rule }) => rule === "rate-limit");
    expect(new Set(limited.map(({ player }) => player)).size).toBe(count);
    const answers = new Set(limited.map(({ kind, measured, allowed }) => `${kind}: ${measured} of ${allowed}`));
    expect([...answers]).toEqual(["reject: 61 of 60"]);
    expect(result.bans).toEqual([]);
  });

  it("log-only mode finds the same, without bans", () => {
    const result = play({ count, minutes, seed: 3, bot: { cheat: "teleport" }, enforcement: "log" });
    expect(firstFindings(result).size).toBe(count);
    expect(kindsOf(result.verdicts.filter(serious))).toEqual(["flag anti-cheat", "flag teleport"]);
    expect(result.bans).toEqual([]);
    expect([...result.world.rooms().values()].reduce((sum, players) => sum + players, 0)).toBe(count);
  });
});

it("equal seeds give equal verdicts", () => {
  const run = (): readonly Verdict[] => play({ count: 20, minutes: 1, seed: 9, bot: { cheat: "speed" } }).verdicts;
  const verdicts = run();
  expect(verdicts.length).toBeGreaterThan(0);
  expect(run()).toEqual(verdicts);
});
