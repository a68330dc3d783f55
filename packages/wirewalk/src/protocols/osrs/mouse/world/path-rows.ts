/** The last points of a session's path as rows of numbers: see `RowLog`. */
import type { MousePoint } from "../movement/tracker.ts";
import { RowLog } from "./row-log.ts";

/** Points that are kept at most. */
export const MAX_PATH_POINTS = 256;
/** A packet covers two seconds: this long after a moment, all of its records have arrived. */
export const PLAYBACK_DELAY_MS = 2500;
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

/** Columns: x, y, time, speed, packet, flags. */
const COLUMNS = 6;
const TIME = 2;
const FLAGS = 5;
const KNOWN = 1;
const OUTSIDE = 2;

/** Points, the oldest first. */
export class PathRows extends RowLog {
  constructor() {
    super(COLUMNS);
  }

  /** Adds a record of a packet, for now on the client's clock. */
  add(point: MousePoint, packet: number): void {
    const { x, y, known, outside, sinceMs } = point;
    const at = this.push();
    const { values } = this;
    const flags = (known ? KNOWN : 0) | (outside ? OUTSIDE : 0);
    let speed = 0;
    // The pointer went on from the point before if both are inside, and both are places or neither is.
    const goesOn = at > 0 && !point.first && !outside && values[at - COLUMNS + FLAGS] === flags;
    if (goesOn && sinceMs > 0 && sinceMs < REST_MS) {
      const [dx, dy] = [x - (values[at - COLUMNS] as number), y - (values[at - COLUMNS + 1] as number)];
      speed = (Math.hypot(dx, dy) * 1000) / sinceMs;
    }
    values[at] = x;
    values[at + 1] = y;
    values[at + TIME] = point.atMs;
    values[at + 3] = speed;
    values[at + 4] = packet;
    values[at + FLAGS] = flags;
  }

  /**
   * Puts the points from `first` on onto another clock. With an offset that has just become smaller, a packet would begin
   * before the one before it ended: its points are never earlier than that.
   */
  shift(first: number, offsetMs: number): void {
    const { values } = this;
    for (let row = first; row < this.length; row++) {
      const at = row * COLUMNS + TIME;
      const earliestMs = row === 0 ? Number.NEGATIVE_INFINITY : (values[at - COLUMNS] as number);
      values[at] = Math.max((values[at] as number) + offsetMs, earliestMs);
    }
  }

  /** The row of the pointer's place at a moment: the last point that is not later, or the first. -1 without points. */
  rowAt(ms: number): number {
    let row = this.length - 1;
    while (row > 0 && (this.values[row * COLUMNS + TIME] as number) > ms) row -= 1;
    return row;
  }

  /** Forgets what no track shows from `nowMs` on. */
  forget(nowMs: number): void {
    this.keep(Math.min(this.length - this.rowAt(nowMs - PLAYBACK_DELAY_MS), MAX_PATH_POINTS));
  }

  /** A point as an object, which stays as it is; undefined where there is no such row. */
  point(row: number): PathPoint | undefined {
    return row >= 0 && row < this.length ? this.#point(row) : undefined;
  }

  /** The points from `first` on. */
  points(first = 0): PathPoint[] {
    return Array.from({ length: this.length - first }, (_, index) => this.#point(first + index));
  }

  #point(row: number): PathPoint {
    const { values } = this;
    const at = row * COLUMNS;
    const flags = values[at + FLAGS] as number;
    return {
      x: values[at] as number,
      y: values[at + 1] as number,
      atMs: values[at + TIME] as number,
      known: (flags & KNOWN) !== 0,
      outside: (flags & OUTSIDE) !== 0,
      speed: values[at + 3] as number,
      packet: values[at + 4] as number,
    };
  }
}
