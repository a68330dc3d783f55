/**
 * The time that a player's positions take, along each axis, against the time that has passed: what the player gains by moving
 * faster than the game can is its **advantage**, and may never exceed one tolerance (standard 8.6).
 *
 * Everything here is pure: a check returns a result and what to keep, so a refused message changes nothing.
 *
 * Source: docs/protocols/slime-online-2.md 8.6.
 */
import { judgeAdvantage } from "../../../motion/index.ts";
import { flag, maybe, number, type StateOf, state } from "../../world-kit/index.ts";
import type { MovementState } from "../movement/movement-state.ts";
import type { PhysicsConstants } from "../movement/physics-constants.ts";
import { type SlimeRuleLimits, slimeRuleDefaults } from "./limits.ts";

/** Seconds at most that are kept of the time in which a player crouched: what delays of a working line vary by. */
const CROUCHED_BEFORE = 1;

/** What is known of a player's way. Times in seconds unless named otherwise. */
export const savedTravel = state({
  /** The last accepted position; y is undefined while only x has been reported (upPress carries no y). */
  x: number,
  y: maybe(number),
  /** The advantage along each axis; below 0 it is credit. */
  xHeld: number,
  yHeld: number,
  /** Time since the last accepted x in which the player was known to move left, to move right, and to do neither. */
  left: number,
  right: number,
  rested: number,
  /** The part of `left` and `right` in which it crouched on the ground. */
  crouched: number,
  /** Such time of before that no position has used: messages that waited for each other arrive together. */
  crouchedBefore: number,
  /** Seconds of running that it may still claim for the time in which it crouched. */
  creep: number,
  /** Time in which it insisted on a position that was refused: any way of moving is possible. */
  insisted: number,
  /** Time since the last accepted y. */
  high: number,
  /** Jumps since the last accepted y, and pixels to the side. */
  jumps: number,
  across: number,
  /** Whether the key of a direction alone was held since the last accepted x, in the order of the messages. */
  leftHeld: flag,
  rightHeld: flag,
  /** Pixels that it may still move without such a key. */
  coast: number,
  /** Seconds that it has claimed to run and did not hold a key for, or crouched in. */
  saved: number,
  /** Up to when the times above are counted, milliseconds. */
  atMs: number,
});
export type Travel = Readonly<StateOf<typeof savedTravel>>;

/** An axis along which a player moved faster than the game can. */
export interface TravelExcess {
  readonly axis: "horizontal" | "rise" | "fall" | "coasting" | "saved" | "crouching";
  /** Pixels moved since the last accepted position. */
  readonly measured: number;
  /** Pixels that were possible. */
  readonly allowed: number;
  /** The time that it takes. */
  readonly seconds: number;
}

/** The result of {@link judgeTravel}. */
export type TravelJudgement =
  | { readonly accepted: true; readonly travel: Travel }
  | { readonly accepted: false; readonly excess: TravelExcess };

/** The way of a player from its first position on. The first message may be late by `lateMs`, and what follows it is not. */
export function startTravel(
  x: number,
  y: number | undefined,
  nowMs: number,
  lateMs: number,
  limits: SlimeRuleLimits = slimeRuleDefaults,
): Travel {
  const held = -lateMs / 1000;
  return {
    x,
    y,
    xHeld: held,
    yHeld: held,
    left: 0,
    right: 0,
    rested: 0,
    crouched: 0,
    crouchedBefore: 0,
    creep: 0,
    insisted: 0,
    high: 0,
    jumps: 0,
    across: 0,
    leftHeld: false,
    rightHeld: false,
    coast: limits.coastPx,
    saved: 0,
    atMs: nowMs,
  };
}

/**
 * Counts the time until now by the keys that the player was known to hold in it. Call it for each accepted message, before its
 * keys are applied.
 *
 * @param jumped whether the message is a jump, which the client has made even where the rules refuse it.
 */
export function passTime(
  travel: Travel,
  known: Pick<MovementState, "ileft" | "iright"> & { readonly crouches?: boolean },
  nowMs: number,
  jumped: boolean,
  limits: SlimeRuleLimits = slimeRuleDefaults,
): Travel {
  const seconds = Math.max(0, nowMs - travel.atMs) / 1000;
  const { ileft, iright, crouches = false } = known;
  return {
    ...travel,
    left: travel.left + (ileft && !iright ? seconds : 0),
    right: travel.right + (iright && !ileft ? seconds : 0),
    rested: travel.rested + (ileft === iright ? seconds : 0),
    crouched: travel.crouched + (crouches && ileft !== iright ? seconds : 0),
    high: travel.high + seconds,
    jumps: travel.jumps + (jumped ? 1 : 0),
    leftHeld: travel.leftHeld || (ileft && !iright),
    rightHeld: travel.rightHeld || (iright && !ileft),
    coast: Math.min(limits.coastPx, travel.coast + (jumped ? limits.jumpPx : 0)),
    saved: Math.max(0, travel.saved - seconds * limits.savedShare),
    atMs: nowMs,
  };
}

/**
 * A refused position: the player says that it is on its way, so the time until now counts as moved, and only what passes
 * from here on is bounded again. A client that cannot be corrected (standard 7.5) is believed again once enough time has
 * passed for where it says it is.
 */
export function insist(travel: Travel, limits: SlimeRuleLimits = slimeRuleDefaults): Travel {
  return {
    ...travel,
    insisted: travel.insisted + Math.min(travel.rested, limits.restMaxSeconds),
    rested: 0,
    yHeld: travel.yHeld - Math.min(travel.high, limits.fallMaxSeconds),
    high: 0,
  };
}

/** Whether a player was on its way to an x: with its key down, or faster than the game until just now. */
export function isUnderWay({ x: from, left, right, xHeld }: Travel, x: number, limits: SlimeRuleLimits): boolean {
  return (x < from ? left : right) > 0 || xHeld > limits.advantageSeconds / 2;
}

/**
 * Judges a position by the time that it takes: |dx| at running speed; a fall at terminal speed; a rise by the jumps that were
 * made, by slopes, and beyond those at the speed of a swimmer.
 *
 * @param travel with the time until now counted.
 * @param position pixels; y absent for upPress.
 * @param lateMs how late the message and those after it may be (`LinkPace`).
 * @param constants the player's own, the largest in force since the last position. For clients that run the `listing`
 *   profile give `hspMax` as 2.83 px/frame (standard 6.4).
 * @param limits the tolerance covers what the delay of a working line varies by: honest players through 500 ms of jitter hold up to
 *   0.5 s. What is forgiven covers a client whose frames are 1 % too short.
 */
export function judgeTravel(
  travel: Travel,
  position: { readonly x: number; readonly y?: number | undefined },
  lateMs: number,
  constants: PhysicsConstants,
  limits: SlimeRuleLimits = slimeRuleDefaults,
): TravelJudgement {
  const credit = lateMs / 1000;
  const restMax = Math.max(limits.restMaxSeconds, credit);
  const dx = position.x - travel.x;
  const way = dx < 0 ? travel.left : travel.right;
  const rested = travel.left + travel.right - way + travel.rested;
  const run = constants.hspMax * constants.framesPerSecond;
  const width = Math.abs(dx);
  const horizontal = judgeAdvantage(limits.advantage, travel.xHeld, {
    claimed: width / run,
    passed: way + travel.insisted + Math.min(rested, restMax),
    credit,
  });
  if (!horizontal.accepted) {
    const { allowed } = horizontal;
    return excess({ axis: "horizontal", measured: width, allowed: allowed * run, seconds: width / run });
  }
  const { y } = position;
  const dy = travel.y === undefined || y === undefined ? 0 : y - travel.y;
  const coast = coastAfter(travel, dx, dy, constants, limits);
  if (coast < 0) {
    const allowed = Math.max(0, width + coast);
    return excess({ axis: "coasting", measured: width, allowed, seconds: width / run });
  }
  const unheld = Math.max(0, width / run - way - travel.insisted - limits.jitterSeconds);
  // What the time on its feet does not explain, it ran while it crouched.
  const onFeet = way - Math.min(way, travel.crouched) + travel.insisted;
  const crouched = travel.crouched + travel.crouchedBefore;
  const used = Math.min(crouched, Math.max(0, width / run - onFeet));
  const creep = travel.creep + travel.crouched * limits.crouchShare;
  const crept = Math.max(0, used - creep);
  const kept = {
    crouchedBefore: Math.max(0, Math.min(CROUCHED_BEFORE, crouched - used) - onFeet),
    creep: Math.max(0, Math.min(CROUCHED_BEFORE, creep - used)),
  };
  const saved = travel.saved + unheld + crept;
  if (unheld + crept > 0 && saved > limits.savedSeconds) {
    const allowed = Math.max(0, width - (saved - limits.savedSeconds) * run);
    return excess({ axis: crept > unheld ? "crouching" : "saved", measured: width, allowed, seconds: width / run });
  }
  const across = travel.across + width;
  const counted = { left: 0, right: 0, rested: 0, crouched: 0, insisted: 0, leftHeld: false, rightHeld: false };
  const moved = { ...travel, ...counted, x: position.x, xHeld: horizontal.held, across, coast, saved, ...kept };
  if (y === undefined) return { accepted: true, travel: moved };

  const claimed = dy < 0 ? riseSeconds(-dy, across, travel.jumps, constants, limits) : fallSeconds(dy, constants);
  const passed = Math.min(travel.high, Math.max(limits.fallMaxSeconds, credit));
  const vertical = judgeAdvantage(limits.advantage, travel.yHeld, { claimed, passed, credit });
  if (!vertical.accepted) {
    const measured = Math.abs(dy);
    // As a share: seconds are worth different distances on the way.
    const allowed = (measured * Math.max(0, vertical.allowed)) / claimed;
    return excess({ axis: dy < 0 ? "rise" : "fall", measured, allowed, seconds: claimed });
  }
  return { accepted: true, travel: { ...moved, y, yHeld: vertical.held, high: 0, jumps: 0, across: 0 } };
}

function excess(found: TravelExcess): TravelJudgement {
  return { accepted: false, excess: found };
}

/**
 * What is left of the pixels that a player may move without a key: it slides, flies and falls on. It moves as far as its greatest
 * speed took it, and on ice with the square of that speed.
 */
function coastAfter(
  { coast, leftHeld, rightHeld, insisted }: Travel,
  dx: number,
  dy: number,
  { hspMax }: PhysicsConstants,
  { coastPx, maxSpeed, restMaxSeconds }: SlimeRuleLimits,
): number {
  if (dx === 0) return coast;
  // The press of a client that was refused for so long may be among what was refused.
  if ((dx < 0 ? leftHeld : rightHeld) || insisted >= restMaxSeconds) return coastPx;
  const factor = Math.max(1, hspMax / maxSpeed);
  return coast - Math.max(0, Math.abs(dx) - Math.max(0, dy) * factor) / factor ** 2;
}

function fallSeconds(dy: number, { terminalVelocity, framesPerSecond }: PhysicsConstants): number {
  return dy / (terminalVelocity * framesPerSecond);
}

function riseSeconds(
  rise: number,
  across: number,
  jumps: number,
  constants: PhysicsConstants,
  { slope, roundingPx }: SlimeRuleLimits,
): number {
  const steep = rise - across * slope - roundingPx;
  if (steep <= 0) return 0;
  const { frames, height } = jumpOf(constants);
  const jumped = Math.min(steep, jumps * height);
  const swum = (steep - jumped) / (Math.abs(constants.waterMaxRise) * constants.framesPerSecond);
  return ((jumped / height) * frames) / constants.framesPerSecond + swum;
}

/** How many frames a jump rises, and how high: frames of vsp that are still upwards after gravity (standard 6.3). */
function jumpOf({ jumpSpeed, gravity }: PhysicsConstants): { readonly frames: number; readonly height: number } {
  const frames = Math.max(1, Math.floor(jumpSpeed / gravity));
  return { frames, height: Math.max(1, frames * jumpSpeed - (gravity * frames * (frames + 1)) / 2) };
}
