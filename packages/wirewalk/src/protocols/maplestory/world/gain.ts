/**
 * A player's **gain**: the pixels by which its paths exceed what the rules allow, added up. A path alone has some slack, since
 * positions are whole pixels; a client that is a twentieth too fast stays within it for ever. So what exceeds the rules is
 * carried from path to path, and only what rounding explains is left out. It is the common `AccumulatedAdvantage`, in pixels.
 *
 * Source: docs/protocols/maplestory.md 8.2.1.
 */
import { judgeAdvantage } from "../../../motion/index.ts";
import type { MapleMap } from "../movement/map.ts";
import type { NodePath } from "../movement/nodes.ts";
import type { Point } from "../wire/messages.ts";
import { gainLimits, type PlayerFactors, playerLimits } from "./rules.ts";

/** A gain as plain data. */
export interface Gain {
  /** Pixels that are not explained. */
  readonly heldPx: number;
  /** Pixels that rounding may explain still, along and across. */
  readonly overXPx: number;
  readonly overYPx: number;
  readonly atMs: number;
}

export function noGain(nowMs: number): Gain {
  return { heldPx: 0, overXPx: 0, overYPx: 0, atMs: nowMs };
}

/** What {@link judgeGain} has to know. */
export interface GainClaim {
  readonly path: NodePath;
  /** Where the path has to begin, and the foothold there; a path that begins elsewhere has come there in no time. */
  readonly from: Point & { readonly foothold: number };
  readonly factors: PlayerFactors;
  /** Undefined where ladders are not known. */
  readonly map: MapleMap | undefined;
  /** Milliseconds that the path lasts beyond the time that has passed. */
  readonly overMs: number;
}

export interface GainJudgement {
  /** False when the gain with this path exceeds the tolerance. */
  readonly accepted: boolean;
  /** The gain with this path. */
  readonly gain: Gain;
}

/** The gain of a player after a path. Changes nothing. */
export function judgeGain(before: Gain, { path, from, factors, map, overMs }: GainClaim, nowMs: number): GainJudgement {
  const walk = playerLimits.walkPxPerSecond * factors.speed;
  const jump = playerLimits.jumpPxPerSecond * factors.jump;
  let { overXPx, overYPx } = before;
  let at = from;
  for (const { x, y, durationMs, jump: isInstant, foothold } of path.nodes) {
    const dx = Math.abs(x - at.x);
    const dy = y - at.y;
    const isGrab = foothold < 0 && at.foothold >= 0 && isOnLadder(map, foothold, x);
    at = { x, y, foothold };
    // A rule of its own judges these.
    if (isInstant) continue;
    const grabPx = isGrab ? playerLimits.grabPx : 0;
    const seconds = durationMs / 1000;
    overXPx = Math.max(0, overXPx + dx - walk * seconds - grabPx);
    const allowedY = (dy < 0 ? jump : playerLimits.fallPxPerSecond) * seconds;
    overYPx = Math.max(0, overYPx + Math.abs(dy) - allowedY - grabPx);
  }
  const { roundingPx, tolerancePx, forgivenPxPerSecond } = gainLimits;
  const claimed =
    Math.max(0, overXPx - roundingPx) + Math.max(0, overYPx - roundingPx) + (Math.max(0, overMs) * walk) / 1000;
  const passed = ((nowMs - before.atMs) * forgivenPxPerSecond) / 1000;
  const { accepted, held } = judgeAdvantage({ tolerance: tolerancePx }, before.heldPx, { claimed, passed, credit: 0 });
  const over = { overXPx: Math.min(overXPx, roundingPx), overYPx: Math.min(overYPx, roundingPx) };
  return { accepted, gain: { heldPx: held, ...over, atMs: nowMs } };
}

function isOnLadder(map: MapleMap | undefined, foothold: number, x: number): boolean {
  if (map === undefined) return true;
  const ladder = map.ladders[-foothold - 1];
  return ladder !== undefined && Math.abs(ladder.x - x) <= gainLimits.roundingPx;
}
