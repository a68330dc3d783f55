/** Names of the rules; `limits.ts` has their limits. Source: docs/protocols/maplestory.md 8. */
import type { Renamed } from "../../renamed.ts";
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
  "flight",
  "foothold",
  "ladder",
  "wall",
  "water",
  "teleport",
  "teleport-skill",
  "gain",
  "corrections",
  "portal",
  "empty-path",
  "pet-owner",
  "summon-owner",
  "dragon-owner",
  "monster-elsewhere",
  "monster-control",
  "monster-idle",
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
    ["start", "speed", "flight", "foothold", "ladder", "wall", "water", "teleport", "teleport-skill", "gain"] as const
  ).map((rule) => [rule, ["relay", "correct", "drop"]]),
);

export type MapleRule = (typeof mapleRules)[number];

/** Rules and settings of earlier versions: what a path cannot be is one finding, and what a herd is pulled by is one sum. */
export const mapleRenamed: Renamed = {
  rules: {
    jump: "speed",
    fall: "speed",
    impulse: "speed",
    "replayed-path": "teleport",
    "monster-speed": "vacuum-pull",
  },
  settings: { monsterPxPerSecond: "honestMonsterPxPerSecond" },
};

/** Characters that left, at most (ours): see `departedMs`. */
export const MAX_DEPARTED = 1000;
/** The last corrections of a player that are kept as evidence. */
export const KEPT_EVIDENCE = 5;

/** What a player's soda and skills multiply. */
export interface PlayerFactors {
  readonly speed: number;
  readonly jump: number;
}
