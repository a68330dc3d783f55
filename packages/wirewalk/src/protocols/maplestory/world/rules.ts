/** Names of the rules, and the honest limits that operators have published. Source: docs/protocols/maplestory.md 8. */
import { walkConstants } from "../movement/walker.ts";
import type { AllowanceLimits } from "./allowance.ts";

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
  "gain",
  "corrections",
  "replayed-path",
  "empty-path",
  "pet-owner",
  "summon-owner",
  "dragon-owner",
  "monster-elsewhere",
  "monster-control",
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

/** What a player's paths may exceed the rules by in all, pixels (ours; the tolerance is that of a teleport). */
export const gainLimits = {
  /** More is corrected: a player never holds more. */
  tolerancePx: 150,
  /** More is flagged. */
  noticePx: 20,
  /** Both ends of a movement are rounded by half a pixel. */
  roundingPx: 1,
  /** What wears off: a client that rounds otherwise. 1.05 times the walking speed is 6 px a second. */
  forgivenPxPerSecond: 1,
} as const;

/** When corrections become a ban (ours): a few of them are an accident, these need minutes of cheating. */
export const correctionLimits = {
  /** Corrections that are closer are one event: what the client had sent before it knew. */
  apartMs: 5000,
  /** More than this many within the time. */
  limits: [
    { count: 10, withinMs: 300_000 },
    { count: 20, withinMs: 3_600_000 },
  ],
  banMs: 3_600_000,
} as const;
/** Characters that left (ours): how long they keep their place, gain and corrections, milliseconds, and how many of them. */
export const departedLimits = { keptMs: 3_600_000, most: 1000 } as const;
/** The last corrections of a player that are kept as evidence. */
export const KEPT_EVIDENCE = 5;

/** Honest limits of monsters. */
export const monsterLimits = {
  /** No monster is faster for a moment. */
  speedPxPerSecond: 600,
  /** The fastest of published honest paths. What all of a controller's monsters exceed it by adds up. */
  honestPxPerSecond: 253,
  /** How far a walking monster may be off the foothold that its path names, pixels: rounding, and the edge of a slope. */
  groundPx: 10,
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

/** What the server asks of a connection, milliseconds (ours). */
export const connectionLimits = {
  /**
   * How often a client is pinged. A pong proves that the client has received everything that was sent before its ping, and
   * that everything the client sent before it has arrived: both hold on every ordered connection, however late it is.
   */
  pingMs: 5000,
  /** A client that has not answered a ping for this long is disconnected. */
  pongMs: 55_000,
  /**
   * A connection that has not answered a ping for this long gives its character to another one of the same address and name.
   * A connection that stalls for 5 s answers in time.
   */
  takeOverMs: 15_000,
  /** Nothing is late any more after this time: the client has answered a ping, or is disconnected. */
  silenceMs: 60_000,
  /** A client that does not name its character for this long is disconnected. */
  loginMs: 30_000,
} as const;

/** What a client records before it sends, milliseconds: 510, and as much for one whose steps are late (ours). */
export const RECORDING_MS = 1000;
/**
 * By how much the delays of a working connection differ, milliseconds (ours): 500 of jitter, and a packet that is lost and sent again twice. In
 * `documented`, which has no pings, this much may be reported late at any time, and after a silence as much more as `LinkPace` says.
 */
export const JITTER_MS = 1000;
/**
 * Silences that are longer than `LinkPace` gives credit for (ours): TCP sends a packet that gets lost again and again for two minutes.
 * What such a silence has delayed comes within ten seconds, and may report up to 150 s. On the wire that is the same as a client that waits
 * and then walks for all of that time at once, so it is believed three times, and once more a minute. A player that stood still when the
 * silence began sends nothing while it rests: most of its silences have delayed nothing, and one that is believed counts as two.
 */
export const longSilences = {
  fromMs: 6000,
  burstMs: 10_000,
  mostMs: 150_000,
  believed: { most: 3, perSecond: 1 / 60 },
  costMoving: 1,
  costResting: 2,
} as const;
/**
 * What players report at once after silences that began at rest, beyond what any message may be late by, milliseconds (ours): up to 8 s of each
 * silence, 14 s in all, of which 2 s are forgiven in half a minute. A line that stalls for 5 s every half a minute delays 3 s
 * beyond it, and only where its player began to walk just then; a client that saves up time does it each time that it walks.
 */
export const savedUp = { mostOfOneMs: 8000, total: { most: 14_000, perSecond: 2000 / 30 } } as const;

/** By how much a controller's monsters may exceed the honest speed in all, pixels: those of a vacuum do so each time. */
export const pullLimits: AllowanceLimits = { most: 150, perSecond: 5 };

/** How near a monster must be to notice a player, pixels (ours): what both have moved while the messages were under way. */
export const AGGRO_PX = 300;
/** Messages of monsters that noticed a player: the client sends one a second at most, and a connection may hold them back. */
export const aggroLimits: AllowanceLimits = { most: 20, perSecond: 1 };
/** Those from further away than {@link AGGRO_PX} (ours): the client may see a monster where it was before a stall. */
export const farAggroLimits: AllowanceLimits = { most: 5, perSecond: 1 / 15 };

/** What a player's soda and skills multiply. */
export interface PlayerFactors {
  readonly speed: number;
  readonly jump: number;
}
