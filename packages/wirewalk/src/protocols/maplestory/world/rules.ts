/** Names of the rules, and the honest limits that operators have published. Source: docs/protocols/maplestory.md 8. */
import { walkConstants } from "../movement/walker.ts";

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
  "impulse",
  "teleport",
  "teleport-skill",
  "replayed-path",
  "empty-path",
  "pet-owner",
  "summon-owner",
  "monster-elsewhere",
  "monster-control",
  "monster-speed",
  "monster-head",
  "vacuum-box",
  "vacuum-side",
  "client-report",
] as const;
export type MapleRule = (typeof mapleRules)[number];

/** Honest limits of players; soda and skills multiply the first two. */
export const playerLimits = {
  walkPxPerSecond: walkConstants.walk,
  jumpPxPerSecond: walkConstants.jump,
  /** "~670": measured falls are slightly faster. */
  fallPxPerSecond: 680,
  /** Rounding of both ends of a node and of its time. */
  slackPx: 3,
  /** Grabbing a ladder moves the player to it at once, by up to this many pixels. */
  grabPx: 14,
  /** A path that is this much too long in all is a teleport, and no longer high speed. */
  teleportPx: 150,
  /** An instant without a skill moves no further, pixels: sitting down on a chair. */
  instantPx: 30,
  /** A client falls to the ground after it entered a map: its first start may be this far from the portal, pixels. */
  entryPx: 100,
  /** How far off the start of a `documented` path may be, pixels: the end before it was extrapolated. */
  documentedStartPx: 60,
  /** Some clients round a start by this much, pixels. */
  benignStartPx: 2,
} as const;

/** Honest limits of monsters. */
export const monsterLimits = {
  /** Honest paths reach 253. */
  speedPxPerSecond: 600,
  /** From the last end to the next start. */
  headPx: 150,
  boxPx: 25,
  /** In one box: honest up to 5, a vacuum has 10. */
  honestInBox: 5,
  vacuumInBox: 10,
  /** Left against right over a long time: honest below 0.1, a vacuum has 0.7. */
  vacuumImbalance: 0.7,
  /** The distance in both directions after which the balance counts, pixels: a shorter one may be all to one side. */
  imbalanceWindowPx: 20_000,
} as const;

/** What a player's soda and skills multiply. */
export interface PlayerFactors {
  readonly speed: number;
  readonly jump: number;
}
