import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../motion/index.ts";
import { gaussian, movers } from "../bots/movers.ts";
import { StrokeMemory, type TakenStroke } from "./stroke-memory.ts";

type Point = readonly [x: number, y: number, ms: number];

/** A synthetic hand's stroke, sampled every 50 ms from `phaseMs` on. */
function stroke(seed: number, phaseMs = 0): readonly Point[] {
  const random = createRandom(seed);
  const to = { x: 500 + 200 * random.next(), y: 300 * random.next() };
  const plan = movers.human({ x: 100, y: 100 }, to, random);
  const points: Point[] = [[100, 100, 0]];
  for (let ms = phaseMs + 20; ms < plan.durationMs + 50; ms += 50) {
    const { x, y } = plan.at(Math.min(ms, plan.durationMs));
    points.push([Math.round(x), Math.round(y), ms]);
  }
  return points;
}

function take(memory: StrokeMemory, points: readonly Point[], startMs = 0): TakenStroke {
  let pathPx = 0;
  let [lastX, lastY] = points[0] as Point;
  for (const [x, y, ms] of points) {
    memory.add(x, y, startMs + ms);
    pathPx += Math.hypot(x - lastX, y - lastY);
    [lastX, lastY] = [x, y];
  }
  return memory.take(pathPx);
}

const changed = (points: readonly Point[], change: (x: number, y: number) => readonly [number, number]): Point[] =>
  points.map(([x, y, ms]) => [...(change(x, y).map(Math.round) as [number, number]), ms]);

describe("a stroke that was made before", () => {
  const random = createRandom(5);
  it.each<readonly [string, (points: readonly Point[]) => readonly Point[]]>([
    ["as it was", (points) => points],
    ["elsewhere", (points) => changed(points, (x, y) => [x + 300, y + 200])],
    ["mirrored", (points) => changed(points, (x, y) => [900 - x, y])],
    ["turned", (points) => changed(points, (x, y) => [500 + 0.6 * x - 0.8 * y, 200 + 0.8 * x + 0.6 * y])],
    ["shaken by a pixel", (points) => changed(points, (x, y) => [x + gaussian(random), y + gaussian(random)])],
  ])("%s", (_, change) => {
    const memory = new StrokeMemory();
    for (let seed = 1; seed <= 40; seed++) take(memory, stroke(seed));
    expect(take(memory, change(stroke(3)), 70_000).repeat).toBeGreaterThan(0.4);
  });

  it("most of them also where the samples are taken at other moments", () => {
    const memory = new StrokeMemory();
    for (let seed = 1; seed <= 40; seed++) take(memory, stroke(seed));
    let repeats = 0;
    for (let seed = 1; seed <= 40; seed++) repeats += take(memory, stroke(seed, 25)).repeat;
    expect(repeats).toBeGreaterThan(10);
  });

  it("others were not", () => {
    const memory = new StrokeMemory();
    let repeats = 0;
    for (let seed = 1; seed <= 100; seed++) repeats += take(memory, stroke(seed)).repeat;
    expect(repeats).toBeLessThan(4);
  });

  it("is forgotten after 200 others", () => {
    const memory = new StrokeMemory();
    for (let seed = 1; seed <= 200; seed++) take(memory, stroke(seed));
    expect(take(memory, stroke(1)).repeat).toBe(1);
    for (let seed = 301; seed <= 499; seed++) take(memory, stroke(seed));
    // The second time is the last of 200.
    expect(take(memory, stroke(1)).repeat).toBe(1);
    for (let seed = 501; seed <= 700; seed++) take(memory, stroke(seed));
    expect(take(memory, stroke(1)).repeat).toBeLessThan(1);
  });
});

describe("no evidence", () => {
  it("a flick of a few samples", () => {
    const memory = new StrokeMemory();
    const flick: readonly Point[] = [
      [0, 0, 0],
      [40, 3, 50],
      [90, 5, 100],
      [100, 5, 150],
    ];
    take(memory, flick);
    expect(take(memory, flick)).toMatchObject({ isJudged: false, repeat: 0 });
  });

  it("a stroke of which only the start is known, and one without time or place", () => {
    const memory = new StrokeMemory();
    const long = Array.from({ length: 400 }, (_, at): Point => [at * 3, 0, at * 50]);
    take(memory, long);
    expect(take(memory, long)).toMatchObject({ isJudged: false, repeat: 0 });
    const still = Array.from({ length: 10 }, (): Point => [7, 7, 0]);
    const { repeat, durationMs, chordPx } = take(memory, still);
    expect([repeat, durationMs, chordPx]).toEqual([0, 50, 0]);
    const far = Array.from({ length: 10 }, (_, at): Point => [at * 100_000, -at * 100_000, at * 50_000]);
    expect(take(memory, far).durationMs).toBe(65_535);
  });
});

it("what is saved goes on, in the middle of a stroke too", () => {
  const memory = new StrokeMemory();
  for (let seed = 1; seed <= 250; seed++) take(memory, stroke(seed));
  const points = stroke(251);
  for (const [x, y, ms] of points.slice(0, 5)) memory.add(x, y, ms);
  const other = new StrokeMemory();
  other.restore(memory.save());
  expect(other.save()).toEqual(memory.save());
  for (const each of [memory, other]) for (const [x, y, ms] of points.slice(5)) each.add(x, y, ms);
  expect(other.take(500)).toEqual(memory.take(500));
  expect(other.save()).toEqual(memory.save());
});
