/** A session's strokes as rows of numbers: see `RowLog`. */
import { RowLog } from "./row-log.ts";
import { SHAPE_POINTS, type Stroke } from "./stroke.ts";

/** The place of each number in a row. `dwellMs` is NaN where it is unknown, `twin` 1 where an earlier stroke had the shape. */
export const strokeColumns = {
  startMs: 0,
  durationMs: 1,
  dwellMs: 2,
  points: 3,
  fromX: 4,
  fromY: 5,
  toX: 6,
  toY: 7,
  pathPx: 8,
  chordPx: 9,
  straightness: 10,
  deviationPx: 11,
  meanSpeed: 12,
  peakSpeed: 13,
  peakAt: 14,
  speedVariation: 15,
  speeds: 16,
  endSpeed: 17,
  corrections: 18,
  acceleration: 19,
  jerk: 20,
  turning: 21,
  curvature: 22,
  intervalVariation: 23,
  twin: 24,
} as const;

export type StrokeColumn = keyof typeof strokeColumns;

/** Where the shape stands in a row, after the single numbers. */
const SHAPE = 25;
const SHAPE_NUMBERS = SHAPE_POINTS * 2;

/** Strokes, the oldest first, each with whether an earlier one had its shape. */
export class StrokeRows extends RowLog {
  constructor() {
    super(SHAPE + SHAPE_NUMBERS);
  }

  add(stroke: Stroke, twin: boolean): void {
    const at = this.push();
    const { values } = this;
    values[at] = stroke.startMs;
    values[at + 1] = stroke.durationMs;
    values[at + 2] = stroke.dwellMs ?? Number.NaN;
    values[at + 3] = stroke.points;
    values[at + 4] = stroke.from.x;
    values[at + 5] = stroke.from.y;
    values[at + 6] = stroke.to.x;
    values[at + 7] = stroke.to.y;
    values[at + 8] = stroke.pathPx;
    values[at + 9] = stroke.chordPx;
    values[at + 10] = stroke.straightness;
    values[at + 11] = stroke.deviationPx;
    values[at + 12] = stroke.meanSpeed;
    values[at + 13] = stroke.peakSpeed;
    values[at + 14] = stroke.peakAt;
    values[at + 15] = stroke.speedVariation;
    values[at + 16] = stroke.speeds;
    values[at + 17] = stroke.endSpeed;
    values[at + 18] = stroke.corrections;
    values[at + 19] = stroke.acceleration;
    values[at + 20] = stroke.jerk;
    values[at + 21] = stroke.turning;
    values[at + 22] = stroke.curvature;
    values[at + 23] = stroke.intervalVariation;
    values[at + 24] = twin ? 1 : 0;
    values.set(stroke.shape, at + SHAPE);
  }

  /** One number of one stroke. */
  number(row: number, column: StrokeColumn): number {
    return this.values[row * this.width + strokeColumns[column]] as number;
  }

  /** Makes the last stroke end at time 0: what follows has a clock of its own. */
  endNow(): void {
    if (this.length === 0) return;
    const endMs = this.number(this.length - 1, "startMs") + this.number(this.length - 1, "durationMs");
    for (let row = 0; row < this.length; row++) {
      const at = row * this.width + strokeColumns.startMs;
      this.values[at] = (this.values[at] as number) - endMs;
    }
  }

  /** One number of every stroke. */
  column(column: StrokeColumn): number[] {
    return Array.from({ length: this.length }, (_, row) => this.number(row, column));
  }

  /** A stroke as an object, which stays as it is. */
  stroke(row: number): Stroke {
    const at = row * this.width;
    const { values } = this;
    const dwellMs = values[at + 2] as number;
    return {
      startMs: values[at] as number,
      durationMs: values[at + 1] as number,
      dwellMs: Number.isNaN(dwellMs) ? undefined : dwellMs,
      points: values[at + 3] as number,
      from: { x: values[at + 4] as number, y: values[at + 5] as number },
      to: { x: values[at + 6] as number, y: values[at + 7] as number },
      pathPx: values[at + 8] as number,
      chordPx: values[at + 9] as number,
      straightness: values[at + 10] as number,
      deviationPx: values[at + 11] as number,
      meanSpeed: values[at + 12] as number,
      peakSpeed: values[at + 13] as number,
      peakAt: values[at + 14] as number,
      speedVariation: values[at + 15] as number,
      speeds: values[at + 16] as number,
      endSpeed: values[at + 17] as number,
      corrections: values[at + 18] as number,
      acceleration: values[at + 19] as number,
      jerk: values[at + 20] as number,
      turning: values[at + 21] as number,
      curvature: values[at + 22] as number,
      intervalVariation: values[at + 23] as number,
      shape: Array.from(values.subarray(at + SHAPE, at + SHAPE + SHAPE_NUMBERS)),
    };
  }

  /** Whether a remembered stroke has the shape of another, wherever they begin: no two points are farther apart than `allowedPx`. */
  hasShape(row: number, { pathPx, shape }: Stroke, allowedPx: number): boolean {
    const { values } = this;
    const at = row * this.width;
    if (Math.abs((values[at + strokeColumns.pathPx] as number) - pathPx) > allowedPx * 2) return false;
    for (let i = SHAPE_NUMBERS - 2; i >= 0; i -= 2) {
      const dx = (values[at + SHAPE + i] as number) - (shape[i] as number);
      const dy = (values[at + SHAPE + i + 1] as number) - (shape[i + 1] as number);
      if (dx * dx + dy * dy > allowedPx * allowedPx) return false;
    }
    return true;
  }
}
