/**
 * The one way from a pointer to the detector, for people and bots alike: the client's sampler (20 ms cycles, a sample each 50 ms),
 * packets as bytes, the server's tracker.
 */
import { createRandom, type Random } from "wirewalk/motion";
import { MouseHand, type MousePoint, MouseSampler, MouseTracker } from "wirewalk/osrs/mouse";
import type { HandOptions } from "../../packages/wirewalk/src/protocols/osrs/mouse/bots/bot.ts";
import type { TimedPoint } from "../../packages/wirewalk/src/protocols/osrs/mouse/bots/recorded-pointer.ts";

const DIALECT = "client";
/** Events of a moving pointer are nearer together than this; longer pauses are rests. */
const MOVING_MS = 200;
/** From one event of a fast movement to the next. */
const FAST_PX = 4;
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

/** From the start of a movement to the first event that a device reports of it. */
const FIRST_MS = 8;

/**
 * Plays positions of a program that knows nothing of a device: what a device with these times between its events reports of them, in whole
 * pixels. It goes straight from one position to the next.
 */
export function playPositions(positions: readonly TimedPoint[], eventsMs: readonly number[], visit: Visit): void {
  const events: TimedPoint[] = [];
  let [at, turn] = [0, 0];
  for (let ms = 0; at < positions.length - 1; ) {
    while (at < positions.length - 2 && (positions[at + 1] as TimedPoint).ms <= ms) at += 1;
    const [a, b] = [positions[at] as TimedPoint, positions[at + 1] as TimedPoint];
    if (ms > b.ms) break;
    const share = Math.min(Math.max((ms - a.ms) / Math.max(b.ms - a.ms, 1e-3), 0), 1);
    const [x, y] = [Math.round(a.x + (b.x - a.x) * share), Math.round(a.y + (b.y - a.y) * share)];
    const last = events.at(-1);
    if (last === undefined || last.x !== x || last.y !== y) events.push({ x, y, ms });
    const isRest = Math.hypot(b.x - a.x, b.y - a.y) < 1 && b.ms - ms >= MOVING_MS;
    ms = isRest ? b.ms + FIRST_MS : ms + (eventsMs[turn++ % eventsMs.length] as number);
  }
  playPerson(events, visit);
}

/** Plays a bot for some time. */
export function playBot(options: Omit<HandOptions, "dialect">, durationMs: number, visit: Visit): void {
  const hand = new MouseHand({ ...options, dialect: DIALECT }, 0);
  const tracker = new MouseTracker({ dialect: DIALECT });
  for (let nowMs = 0; nowMs <= durationMs; nowMs += STEP_MS) {
    for (const payload of hand.step(nowMs)) tracker.read(payload, visit, nowMs);
  }
}

/**
 * The times between events of a pointer that moves so fast that each event changes its pixel, in their order: bots in this person's place
 * have the same. Those of slow movements would be the hand's times, not the device's.
 */
export function eventRate(points: readonly TimedPoint[]): readonly number[] {
  const intervals: number[] = [];
  for (let at = 1; at < points.length; at++) {
    const [a, b] = [points[at - 1] as TimedPoint, points[at] as TimedPoint];
    const ms = b.ms - a.ms;
    if (ms >= 1 && ms < MOVING_MS && Math.hypot(b.x - a.x, b.y - a.y) >= FAST_PX) intervals.push(ms);
  }
  return intervals.length === 0 ? [8] : intervals;
}

/**
 * The control: the same person's pointer, taken at other moments. In fast movements it is between two events where a straight line leads; in
 * slow ones it rests on its pixel. The new events have the old rate, and as the old ones the first of a movement comes at once.
 */
export function resampled(points: readonly TimedPoint[], seed: number): readonly TimedPoint[] {
  const random: Random = createRandom(seed);
  const intervals = eventRate(points);
  const endMs = points.at(-1)?.ms ?? 0;
  const result: TimedPoint[] = [];
  let turn = random.integer(0, intervals.length - 1);
  let at = 0;
  for (let ms = 0; ms <= endMs; ) {
    while (at < points.length - 2 && (points[at + 1] as TimedPoint).ms <= ms) at += 1;
    const [a, b] = [points[at] as TimedPoint, points[at + 1] as TimedPoint];
    const gapMs = b.ms - a.ms;
    const isRest = gapMs >= MOVING_MS;
    const isHeld = isRest || gapMs <= 0 || Math.hypot(b.x - a.x, b.y - a.y) < FAST_PX;
    const share = isHeld ? 0 : Math.min(Math.max((ms - a.ms) / gapMs, 0), 1);
    const [x, y] = [Math.round(a.x + (b.x - a.x) * share), Math.round(a.y + (b.y - a.y) * share)];
    const last = result.at(-1);
    if (last === undefined || last.x !== x || last.y !== y) result.push({ x, y, ms });
    const nextMs = ms + (intervals[turn++ % intervals.length] as number);
    ms = isRest && b.ms > ms ? b.ms : nextMs;
  }
  return result;
}
