/**
 * Strokes as one array of numbers. A session remembers 128 strokes of 56 numbers: as objects those of 2,000 sessions would
 * be fourteen million values for every copy and digest.
 */
import { SHAPE_POINTS, type Stroke } from "./stroke.ts";

/** Where the shape stands in a row, after the single numbers. */
const SHAPE = 24;
/** Numbers of one stroke. */
export const STROKE_NUMBERS: number = SHAPE + SHAPE_POINTS * 2;

/** Strokes as rows, one after the other. A `dwellMs` that is not known is NaN. */
export function packStrokes(strokes: readonly Stroke[]): Float64Array {
  const rows = new Float64Array(strokes.length * STROKE_NUMBERS);
  let at = 0;
  for (const stroke of strokes) {
    rows[at] = stroke.startMs;
    rows[at + 1] = stroke.durationMs;
    rows[at + 2] = stroke.dwellMs ?? Number.NaN;
    rows[at + 3] = stroke.points;
    rows[at + 4] = stroke.from.x;
    rows[at + 5] = stroke.from.y;
    rows[at + 6] = stroke.to.x;
    rows[at + 7] = stroke.to.y;
    rows[at + 8] = stroke.pathPx;
    rows[at + 9] = stroke.chordPx;
    rows[at + 10] = stroke.straightness;
    rows[at + 11] = stroke.deviationPx;
    rows[at + 12] = stroke.meanSpeed;
    rows[at + 13] = stroke.peakSpeed;
    rows[at + 14] = stroke.peakAt;
    rows[at + 15] = stroke.speedVariation;
    rows[at + 16] = stroke.speeds;
    rows[at + 17] = stroke.endSpeed;
    rows[at + 18] = stroke.corrections;
    rows[at + 19] = stroke.acceleration;
    rows[at + 20] = stroke.jerk;
    rows[at + 21] = stroke.turning;
    rows[at + 22] = stroke.curvature;
    rows[at + 23] = stroke.intervalVariation;
    rows.set(stroke.shape, at + SHAPE);
    at += STROKE_NUMBERS;
  }
  return rows;
}

/** The reverse of {@link packStrokes}. */
export function unpackStrokes(rows: Float64Array): Stroke[] {
  const strokes: Stroke[] = [];
  for (let at = 0; at < rows.length; at += STROKE_NUMBERS) {
    const dwellMs = rows[at + 2] as number;
    strokes.push({
      startMs: rows[at] as number,
      durationMs: rows[at + 1] as number,
      dwellMs: Number.isNaN(dwellMs) ? undefined : dwellMs,
      points: rows[at + 3] as number,
      from: { x: rows[at + 4] as number, y: rows[at + 5] as number },
      to: { x: rows[at + 6] as number, y: rows[at + 7] as number },
      pathPx: rows[at + 8] as number,
      chordPx: rows[at + 9] as number,
      straightness: rows[at + 10] as number,
      deviationPx: rows[at + 11] as number,
      meanSpeed: rows[at + 12] as number,
      peakSpeed: rows[at + 13] as number,
      peakAt: rows[at + 14] as number,
      speedVariation: rows[at + 15] as number,
      speeds: rows[at + 16] as number,
      endSpeed: rows[at + 17] as number,
      corrections: rows[at + 18] as number,
      acceleration: rows[at + 19] as number,
      jerk: rows[at + 20] as number,
      turning: rows[at + 21] as number,
      curvature: rows[at + 22] as number,
      intervalVariation: rows[at + 23] as number,
      shape: Array.from(rows.subarray(at + SHAPE, at + STROKE_NUMBERS)),
    });
  }
  return strokes;
}
