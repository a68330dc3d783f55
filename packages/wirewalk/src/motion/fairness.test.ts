import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { findExamples, runExample } from "../wire/testing/run-examples.ts";
import {
  AccumulatedAdvantage,
  type AdvantageClaim,
  CorrectionRecord,
  createRandom,
  FairClock,
  LinkPace,
  type SavedLinkPace,
} from "./index.ts";

test.each(["accumulated-advantage.ts", "link-pace.ts", "correction-record.ts", "fair-clock.ts"])(
  "the example of %s is true",
  (name) => {
    const examples = findExamples(readFileSync(new URL(name, import.meta.url), "utf8"));
    expect(examples).toHaveLength(1);
    for (const example of examples) {
      runExample(example, { AccumulatedAdvantage, LinkPace, CorrectionRecord, FairClock });
    }
  },
);

const limits = { tolerance: 0.6, forgiven: 0.01 };
const claim = (parts: Partial<AdvantageClaim>): AdvantageClaim => ({
  claimed: 0,
  passed: 0,
  credit: 0,
  ...parts,
});

describe("an accumulated advantage", () => {
  it("is never above one tolerance, whatever is claimed", () => {
    const random = createRandom(1);
    const advantage = new AccumulatedAdvantage(limits);
    let moved = 0;
    let claimed = 0;
    for (let step = 0; step < 10_000; step++) {
      const wanted = random.next() * 3 * (random.chance(0.1) ? 100 : 1);
      const judgement = advantage.take(claim({ claimed: wanted, passed: 1 }));
      // A refused message uses up no time: the caller adds the time to the next claim. Here it is lost.
      if (judgement.accepted) claimed += wanted;
      moved += 1;
      expect(advantage.held).toBeLessThanOrEqual(limits.tolerance);
    }
    expect(claimed).toBeLessThanOrEqual(moved * 1.01 + limits.tolerance);
  });

  it("a gain of 5 % adds up to a refusal, one of 0.5 % is forgiven for ever", () => {
    const firstRefusal = (speed: number): number => {
      const advantage = new AccumulatedAdvantage(limits);
      for (let ms = 0; ms < 3_600_000; ms += 200) {
        if (!advantage.take(claim({ claimed: speed * 0.2, passed: 0.2 })).accepted) return ms / 1000;
      }
      return Number.POSITIVE_INFINITY;
    };
    expect(firstRefusal(1.05)).toBeLessThan(20);
    expect(firstRefusal(1.1)).toBeLessThan(10);
    expect(firstRefusal(5)).toBeLessThan(0.5);
    expect(firstRefusal(1.005)).toBe(Number.POSITIVE_INFINITY);
  });

  it("no more than the credit is saved, and it is lost when the credit ends", () => {
    const rested = new AccumulatedAdvantage(limits);
    expect(rested.take(claim({ passed: 600, credit: 6 })).held).toBe(-6);
    expect(rested.judge(claim({ claimed: 7, credit: 6 }))).toMatchObject({ accepted: false, allowed: 6.6 });
    expect(rested.judge(claim({ claimed: 6.5, credit: 6 })).accepted).toBe(true);
    expect(rested.take(claim({ claimed: 0.1, credit: 0 })).held).toBe(0);
    expect(rested.judge(claim({ claimed: 0.7, credit: 0 })).accepted).toBe(false);
    const runner = new AccumulatedAdvantage(limits);
    expect(runner.take(claim({ claimed: 400, passed: 400 })).accepted).toBe(true);
    expect(runner.held).toBe(0);
  });

  it("a refused claim changes nothing, and a saved one goes on alike", () => {
    const advantage = new AccumulatedAdvantage(limits);
    advantage.take(claim({ claimed: 0.5, passed: 0.2 }));
    const { held } = advantage;
    expect(advantage.take(claim({ claimed: 9 })).accepted).toBe(false);
    expect(advantage.held).toBe(held);
    const restored = new AccumulatedAdvantage(limits, structuredClone(advantage.save()));
    const next = claim({ claimed: 0.3, passed: 1.2, credit: 3 });
    expect(restored.take(next)).toEqual(advantage.take(next));
    expect(() => new AccumulatedAdvantage(limits, { held: Number.NaN })).toThrow(RangeError);
    expect(() => new AccumulatedAdvantage({ tolerance: 0 })).toThrow(RangeError);
  });
});

describe("the pace of a link", () => {
  const after = (times: readonly number[]): number => {
    const pace = new LinkPace(0);
    for (const ms of times) pace.arrived(ms);
    return pace.lateMs;
  };

  it("a silence of ten minutes is a credit of six seconds", () => {
    expect(after([600_000])).toBe(6000);
  });

  it("a burst in two parts keeps the credit of both silences, and a third part does not", () => {
    expect(after([3000, 3000, 3600])).toBe(3600);
    expect(after([3000, 3000, 4400])).toBe(4400);
    expect(after([3000, 3000, 4400, 6000])).toBe(1600);
    // Unless many messages at once show that it was a stall, or it was as long as three retransmissions.
    expect(after([3000, 4400, 4400, 4400, 4400, 6000])).toBe(6000);
    expect(after([1600, 3700, 5800])).toBe(5800);
  });

  it("the credit ends with the burst, while messages come at a pace", () => {
    const every = (ms: number, count: number): number[] =>
      Array.from({ length: count }, (_, index) => 3000 + index * ms);
    expect(after(every(190, 8))).toBe(4330);
    expect(after(every(190, 9))).toBe(0);
    expect(after(every(250, 7))).toBe(4500);
    expect(after(every(250, 8))).toBe(250);
  });

  it("a player that sends something every second or two has the credit of two silences", () => {
    const pace = new LinkPace(0);
    for (let ms = 1600; ms < 60_000; ms += 1600) {
      pace.arrived(ms);
      expect(pace.lateMs).toBeLessThanOrEqual(3200);
    }
  });

  it("a ceiling that our stall has raised ends with the next long silence, however little comes between", () => {
    const pace = new LinkPace(0);
    const burst = (ms: number, stalledMs: number): number => {
      pace.arrived(ms, stalledMs);
      for (let count = 0; count < 10; count++) pace.arrived(ms);
      return pace.lateMs;
    };
    expect(burst(15_000, 5000)).toBe(11_000);
    // A silence of the link within the burst takes it along.
    expect(burst(16_000, 0)).toBe(11_000);
    expect([31_000, 46_000, 61_000].map((ms) => burst(ms, 0))).toEqual([6000, 6000, 6000]);
  });

  it("our own stalls raise the ceiling, up to twelve seconds", () => {
    const pace = new LinkPace(0);
    pace.arrived(60_000, 4000);
    expect(pace.lateMs).toBe(10_000);
    pace.arrived(60_100);
    expect(pace.lateMs).toBe(10_000);
    pace.arrived(120_000, 60_000);
    expect(pace.lateMs).toBe(12_000);
  });

  it("goes on from what was saved", () => {
    const pace = new LinkPace(0);
    pace.arrived(3000);
    const restored = new LinkPace(structuredClone<SavedLinkPace>(pace.save()));
    for (const ms of [3100, 3250, 3900, 4000]) {
      pace.arrived(ms);
      restored.arrived(ms);
      expect(restored.save()).toEqual(pace.save());
    }
  });
});

describe("a record of corrections", () => {
  const options = {
    limits: [
      { count: 5, withinMs: 60_000 },
      { count: 20, withinMs: 3_600_000 },
    ],
  };

  it("finds many in a minute, and few in each minute for long", () => {
    const firstMs = (everyMs: number): number | undefined => {
      const record = new CorrectionRecord(options);
      for (let ms = 0; ms < 7_200_000; ms += everyMs) {
        record.add(ms);
        if (record.exceeded(ms) !== undefined) return ms;
      }
      return undefined;
    };
    expect(firstMs(2000)).toBe(10_000);
    // Five a minute are never six in one minute.
    expect(firstMs(12_000)).toBe(240_000);
    expect(firstMs(60_000)).toBe(1_200_000);
    expect(firstMs(600_000)).toBeUndefined();
  });

  it("counts what belongs to one event once, holds few times, and goes on from what was saved", () => {
    const record = new CorrectionRecord({ ...options, apartMs: 1000 });
    expect([0, 999, 1000].map((ms) => record.add(ms))).toEqual([true, false, true]);
    for (let ms = 2000; ms < 1_000_000; ms += 1000) record.add(ms);
    expect(record.save()).toHaveLength(21);
    const restored = new CorrectionRecord({ ...options, apartMs: 1000 }, record.save());
    expect(restored.count(1_000_000, 10_000)).toBe(record.count(1_000_000, 10_000));
    expect(record.forgottenMs).toBe(999_000 + 3_600_000);
    expect(() => new CorrectionRecord(options, new Array<number>(22).fill(0))).toThrow(RangeError);
    record.clear();
    expect(record.isEmpty).toBe(true);
  });
});

describe("a fair clock", () => {
  it("never runs backwards, and leaves out stalls alone", () => {
    const random = createRandom(3);
    const clock = new FairClock({ tickMs: 50 });
    let ms = 0;
    let lastFair = 0;
    let stalledMs = 0;
    clock.tick(0);
    for (let tick = 0; tick < 2000; tick++) {
      const lateMs = random.chance(0.05) ? random.integer(100, 5000) : random.integer(0, 20);
      stalledMs += Math.max(0, lateMs - 20);
      const nextMs = ms + 50 + lateMs;
      for (const part of [0.3, 0.7, 1]) {
        const fair = clock.fairMs(ms + (nextMs - ms) * part);
        expect(fair).toBeGreaterThanOrEqual(lastFair);
        lastFair = fair;
      }
      ms = nextMs;
      clock.tick(ms);
      expect(clock.stalledMs(ms)).toBe(stalledMs);
      if (tick === 1000) {
        const restored = new FairClock({ tickMs: 50 }, structuredClone(clock.save()));
        expect(restored.stalledMs(ms + 700)).toBe(clock.stalledMs(ms + 700));
      }
    }
  });

  it("a world that is not ticked yet has no stalls", () => {
    expect(new FairClock({ tickMs: 50 }).stalledMs(1e9)).toBe(0);
  });
});
