/** Movement without a game: tracks, verdicts, budgets. Pure: time and randomness are arguments. */
export * from "./random.ts";
export * from "./track.ts";
export * from "./verdict.ts";
