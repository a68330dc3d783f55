import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../motion/index.ts";
import { MouseHand } from "../bots/bot.ts";
import { movers } from "../bots/movers.ts";
import type { TimedPoint } from "../bots/recorded-pointer.ts";
import { type MousePoint, MouseTracker } from "../movement/tracker.ts";
import { HandEvidence } from "./hand.ts";

function play(cheat: string, minutes: number, seed = 1): HandEvidence {
  const hand = new MouseHand({ dialect: "client", random: createRandom(seed), number: 0, cheat }, 0);
  const tracker = new MouseTracker({ dialect: "client" });
  const evidence = new HandEvidence(50);
  for (let now = 0; now < minutes * 60_000; now += 20) {
    for (const payload of hand.step(now)) tracker.read(payload, (point) => evidence.push(point));
  }
  evidence.finish();
  return evidence;
}

const base = {
  form: "small",
  dt: 2,
  button: 0,
  index: 0,
  known: true,
  first: false,
  pause: "none",
  drift: "none",
} as const;

/** Strokes, a second of rest before each; each begins where the one before it ended. */
function push(evidence: HandEvidence, strokes: readonly (readonly TimedPoint[])[]): void {
  let atMs = 0;
  let [endX, endY] = [0, 0];
  const record = (x: number, y: number, sinceMs: number): void => {
    atMs += sinceMs;
    evidence.push({ ...base, x: Math.round(x), y: Math.round(y), atMs, sinceMs, outside: false } satisfies MousePoint);
  };
  if (evidence.strokes === 0) record(0, 0, 0);
  for (const [first, ...rest] of strokes) {
    const [fromX, fromY] = [endX - (first?.x ?? 0), endY - (first?.y ?? 0)];
    for (const { x, y, ms } of rest) {
      record(x + fromX, y + fromY, ms === rest[0]?.ms ? 1000 : 50);
      [endX, endY] = [x + fromX, y + fromY];
    }
  }
  evidence.finish();
}

/** A path with corners of its own, sampled every 50 ms. */
function scribble(seed: number): readonly TimedPoint[] {
  const random = createRandom(seed);
  const corners = Array.from({ length: 5 }, (_, at) => ({ x: 80 * at + 60 * random.next(), y: 160 * random.next() }));
  return Array.from({ length: 17 }, (_, step) => {
    const [a, b] = [corners[step >> 2], corners[Math.min((step >> 2) + 1, 4)]] as [TimedPoint, TimedPoint];
    const share = (step % 4) / 4;
    return {
      x: Math.round(400 + a.x + (b.x - a.x) * share),
      y: Math.round(300 + a.y + (b.y - a.y) * share),
      ms: step * 50,
    };
  });
}

const changed = (points: readonly TimedPoint[], change: (x: number, y: number) => readonly [number, number]) =>
  points.map(({ x, y, ms }) => {
    const [nextX, nextY] = change(x - 400, y - 300);
    return { x: 700 + nextX, y: 500 + nextY, ms };
  });

describe("repeats", () => {
  it.each<readonly [string, (x: number, y: number) => readonly [number, number]]>([
    ["as it was", (x, y) => [x, y]],
    ["mirrored", (x, y) => [-x, y]],
    ["a tenth larger", (x, y) => [1.1 * x, 1.1 * y]],
    ["turned", (x, y) => [0.6 * x - 0.8 * y, 0.8 * x + 0.6 * y]],
  ])("a shape is known again: %s", (_, change) => {
    const evidence = new HandEvidence(50);
    push(evidence, [scribble(1), scribble(2), changed(scribble(1), change)]);
    expect(evidence.complex).toBeGreaterThan(1);
    expect(evidence.twins).toBe(1);
    expect(evidence.repeats).toBeGreaterThan(0.5);
  });

  it("other shapes are no repeats, and arcs have no shape", () => {
    const evidence = new HandEvidence(50);
    push(
      evidence,
      Array.from({ length: 40 }, (_, seed) => scribble(seed + 1)),
    );
    expect(evidence.complex).toBeGreaterThan(30);
    expect(evidence.twins).toBe(0);
    expect(evidence.judged).toBe(40);
    expect(evidence.repeats).toBeLessThan(2);
    const arcs = new HandEvidence(50);
    const arc = Array.from({ length: 13 }, (_, at) => ({
      x: 40 * at,
      y: 60 * Math.sin((Math.PI * at) / 12),
      ms: at * 50,
    }));
    push(
      arcs,
      Array.from({ length: 20 }, () => arc),
    );
    expect([arcs.strokes, arcs.complex]).toEqual([20, 0]);
  });

  it("a bounded number of shapes is remembered", () => {
    const evidence = new HandEvidence(50);
    push(
      evidence,
      Array.from({ length: 300 }, (_, seed) => scribble(seed + 1)),
    );
    const { sums, measures, open, memory } = evidence.save();
    expect(memory.strokes).toHaveLength(200 * 26);
    const bytes = [sums, measures, open, memory.strokes].reduce((all, { byteLength }) => all + byteLength, 0);
    // The open stroke has room for 256 points of three numbers of two bytes each.
    expect(bytes + 256 * 6).toBeLessThan(8192);
  });
});

describe("smoothness", () => {
  it("one computed movement is smoother than a hand", () => {
    for (const cheat of ["linear", "bezier", "windmouse", "minimum-jerk", "fitts"]) {
      expect(play(cheat, 2).roughness, cheat).toBeLessThan(0.65);
    }
    expect(play("none", 2).roughness).toBeGreaterThan(0.7);
    expect(play("bezier", 2).turn).toBeLessThan(0.12);
    expect(play("none", 2).turn).toBeGreaterThan(0.15);
  });

  it("the rate of the samples is known", () => {
    const plan = movers.human({ x: 10, y: 10 }, { x: 600, y: 400 }, createRandom(1));
    const evidence = new HandEvidence(50);
    push(
      evidence,
      Array.from({ length: 5 }, () => Array.from({ length: 12 }, (_, at) => ({ ...plan.at(at * 50), ms: at * 50 }))),
    );
    expect(evidence.intervalMs).toBeCloseTo(50);
    expect(new HandEvidence(50).roughness).toBeNaN();
  });
});

describe("saved", () => {
  it("goes on as it would have, also in the middle of a stroke", () => {
    const hand = new MouseHand({ dialect: "client", random: createRandom(2), number: 0, cheat: "none" }, 0);
    const tracker = new MouseTracker({ dialect: "client" });
    const whole = new HandEvidence(50);
    let other = new HandEvidence(50);
    let records = 0;
    for (let now = 0; now < 60_000; now += 20) {
      for (const payload of hand.step(now)) {
        tracker.read(payload, (point) => {
          whole.push(point);
          other.push(point);
          records += 1;
          if (records % 7 > 0) return;
          const saved = other.save();
          other = new HandEvidence(50);
          other.restore(saved);
        });
      }
    }
    expect(records).toBeGreaterThan(300);
    expect(other.save()).toEqual(whole.save());
  });

  it("no stroke goes on into another session", () => {
    const evidence = new HandEvidence(50);
    push(evidence, [scribble(1)]);
    evidence.begin();
    const { strokes } = evidence;
    // The first record of the next session is far away, and a stroke of two records is none.
    evidence.push({ ...base, x: 5000, y: 5000, atMs: 0, sinceMs: 50, outside: false });
    evidence.push({ ...base, x: 5100, y: 5000, atMs: 50, sinceMs: 50, outside: false });
    evidence.finish();
    expect(evidence.strokes).toBe(strokes);
  });

  it("refuses other data", () => {
    const saved = play("none", 0.2).save();
    const evidence = new HandEvidence(50);
    expect(() => evidence.restore({ ...saved, sums: saved.sums.subarray(1) })).toThrow("hand.sums");
    expect(() => evidence.restore({ ...saved, measures: saved.measures.subarray(1) })).toThrow("hand.measures");
    expect(() => evidence.restore({ ...saved, open: saved.open.subarray(1) })).toThrow("hand.open");
    const { memory } = saved;
    const withMemory = (changed: Partial<typeof memory>) => () =>
      evidence.restore({ ...saved, memory: { ...memory, ...changed } });
    expect(withMemory({ strokes: new Int8Array(15) })).toThrow("memory.strokes");
    expect(withMemory({ strokes: new Int8Array(26 * 201) })).toThrow("memory.strokes");
    expect(withMemory({ strokes: new Int8Array(26).fill(-1) })).toThrow("negative");
    expect(withMemory({ open: new Int32Array(3) })).toThrow("memory.open");
    expect(withMemory({ open: Int32Array.of(-1, 0, 0, 0) })).toThrow("memory.open");
  });
});
