/**
 * Kinematics of one **stroke**: a movement of the pointer between two rests.
 *
 * ```ts
 * const builder = new StrokeBuilder({ sampleMs: 50 });
 * const tracker = new MouseTracker({ dialect: "client" });
 * const line = "0000 ffff00640064 2a60 2a60 2a60 2a60";
 * tracker.read(parseHex(line), (point) => builder.push(point));
 * builder.finish().straightness; // => 1
 * ```
 *
 * Times are as fine as the packets carry them: a sample's place in time is known to about 10 ms (`documented`: 20 ms),
 * so that speeds between two samples 50 ms apart are right within a fifth or so, and their means much better.
 */
import { angleOf } from "../../../world-kit/exact-math.ts";
import { checkState, flag, maybe, number, type StateOf, state, typedArray } from "../../../world-kit/index.ts";
import type { MousePoint } from "../movement/tracker.ts";

/** A pause this long between two records ends a stroke: three samples in one place. */
export const REST_MS = 200;
/** Points of a stroke at least, its start included: fewer have no acceleration. */
export const MIN_STROKE_POINTS = 4;
/** Shorter paths are tremor. */
export const MIN_STROKE_PX = 20;
/** Points nearer in time than this count as one: a pixel in 20 ms is 50 px/s. */
export const MIN_INTERVAL_MS = 40;
/** Points of one stroke at most (25 s of movement without a rest): a longer one is cut into pieces. */
export const MAX_STROKE_POINTS = 512;
/** Points to which the shape of a stroke is reduced, evenly along its path. */
export const SHAPE_POINTS = 16;

/** One stroke, measured. Speeds in px/s, accelerations in px/s², jerks in px/s³. */
export interface Stroke {
  readonly startMs: number;
  readonly durationMs: number;
  /** Rest before it; undefined where it is not known (after a break, or in the middle of a long stroke). */
  readonly dwellMs: number | undefined;
  readonly points: number;
  readonly from: { readonly x: number; readonly y: number };
  readonly to: { readonly x: number; readonly y: number };
  /** Length of the path. */
  readonly pathPx: number;
  /** Distance between its ends. */
  readonly chordPx: number;
  /** Chord by path: 1 is a straight line. */
  readonly straightness: number;
  /** Farthest from the straight line between the ends. */
  readonly deviationPx: number;
  readonly meanSpeed: number;
  readonly peakSpeed: number;
  /** When the peak comes, 0 to 1 of the duration. A human's comes before the middle. */
  readonly peakAt: number;
  /** Standard deviation by mean of the speeds, first and last sample apart: 0 is a constant speed. */
  readonly speedVariation: number;
  /** Speeds that `speedVariation` was taken of. */
  readonly speeds: number;
  /** Speed just before the end, by the peak: near 1 the pointer stops dead. */
  readonly endSpeed: number;
  /** Times that the pointer slowed down and sped up again: submovements that correct the aim. */
  readonly corrections: number;
  /** Root mean square. */
  readonly acceleration: number;
  /** Root mean square. */
  readonly jerk: number;
  /** All turns of the path, in radians. */
  readonly turning: number;
  /** Turning by path, in radians per pixel. */
  readonly curvature: number;
  /** Standard deviation by mean of the times between samples. */
  readonly intervalVariation: number;
  /** The path's shape: `SHAPE_POINTS` points evenly along it, x and y in turn, from its start. */
  readonly shape: readonly number[];
}

/** Turns shorter than this between two samples are pixels, not curves. */
const TURN_PX = 3;
/** A correction: speed falls under this share of the last peak, and rises over the valley by the other. */
const VALLEY = 0.7;
const RISE = 1.4;
/** Speeds below this are noise of single pixels. */
const SLOW = 60;

/** A jump is a step that is this share of its move. */
const JUMP_SHARE = 0.9;

/** What `StrokeBuilder.save` returns: the stroke that is open. */
export const savedStrokeBuilder = state({
  /** x, y and time of each point in turn. */
  points: typedArray("Float64Array"),
  dwellMs: maybe(number),
  skipped: flag,
  /** The last record, if a stroke may go on from it. */
  last: maybe(state({ x: number, y: number, atMs: number, known: flag })),
});
type SavedStrokeBuilder = StateOf<typeof savedStrokeBuilder>;

/** Cuts the records of a session into strokes. */
export class StrokeBuilder {
  readonly #sampleMs: number;
  #xs: number[] = [];
  #ys: number[] = [];
  #times: number[] = [];
  #dwellMs: number | undefined;
  /** Whether the last record came too soon after the one before to be kept, so far. */
  #skipped = false;
  #shortMovePx = 0;
  #last: SavedStrokeBuilder["last"];

  /** `sampleMs`: time between two samples of the dialect. */
  constructor(options: { readonly sampleMs: number }) {
    this.#sampleMs = options.sampleMs;
  }

  /**
   * How far the pointer went in the move that the last call of `push` or `finish` ended, where it had too few points for a stroke and went nearly
   * all of its way between two samples; 0 otherwise. A quick hand on a pointer that is reported rarely is seen once on its way.
   */
  get shortMovePx(): number {
    return this.#shortMovePx;
  }

  /** Takes a session's next record. Returns the stroke before it, if this record ends it. */
  push(point: MousePoint): Stroke | undefined {
    this.#shortMovePx = 0;
    const { x, y, atMs, known } = point;
    const last = this.#last;
    const next = point.outside ? undefined : { x, y, atMs, known };
    const goesOn = last !== undefined && next !== undefined && !point.first && last.known === known;
    const rested = point.sinceMs >= REST_MS;
    const done = !goesOn || rested || this.#times.length >= MAX_STROKE_POINTS ? this.finish() : undefined;
    this.#last = next;
    if (!goesOn) return done;
    if (rested) {
      // The rest lasted until at most one sample before this record.
      this.#dwellMs = atMs - this.#sampleMs - last.atMs;
      this.#keep(last.x, last.y, atMs - this.#sampleMs);
    } else if (this.#times.length === 0) this.#keep(last.x, last.y, last.atMs);
    // The first interval of a stroke may be shorter: its start is a guess.
    const count = this.#times.length;
    if (count === 1 || atMs - (this.#times[count - 1] as number) >= MIN_INTERVAL_MS) this.#keep(x, y, atMs);
    else this.#skipped = true;
    return done;
  }

  /** Ends the open stroke. Undefined when it is too short to be a stroke. */
  finish(): Stroke | undefined {
    if (this.#skipped && this.#last !== undefined) this.#keep(this.#last.x, this.#last.y, this.#last.atMs);
    const { length } = this.#times;
    this.#shortMovePx = length > 1 && length < MIN_STROKE_POINTS ? this.#farPx() : 0;
    const stroke = length < MIN_STROKE_POINTS ? undefined : measure(this.#xs, this.#ys, this.#times, this.#dwellMs);
    this.#xs = [];
    this.#ys = [];
    this.#times = [];
    this.#dwellMs = undefined;
    return stroke;
  }

  /** From the first kept point to the last; 0 where no step is nearly all of it. */
  #farPx(): number {
    const px = (from: number, to: number): number =>
      Math.hypot(
        (this.#xs[to] as number) - (this.#xs[from] as number),
        (this.#ys[to] as number) - (this.#ys[from] as number),
      );
    const end = this.#xs.length - 1;
    const whole = px(0, end);
    for (let at = 1; at <= end; at++) if (px(at - 1, at) >= whole * JUMP_SHARE) return whole;
    return 0;
  }

  save(): SavedStrokeBuilder {
    const points = new Float64Array(this.#times.length * 3);
    this.#times.forEach((atMs, at) => {
      points.set([this.#xs[at] as number, this.#ys[at] as number, atMs], at * 3);
    });
    const last = this.#last && { ...this.#last };
    return { points, dwellMs: this.#dwellMs, skipped: this.#skipped, last };
  }

  /** Throws `TypeError` for malformed data: then nothing has changed. */
  restore(data: SavedStrokeBuilder): void {
    const { points, dwellMs, skipped, last } = checkState(savedStrokeBuilder, data, "builder");
    this.#xs = [];
    this.#ys = [];
    this.#times = [];
    for (let at = 0; at < points.length; at += 3) {
      this.#xs.push(points[at] as number);
      this.#ys.push(points[at + 1] as number);
      this.#times.push(points[at + 2] as number);
    }
    this.#dwellMs = dwellMs;
    this.#skipped = skipped;
    this.#last = last && { ...last };
  }

  #keep(x: number, y: number, atMs: number): void {
    this.#skipped = false;
    this.#xs.push(x);
    this.#ys.push(y);
    this.#times.push(atMs);
  }
}

function measure(
  xs: readonly number[],
  ys: readonly number[],
  times: readonly number[],
  dwellMs: number | undefined,
): Stroke | undefined {
  const count = xs.length;
  const [fromX, fromY, startMs] = [xs[0] as number, ys[0] as number, times[0] as number];
  const [toX, toY, endMs] = [xs[count - 1] as number, ys[count - 1] as number, times[count - 1] as number];
  const chordPx = Math.hypot(toX - fromX, toY - fromY);
  const intervals: number[] = [];
  const speeds: number[] = [];
  const vx: number[] = [];
  const vy: number[] = [];
  let pathPx = 0;
  let deviationPx = 0;
  let peakSpeed = 0;
  let peakAtMs = startMs;
  let turning = 0;
  let heading: number | undefined;
  for (let i = 1; i < count; i++) {
    const dx = (xs[i] as number) - (xs[i - 1] as number);
    const dy = (ys[i] as number) - (ys[i - 1] as number);
    // Two records in one millisecond come from a forged client: they count as one millisecond.
    const ms = Math.max((times[i] as number) - (times[i - 1] as number), 1);
    const px = Math.hypot(dx, dy);
    const speed = (px * 1000) / ms;
    intervals.push(ms);
    speeds.push(speed);
    vx.push((dx * 1000) / ms);
    vy.push((dy * 1000) / ms);
    pathPx += px;
    if (speed > peakSpeed) {
      peakSpeed = speed;
      peakAtMs = (times[i] as number) - ms / 2;
    }
    if (px >= TURN_PX) {
      const direction = angleOf(dy, dx);
      if (heading !== undefined) turning += Math.abs(turnBetween(heading, direction));
      heading = direction;
    }
    if (chordPx > 0) {
      const away = ((xs[i] as number) - fromX) * (toY - fromY) - ((ys[i] as number) - fromY) * (toX - fromX);
      deviationPx = Math.max(deviationPx, Math.abs(away) / chordPx);
    }
  }
  if (pathPx < MIN_STROKE_PX) return undefined;
  const durationMs = Math.max(endMs - startMs, 1);
  const inner = speeds.slice(1, -1);
  const { acceleration, jerk } = derivatives(vx, vy, intervals);
  return {
    startMs,
    durationMs,
    dwellMs,
    points: count,
    from: { x: fromX, y: fromY },
    to: { x: toX, y: toY },
    pathPx,
    chordPx,
    straightness: chordPx / pathPx,
    deviationPx,
    meanSpeed: (pathPx * 1000) / durationMs,
    peakSpeed,
    peakAt: Math.min(Math.max((peakAtMs - startMs) / durationMs, 0), 1),
    speedVariation: variation(inner),
    speeds: inner.length,
    endSpeed: (speeds[speeds.length - 2] as number) / peakSpeed,
    corrections: countCorrections(speeds),
    acceleration,
    jerk,
    turning,
    curvature: turning / pathPx,
    intervalVariation: variation(intervals.slice(1)),
    shape: shapeOf(xs, ys, pathPx),
  };
}

/** The angle from one direction to another, -π to π. */
function turnBetween(from: number, to: number): number {
  const turn = to - from;
  if (turn > Math.PI) return turn - 2 * Math.PI;
  return turn < -Math.PI ? turn + 2 * Math.PI : turn;
}

/** Acceleration and jerk out of the velocities between samples, as vectors: a turn is an acceleration too. */
function derivatives(
  vx: readonly number[],
  vy: readonly number[],
  intervals: readonly number[],
): { acceleration: number; jerk: number } {
  const ax: number[] = [];
  const ay: number[] = [];
  let squares = 0;
  for (let i = 1; i < vx.length; i++) {
    const seconds = ((intervals[i] as number) + (intervals[i - 1] as number)) / 2000;
    ax.push(((vx[i] as number) - (vx[i - 1] as number)) / seconds);
    ay.push(((vy[i] as number) - (vy[i - 1] as number)) / seconds);
    squares += (ax[i - 1] as number) ** 2 + (ay[i - 1] as number) ** 2;
  }
  let jerkSquares = 0;
  for (let i = 1; i < ax.length; i++) {
    const seconds = (intervals[i] as number) / 1000;
    const jx = ((ax[i] as number) - (ax[i - 1] as number)) / seconds;
    const jy = ((ay[i] as number) - (ay[i - 1] as number)) / seconds;
    jerkSquares += jx ** 2 + jy ** 2;
  }
  return {
    acceleration: Math.sqrt(squares / Math.max(ax.length, 1)),
    jerk: Math.sqrt(jerkSquares / Math.max(ax.length - 1, 1)),
  };
}

function countCorrections(speeds: readonly number[]): number {
  let corrections = 0;
  let peak = 0;
  let valley = Number.POSITIVE_INFINITY;
  for (const speed of speeds) {
    if (speed >= SLOW && speed > valley * RISE + SLOW / 2) {
      corrections += 1;
      peak = speed;
      valley = Number.POSITIVE_INFINITY;
      continue;
    }
    peak = Math.max(peak, speed);
    if (speed < peak * VALLEY) valley = Math.min(valley, speed);
  }
  return corrections;
}

/** Evenly along the path, so that the phase of the samples does not matter. */
function shapeOf(xs: readonly number[], ys: readonly number[], pathPx: number): readonly number[] {
  const shape: number[] = [];
  let at = 0;
  let walkedPx = 0;
  for (let step = 1; step <= SHAPE_POINTS; step++) {
    const wantedPx = (pathPx * step) / SHAPE_POINTS;
    let segmentPx = segment(xs, ys, at);
    while (at < xs.length - 2 && walkedPx + segmentPx < wantedPx) {
      walkedPx += segmentPx;
      at += 1;
      segmentPx = segment(xs, ys, at);
    }
    const share = segmentPx === 0 ? 0 : Math.min((wantedPx - walkedPx) / segmentPx, 1);
    const x = (xs[at] as number) + ((xs[at + 1] as number) - (xs[at] as number)) * share;
    const y = (ys[at] as number) + ((ys[at + 1] as number) - (ys[at] as number)) * share;
    shape.push(x - (xs[0] as number), y - (ys[0] as number));
  }
  return shape;
}

function segment(xs: readonly number[], ys: readonly number[], at: number): number {
  return Math.hypot((xs[at + 1] as number) - (xs[at] as number), (ys[at + 1] as number) - (ys[at] as number));
}

/** Standard deviation by mean; 0 of fewer than two values, or of a mean of 0. */
export function variation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (mean === 0) return 0;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / values.length) / mean;
}
