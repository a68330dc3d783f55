/** Tables of a recording for analysis: positions, verdicts and mouse strokes, as typed columns. docs/recordings.md describes them. */

export type Cell = string | number | bigint | boolean | null;

export interface TableColumn {
  readonly name: string;
  readonly type: "STRING" | "INT32" | "INT64" | "DOUBLE" | "BOOLEAN";
  readonly nullable: boolean;
}

const column = (name: string, type: TableColumn["type"], nullable = false): TableColumn => ({ name, type, nullable });

const who = [column("time_ns", "INT64"), column("player", "INT32"), column("name", "STRING", true)] as const;

/** Columns by table; the cells of a row are in this order. */
export const recordingTables = {
  positions: [
    ...who,
    column("room", "STRING"),
    column("x", "DOUBLE"),
    column("y", "DOUBLE"),
    column("z", "DOUBLE", true),
    column("level", "INT32", true),
    column("vx", "DOUBLE"),
    column("vy", "DOUBLE"),
    column("facing_turns", "DOUBLE"),
    column("stance", "STRING"),
    column("source", "STRING"),
  ],
  verdicts: [
    ...who,
    column("room", "STRING"),
    column("kind", "STRING"),
    column("rule", "STRING"),
    column("reason", "STRING"),
    column("measured", "DOUBLE", true),
    column("allowed", "DOUBLE", true),
    column("unit", "STRING", true),
    column("message", "STRING"),
  ],
  strokes: [
    ...who,
    column("duration_ms", "DOUBLE"),
    column("rest_ms", "DOUBLE", true),
    column("points", "INT32"),
    column("from_x", "DOUBLE"),
    column("from_y", "DOUBLE"),
    column("to_x", "DOUBLE"),
    column("to_y", "DOUBLE"),
    column("path_px", "DOUBLE"),
    column("chord_px", "DOUBLE"),
    column("straightness", "DOUBLE"),
  ],
} as const satisfies Readonly<Record<string, readonly TableColumn[]>>;

export type TableName = keyof typeof recordingTables;

/** A point of a mouse, of the observation `mouse-packet`. */
export interface MousePoint {
  readonly x: number;
  readonly y: number;
  readonly atMs: number;
  readonly known: boolean;
}

export interface MouseStroke {
  readonly startMs: number;
  readonly durationMs: number;
  readonly restMs: number | undefined;
  readonly points: readonly MousePoint[];
  readonly pathPx: number;
  readonly chordPx: number;
}

/** As the rules of the mouse have them: docs/protocols/osrs-mouse.md 8.1. */
const REST_MS = 200;
const MIN_POINTS = 4;
const MIN_PATH_PX = 20;

/** Cuts the points of one player into strokes: movements between two rests, or from and to an unknown place. */
export class StrokeCutter {
  #points: MousePoint[] = [];
  #endedMs: number | undefined;

  /** The stroke that ends before this point, if it is one. */
  push(point: MousePoint): MouseStroke | undefined {
    const last = this.#points.at(-1);
    const isBreak = !point.known || (last !== undefined && point.atMs - last.atMs >= REST_MS);
    const ended = isBreak ? this.end() : undefined;
    if (point.known) this.#points.push(point);
    else this.#endedMs = undefined;
    return ended;
  }

  end(): MouseStroke | undefined {
    const points = this.#points;
    this.#points = [];
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const restMs = this.#endedMs === undefined ? undefined : first.atMs - this.#endedMs;
    this.#endedMs = last.atMs;
    let pathPx = 0;
    let before = first;
    for (const point of points) {
      pathPx += Math.hypot(point.x - before.x, point.y - before.y);
      before = point;
    }
    if (points.length < MIN_POINTS || pathPx < MIN_PATH_PX) return undefined;
    const chordPx = Math.hypot(last.x - first.x, last.y - first.y);
    return { startMs: first.atMs, durationMs: last.atMs - first.atMs, restMs, points, pathPx, chordPx };
  }
}
