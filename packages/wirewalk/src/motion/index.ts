/** Movement that games share: tracks, verdicts, prediction. Pure: time and randomness are arguments. */
export * from "./prediction.ts";
export * from "./prediction-smoothing.ts";
export * from "./random.ts";
export * from "./track.ts";
export * from "./verdict.ts";
