/** Names of the rules; `limits.ts` has their limits. Source: docs/protocols/maplestory.md 8. */
import type { PossibleResponses } from "../../responses.ts";

/** Names of all rules that a verdict may have. `docs/maplestory.md` says of each what it finds and where that is tested. */
export const mapleRules = [
  "login-twice",
  "character-online",
  "not-on-a-map",
  "field-key",
  "start",
  "box",
  "durations",
  "wall-clock",
  "pattern",
  "speed",
  "jump",
  "fall",
  "flight",
  "foothold",
  "ladder",
  "wall",
  "water",
  "impulse",
  "teleport",
  "teleport-skill",
  "gain",
  "corrections",
  "portal",
  "replayed-path",
  "empty-path",
  "pet-owner",
  "summon-owner",
  "dragon-owner",
  "monster-elsewhere",
  "monster-control",
  "monster-idle",
  "monster-speed",
  "monster-head",
  "monster-ground",
  "vacuum-box",
  "vacuum-side",
  "vacuum-pull",
  "aggro-rate",
  "aggro-far",
  "client-report",
] as const;

/** Rules about a player's own path: relayed, put back where the dialect can, or left out. */
export const mapleResponses: PossibleResponses = Object.fromEntries(
  (
    [
      "start",
      "speed",
      "jump",
      "fall",
      "flight",
      "foothold",
      "ladder",
      "wall",
      "water",
      "impulse",
      "teleport",
      "teleport-skill",
      "gain",
      "replayed-path",
    ] as const
  ).map((rule) => [rule, ["relay", "correct", "drop"]]),
);

export type MapleRule = (typeof mapleRules)[number];

/** Characters that left, at most (ours): see `departedMs`. */
export const MAX_DEPARTED = 1000;
/** The last corrections of a player that are kept as evidence. */
export const KEPT_EVIDENCE = 5;

/** What a player's soda and skills multiply. */
export interface PlayerFactors {
  readonly speed: number;
  readonly jump: number;
}
