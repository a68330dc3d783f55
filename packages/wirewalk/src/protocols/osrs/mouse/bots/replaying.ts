/**
 * Bots that play a recorded hand: as it was, changed a little, in pieces, or by what was measured of it.
 *
 * ```ts
 * const stroke = { restMs: 400, points: [{ x: 10, y: 10, ms: 0 }, { x: 60, y: 10, ms: 40 }, { x: 110, y: 20, ms: 90 }] };
 * const plan = playStroke(stroke.points, { x: 10, y: 10 });
 * plan.at(20); // => { x: 35, y: 10 }
 * ```
 */
import type { Random } from "../../../../motion/index.ts";
import { gaussian, type MovementPlan, type Place } from "./movers.ts";
import type { RecordedStroke, TimedPoint } from "./recorded-pointer.ts";

/** Moves along recorded points; the first of them stands at `from`. */
export function playStroke(points: readonly TimedPoint[], from: Place): MovementPlan {
  const [first, last] = [points[0] as TimedPoint, points.at(-1) as TimedPoint];
  let next = 1;
  return {
    durationMs: Math.max(last.ms, 1),
    at(ms) {
      if (ms < (points[next - 1] as TimedPoint).ms) next = 1;
      while (next < points.length - 1 && (points[next] as TimedPoint).ms <= ms) next += 1;
      const [a, b] = [points[next - 1] as TimedPoint, points[next] as TimedPoint];
      const share = Math.min(Math.max((ms - a.ms) / Math.max(b.ms - a.ms, 1), 0), 1);
      return { x: from.x + a.x - first.x + (b.x - a.x) * share, y: from.y + a.y - first.y + (b.y - a.y) * share };
    },
  };
}

/** Changes the points of a stroke; the first one stays where it is. */
type Change = (points: readonly TimedPoint[], random: Random) => readonly TimedPoint[];

/** A smooth wandering of about `px` pixels, and a pixel at each event. */
const jitter: Change = (points, random) => {
  const waves = Array.from({ length: 3 }, () => ({
    perMs: 0.01 + 0.02 * random.next(),
    phase: 2 * Math.PI * random.next(),
    angle: 2 * Math.PI * random.next(),
  }));
  const wander = (ms: number, along: (angle: number) => number): number =>
    waves.reduce(
      (sum, { perMs, phase, angle }) => sum + 2 * (Math.sin(perMs * ms + phase) - Math.sin(phase)) * along(angle),
      0,
    );
  return points.map(({ x, y, ms }, at) =>
    at === 0
      ? { x, y, ms }
      : { x: x + wander(ms, Math.cos) + gaussian(random), y: y + wander(ms, Math.sin) + gaussian(random), ms },
  );
};

/** Faster here and slower there, by up to a quarter. */
const warp: Change = (points, random) => {
  const [scale, depth, phase] = [0.8 + 0.45 * random.next(), 0.25 * random.next(), 2 * Math.PI * random.next()];
  const durationMs = Math.max((points.at(-1) as TimedPoint).ms, 1);
  return points.map(({ x, y, ms }) => {
    const angle = (2 * Math.PI * ms) / durationMs;
    const bent = ms + (depth * durationMs * (Math.sin(angle + phase) - Math.sin(phase))) / (2 * Math.PI);
    return { x, y, ms: Math.max(bent, 0) * scale };
  });
};

const mirror: Change = (points, random) => {
  const [first] = points as [TimedPoint];
  const [sx, sy] = random.pick([
    [-1, 1],
    [1, -1],
    [-1, -1],
  ] as const);
  return points.map(({ x, y, ms }) => ({ x: first.x + sx * (x - first.x), y: first.y + sy * (y - first.y), ms }));
};

/** Larger or smaller by up to 15 %. */
const scale: Change = (points, random) => {
  const [first] = points as [TimedPoint];
  const by = 0.85 + 0.3 * random.next();
  return points.map(({ x, y, ms }) => ({ x: first.x + by * (x - first.x), y: first.y + by * (y - first.y), ms }));
};

/** The changes of a replay by the cheat's name. */
export const changes: Readonly<Record<string, Change>> = {
  replayed: (points) => points,
  "replayed-long": (points) => points,
  "replayed-jittered": jitter,
  "replayed-warped": warp,
  "replayed-mirrored": mirror,
  "replayed-scaled": scale,
};

/** A stroke of some others that goes about as far, turned and scaled so that it ends at the target. */
export function rejoin(strokes: readonly RecordedStroke[], from: Place, to: Place, random: Random): MovementPlan {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  const tries = Array.from({ length: 8 }, () => random.pick(strokes).points);
  const misfit = (points: readonly TimedPoint[]): number =>
    Math.abs(Math.log(Math.max(chordOf(points).px, 1) / distance));
  const points = tries.reduce((best, each) => (misfit(each) < misfit(best) ? each : best));
  const { x: dx, y: dy, px } = chordOf(points);
  const [first] = points as readonly [TimedPoint];
  // The quotient of two complex numbers turns and scales one onto the other.
  const squared = Math.max(px * px, 1);
  const re = ((to.x - from.x) * dx + (to.y - from.y) * dy) / squared;
  const im = ((to.y - from.y) * dx - (to.x - from.x) * dy) / squared;
  const turned = points.map(({ x, y, ms }) => ({
    x: re * (x - first.x) - im * (y - first.y),
    y: im * (x - first.x) + re * (y - first.y),
    ms,
  }));
  return playStroke(turned, from);
}

function chordOf(points: readonly TimedPoint[]): { readonly x: number; readonly y: number; readonly px: number } {
  const [first, last] = [points[0] as TimedPoint, points.at(-1) as TimedPoint];
  const [x, y] = [last.x - first.x, last.y - first.y];
  return { x, y, px: Math.hypot(x, y) };
}

/** What {@link fitHand} measures of a person's strokes. */
export interface FittedHand {
  /** Duration in ms = `exp(base + slope * ln(distance) + spread * gaussian)`. */
  readonly base: number;
  readonly slope: number;
  readonly spread: number;
  /** When the fastest moment comes, as shares of the duration; the stroke's largest deviation by its chord. Drawn from at random. */
  readonly peaks: readonly number[];
  readonly bends: readonly number[];
  /** Share of strokes that correct their aim. */
  readonly corrected: number;
}

/** Fits a generator of movements to a person's strokes. */
export function fitHand(strokes: readonly RecordedStroke[]): FittedHand {
  const usable = strokes.filter(({ points }) => chordOf(points).px >= 20);
  const logs = usable.map(({ points }) => ({
    x: Math.log(chordOf(points).px),
    y: Math.log(Math.max((points.at(-1) as TimedPoint).ms, 20)),
  }));
  const count = Math.max(logs.length, 1);
  const [meanX, meanY] = [
    logs.reduce((sum, { x }) => sum + x, 0) / count,
    logs.reduce((sum, { y }) => sum + y, 0) / count,
  ];
  const squares = logs.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  const slope = squares === 0 ? 0.3 : logs.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / squares;
  const base = meanY - slope * meanX;
  const rest = logs.reduce((sum, { x, y }) => sum + (y - base - slope * x) ** 2, 0);
  const shapes = usable.map(({ points }) => shapeOf(points));
  return {
    base,
    slope,
    spread: Math.sqrt(rest / count),
    peaks: shapes.map(({ peak }) => peak),
    bends: shapes.map(({ bend }) => bend),
    corrected: shapes.filter(({ corrected }) => corrected).length / Math.max(shapes.length, 1),
  };
}

function shapeOf(points: readonly TimedPoint[]): { peak: number; bend: number; corrected: boolean } {
  const { x: dx, y: dy, px } = chordOf(points);
  const [first, last] = [points[0] as TimedPoint, points.at(-1) as TimedPoint];
  let [fastest, peakMs, bend, slow, rises] = [0, 0, 0, Number.POSITIVE_INFINITY, 0];
  for (let at = 1; at < points.length; at++) {
    const [a, b] = [points[at - 1] as TimedPoint, points[at] as TimedPoint];
    const speed = Math.hypot(b.x - a.x, b.y - a.y) / Math.max(b.ms - a.ms, 1);
    if (speed > fastest) [fastest, peakMs] = [speed, (a.ms + b.ms) / 2];
    slow = Math.min(slow, speed);
    if (speed > 2 * slow + 0.1 && speed > 0.2 * fastest && b.ms > peakMs) [rises, slow] = [rises + 1, speed];
    const aside = ((b.y - first.y) * dx - (b.x - first.x) * dy) / Math.max(px * px, 1);
    if (Math.abs(aside) > Math.abs(bend)) bend = aside;
  }
  const peak = Math.min(Math.max(peakMs / Math.max(last.ms, 1), 0.1), 0.9);
  return { peak, bend: Math.max(Math.min(bend, 1), -1), corrected: rises > 0 };
}

/** A movement as the fitted hand would make it. */
export function fittedMovement(hand: FittedHand, from: Place, to: Place, random: Random): MovementPlan {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const distance = Math.max(Math.hypot(dx, dy), 1);
  const durationMs = Math.max(
    Math.exp(hand.base + hand.slope * Math.log(distance) + hand.spread * gaussian(random)),
    60,
  );
  const [peak, bend] = [random.pick(hand.peaks), random.pick(hand.bends)];
  const short = random.chance(hand.corrected) ? 0.06 + 0.12 * random.next() : 0;
  // A beta profile of speed, which may lean to either side, then a correction in the last third.
  const [a, b] = [1 + 3 * peak, 1 + 3 * (1 - peak)];
  const table = [0];
  for (let step = 1; step <= 64; step++) {
    const at = (step - 0.5) / 64;
    table.push((table.at(-1) as number) + at ** a * (1 - at) ** b);
  }
  const whole = table.at(-1) as number;
  const progress = (share: number): number => {
    const at = Math.min(Math.max(share, 0), 1) * 64;
    const low = table[Math.floor(at)] as number;
    return (low + ((table[Math.ceil(at)] as number) - low) * (at - Math.floor(at))) / whole;
  };
  const firstShare = short > 0 ? 0.7 : 1;
  return {
    durationMs,
    at(ms) {
      const share = ms / durationMs;
      const done = (1 - short) * progress(share / firstShare) + short * progress((share - 0.65) / 0.35);
      const aside = 4 * bend * done * (1 - done);
      return { x: from.x + dx * done - dy * aside, y: from.y + dy * done + dx * aside };
    },
  };
}
