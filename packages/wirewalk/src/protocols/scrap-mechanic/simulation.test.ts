import { describe, expect, it } from "vitest";
import { createRandom, type Verdict } from "../../motion/index.ts";
import type { NetworkConditions } from "../../net/index.ts";
import { scaled } from "../../testing/scale.ts";
import { simulate } from "../../testing/simulation.ts";
import { ScrapBot, scrapCheats } from "./bots/bot.ts";
import { gridMapsOf } from "./maps/grid-maps.ts";
import { movementModel, TICK_MS } from "./movement/model.ts";
import { scrapMechanic } from "./scrap-mechanic.ts";
import { gridOf } from "./testing/grids.ts";
import { type Played, type PlayOptions, play } from "./testing/play.ts";
import type { Vector3 } from "./wire/unreliable-update.ts";

const MINUTE_MS = 60_000;
/** 5 % loss in bursts of four, 200 ms of jitter, and now and then a packet that comes twice or is overtaken. */
const badNetwork: NetworkConditions = {
  latencyMs: { low: 20, high: 80 },
  jitterMs: 200,
  loss: { rate: 0.05, burst: 4 },
  duplicate: 0.01,
  reorder: 0.01,
};
/** The same where what is lost is sent again: packets wait for each other, and once in ten seconds for two. */
const orderedNetwork: NetworkConditions = {
  latencyMs: badNetwork.latencyMs,
  jitterMs: 200,
  loss: { rate: 0.01 },
  stall: { everyMs: 10_000, durationMs: 2000 },
};
/** One percent of the step of who walks. */
const CLOSE = (movementModel.walkSpeed * TICK_MS) / 1000 / 100;

function distance(a: Readonly<Vector3>, b: Readonly<Vector3>): number {
  return Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

/** The first verdict of the rule on each player. */
function firstOf(verdicts: readonly Verdict[], rule: string): ReadonlyMap<number, Verdict> {
  const first = new Map<number, Verdict>();
  for (const verdict of verdicts) {
    if (verdict.rule === rule && !first.has(verdict.player)) first.set(verdict.player, verdict);
  }
  return first;
}

/** Clocks of 21 rates are played with: one bot and more of each. */
const honest = { count: scaled(100, 22), minutes: scaled(10, 1) };

describe(`${honest.count} honest bots, ${honest.minutes} minutes, 5 % burst loss, 200 ms of jitter, clocks up to 0.1 % off`, () => {
  // At full size 2.4 million packets up, as many down.
  it("agree with the server within 1 % of a step, drift nowhere, and no rule speaks", () => {
    const durationMs = honest.minutes * MINUTE_MS;
    let compared = 0;
    let agreed = 0;
    let worstReconciled = 0;
    const { bots, world, verdicts, sent, received } = play({
      count: honest.count,
      perRoom: 2,
      durationMs,
      seed: 1,
      delivery: "datagram",
      conditions: badNetwork,
      calmMs: durationMs - 15_000,
      silentMs: durationMs - 2000,
      bot: (number) => ({ clockRate: 1 + ((number % 21) - 10) / 10_000 }),
      onTold({ predictor, reconciliation }, { currentTick, updates }) {
        if (reconciliation === undefined || reconciliation.outcome === "old" || predictor === undefined) return;
        compared += 1;
        if (reconciliation.outcome === "agreed") agreed += 1;
        const own = updates.find((update) => update.kind === "character" && update.id === predictor.character);
        const predicted = predictor.at(predictor.unwrap(currentTick));
        if (own?.kind !== "character" || predicted === undefined) throw new Error("nothing to compare");
        worstReconciled = Math.max(worstReconciled, distance(predicted, own.position));
      },
    });
    // Packets were lost, most predictions were right all the same, and those that were not are now.
    expect(received).toBeLessThan(sent * 0.98);
    expect(compared).toBeGreaterThan(honest.count * honest.minutes * 2_000);
    expect(agreed / compared).toBeGreaterThan(0.95);
    expect(worstReconciled).toBeLessThan(CLOSE);
    // When everything has arrived both ends are at the same tick and place.
    const tracks = new Map(world.tracks(durationMs).map((track) => [track.player, track]));
    for (const [number, { predictor }] of bots.entries()) {
      const track = tracks.get(number + 1);
      if (predictor === undefined || track === undefined) throw new Error(`bot ${number} does not play`);
      expect(track.details?.tick).toBe(predictor.tick);
      expect(distance(predictor.state, track.position as Vector3)).toBeLessThan(CLOSE);
      // The last ten seconds were without loss: nothing is left that keeps its sign.
      expect(predictor.errors.count).toBe(400);
      expect(predictor.errors.drift).toBeLessThan(CLOSE);
    }
    expect(verdicts).toEqual([]);
  });
});

describe("honest bots", () => {
  const flock = (more: Partial<PlayOptions>): Played => {
    const conditions = more.delivery === "datagram" ? badNetwork : orderedNetwork;
    return play({
      count: scaled(20, 6),
      perRoom: 4,
      durationMs: scaled(2, 1) * MINUTE_MS,
      seed: 2,
      delivery: "ordered",
      conditions,
      ...more,
    });
  };

  it("are left alone, where loss becomes waiting as well", () => {
    for (let seed = 1; seed <= scaled(3, 1); seed++) {
      expect(flock({ seed }).verdicts).toEqual([]);
      const stall = { everyMs: 10_000, durationMs: 2000 };
      expect(flock({ seed, delivery: "datagram", conditions: { ...badNetwork, stall } }).verdicts).toEqual([]);
    }
  });

  it("are left alone on a line that is hardly one", () => {
    // Bursts that are sent again and again: seconds of silence, all the time.
    expect(flock({ conditions: badNetwork }).verdicts).toEqual([]);
  });

  it("agree on hills as well", () => {
    const maps = gridMapsOf("hills", { 1: gridOf((x, y) => Math.abs(((x + y + 800) % 8) - 4) / 6) });
    const { bots, world } = flock({
      durationMs: MINUTE_MS,
      calmMs: MINUTE_MS - 5000,
      silentMs: MINUTE_MS - 2000,
      bot: () => ({ maps }),
      world: { maps },
    });
    const tracks = world.tracks(MINUTE_MS);
    expect(tracks).toHaveLength(bots.length);
    for (const { player, position } of tracks) {
      const state = bots[player - 1]?.predictor?.state;
      expect(state === undefined ? Infinity : distance(state, position as Vector3)).toBeLessThan(CLOSE);
    }
  });

  it.each(["ordered", "datagram"] as const)("sit, crawl through the tunnel and tumble in the yard, %s", (delivery) => {
    const seen = { seated: 0, tumbling: 0, unableToStand: 0 };
    let [compared, agreed, furthest] = [0, 0, 0];
    const { verdicts } = flock({
      delivery,
      seed: 4,
      count: scaled(20, 10),
      durationMs: scaled(4, 1) * MINUTE_MS,
      bot: () => ({ place: "yard" }),
      world: { place: "yard" },
      onTold({ predictor, reconciliation }, { currentTick, updates }) {
        if (reconciliation === undefined || reconciliation.outcome === "old" || predictor === undefined) return;
        compared += 1;
        if (reconciliation.outcome === "agreed") agreed += 1;
        const own = updates.find((update) => update.kind !== "opaque" && update.id === predictor.character);
        const predicted = predictor.at(predictor.unwrap(currentTick));
        if (own === undefined || own.kind === "opaque" || predicted === undefined)
          throw new Error("nothing to compare");
        furthest = Math.max(furthest, distance(predicted, own.position));
        if (own.kind === "tumbling") seen.tumbling += 1;
        else if (predicted.seated) seen.seated += 1;
        else if (predicted.crawling && !own.keys.crawl) seen.unableToStand += 1;
      },
    });
    // Each of the three for more than two seconds.
    for (const ticks of Object.values(seen)) expect(ticks).toBeGreaterThan(80);
    expect(furthest).toBeLessThan(CLOSE);
    expect(agreed / compared).toBeGreaterThan(0.95);
    expect(verdicts).toEqual([]);
  });

  it("play through the host and the channels that every protocol plays through", () => {
    const random = createRandom(3);
    const count = scaled(20, 8);
    const bots = Array.from({ length: count }, (_, number) => ({
      bot: new ScrapBot({ dialect: "documented", random: random.fork(), number, cheat: "none", place: "yard" }),
      joining: { account: `account ${number}`, name: `bot ${number}` },
      startMs: number * 7,
      listens: true,
    }));
    const { verdicts, refused, received, delivered, world } = simulate({
      protocol: scrapMechanic,
      world: { dialect: "documented", seed: 3 },
      seed: 3,
      durationMs: MINUTE_MS / 2,
      conditions: orderedNetwork,
      bots,
    });
    expect([verdicts, refused]).toEqual([[], 0]);
    expect(received).toBeGreaterThan(count * 40 * 25);
    expect(delivered).toBeGreaterThan(count * 40 * 25);
    expect(world.rooms()).toEqual(new Map([["1", count]]));
    for (const { bot } of bots) expect(bot.predictor?.errors.count).toBe(400);
  });

  it("save up no more on slow machines, which leave out ticks that are waited for", () => {
    let most = 0;
    const random = createRandom(4);
    const { verdicts } = simulate({
      protocol: scrapMechanic,
      world: { dialect: "documented", seed: 4, demo: true },
      seed: 4,
      durationMs: scaled(6, 3) * MINUTE_MS,
      conditions: {
        latencyMs: { low: 20, high: 80 },
        jitterMs: 500,
        loss: { rate: 0.05, burst: 3, memoryMs: 150 },
        bytesPerSecond: 8000,
        stall: { everyMs: 25_000, durationMs: 5000, regular: true },
      },
      bots: Array.from({ length: 4 }, (_, number) => ({
        bot: new ScrapBot({
          dialect: "documented",
          random: random.fork(),
          number,
          cheat: "none",
          place: "yard",
          frameMs: 1000 / 18,
        }),
        joining: { account: `account ${number}`, name: `bot ${number}`, room: `${number + 1}` },
        startMs: number * 7,
        listens: true,
      })),
      sample: {
        everyMs: 1000,
        take({ world, nowMs }) {
          for (let player = 1; player <= 4; player++) {
            const saved = world.budgets?.(player, nowMs).find(({ rule }) => rule === "saved-up");
            most = Math.max(most, saved?.used ?? 0);
          }
        },
      },
    });
    expect(verdicts).toEqual([]);
    // The stalls of 5 s alone.
    expect(most).toBeLessThan(8000);
  });

  it("equal seeds give equal play", () => {
    const run = () => {
      const { world, bots, sent, received } = flock({ durationMs: 10_000, delivery: "datagram" });
      return [world.tracks(10_000), bots.map(({ predictor }) => ({ ...predictor?.state })), sent, received];
    };
    expect(run()).toEqual(run());
  });
});

describe("cheats", () => {
  const count = scaled(20, 4);
  const rules: Readonly<Record<(typeof scrapCheats)[number], { rule: string; withinMs: number }>> = {
    "clock-1.02": { rule: "fast-clock", withinMs: 60_000 },
    "clock-1.2": { rule: "fast-clock", withinMs: 20_000 },
    "clock-2": { rule: "fast-clock", withinMs: 12_000 },
    replay: { rule: "replayed-tick", withinMs: 10_000 },
    keys: { rule: "sprint-standing", withinMs: 2000 },
    pitch: { rule: "pitch", withinMs: 2000 },
    "lag-switch": { rule: "saved-up", withinMs: 70_000 },
    gaps: { rule: "direction-standing", withinMs: 2000 },
  };

  const caught = (cheat: (typeof scrapCheats)[number], delivery: "ordered" | "datagram"): Played =>
    play({
      count,
      perRoom: 2,
      // What comes later is too late.
      durationMs: rules[cheat].withinMs,
      seed: 5,
      delivery,
      conditions: delivery === "datagram" ? badNetwork : orderedNetwork,
      bot: () => ({ cheat }),
    });

  describe.each(["ordered", "datagram"] as const)("%s", (delivery) => {
    it.each(scrapCheats)("%s is flagged, all of them and in time", (cheat) => {
      const { rule, withinMs } = rules[cheat];
      const first = firstOf(caught(cheat, delivery).verdicts, rule);
      expect(first.size).toBe(count);
      for (const { kind, atMs } of first.values()) {
        expect(kind).toBe("flag");
        expect(atMs).toBeLessThan(withinMs);
      }
    });
  });

  it("a fast clock's rate is in the verdict", () => {
    for (const [cheat, rate] of [
      ["clock-1.02", 1.02],
      ["clock-1.2", 1.2],
    ] as const) {
      for (const { measured, allowed } of firstOf(caught(cheat, "datagram").verdicts, "fast-clock").values()) {
        expect(measured).toBeCloseTo(rate, 1);
        expect(measured).toBeGreaterThan(allowed ?? Infinity);
      }
    }
  });
});
