import { describe, expect, it } from "vitest";
import { AccumulatedAdvantage, createRandom, LinkPace } from "../motion/index.ts";
import { NetworkLink } from "../net/index.ts";
import { scaled } from "./scale.ts";

describe("an honest player that runs and rests in turns", () => {
  const networks = {
    "500 ms jitter": { latencyMs: { low: 50, high: 50 }, jitterMs: 500 },
    "5 s stalls every 30 s": {
      latencyMs: { low: 20, high: 240 },
      jitterMs: 60,
      stall: { everyMs: 30_000, durationMs: 5000 },
    },
    "5 % loss": { latencyMs: { low: 20, high: 240 }, jitterMs: 60, loss: { rate: 0.05 } },
  };
  const hours = scaled(200, 10);

  it.each(Object.entries(networks))(`through %s for ${hours} hours is never refused`, (_, conditions) => {
    const random = createRandom(2);
    const link = new NetworkLink({ conditions, delivery: "ordered", random });
    const pace = new LinkPace(0);
    const advantage = new AccumulatedAdvantage({ tolerance: 0.6, forgiven: 0.01 });
    const refusals: number[] = [];
    let arrivedMs = 0;
    let sentMs = 0;
    let runs = false;
    while (sentMs < hours * 3_600_000) {
      const ms = random.integer(20, 3000);
      sentMs += ms;
      const atMs = link.send(sentMs)[0] ?? 0;
      pace.arrived(atMs);
      const passed = (atMs - arrivedMs) / 1000;
      const claimed = runs ? ms / 1000 : 0;
      const claim = { claimed, passed: runs ? passed : Math.min(passed, 6), credit: pace.lateMs / 1000 };
      const judgement = advantage.take(claim);
      if (!judgement.accepted) refusals.push(judgement.held);
      arrivedMs = atMs;
      if (random.chance(0.8)) runs = !runs;
    }
    expect(refusals).toEqual([]);
  });
});
