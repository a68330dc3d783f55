/** Movement that games share: tracks, verdicts, prediction. Pure: time and randomness are arguments. */
export { Prediction, type PredictionOptions, type Reconciliation } from "./prediction.ts";
export { ErrorSmoother, type SmoothingOptions } from "./prediction-smoothing.ts";
export { createRandom, type Random } from "./random.ts";
export type { PlayerId, Position, Track, TrackSource, Velocity } from "./track.ts";
export type { Verdict, VerdictKind } from "./verdict.ts";
