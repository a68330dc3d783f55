/** Movement without a game: tracks, verdicts, playback. Pure: time and randomness are arguments. */
export * from "./playback.ts";
export * from "./random.ts";
export * from "./track.ts";
export * from "./verdict.ts";
