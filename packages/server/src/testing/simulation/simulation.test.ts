import { describe, expect, test } from "vitest";
import { scaled } from "../../../../wirewalk/src/testing/scale.ts";
import { playEpisode } from "./episode.ts";
import type { Mark } from "./findings.ts";
import { isKnown } from "./known.ts";
import { type Fault, type Plan, type PlannedPlayer, partOf, planOf } from "./plan.ts";

/** What short episodes reach. The others are for `npm run simulate`; bans, which few cheats earn in seconds, for the next test. */
const reached: readonly Mark[] = [
  "client corrected",
  "clock jump",
  "crash",
  "crash in the store",
  "garbage ends a session",
  "half-close",
  "message refused",
  "partition",
  "player vanished",
  "reconnect",
  "reset",
  "restart with sessions",
  "stall over 1 s",
  "verdict of a cheat",
  "world replayed",
];

describe("the server's code with real clients, bad lines and faults", () => {
  // The first 59 reach all of these paths.
  const episodes = scaled(200, 60);

  test(`keeps what docs/reliability.md promises in ${episodes} episodes, which reach the rare paths`, async () => {
    const findings: string[] = [];
    const marks = new Set<Mark>();
    for (let seed = 1; seed <= episodes; seed += 1) {
      const plan = planOf({ seed, size: "small" });
      const result = await playEpisode(plan);
      for (const mark of result.marks.keys()) marks.add(mark);
      for (const finding of result.findings) {
        if (isKnown(plan.game, finding)) continue;
        findings.push(`npm run simulate -- --seed ${seed} --size small: ${finding.check}: ${finding.detail}`);
      }
    }
    expect(findings).toEqual([]);
    expect(reached.filter((mark) => !marks.has(mark))).toEqual([]);
  });

  test("keeps a ban through crashes with lost writes, and refuses the banned player", async () => {
    const { findings, marks } = await playEpisode(banAndCrashes());
    expect(findings).toEqual([]);
    expect([...marks.keys()]).toEqual(
      expect.arrayContaining(["ban made", "ban in force after a restart", "banned player refused"]),
    );
  });

  // What long runs found, made smaller.
  test.each([
    // A player that came back repeated the strokes of its first connection.
    [200_016, { players: [2], faults: [1], durationMs: 21_611 }],
  ])("keeps it in the episode of seed %i too", async (seed, part) => {
    const { findings, marks } = await playEpisode(partOf(planOf({ seed, size: "large" }), part));
    expect(findings).toEqual([]);
    expect([...marks.keys()]).toContain("reconnect");
  });

  test("is the same for equal plans, byte for byte", async () => {
    for (const game of ["slime-online-2", "maplestory", "osrs", "scrap-mechanic"]) {
      const plan = planOf({ seed: 5, game, size: "small" });
      const first = await playEpisode(plan);
      expect(first.messages).toBeGreaterThan(0);
      expect(await playEpisode(structuredClone(plan))).toEqual(first);
    }
  });

  test.each([
    ["slime-online-2", "documented", true],
    ["slime-online-2", "documented", false],
    ["slime-online-2", "v0106", false],
    ["maplestory", "v62", true],
    ["maplestory", "v62", false],
    ["scrap-mechanic", "documented", false],
    ["osrs", "client", false],
  ] as const)(
    "finds a server of %s %s that sends to a player what the world did not (clients decode: %s)",
    async (game, dialect, decodes) => {
      const drawn = planOf({ seed: 1, game, dialect, size: "small" });
      const players = drawn.players.map(
        (player): PlannedPlayer => ({ ...player, cheat: "none", line: "near", decodes }),
      );
      const plan: Plan = { ...drawn, players, faults: [] };
      expect((await playEpisode(plan)).findings).toEqual([]);
      const { findings, messages } = await playEpisode(plan, {
        // One message in ten of those to players is another than the world's.
        alter: (payload, count) =>
          count % 10 === 0 ? payload.map((byte, at) => (at === payload.length - 1 ? byte ^ 1 : byte)) : payload,
      });
      expect(messages).toBeGreaterThan(10);
      expect(findings.filter(({ check }) => check === "order" || check === "unreadable")).not.toEqual([]);
    },
  );

  test("finds a server whose disk lies: its bans are lost", async () => {
    const { findings } = await playEpisode(banAndCrashes(), { lyingDisk: true });
    expect(findings.map(({ check }) => check)).toContain("lost ban");
  });
});

/** A cheat that is banned after eleven seconds; then the power fails twice. */
function banAndCrashes(): Plan {
  const { players, ...rest } = planOf({ seed: 1, game: "slime-online-2", size: "small" });
  const cheat = {
    ...players[0],
    number: 0,
    seed: 9,
    cheat: "teleport",
    kind: "tcp",
    line: "near",
    startMs: 0,
  } as const;
  return {
    ...rest,
    dialect: "documented",
    durationMs: 30_000,
    players: [cheat as PlannedPlayer],
    faults: [14_000, 18_000].map((atMs): Fault => ({ fault: "crash", atMs, downMs: 200, power: true })),
  };
}
