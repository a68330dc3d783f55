/** A player of the world of mice: its path and measurements, on the clock of the world. */
import type { PlayerId } from "../../../../motion/index.ts";
import { checkMembers, type Kinds } from "../../../world-kit/index.ts";
import { type MousePoint, MouseTracker, type SavedTracker } from "../movement/tracker.ts";
import { MouseKinematics, type MouseRule, mouseRuleNames, type SavedKinematics } from "./kinematics.ts";

/** Points of a path that are kept: about twelve seconds of movement. */
export const MAX_PATH_POINTS = 256;
/** A packet that is later than this does not count as late: the client's clock has lost time, in a pause. */
const MAX_LATE_MS = 10_000;
/** After this long without a movement the pointer rests. */
const REST_MS = 250;

/** A point of a session's path, on the clock of the world. */
export interface PathPoint {
  readonly x: number;
  readonly y: number;
  readonly atMs: number;
  /** Whether x and y are places. */
  readonly known: boolean;
  readonly outside: boolean;
  /** Pixels per second since the point before; 0 after a rest or a break. */
  readonly speed: number;
  /** Number of the packet that brought it, from 0. */
  readonly packet: number;
}

/** One player's mouse as a world knows it. */
export interface MouseSession {
  readonly tracker: MouseTracker;
  readonly kinematics: MouseKinematics;
  /** The last points, the oldest first. */
  readonly path: readonly PathPoint[];
  readonly packets: number;
  /** When the last packet came; undefined before the first. */
  readonly arrivedMs: number | undefined;
}

/** One session; its own memory. */
export class Session implements MouseSession {
  readonly id: PlayerId;
  readonly name: string;
  readonly tracker: MouseTracker;
  readonly kinematics: MouseKinematics;
  path: PathPoint[] = [];
  /** Rules that gave a verdict. */
  flagged = new Set<MouseRule>();
  packets = 0;
  arrivedMs: number | undefined;
  /** The last packet took all that fits. */
  isFull = false;
  /** Strokes when the last score was taken. */
  scoredAt = 0;
  /** From the client's clock to the world's: the least offset of any packet, since lateness only adds. */
  #offsetMs = 0;

  constructor(id: PlayerId, name: string, dialect: string) {
    this.id = id;
    this.name = name;
    this.tracker = new MouseTracker({ dialect });
    this.kinematics = new MouseKinematics(dialect);
  }

  /** Adds a record to the path, for now on the client's clock. */
  add(point: MousePoint): void {
    this.path.push(pathPoint(point, this.path.at(-1), this.packets));
  }

  /** Puts the points from `first` on onto the world's clock and forgets the oldest. Returns the new ones, copied. */
  place(first: number, nowMs: number): readonly PathPoint[] {
    const { path } = this;
    const offsetMs = nowMs - this.tracker.atMs;
    const isLate = offsetMs >= this.#offsetMs && offsetMs <= this.#offsetMs + MAX_LATE_MS;
    if (this.packets === 0 || !isLate) this.#offsetMs = offsetMs;
    for (let index = first; index < path.length; index++) {
      const point = path[index] as PathPoint;
      const earliestMs = path[index - 1]?.atMs ?? Number.NEGATIVE_INFINITY;
      // With an offset that has just become smaller, this packet would begin before the one before it ended.
      path[index] = { ...point, atMs: Math.max(point.atMs + this.#offsetMs, earliestMs) };
    }
    const points = path.slice(first).map((point) => ({ ...point }));
    if (path.length > MAX_PATH_POINTS) path.splice(0, path.length - MAX_PATH_POINTS);
    return points;
  }

  save(): SavedSession {
    const { id, name, packets, arrivedMs, isFull, scoredAt } = this;
    return {
      id,
      name,
      packets,
      arrivedMs,
      isFull,
      scoredAt,
      offsetMs: this.#offsetMs,
      flagged: [...this.flagged],
      path: packPath(this.path),
      tracker: this.tracker.save(),
      kinematics: this.kinematics.save(),
    };
  }

  /** Throws `TypeError` or `RangeError` for malformed data. */
  static restore(data: unknown, dialect: string): Session {
    const saved = checkMembers<SavedSession>(data, "state.sessions[]", sessionKinds);
    const session = new Session(saved.id, saved.name, dialect);
    session.tracker.restore(saved.tracker);
    session.kinematics.restore(saved.kinematics);
    if (!(saved.path instanceof Float64Array) || saved.path.length % PATH_NUMBERS !== 0) {
      throw new TypeError("Cannot restore: state.sessions[].path must be rows of numbers");
    }
    const flagged = new Set(saved.flagged);
    if (![...flagged].every((rule) => mouseRuleNames.includes(rule))) {
      throw new RangeError("Cannot restore: state.sessions[].flagged has an unknown rule");
    }
    session.path = unpackPath(saved.path);
    session.flagged = flagged;
    session.packets = saved.packets;
    session.arrivedMs = saved.arrivedMs;
    session.isFull = saved.isFull;
    session.scoredAt = saved.scoredAt;
    session.#offsetMs = saved.offsetMs;
    return session;
  }
}

function pathPoint(point: MousePoint, last: PathPoint | undefined, packet: number): PathPoint {
  const { x, y, atMs, known, outside, sinceMs, first } = point;
  const goesOn = last !== undefined && !first && !outside && !last.outside && last.known === known;
  const speed = goesOn && sinceMs > 0 && sinceMs < REST_MS ? (Math.hypot(x - last.x, y - last.y) * 1000) / sinceMs : 0;
  return { x, y, atMs, known, outside, speed, packet };
}

export interface SavedSession {
  readonly id: PlayerId;
  readonly name: string;
  readonly packets: number;
  readonly arrivedMs: number | undefined;
  readonly isFull: boolean;
  readonly scoredAt: number;
  readonly offsetMs: number;
  readonly flagged: readonly MouseRule[];
  /** Rows of x, y, time, speed, packet, and 1 for known plus 2 for outside. */
  readonly path: Float64Array;
  readonly tracker: SavedTracker;
  readonly kinematics: SavedKinematics;
}

const sessionKinds: Kinds<SavedSession> = {
  id: "number",
  name: "string",
  packets: "number",
  arrivedMs: "number?",
  isFull: "boolean",
  scoredAt: "number",
  offsetMs: "number",
  flagged: "array",
  path: "typedArray",
  tracker: "object",
  kinematics: "object",
};

const PATH_NUMBERS = 6;

function packPath(path: readonly PathPoint[]): Float64Array {
  const rows = new Float64Array(path.length * PATH_NUMBERS);
  let at = 0;
  for (const { x, y, atMs, speed, packet, known, outside } of path) {
    rows[at] = x;
    rows[at + 1] = y;
    rows[at + 2] = atMs;
    rows[at + 3] = speed;
    rows[at + 4] = packet;
    rows[at + 5] = (known ? 1 : 0) | (outside ? 2 : 0);
    at += PATH_NUMBERS;
  }
  return rows;
}

function unpackPath(rows: Float64Array): PathPoint[] {
  const path: PathPoint[] = [];
  for (let at = 0; at < rows.length; at += PATH_NUMBERS) {
    const flags = rows[at + 5] as number;
    path.push({
      x: rows[at] as number,
      y: rows[at + 1] as number,
      atMs: rows[at + 2] as number,
      known: (flags & 1) === 1,
      outside: (flags & 2) === 2,
      speed: rows[at + 3] as number,
      packet: rows[at + 4] as number,
    });
  }
  return path;
}
