/**
 * What is measured of a stroke to compare a session with people: each as a number whose mean and spread over the strokes say something.
 *
 * ```ts
 * strokeMeasures.map(({ name }) => name).slice(0, 3); // => ["path", "straightness", "bend"]
 * ```
 */
import { logOf } from "../../../world-kit/exact-math.ts";
import type { TakenStroke } from "./stroke-memory.ts";

/** A stroke that ended, as numbers. */
export interface EndedStroke {
  readonly taken: TakenStroke;
  readonly pathPx: number;
  readonly roughness: number;
  readonly turn: number;
}

export interface StrokeMeasure {
  readonly name: string;
  /** It needs no times: the rate of the samples changes it little. */
  readonly isClockFree: boolean;
  /** Logarithms are of quantities that vary by factors. */
  readonly of: (stroke: EndedStroke) => number;
}

const PARTS = 8;

/** The largest share of the path in an eighth of the duration, and in which. */
function fastest({ taken: { progress } }: EndedStroke): { readonly part: number; readonly share: number } {
  let [part, share, before] = [0, 0, 0];
  for (let at = 0; at < PARTS; at++) {
    const done = at < PARTS - 1 ? (progress[at] as number) : 1;
    if (done - before > share) [part, share] = [at, done - before];
    before = done;
  }
  return { part, share };
}

/** In the order of their places in a model. */
export const strokeMeasures: readonly StrokeMeasure[] = [
  { name: "path", isClockFree: true, of: ({ pathPx }) => logOf(pathPx) },
  {
    name: "straightness",
    isClockFree: true,
    of: ({ taken: { chordPx }, pathPx }) => logOf(1.02 - Math.min(chordPx / pathPx, 1)),
  },
  { name: "bend", isClockFree: true, of: ({ taken: { bend } }) => logOf(bend + 0.01) },
  { name: "bend-at", isClockFree: true, of: ({ taken: { bendAt } }) => bendAt },
  { name: "complexity", isClockFree: true, of: ({ taken: { complexity } }) => logOf(complexity + 0.003) },
  { name: "duration", isClockFree: false, of: ({ taken: { durationMs } }) => logOf(durationMs) },
  { name: "peak-at", isClockFree: false, of: (stroke) => (fastest(stroke).part + 0.5) / PARTS },
  { name: "peak", isClockFree: false, of: (stroke) => logOf(fastest(stroke).share * PARTS) },
  { name: "start", isClockFree: false, of: ({ taken: { progress } }) => Math.sqrt(progress[0] as number) },
  { name: "end", isClockFree: false, of: ({ taken: { progress } }) => Math.sqrt(1 - (progress[PARTS - 2] as number)) },
  { name: "roughness", isClockFree: false, of: ({ roughness }) => logOf(roughness + 0.05) },
  { name: "turn", isClockFree: false, of: ({ turn }) => logOf(turn + 0.02) },
];

/** Fills `values` with the measures of a stroke. */
export function measureStroke(values: Float64Array, stroke: EndedStroke): void {
  for (let at = 0; at < strokeMeasures.length; at++) values[at] = (strokeMeasures[at] as StrokeMeasure).of(stroke);
}
