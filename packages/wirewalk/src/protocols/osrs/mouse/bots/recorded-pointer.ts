/**
 * A person's recorded pointer, for bots that replay it and for benchmarks: CSV in, strokes out.
 *
 * ```ts
 * const csv = "ms,x,y\n0,10,10\n16,14,10\n32,30,12\n48,60,14\n900,60,20\n916,70,40\n";
 * const pointer = parsePointerCsv(csv);
 * pointer.length; // => 6
 * cutStrokes(pointer)[0].points.length; // => 4
 * ```
 */

/** A position of the pointer in pixels, and its time in milliseconds since the recording began. */
export interface TimedPoint {
  readonly x: number;
  readonly y: number;
  readonly ms: number;
}

/** A movement between two rests. Times of its points count from its start. */
export interface RecordedStroke {
  /** The rest before it; 0 before the first one. */
  readonly restMs: number;
  readonly points: readonly TimedPoint[];
}

/** Lines of one file at most: a day at 125 events a second is 10.8 million. */
const MAX_LINES = 12_000_000;
/** Coordinates from here on are marks of the recorder that the pointer is outside, and no positions. */
const MAX_PIXELS = 32_768;
/** A rest this long ends a stroke, as in the kinematics. */
const REST_MS = 200;
/** Shorter movements are no strokes: the hand shifts. */
const MIN_PX = 20;

/**
 * Reads lines of comma-separated values. The header names the columns: `x`, `y` in pixels, and the time, which is `ms` or
 * `client timestamp` (milliseconds; seconds where there is a `record timestamp` too, as the Balabit data set has it). Other columns are
 * ignored, as are lines outside 0..32767 and lines whose time goes back. Throws `TypeError` for missing columns and for a value that is
 * no number.
 */
export function parsePointerCsv(text: string): readonly TimedPoint[] {
  const lines = text.split(/\r?\n/, MAX_LINES);
  const names = (lines[0] ?? "").split(",").map((name) => name.trim().toLowerCase());
  const column = (...wanted: readonly string[]): number => {
    const at = names.findIndex((name) => wanted.includes(name));
    if (at < 0) throw new TypeError(`The header has no column ${wanted.join(" or ")}`);
    return at;
  };
  const [xAt, yAt, timeAt] = [column("x"), column("y"), column("ms", "client timestamp")];
  const unitMs = names.includes("record timestamp") ? 1000 : 1;
  const points: TimedPoint[] = [];
  let startMs: number | undefined;
  let lastMs = Number.NEGATIVE_INFINITY;
  for (let line = 1; line < lines.length; line++) {
    const cells = (lines[line] as string).split(",");
    if (cells.length < names.length) continue;
    const [x, y, time] = [Number(cells[xAt]), Number(cells[yAt]), Number(cells[timeAt]) * unitMs];
    if (!(Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(time))) {
      throw new TypeError(`Line ${line + 1}: x, y and the time must be numbers`);
    }
    startMs ??= time;
    const ms = time - startMs;
    if (ms < lastMs || x < 0 || y < 0 || x >= MAX_PIXELS || y >= MAX_PIXELS) continue;
    lastMs = ms;
    points.push({ x, y, ms });
  }
  return points;
}

/** The strokes of a recording, of at least 20 px and 3 points. */
export function cutStrokes(points: readonly TimedPoint[]): readonly RecordedStroke[] {
  const strokes: RecordedStroke[] = [];
  let open: TimedPoint[] = [];
  let endMs = points[0]?.ms ?? 0;
  const finish = (): void => {
    const [first, last] = [open[0], open.at(-1)];
    const path = open.reduce(
      (sum, { x, y }, at) =>
        at === 0 ? 0 : sum + Math.hypot(x - (open[at - 1] as TimedPoint).x, y - (open[at - 1] as TimedPoint).y),
      0,
    );
    if (first !== undefined && last !== undefined && open.length >= 3 && path >= MIN_PX) {
      const startMs = first.ms;
      strokes.push({
        restMs: strokes.length === 0 ? 0 : startMs - endMs,
        points: open.map(({ x, y, ms }) => ({ x, y, ms: ms - startMs })),
      });
      endMs = last.ms;
    }
    open = [];
  };
  for (const point of points) {
    const last = open.at(-1);
    if (last !== undefined && last.x === point.x && last.y === point.y) continue;
    if (last !== undefined && point.ms - last.ms >= REST_MS) {
      finish();
      // The hand began to move between the two events: as long before the second as events of a moving hand are apart.
      open.push({ x: last.x, y: last.y, ms: point.ms - EVENT_MS });
    }
    open.push(point);
  }
  finish();
  return strokes;
}

/** Between two events of a moving pointer in most recordings: a browser's frame. */
const EVENT_MS = 16;
