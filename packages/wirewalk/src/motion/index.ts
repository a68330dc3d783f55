/** Movement that games share: tracks, verdicts, prediction, fair measures. Pure: time and randomness are arguments. */
export {
  AccumulatedAdvantage,
  type AdvantageClaim,
  type AdvantageJudgement,
  type AdvantageLimits,
  judgeAdvantage,
  type SavedAdvantage,
} from "./accumulated-advantage.ts";
export { type CorrectionLimit, CorrectionRecord, type CorrectionRecordOptions } from "./correction-record.ts";
export { FairClock, type FairClockOptions, type SavedFairClock } from "./fair-clock.ts";
export { LinkPace, type LinkPaceLimits, type SavedLinkPace } from "./link-pace.ts";
export { Prediction, type PredictionOptions, type Reconciliation } from "./prediction.ts";
export { ErrorSmoother, type SmoothingOptions } from "./prediction-smoothing.ts";
export { createRandom, type Random } from "./random.ts";
export type { PlayerId, Position, Track, TrackSource, Velocity } from "./track.ts";
export { TrackReader, type TrackSnapshot } from "./track-reader.ts";
export { type TrackStream, TrackWriter } from "./track-writer.ts";
export type { Verdict, VerdictKind } from "./verdict.ts";
