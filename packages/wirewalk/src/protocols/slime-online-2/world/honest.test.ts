import { describe, expect, it } from "vitest";
import { createRandom, type Verdict } from "../../../motion/index.ts";
import type { NetworkConditions } from "../../../net/index.ts";
import { scaled } from "../../../testing/scale.ts";
import { simulate } from "../../../testing/simulation.ts";
import type { World } from "../../world.ts";
import type { SlimeRoom } from "../maps/room.ts";
import { slimeMapsOf } from "../maps/slime-maps.ts";
import { motionBounds } from "../movement/bounds.ts";
import { physicsConstants } from "../movement/physics-constants.ts";
import { judgeReach, passTime, type Reach, unprovenLine } from "../movement/reach.ts";
import { slimeOnline2 } from "../slime-online-2.ts";
import { RandomPlayer, rampGeometry, randomRooms } from "../testing/random-play.ts";
import type { SlimeDialect } from "../wire/dialect.ts";
import { slimeRuleDefaults as rules } from "./limits.ts";

const latencyMs = { low: 20, high: 80 };
const stall = { everyMs: 25_000, durationMs: 5000, regular: true };
const loss = { rate: 0.05, burst: 3, memoryMs: 150 };
const lines: Readonly<Record<string, NetworkConditions>> = {
  "a line that works": { latencyMs, jitterMs: 0 },
  "500 ms of jitter": { latencyMs, jitterMs: 500 },
  "5 s stalls": { latencyMs, jitterMs: 0, stall },
  "a satellite": { latencyMs: { low: 600, high: 600 }, jitterMs: 200 },
  "all of it": { latencyMs, jitterMs: 500, stall, loss, bytesPerSecond: 8000 },
};
/** The rooms of the server, rooms that it does not know, and hills, which it does not know either. */
const grounds = ["rooms", "unknown rooms", "hills"] as const;

interface Played {
  readonly seed: number;
  readonly dialect: SlimeDialect;
  readonly ground: (typeof grounds)[number];
  readonly conditions: NetworkConditions;
  readonly minutes: number;
  readonly sample?: (
    world: World,
    nowMs: number,
    players: readonly RandomPlayer[],
    rooms: readonly SlimeRoom[],
  ) => void;
}

/** Ten players, each fourth on a machine that plays six frames at once. */
function play({ seed, dialect, ground, conditions, minutes, sample }: Played): readonly Verdict[] {
  const random = createRandom(seed);
  const rooms = randomRooms(random, 3);
  const unknown = ground === "hills" ? { unknown: rampGeometry(random) } : {};
  const players = Array.from({ length: 10 }, (_, number) => {
    const framesAtOnce = number % 4 === 3 ? 6 : 1;
    return new RandomPlayer({ dialect, random: random.fork(), number, rooms, framesAtOnce, ...unknown });
  });
  const { verdicts, received } = simulate({
    protocol: slimeOnline2,
    world: { dialect, seed, ...(ground === "rooms" ? { maps: slimeMapsOf("random", rooms) } : {}) },
    seed,
    durationMs: minutes * 60_000,
    conditions,
    bots: players.map((bot, number) => ({
      bot,
      joining: { account: `account${number}`, name: `player${number}`, room: "1" },
      startMs: number * 37,
      listens: true,
    })),
    ...(sample && { sample: { everyMs: 990, take: ({ world, nowMs }) => sample(world, nowMs, players, rooms) } }),
  });
  expect(received).toBeGreaterThan(minutes * 300);
  expect(players.map(({ corrected }) => corrected)).toEqual(players.map(() => 0));
  return verdicts.filter(({ kind }) => kind !== "accept" && kind !== "benign");
}

describe.each(Object.entries(lines))("honest players over %s", (_, conditions) => {
  const seeds = scaled(100, 1);
  const minutes = scaled(2, 1);

  it.each(grounds)(`are never out of reach in %s: ${seeds} worlds of each dialect`, (ground) => {
    for (let seed = 1; seed <= seeds; seed++) {
      for (const dialect of ["documented", "v0106"] as const)
        expect({ seed, found: play({ seed, dialect, ground, conditions, minutes }) }).toEqual({ seed, found: [] });
    }
  });
});

it("the places that they can have reached are few: what the last second, its keys and the room allow", () => {
  const bounds = motionBounds(physicsConstants);
  const widths: number[] = [];
  const heights: number[] = [];
  play({
    seed: 1,
    dialect: "documented",
    ground: "rooms",
    conditions: lines["a line that works"] as NetworkConditions,
    minutes: 3,
    sample(world, nowMs, _, rooms) {
      const { players } = world.save().state as unknown as { readonly players: readonly SavedPlayer[] };
      for (const { known, pace, position } of players) {
        if (position.reach === undefined || position.reach === null) continue;
        const keys = { ileft: known.ileft, iright: known.iright, crouches: false };
        const reach = passTime(position.reach, keys, nowMs, undefined, bounds, rules, unprovenLine);
        const context = {
          line: unprovenLine,
          lateMs: pace.lateMs,
          bounds,
          terrain: (rooms[0] as SlimeRoom).terrain,
          rules,
        };
        const most = (dx: number, dy: number): number => {
          const accepts = (px: number): boolean =>
            judgeReach(reach, { x: reach.x + px * dx, y: (reach.y ?? 0) + px * dy }, context).accepted;
          let [low, high] = [0, 4096];
          while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (accepts(middle)) low = middle;
            else high = middle - 1;
          }
          return low;
        };
        // Running both ways, and jumping all of the time, as late as the line may be.
        const seconds = reach.high + Math.max(pace.lateMs / 1000, -reach.xLead) + rules.advantageSeconds;
        widths.push((most(1, 0) + most(-1, 0)) / (2 * bounds.run * seconds));
        heights.push(most(0, -1) / ((bounds.jumpHeight * seconds * bounds.framesPerSecond) / bounds.apexFrames));
      }
    },
  });
  const quantile = (all: number[], share: number): number =>
    all.sort((a, b) => a - b)[Math.floor(all.length * share)] ?? Infinity;
  expect(widths.length).toBeGreaterThan(1500);
  // As shares of what running both ways and jumping all of the time would reach: a set of everything has 1 and more.
  expect(quantile(widths, 0.5)).toBeLessThan(0.6);
  expect(quantile(widths, 0.75)).toBeLessThan(0.9);
  expect(quantile(heights, 0.25)).toBeLessThan(0.01);
  expect(quantile(heights, 0.5)).toBeLessThan(0.4);
  expect(quantile(heights, 0.95)).toBeLessThan(0.6);
});

interface SavedPlayer {
  readonly known: { readonly ileft: boolean; readonly iright: boolean };
  readonly pace: { readonly lateMs: number };
  readonly position: { readonly reach?: Reach | null };
}
