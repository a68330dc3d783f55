/** Movement without a game: tracks, verdicts, playback. Pure: time and randomness are arguments. */
export * from "./playback.ts";
export * from "./playback-queue.ts";
export * from "./prediction.ts";
export * from "./prediction-errors.ts";
export * from "./prediction-smoothing.ts";
export * from "./random.ts";
export * from "./time-budget.ts";
export * from "./track.ts";
export * from "./verdict.ts";
