/**
 * The one way from a pointer to the detector, for people and bots alike: the client's sampler (20 ms cycles, a sample each 50 ms),
 * packets as bytes, the server's tracker.
 */
import { createRandom, type Random } from "wirewalk/motion";
import {
  type HandOptions,
  MouseHand,
  type MousePoint,
  MouseSampler,
  MouseTracker,
  type TimedPoint,
} from "wirewalk/osrs/mouse";

const DIALECT = "client";
/** Events of a moving pointer are nearer together than this; longer pauses are rests. */
const MOVING_MS = 200;
/** A bot is stepped this often, as the client's cycles are. */
const STEP_MS = 20;

export type Visit = (point: MousePoint) => void;

/** Plays a recording; calls `visit` with each record that the server reads. */
export function playPerson(points: readonly TimedPoint[], visit: Visit): void {
  const sampler = new MouseSampler({ dialect: DIALECT, startMs: 0 });
  const tracker = new MouseTracker({ dialect: DIALECT });
  const take = (nowMs: number): void => {
    for (const payload of sampler.step(nowMs)) tracker.read(payload, visit, nowMs);
  };
  for (const { x, y, ms } of points) {
    // A client samples through long pauses too.
    take(ms);
    sampler.move(x, y, ms);
  }
  take((points.at(-1)?.ms ?? 0) + 10_000);
}

/** Plays a bot for some time. */
export function playBot(options: Omit<HandOptions, "dialect">, durationMs: number, visit: Visit): void {
  const hand = new MouseHand({ ...options, dialect: DIALECT }, 0);
  const tracker = new MouseTracker({ dialect: DIALECT });
  for (let nowMs = 0; nowMs <= durationMs; nowMs += STEP_MS) {
    for (const payload of hand.step(nowMs)) tracker.read(payload, visit, nowMs);
  }
}

/** The times between events of a moving pointer: bots in this person's place have the same. */
export function eventRate(points: readonly TimedPoint[]): readonly number[] {
  const intervals: number[] = [];
  for (let at = 1; at < points.length; at++) {
    const ms = (points[at] as TimedPoint).ms - (points[at - 1] as TimedPoint).ms;
    if (ms >= 1 && ms < MOVING_MS) intervals.push(ms);
  }
  return intervals.length === 0 ? [8] : intervals;
}

/**
 * The control: the same person's pointer, taken at other moments. Between the events of a movement it is where a straight line leads; the new
 * events have the old rate.
 */
export function resampled(points: readonly TimedPoint[], seed: number): readonly TimedPoint[] {
  const random: Random = createRandom(seed);
  const intervals = eventRate(points);
  const endMs = points.at(-1)?.ms ?? 0;
  const result: TimedPoint[] = [];
  let at = 0;
  for (let ms = 0; ms <= endMs; ms += random.pick(intervals)) {
    while (at < points.length - 2 && (points[at + 1] as TimedPoint).ms <= ms) at += 1;
    const [a, b] = [points[at] as TimedPoint, points[at + 1] as TimedPoint];
    const gapMs = b.ms - a.ms;
    const share = gapMs >= MOVING_MS || gapMs <= 0 ? 0 : Math.min(Math.max((ms - a.ms) / gapMs, 0), 1);
    const [x, y] = [Math.round(a.x + (b.x - a.x) * share), Math.round(a.y + (b.y - a.y) * share)];
    const last = result.at(-1);
    if (last === undefined || last.x !== x || last.y !== y) result.push({ x, y, ms });
  }
  return result;
}
