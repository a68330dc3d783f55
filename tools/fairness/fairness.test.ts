import { describe, expect, it } from "vitest";
import { defaultDialect } from "../../packages/wirewalk/src/protocols/default-dialect.ts";
import { makeMap, mapleMapsOf } from "../../packages/wirewalk/src/protocols/maplestory/maps/index.ts";
import type { PlayableProtocol } from "../../packages/wirewalk/src/protocols/protocol.ts";
import { protocols } from "../../packages/wirewalk/src/protocols/table.ts";
import { scaled } from "../../packages/wirewalk/src/testing/scale.ts";
import { type Measured, type MeasureOptions, measure, total } from "./measure.ts";
import { type FairnessNetwork, networks } from "./networks.ts";
import { missedGoals, placesLine, tablesOf } from "./report.ts";

const networkOf = (name: string): FairnessNetwork => networks[name] as FairnessNetwork;

function play(game: string, options: Partial<MeasureOptions>): Measured {
  const protocol = protocols[game] as PlayableProtocol;
  const clean = { protocol, dialect: defaultDialect(protocol), network: networkOf("clean"), cheat: "none" };
  return measure({ ...clean, players: 4, minutes: 0.25, seed: 1, ...options });
}

const lasting = ({ cpuSeconds: _, ...measured }: Measured): Omit<Measured, "cpuSeconds"> => measured;

describe("a measurement", () => {
  it.each(Object.keys(protocols))("of %s: honest players on a clean network have nothing above benign", (game) => {
    const measured = play(game, {});
    expect(measured).toMatchObject({ players: 4, found: 0, bans: 0, corrections: 0, verdicts: {}, refused: 0 });
    expect(measured.messages).toBeGreaterThan(40);
    expect(measured.playerHours).toBeCloseTo(1 / 60);
    expect(missedGoals(game, "clean", "none", measured)).toEqual([]);
  });

  it("of a cheat: who was found, when, and what it gained", () => {
    const measured = play("slime-online-2", { cheat: "teleport" });
    expect(measured.found).toBe(4);
    expect(measured.bans).toBe(4);
    expect(measured.corrections).toBeGreaterThanOrEqual(4 * 6);
    expect(measured.firstFlag?.worst).toBeLessThan(2);
    expect(measured.firstCorrection).toEqual(measured.firstFlag);
    // A correction reaches the client, whose character goes back by the 4,000 px that it had claimed.
    expect(measured.greatestCorrection).toBeGreaterThan(3000);
    expect(missedGoals("slime-online-2", "clean", "teleport", measured)).toEqual([]);
    expect(missedGoals("slime-online-2", "clean", "none", measured)).toHaveLength(3);
  });

  it("is the same for the same seed, through the worst of networks, and another for another", () => {
    const options = { network: networkOf("all"), minutes: 0.5 };
    const first = lasting(play("maplestory", options));
    expect(lasting(play("maplestory", options))).toEqual(first);
    expect(lasting(play("maplestory", { ...options, seed: 2 }))).not.toEqual(first);
  });

  it("adds up", () => {
    const parts = [1, 2].map((seed) => play("scrap-mechanic", { cheat: "pitch", seed }));
    const sum = total(parts);
    expect(sum).toMatchObject({ players: 8, found: 8 });
    expect(sum.verdicts["flag pitch"]).toBe(parts.reduce((all, part) => all + (part.verdicts["flag pitch"] ?? 0), 0));
    expect(sum.firstFlag?.worst).toBe(Math.max(...parts.map(({ firstFlag }) => firstFlag?.worst ?? 0)));
  });
});

describe("the goals hold", () => {
  // `npm run fairness -- --hours 250` plays 2,000 player-hours of each game on the eight networks.
  const minutes = scaled(30, 1);
  const games = ["scrap-mechanic", "osrs"];

  it.each(games.flatMap((game) => ["all", "stall", "server-5s"].map((network) => [game, network] as const)))(
    `for honest players of %s, ${minutes} minutes on network %s`,
    (game, network) => {
      const measured = play(game, { network: networkOf(network), minutes });
      expect(measured.verdicts).toEqual({});
      expect(missedGoals(game, network, "none", measured)).toEqual([]);
    },
  );

  it.each(["clock-1.02", "clock-1.2"])("for Scrap Mechanic's %s through the worst of networks", (cheat) => {
    const measured = play("scrap-mechanic", { cheat, network: networkOf("all"), minutes: 2 });
    expect(missedGoals("scrap-mechanic", "all", cheat, measured)).toEqual([]);
    expect(measured.greatestGain).toBeLessThan(1000);
  });
});

describe("a client that cannot be corrected", () => {
  it.each(["speed-1.05", "speed-1.5"])("gains no more than its tolerances by %s in Slime Online 2", (cheat) => {
    const measured = play("slime-online-2", { cheat, dialect: "documented", minutes: 2 });
    expect(measured.found).toBe(4);
    // It was up to 13,115 px while a client that was refused stood still until it was believed again.
    expect(measured.greatestGain).toBeLessThan(400);
  });

  it.each(["speed-1.05", "clock-1.5", "idle-burst"])("is found within a minute by %s in MapleStory", (cheat) => {
    const measured = play("maplestory", { cheat, dialect: "documented", minutes: 2 });
    expect(missedGoals("maplestory", "clean", cheat, measured)).toEqual([]);
  });
});

describe("a server that stands", () => {
  it("reads nothing, then everything, and nobody loses anything", () => {
    // In 45 s it stands once, for 40 ticks: that many updates less for each player, but for the late one at the end.
    const standing = play("scrap-mechanic", { network: networkOf("server-1s"), minutes: 0.75 });
    const running = play("scrap-mechanic", { minutes: 0.75 });
    const missed = (running.messages - standing.messages) / 4;
    expect(missed).toBeGreaterThanOrEqual(38);
    expect(missed).toBeLessThanOrEqual(40);
    expect(standing.found).toBe(0);
  });
});

it("places of a set are counted, with how long players were in them", () => {
  const line = (id: number, x1: number, x2: number) => ({ id, x1, y1: 0, x2, y2: 0, previous: 0, next: 0 });
  const portals = [{ id: 0, name: "sp", kind: 0, x: 50, y: 0 }];
  const maps = mapleMapsOf("test", [
    makeMap({ mapId: 10, footholds: [line(1, 0, 900)], portals }),
    makeMap({ mapId: 20, footholds: [line(1, 0, 900)], portals, friction: 0.2 }),
  ]);
  const measured = play("maplestory", { maps, rooms: [10, 20], perRoom: 2, minutes: 0.75 });
  const { places } = total([measured, measured]);
  expect(Object.keys(places).toSorted()).toEqual(["10", "20"]);
  // Two players of each, twice, less the first moments.
  for (const seconds of Object.values(places)) expect(Math.abs(seconds - 2 * 2 * 45)).toBeLessThan(3);
  const row = { game: "maplestory", dialect: "v83", network: "clean", cheat: "none", measured, missed: [] };
  expect(placesLine("maplestory", maps, [row])).toMatch(
    /^2 different places; 2 .* half a player-minute .*: plain 2, .* ice 1,/,
  );
  expect(play("maplestory", {}).places).toEqual({});
});

it("the tables name what was measured and which goals are missed", () => {
  const measured = play("slime-online-2", { cheat: "teleport" });
  const row = { game: "slime-online-2", dialect: "v0106", network: "clean", measured };
  const text = tablesOf([
    { ...row, cheat: "none", missed: missedGoals("slime-online-2", "clean", "none", measured) },
    { ...row, cheat: "teleport", missed: [] },
  ]);
  expect(text).toContain("| slime-online-2 | v0106 | clean | 0.0 |");
  expect(text).toContain("missed: a verdict above benign; a ban; a correction over 48 px |");
  expect(text).toMatch(/\| teleport \| 4 of 4 \| [01]\.\d \/ 1\.0 \|.*correct teleport \d+.*\| held \|/);
});
