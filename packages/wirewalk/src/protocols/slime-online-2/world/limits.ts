/**
 * The limits of the rules: names, units, defaults, bounds and sources. Everything that shows or sets them goes by this table.
 *
 * Source: docs/protocols/slime-online-2.md 8.
 */
import type { AdvantageLimits, CorrectionRecordOptions, LinkPaceLimits } from "../../../motion/index.ts";
import { type RuleLimit, type RuleLimits, ruleLimits } from "../../settings.ts";
import { type PhysicsConstants, physicsConstants } from "../movement/physics-constants.ts";
import { type SlimeRule, slimeRenamed } from "./rules.ts";

interface SlimeLimit extends RuleLimit {
  readonly rules: readonly SlimeRule[];
}

const positions = ["unreachable", "teleport"] as const;
const bans = ["anti-cheat"] as const;

export const slimeLimitTable = {
  maxMovesPerSecond: {
    summary: "Messages of one player in any second",
    unit: "messages/s",
    default: 60,
    least: 1,
    most: 1000,
    isWhole: true,
    source: "standard 8.2",
    rules: ["rate-limit"],
  },
  maxSpeed: {
    summary: "The fastest run",
    unit: "px/frame",
    default: 2.5,
    least: 0.1,
    most: 100,
    source: "standard 6.2",
    rules: positions,
  },
  maxFall: {
    summary: "The fastest fall",
    unit: "px/frame",
    default: 9,
    least: 0.1,
    most: 100,
    source: "standard 6.2",
    rules: positions,
  },
  jumpSpeed: {
    summary: "The speed that a jump starts with: how high and how fast it rises",
    unit: "px/frame",
    default: 4.5,
    least: 0.1,
    most: 100,
    source: "standard 6.2",
    rules: ["unreachable"],
  },
  gravity: {
    summary: "What a jump loses of its speed in each frame",
    unit: "px/frame²",
    default: 0.2145,
    least: 0.01,
    most: 10,
    source: "standard 6.2",
    rules: ["unreachable"],
  },
  swimSpeed: {
    summary: "The fastest rise without a jump",
    unit: "px/frame",
    default: 1,
    least: 0.1,
    most: 100,
    source: "standard 6.2",
    rules: ["unreachable"],
  },
  teleportTolerance: {
    summary: "How much faster than a full run and fall at once a position may be",
    unit: "times",
    default: 1.5,
    least: 1,
    most: 10,
    source: "standard 8.4",
    rules: ["teleport"],
  },
  savedTravelSeconds: {
    summary: "Travel time that is not used and may be saved",
    unit: "s",
    default: 1,
    least: 0,
    most: 60,
    source: "standard 8.4",
    rules: ["teleport"],
  },
  stallMs: {
    summary: "A silence of this length may have been a stall: what it delayed is one violation",
    unit: "ms",
    default: 5000,
    least: 500,
    most: 60_000,
    source: "standard 8.4",
    rules: positions,
  },
  stallBurstMs: {
    summary: "Within this time after a stall arrives what it delayed",
    unit: "ms",
    default: 300,
    least: 0,
    most: 10_000,
    source: "standard 8.4",
    rules: positions,
  },
  advantageSeconds: {
    summary: "The time along an axis that a player may gain over the time that has passed",
    unit: "s",
    default: 0.55,
    least: 0.05,
    most: 60,
    source: "standard 8.6",
    rules: positions,
  },
  forgivenShare: {
    summary: "The share of passing time by which a gain decreases",
    unit: "s/s",
    default: 0.01,
    least: 0,
    most: 0.5,
    source: "standard 8.6",
    rules: positions,
  },
  fallMaxSeconds: {
    summary: "The time since the last y that counts",
    unit: "s",
    default: 10,
    least: 0,
    most: 600,
    source: "standard 8.6",
    rules: positions,
  },
  slope: {
    summary: "The rise of a slope for each pixel to the side, in rooms that may have slopes",
    unit: "px/px",
    default: 1,
    least: 0,
    most: 100,
    source: "standard 8.6",
    rules: ["unreachable"],
  },
  heldBackShare: {
    summary: "The share of passing time by which a line may hold messages back again: stalls of 5 s of each 33 s",
    unit: "s/s",
    default: 0.15,
    least: 0,
    most: 1,
    source: "standard 8.6.2",
    rules: ["unreachable"],
  },
  groundPx: {
    summary:
      "How far from the ground the feet of a player may be that says where it stands, in rooms whose shape is known",
    unit: "px",
    default: 4,
    least: 0,
    most: 1000,
    source: "standard 8.12",
    rules: ["unreachable"],
  },
  doorPx: {
    summary:
      "How near to a door a player must be that changes rooms, and how near to where the door leads it must come out",
    unit: "px",
    default: 32,
    least: 0,
    most: 65_535,
    source: "standard 8.9",
    rules: ["no-door"],
  },
  unknownDoorPx: {
    summary: "How near to a door whose size is not known a player must be that changes rooms",
    unit: "px",
    default: 1000,
    least: 0,
    most: 65_535,
    source: "standard 8.9",
    rules: ["no-door"],
  },
  edgePx: {
    summary:
      "How far beyond the edges of a room, and of its doors, a player may be in a room that is known and not closed",
    unit: "px",
    default: 64,
    least: 0,
    most: 65_535,
    source: "standard 8.12",
    rules: ["unreachable"],
  },
  lateMaxMs: {
    summary: "How late a message may be by a stall of its line, and all that its line may have held back at once",
    unit: "ms",
    default: 6000,
    least: 0,
    most: 60_000,
    source: "standard 8.6",
    rules: [...positions, "rate-limit"],
  },
  stalledMaxMs: {
    summary: "What stalls of the server itself may add to it",
    unit: "ms",
    default: 6000,
    least: 0,
    most: 60_000,
    source: "standard 8.6",
    rules: [...positions, "rate-limit"],
  },
  assumedLandingMs: {
    summary: "A player in the air that sends nothing for longer is assumed to have landed",
    unit: "ms",
    default: 100,
    least: 0,
    most: 60_000,
    source: "standard 8.7",
    rules: ["transition", "walked-off", "landing-missing", "up-in-air"],
  },
  maxTeleports: {
    summary: "Teleports within the window that are an accident; one more is a ban",
    unit: "teleports",
    default: 5,
    least: 0,
    most: 1000,
    isWhole: true,
    source: "standard 8.8",
    rules: bans,
  },
  teleportWindowMs: {
    summary: "The window of teleports",
    unit: "ms",
    default: 60_000,
    least: 1000,
    most: 86_400_000,
    source: "standard 8.8",
    rules: bans,
  },
  maxCorrections: {
    summary: "Corrections within their window that are an accident; one more is a ban",
    unit: "corrections",
    default: 20,
    least: 0,
    most: 1000,
    isWhole: true,
    source: "standard 8.8",
    rules: bans,
  },
  correctionWindowMs: {
    summary: "The window of corrections, and how long violations of an account that leaves are kept",
    unit: "ms",
    default: 3_600_000,
    least: 1000,
    most: 86_400_000,
    source: "standard 8.8",
    rules: bans,
  },
  correctionsApartMs: {
    summary: "Corrections that are closer are one",
    unit: "ms",
    default: 5000,
    least: 0,
    most: 600_000,
    source: "standard 8.8",
    rules: bans,
  },
  banMs: {
    summary: "How long an account is banned",
    unit: "ms",
    default: 86_400_000,
    least: 1000,
    most: 31_536_000_000,
    source: "standard 8.8",
    rules: bans,
  },
  warpEveryMs: {
    summary: "One warp of a client in this time on average",
    unit: "ms",
    default: 200,
    least: 1,
    most: 60_000,
    source: "standard 8.9",
    rules: ["warp-rate"],
  },
  warpBurstMs: {
    summary: "Warps of so much time at once",
    unit: "ms",
    default: 2000,
    least: 1,
    most: 600_000,
    source: "standard 8.9",
    rules: ["warp-rate"],
  },
  chatEveryMs: {
    summary: "Chat messages of one player, one for each such time on average",
    unit: "ms",
    default: 1000,
    least: 1,
    most: 60_000,
    source: "standard 8.9.1",
    rules: ["chat-rate"],
  },
  chatBurstMs: {
    summary: "Chat of so much time at once: what a stall of its line held back, and what a quick player types",
    unit: "ms",
    default: 20_000,
    least: 1,
    most: 600_000,
    source: "standard 8.9.1",
    rules: ["chat-rate"],
  },
  chatLetters: {
    summary: "A longer chat message costs as much as several, one for each so many letters",
    unit: "letters",
    default: 100,
    least: 1,
    most: 65_535,
    isWhole: true,
    source: "standard 8.9.1",
    rules: ["chat-rate"],
  },
  startPx: {
    summary: "How far from where it began before a client may begin that starts anew",
    unit: "px",
    default: 16,
    least: 0,
    most: 65_535,
    source: "standard 8.11",
    rules: positions,
  },
} as const satisfies Readonly<Record<string, SlimeLimit>>;

/** Values by the names of {@link slimeLimitTable}. */
export type SlimeLimits = RuleLimits<typeof slimeLimitTable>;

/** Limits as the rules read them: values by name, and what follows from them. */
export interface SlimeRuleLimits extends SlimeLimits {
  readonly advantage: Required<AdvantageLimits>;
  readonly corrections: CorrectionRecordOptions;
  readonly pace: LinkPaceLimits;
  readonly teleportPxPerSecond: number;
  /** How long after a change a message may arrive that was sent before it: the longest honest delay. */
  readonly inFlightMs: number;
}

/**
 * Throws `RangeError` for an unknown name or an invalid value.
 *
 * @param constants of another version of the game: its speeds are the defaults.
 */
export function slimeRuleLimits(
  given: Partial<SlimeLimits> = {},
  constants: PhysicsConstants = physicsConstants,
): SlimeRuleLimits {
  const ofVersion = constants === physicsConstants ? {} : speedsOf(constants);
  const values = ruleLimits("slime-online-2", slimeLimitTable, { ...ofVersion, ...given }, slimeRenamed);
  return {
    ...values,
    advantage: { tolerance: values.advantageSeconds, forgiven: values.forgivenShare },
    corrections: {
      limits: [{ count: values.maxCorrections, withinMs: values.correctionWindowMs }],
      apartMs: values.correctionsApartMs,
    },
    pace: { maxLateMs: values.lateMaxMs, maxStalledMs: values.stalledMaxMs },
    teleportPxPerSecond: teleportSpeedPxPerSecond(ruledPhysics(constants, values), values.teleportTolerance),
    inFlightMs: values.lateMaxMs,
  };
}

function speedsOf(constants: PhysicsConstants): Partial<SlimeLimits> {
  const { hspMax, terminalVelocity, jumpSpeed, gravity, waterMaxRise } = constants;
  return { maxSpeed: hspMax, maxFall: terminalVelocity, jumpSpeed, gravity, swimSpeed: Math.abs(waterMaxRise) };
}

/**
 * The fastest believable travel, px/s: the tolerance times the diagonal of full run and full fall, 840.67 with the document's
 * constants (standard 8.4).
 */
export function teleportSpeedPxPerSecond(
  { hspMax, terminalVelocity, framesPerSecond }: PhysicsConstants = physicsConstants,
  tolerance: number = slimeLimitTable.teleportTolerance.default,
): number {
  return tolerance * Math.sqrt(hspMax ** 2 + terminalVelocity ** 2) * framesPerSecond;
}

/** The physics that rules hold players to: those of the game with the speeds of the limits. */
export function ruledPhysics(constants: PhysicsConstants, limits: SlimeLimits): PhysicsConstants {
  return {
    ...constants,
    hspMax: Math.fround(limits.maxSpeed),
    terminalVelocity: Math.fround(limits.maxFall),
    jumpSpeed: Math.fround(limits.jumpSpeed),
    gravity: Math.fround(limits.gravity),
    waterMaxRise: Math.fround(-limits.swimSpeed),
  };
}

/** The game's own. */
export const slimeRuleDefaults: SlimeRuleLimits = slimeRuleLimits();
