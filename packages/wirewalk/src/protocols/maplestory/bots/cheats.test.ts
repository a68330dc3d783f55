import { describe, expect, it } from "vitest";
import { createRandom, type Verdict } from "../../../motion/index.ts";
import { simulate } from "../../../testing/simulation.ts";
import { mapleStory } from "../maplestory.ts";
import { dialectRules, mapleDialects } from "../wire/dialect.ts";
import { MapleBot } from "./bot.ts";

const conditions = { latencyMs: { low: 20, high: 40 }, jitterMs: 5 };
const dialects = mapleDialects.map(({ name }) => name);

interface Play {
  readonly dialect: string;
  readonly cheat: string;
  /** Whether the world knows the maps. Default true. */
  readonly known?: boolean;
  readonly seconds?: number;
  readonly players?: number;
}

/** Plays some players with one cheat in one room; rules of verdicts above benign. */
function rulesOf({ dialect, cheat, known = true, seconds = 20, players = 2 }: Play): readonly string[] {
  const random = createRandom(5);
  const rules = new Set<string>();
  simulate({
    protocol: mapleStory,
    world: { dialect, seed: 1, demo: known },
    seed: 1,
    durationMs: seconds * 1000,
    conditions,
    bots: Array.from({ length: players }, (_, number) => ({
      bot: new MapleBot({ dialect, random: random.fork(), number, cheat, room: 1 }),
      joining: { account: `account${number}`, name: `bot${number}`, room: "1" },
      startMs: number * 37,
      listens: true,
    })),
    onVerdict: ({ kind, rule }: Verdict) => {
      if (kind !== "accept" && kind !== "benign") rules.add(rule);
    },
  });
  return [...rules].toSorted();
}

describe.each(dialects)("in %s", (dialect) => {
  it.each(["float", "hover", "air-stairs"])("%s is found in the air of a known map", (cheat) => {
    expect(rulesOf({ dialect, cheat })).toContain("flight");
  });

  it.each([
    ["vacuum", "vacuum-pull"],
    ["herd", "vacuum-pull"],
    ["foreign-monster", "monster-control"],
    ["replayed-path", "teleport"],
    ["false-velocity", "gain"],
  ])("%s is found as %s", (cheat, rule) => {
    expect(rulesOf({ dialect, cheat, seconds: 40, players: 3 })).toContain(rule);
  });

  it("one that takes over every monster is found", () => {
    const rule = dialectRules(dialect).movementOnly ? "monster-control" : "aggro-rate";
    expect(rulesOf({ dialect, cheat: "aggro" })).toContain(rule);
  });

  it("air-stairs and false velocities are found where the map is not known", () => {
    expect(rulesOf({ dialect, cheat: "air-stairs", known: false, seconds: 5 })).toContain("flight");
    expect(rulesOf({ dialect, cheat: "false-velocity", known: false, seconds: 10 })).toContain("gain");
  });

  it("honest players of an unknown map are not flagged", () => {
    expect(rulesOf({ dialect, cheat: "none", known: false, seconds: 120, players: 4 })).toEqual([]);
  });
});
