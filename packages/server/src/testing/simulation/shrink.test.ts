import { expect, test } from "vitest";
import type { EpisodeResult } from "./episode.ts";
import { type Plan, planOf } from "./plan.ts";
import { shrink } from "./shrink.ts";

const finding = (check: string, atMs: number): Pick<EpisodeResult, "findings"> => ({
  findings: [{ check, detail: "", atMs }],
});

test("a failure is made smaller: the player and the faults that it needs, and its time", async () => {
  const plan = planOf({ seed: 1, game: "slime-online-2", size: "large" });
  expect(plan.players.length).toBeGreaterThan(10);
  expect(plan.faults.length).toBeGreaterThan(5);
  const needed = [plan.faults[1], plan.faults[4]];
  const play = async (part: Plan): Promise<Pick<EpisodeResult, "findings">> => {
    const fails =
      part.players.some(({ number }) => number === 7) && needed.every((fault) => part.faults.includes(fault as never));
    return fails ? finding("order", 90_000) : finding("memory", 5);
  };
  const { part } = await shrink(plan, "order", play);
  expect(part).toEqual({ players: [7], faults: [1, 4], durationMs: 90_001 });
});
