import { describe, expect, it } from "vitest";
import type { MousePoint } from "../movement/tracker.ts";
import { MAX_STROKE_POINTS, type Stroke, StrokeBuilder } from "./stroke.ts";

type Step = readonly [x: number, y: number, sinceMs: number, change?: Partial<MousePoint>];

/** Strokes of a path; the last one is ended. */
function strokesOf(steps: readonly Step[]): Stroke[] {
  const builder = new StrokeBuilder({ sampleMs: 50 });
  let atMs = 0;
  const strokes = steps.map(([x, y, sinceMs, change]) => {
    atMs += sinceMs;
    const point: MousePoint = {
      form: "small",
      dt: 0,
      button: 0,
      index: 0,
      x,
      y,
      known: true,
      outside: false,
      atMs,
      sinceMs,
      first: false,
      pause: "none",
      drift: "none",
      ...change,
    };
    return builder.push(point);
  });
  return [...strokes, builder.finish()].filter((stroke) => stroke !== undefined);
}

const line = (count: number, px: number, ms = 50): Step[] =>
  Array.from({ length: count }, (_, index): Step => [100 + (index + 1) * px, 100, index === 0 ? 1000 : ms]);

describe("measures", () => {
  it("a straight line at one speed", () => {
    const [stroke] = strokesOf([[100, 100, 0], ...line(10, 50)]);
    expect(stroke).toMatchObject({
      startMs: 950,
      durationMs: 500,
      dwellMs: 950,
      points: 11,
      from: { x: 100, y: 100 },
      to: { x: 600, y: 100 },
      pathPx: 500,
      chordPx: 500,
      straightness: 1,
      deviationPx: 0,
      meanSpeed: 1000,
      peakSpeed: 1000,
      speedVariation: 0,
      endSpeed: 1,
      corrections: 0,
      acceleration: 0,
      jerk: 0,
      turning: 0,
      curvature: 0,
      intervalVariation: 0,
    });
    expect(stroke?.shape.slice(-2)).toEqual([500, 0]);
    expect(stroke?.shape.slice(0, 2)).toEqual([500 / 16, 0]);
  });

  it("a quarter of a circle turns by a quarter turn", () => {
    const steps = Array.from({ length: 91 }, (_, degree): Step => {
      const angle = (degree * Math.PI) / 180;
      return [500 * Math.cos(angle), 500 * Math.sin(angle), degree === 0 ? 0 : 50];
    });
    const [stroke] = strokesOf(steps);
    expect(stroke?.turning).toBeCloseTo((Math.PI / 2) * (89 / 90), 3);
    expect(stroke?.curvature).toBeCloseTo(1 / 500, 4);
    expect(stroke?.deviationPx).toBeCloseTo(500 * (1 - Math.SQRT1_2), 1);
    expect(stroke?.straightness).toBeCloseTo((2 * Math.SQRT2) / Math.PI, 3);
  });

  it("steady acceleration, and no jerk", () => {
    const steps = Array.from({ length: 11 }, (_, index): Step => [index * index * 2, 0, index === 0 ? 0 : 50]);
    const [stroke] = strokesOf(steps);
    // 4 px more in each 50 ms: 80 px/s in 0.05 s.
    expect(stroke?.acceleration).toBeCloseTo(1600, 6);
    expect(stroke?.jerk).toBeCloseTo(0, 6);
    expect(stroke?.peakAt).toBeGreaterThan(0.9);
  });

  it("slowing down and speeding up again is a correction", () => {
    const places = [10, 50, 110, 140, 148, 153, 165, 183, 192, 195];
    const [stroke] = strokesOf([[0, 0, 0], ...places.map((x): Step => [x, 0, 50])]);
    expect(stroke?.corrections).toBe(1);
  });
});

describe("where strokes end", () => {
  it("at a rest of 200 ms", () => {
    const first = line(6, 20);
    const second = first.map(([x, y, ms]): Step => [x + 120, y, ms === 1000 ? 700 : ms]);
    const strokes = strokesOf([[100, 100, 0], ...first, ...second]);
    expect(strokes.map(({ dwellMs, points }) => [dwellMs, points])).toEqual([
      [950, 7],
      [650, 7],
    ]);
  });

  it("where the pointer leaves, where a process begins, and where a place becomes known", () => {
    for (const change of [{ outside: true }, { first: true }, { known: false }]) {
      const after = line(5, 20).map(([x, y, ms]): Step => [x + 800, y, ms]);
      const strokes = strokesOf([[100, 100, 0], ...line(5, 20), [900, 100, 50, change], ...after]);
      expect(strokes).toHaveLength(2);
      for (const { peakSpeed } of strokes) expect(peakSpeed).toBe(400);
    }
  });

  it("tremor and single jumps are none", () => {
    expect(strokesOf([[100, 100, 0], [101, 100, 500], [102, 100, 50], [101, 101, 50], [102, 101, 50]])).toEqual([]); // biome-ignore format: one path
    expect(strokesOf([[100, 100, 0], [600, 100, 500], [100, 100, 500]])).toEqual([]); // biome-ignore format: one path
  });

  it("a movement without rest is looked at in pieces", () => {
    const steps = Array.from({ length: 3 * MAX_STROKE_POINTS }, (_, index): Step => [index * 9, index % 7, 50]);
    expect(strokesOf(steps).map(({ points }) => points)).toEqual([512, 512, 512]);
  });

  it("points nearer than 40 ms count as one, but the last one counts", () => {
    const steps = Array.from({ length: 21 }, (_, index): Step => [index * 10, 0, index === 0 ? 0 : 20]);
    const [stroke] = strokesOf(steps);
    expect(stroke).toMatchObject({ pathPx: 200, durationMs: 400, speedVariation: 0 });
  });
});
