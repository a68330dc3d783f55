/**
 * The last strokes of a session, each in 26 bytes, and how near a new one is to them. A hand never makes one movement twice; a replay does,
 * also where it is mirrored, turned, scaled, shaken a little or played at another phase of the samples.
 *
 * ```ts
 * const memory = new StrokeMemory();
 * const path = [[0, 0], [9, 2], [40, 8], [70, 30], [80, 31], [95, 29], [99, 35], [101, 40]];
 * for (const [at, [x, y]] of path.entries()) memory.add(x, y, at * 50);
 * memory.take(118).repeat; // => 0
 * for (const [at, [x, y]] of path.entries()) memory.add(700 + y, 300 + x, 9000 + at * 50);
 * memory.take(118).repeat; // => 1
 * ```
 *
 * What is kept of a stroke, with place, direction, size and handedness taken away: its **shape**, points evenly along the path; its
 * **progress**, the share of the path at even times; its duration; its path. Differences are counted in what the way to the server adds by
 * itself: a pixel, half a sample of time.
 */
import { expOf, logOf, sineOf } from "../../../world-kit/exact-math.ts";
import { checkState, type StateOf, state, typedArray } from "../../../world-kit/index.ts";

/** Strokes that are remembered: five minutes without a pause, more than half an hour of slow play. */
const STROKES = 200;
/** Points of one stroke: 12.8 s of movement. A longer one has no shape. */
const MAX_POINTS = 256;
/** Fewer are alike by chance: a quick player flicks the pointer in three to five samples, most of the time. */
const LEAST_POINTS = 7;
/** Points between its ends that a shape is reduced to, along and across. */
const SHAPE_POINTS = 8;
const SHAPE_BYTES = SHAPE_POINTS * 2;
/** Times between its start and end at which the share of the path is kept. */
const PROGRESS_TIMES = 7;
/** Places in the bytes of a stroke. */
const DURATION = SHAPE_BYTES + PROGRESS_TIMES;
const PATH = DURATION + 1;
/** 1 where the shape is one of its own. */
const COMPLEX = PATH + 1;
const BYTES = COMPLEX + 1;
/** A shape's unit, and a progress's: the path has this length. */
const UNIT = 127;
/** Logarithms of the duration and the path, in steps of 5 % and 6 %. */
const DURATION_STEPS = 20;
const PATH_STEPS = 17;
const LEAST_MS = 50;
const LEAST_PX = 20;

/** The line between the ends gives a shape its direction; of a stroke that ends near its start, the line to its farthest point. */
const MIN_CHORD_SHARE = 0.3;
/** A shorter path is too few pixels to have a shape of its own. */
const COMPLEX_PX = 80;
/** Nor have fewer points: two or three corners are alike by chance. */
const COMPLEX_POINTS = 8;
/** A shape of its own differs from two arcs by at least this, root mean square in units. */
const LEAST_COMPLEXITY = 1.4;
/** Two strokes have one shape of their own when no coordinate differs by more than this, and all of them by at most a share of the complexity. */
const TWIN_UNITS = 2;
const TWIN_SHARE = 0.4;

/** Of differences of duration and path more does not count: an outlier is one thing. */
const MOST_SQUARES = 9;
/** Nor of a whole stroke: very different is different. */
const MOST_DISTANCE = 5;
/** Weights of shape and progress beside one of the duration and one of the path. */
const PART_WEIGHT = 4;
/** The mean distance is taken of all strokes where there are no more, else of one in so many. */
const MOST_SUMMED = 64;
const EVERY = 4;
/** Weighted squares of a shape beyond which a stroke is neither near nor a twin: twins have at most 64 squared units, by 9 at most. */
const MOST_NEAR = 7.2;
/** A repeat for sure, and none: distances to the nearest stroke of the same size. In the recordings of docs/hands.md 99 % of people's strokes are over 0.59. */
const NEAR = { sure: 0.2, none: 0.6 } as const;
/** The same without the size, by the mean distance to all: a hand with few ways to move is near to itself. Only below `most`. */
const NEAR_SHARE = { sure: 0.06, none: 0.18, most: 0.8 } as const;

/** A stroke as the memory sees it: see {@link StrokeMemory.take}. */
export interface TakenStroke {
  /** It is long enough to be known again. */
  readonly isJudged: boolean;
  /** 0: new, 1: made before. */
  readonly repeat: number;
  /** It has a shape of its own. */
  readonly isComplex: boolean;
  /** Its shape is one of its own and was there before. */
  readonly isTwin: boolean;
  readonly durationMs: number;
  readonly chordPx: number;
  /** How far its shape is from two arcs, root mean square, by its path. */
  readonly complexity: number;
  /** Farthest from the line between its ends, by its path, and where along the path, 0 to 1. */
  readonly bend: number;
  readonly bendAt: number;
  /** Share of the path at 1/8 to 7/8 of the duration. */
  readonly progress: Float64Array;
}

class Taken implements TakenStroke {
  isJudged = false;
  repeat = 0;
  isComplex = false;
  isTwin = false;
  durationMs = 0;
  chordPx = 0;
  complexity = 0;
  bend = 0;
  bendAt = 0;
  readonly progress = new Float64Array(PROGRESS_TIMES);
}

export const savedStrokeMemory = state({
  /** The remembered strokes, the oldest first. */
  strokes: typedArray("Int8Array"),
  /** The open stroke: x, y and time of each point in turn. */
  open: typedArray("Int32Array"),
});
export type SavedStrokeMemory = StateOf<typeof savedStrokeMemory>;

/** Strokes of one session. It takes 7 KiB. */
export class StrokeMemory {
  readonly #strokes = new Int8Array(STROKES * BYTES);
  readonly #code = new Int8Array(BYTES);
  readonly #result = new Taken();
  /** Strokes ever taken: the next goes to this place, modulo the memory. */
  #taken = 0;
  /** The open stroke. Places are relative to its start. */
  readonly #xs = new Int16Array(MAX_POINTS);
  readonly #ys = new Int16Array(MAX_POINTS);
  readonly #times = new Uint16Array(MAX_POINTS);
  #points = 0;
  #startX = 0;
  #startY = 0;
  #startMs = 0;

  /** Points of the open stroke. */
  get points(): number {
    return this.#points;
  }

  /** Adds a point to the open stroke. */
  add(x: number, y: number, atMs: number): void {
    const at = this.#points++;
    if (at === 0) {
      this.#startX = x;
      this.#startY = y;
      this.#startMs = atMs;
    }
    if (at >= MAX_POINTS) return;
    this.#xs[at] = Math.min(Math.max(x - this.#startX, -MOST_PX), MOST_PX);
    this.#ys[at] = Math.min(Math.max(y - this.#startY, -MOST_PX), MOST_PX);
    // Two records in one millisecond come from a forged client.
    const earliest = at === 0 ? 0 : (this.#times[at - 1] as number) + 1;
    this.#times[at] = Math.min(Math.max(atMs - this.#startMs, earliest), MOST_MS);
  }

  /** Forgets the open stroke. */
  drop(): void {
    this.#points = 0;
  }

  /** Ends the open stroke, compares it with the others and remembers it. The result is filled anew each time. `pathPx`: its length. */
  take(pathPx: number): TakenStroke {
    const result = this.#result;
    const count = Math.min(this.#points, MAX_POINTS);
    // What is left of a stroke that is too long is not its shape.
    result.isJudged = count >= LEAST_POINTS && this.#points <= MAX_POINTS;
    this.#points = 0;
    result.repeat = 0;
    result.isComplex = false;
    result.isTwin = false;
    this.#encode(count, pathPx);
    if (!result.isJudged) return result;
    this.#compare();
    this.#strokes.set(this.#code, (this.#taken % STROKES) * BYTES);
    this.#taken += 1;
    return result;
  }

  /** Fills `#code` and the result. */
  #encode(count: number, pathPx: number): void {
    const result = this.#result;
    const code = this.#code;
    const end = count - 1;
    result.durationMs = Math.max(this.#times[end] as number, LEAST_MS);
    result.chordPx = Math.sqrt((this.#xs[end] as number) ** 2 + (this.#ys[end] as number) ** 2);
    const toward = this.#directionPoint(count, pathPx);
    this.#encodeShape(count, pathPx, toward);
    this.#encodeProgress(count, pathPx);
    const hasShape = toward === end && count >= COMPLEX_POINTS && pathPx >= COMPLEX_PX;
    result.isComplex = hasShape && result.complexity * UNIT >= LEAST_COMPLEXITY;
    code[DURATION] = Math.min(Math.round(logOf(result.durationMs / LEAST_MS) * DURATION_STEPS), UNIT);
    code[PATH] = Math.min(Math.round(logOf(Math.max(pathPx, LEAST_PX) / LEAST_PX) * PATH_STEPS), UNIT);
    code[COMPLEX] = result.isComplex ? 1 : 0;
  }

  /** The place that gives the shape its direction. */
  #directionPoint(count: number, pathPx: number): number {
    if (this.#result.chordPx >= pathPx * MIN_CHORD_SHARE) return count - 1;
    let [farthest, most] = [count - 1, 0];
    for (let at = 1; at < count; at++) {
      const squares = (this.#xs[at] as number) ** 2 + (this.#ys[at] as number) ** 2;
      if (squares > most) [farthest, most] = [at, squares];
    }
    return farthest;
  }

  #encodeShape(count: number, pathPx: number, toward: number): void {
    const code = this.#code;
    const [cx, cy] = [this.#xs[toward] as number, this.#ys[toward] as number];
    const length = Math.max(Math.sqrt(cx * cx + cy * cy), 1);
    const scale = UNIT / (pathPx * length);
    let at = 0;
    let walkedPx = 0;
    let segmentPx = this.#segment(0);
    let arc = 0;
    let wave = 0;
    let squares = 0;
    let largest = 0;
    let largestAt = 0;
    for (let step = 0; step < SHAPE_POINTS; step++) {
      const wantedPx = (pathPx * (step + 1)) / (SHAPE_POINTS + 1);
      while (at < count - 2 && walkedPx + segmentPx < wantedPx) {
        walkedPx += segmentPx;
        at += 1;
        segmentPx = this.#segment(at);
      }
      const share = segmentPx === 0 ? 0 : Math.min((wantedPx - walkedPx) / segmentPx, 1);
      const dx = (this.#xs[at] as number) + ((this.#xs[at + 1] as number) - (this.#xs[at] as number)) * share;
      const dy = (this.#ys[at] as number) + ((this.#ys[at + 1] as number) - (this.#ys[at] as number)) * share;
      const across = (dy * cx - dx * cy) * scale;
      code[step * 2] = Math.round((dx * cx + dy * cy) * scale);
      code[step * 2 + 1] = Math.round(across);
      if (Math.abs(across) > Math.abs(largest)) {
        largest = across;
        largestAt = step;
      }
      arc += across * (BOWS[step] as number);
      wave += across * (WAVES[step] as number);
      squares += across * across;
    }
    if (largest < 0) {
      for (let step = 0; step < SHAPE_POINTS; step++) code[step * 2 + 1] = -(code[step * 2 + 1] as number);
    }
    // Sines at these points are orthogonal, and the square of each sums to half of one more than their number.
    const simple = (arc * arc + wave * wave) / ((SHAPE_POINTS + 1) / 2);
    const result = this.#result;
    result.complexity = Math.sqrt(Math.max(squares - simple, 0) / SHAPE_POINTS) / UNIT;
    result.bend = Math.abs(largest) / UNIT;
    result.bendAt = (largestAt + 1) / (SHAPE_POINTS + 1);
  }

  #encodeProgress(count: number, pathPx: number): void {
    const times = this.#times;
    const durationMs = times[count - 1] as number;
    let at = 0;
    let walkedPx = 0;
    for (let step = 1; step <= PROGRESS_TIMES; step++) {
      const wantedMs = (durationMs * step) / (PROGRESS_TIMES + 1);
      while (at < count - 2 && (times[at + 1] as number) < wantedMs) {
        walkedPx += this.#segment(at);
        at += 1;
      }
      const ms = (times[at + 1] as number) - (times[at] as number);
      const share = ms <= 0 ? 1 : Math.min(Math.max((wantedMs - (times[at] as number)) / ms, 0), 1);
      const done = Math.min((walkedPx + this.#segment(at) * share) / pathPx, 1);
      this.#result.progress[step - 1] = done;
      this.#code[SHAPE_BYTES + step - 1] = Math.round(done * UNIT);
    }
  }

  #segment(at: number): number {
    const dx = (this.#xs[at + 1] as number) - (this.#xs[at] as number);
    const dy = (this.#ys[at + 1] as number) - (this.#ys[at] as number);
    return Math.sqrt(dx * dx + dy * dy);
  }

  #compare(): void {
    const result = this.#result;
    const code = this.#code;
    const strokes = this.#strokes;
    const kept = Math.min(this.#taken, STROKES);
    const mostShape = SHAPE_BYTES * (TWIN_SHARE * result.complexity * UNIT) ** 2;
    let nearest = MOST_SQUARES * 10;
    let nearestAnySize = MOST_SQUARES * 9;
    let sum = 0;
    let summed = 0;
    const every = kept > MOST_SUMMED ? EVERY : 1;
    for (let stroke = 0; stroke < kept; stroke++) {
      const from = stroke * BYTES;
      const isSummed = stroke % every === 0;
      const smaller = Math.min(strokes[from + PATH] as number, code[PATH] as number);
      const perShape = PER_SHAPE[smaller] as number;
      const mostNear = isSummed ? Number.POSITIVE_INFINITY : MOST_NEAR / perShape;
      let shape = 0;
      let largest = 0;
      for (let at = 0; at < SHAPE_BYTES && shape <= mostNear; at++) {
        const difference = (strokes[from + at] as number) - (code[at] as number);
        shape += difference * difference;
        if (difference > largest) largest = difference;
        else if (-difference > largest) largest = -difference;
      }
      if (shape > mostNear) continue;
      const areOwn = result.isComplex && strokes[from + COMPLEX] === 1;
      if (areOwn && largest <= TWIN_UNITS && shape <= mostShape) result.isTwin = true;
      let progress = 0;
      for (let at = SHAPE_BYTES; at < DURATION; at++) {
        const difference = (strokes[from + at] as number) - (code[at] as number);
        progress += difference * difference;
      }
      const shorter = Math.min(strokes[from + DURATION] as number, code[DURATION] as number);
      const duration =
        ((strokes[from + DURATION] as number) - (code[DURATION] as number)) * (PER_DURATION[shorter] as number);
      const path = ((strokes[from + PATH] as number) - (code[PATH] as number)) * (PER_PATH[smaller] as number);
      const anySize =
        shape * perShape + progress * (PER_PROGRESS[shorter] as number) + Math.min(duration * duration, MOST_SQUARES);
      if (anySize < nearestAnySize) nearestAnySize = anySize;
      const whole = anySize + Math.min(path * path, MOST_SQUARES);
      if (whole < nearest) nearest = whole;
      if (!isSummed) continue;
      sum += Math.min(Math.sqrt(anySize / (2 * PART_WEIGHT + 1)), MOST_DISTANCE);
      summed += 1;
    }
    if (kept === 0) return;
    const distance = Math.sqrt(nearest / (2 * PART_WEIGHT + 2));
    const anySize = Math.sqrt(nearestAnySize / (2 * PART_WEIGHT + 1));
    const share = sum === 0 ? 1 : (anySize * summed) / sum;
    result.repeat = Math.max(
      nearness(distance, NEAR.sure, NEAR.none),
      anySize < NEAR_SHARE.most ? nearness(share, NEAR_SHARE.sure, NEAR_SHARE.none) : 0,
    );
  }

  /** Everything that decides later results. */
  save(): SavedStrokeMemory {
    const kept = Math.min(this.#taken, STROKES);
    const strokes = new Int8Array(kept * BYTES);
    const first = this.#taken - kept;
    for (let stroke = 0; stroke < kept; stroke++) {
      const from = ((first + stroke) % STROKES) * BYTES;
      strokes.set(this.#strokes.subarray(from, from + BYTES), stroke * BYTES);
    }
    const points = Math.min(this.#points, MAX_POINTS);
    const open = new Int32Array(points * 3 + HEAD);
    open.set([this.#points, this.#startX, this.#startY, this.#startMs]);
    for (let at = 0; at < points; at++) {
      open[HEAD + at * 3] = this.#xs[at] as number;
      open[HEAD + at * 3 + 1] = this.#ys[at] as number;
      open[HEAD + at * 3 + 2] = this.#times[at] as number;
    }
    return { strokes, open };
  }

  /** Throws `TypeError` for malformed data: then nothing has changed. */
  restore(data: SavedStrokeMemory): void {
    const { strokes, open } = checkState(savedStrokeMemory, data, "memory");
    const [points = 0, startX = 0, startY = 0, startMs = 0] = open;
    const kept = Math.min(points, MAX_POINTS);
    if (points < 0 || open.length !== HEAD + kept * 3) {
      throw new TypeError(`memory.open: ${open.length} numbers, expected ${HEAD + Math.max(kept, 0) * 3}`);
    }
    if (strokes.length % BYTES !== 0 || strokes.length > this.#strokes.length) {
      throw new TypeError(`memory.strokes: ${strokes.length} bytes, expected at most ${STROKES} x ${BYTES}`);
    }
    // Tables are read at these places.
    for (let from = 0; from < strokes.length; from += BYTES) {
      if ((strokes[from + DURATION] as number) < 0 || (strokes[from + PATH] as number) < 0) {
        throw new TypeError("memory.strokes: a negative duration or path");
      }
    }
    this.#strokes.set(strokes);
    this.#taken = strokes.length / BYTES;
    this.#points = points;
    this.#startX = startX;
    this.#startY = startY;
    this.#startMs = startMs;
    for (let at = 0; at < kept; at++) {
      this.#xs[at] = open[HEAD + at * 3] as number;
      this.#ys[at] = open[HEAD + at * 3 + 1] as number;
      this.#times[at] = open[HEAD + at * 3 + 2] as number;
    }
  }
}

/** Numbers before the points of a saved open stroke. */
const HEAD = 4;
const MOST_PX = 32_767;
const MOST_MS = 65_535;

/** 1 at `sure` and below, 0 from `none` on. */
function nearness(value: number, sure: number, none: number): number {
  return Math.min(Math.max((none - value) / (none - sure), 0), 1);
}

/**
 * Weights of squared differences, by the byte of the shorter duration or path: one by the square of what the capture adds, which is a
 * pixel and a half and 1.5 units of shape; 15 ms and 3 units of progress; 30 ms and 5 % of duration; 2 px and 4 % of path.
 */
const BYTE_VALUES = Array.from({ length: UNIT + 1 }, (_, byte) => byte);
const durationOf = (byte: number): number => LEAST_MS * expOf(byte / DURATION_STEPS);
const pathOf = (byte: number): number => LEAST_PX * expOf(byte / PATH_STEPS);
const PER_SHAPE = Float64Array.from(
  BYTE_VALUES,
  (byte) => PART_WEIGHT / SHAPE_BYTES / (1.5 + (1.5 * UNIT) / pathOf(byte)) ** 2,
);
const PER_PROGRESS = Float64Array.from(
  BYTE_VALUES,
  (byte) => PART_WEIGHT / PROGRESS_TIMES / (3 + (15 * UNIT) / durationOf(byte)) ** 2,
);
const PER_DURATION = Float64Array.from(BYTE_VALUES, (byte) => 1 / (DURATION_STEPS * (0.05 + 30 / durationOf(byte))));
const PER_PATH = Float64Array.from(BYTE_VALUES, (byte) => 1 / (PATH_STEPS * (0.04 + 2 / pathOf(byte))));

/** What is taken off a shape before it counts as one of its own: an arc to one side, and one to each side. */
const [BOWS, WAVES] = [1, 2].map((halves) =>
  Float64Array.from({ length: SHAPE_POINTS }, (_, step) =>
    sineOf((Math.PI * halves * (step + 1)) / (SHAPE_POINTS + 1)),
  ),
) as [Float64Array, Float64Array];
