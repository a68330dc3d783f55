/**
 * A player's **gain**: the pixels by which its paths exceed what the rules allow, added up. A path alone has some slack, since
 * positions are whole pixels; a client that is a twentieth too fast stays within it for ever. So what exceeds the rules is
 * carried from path to path, and only what rounding explains is left out. It is the common `AccumulatedAdvantage`, in pixels.
 *
 * Source: docs/protocols/maplestory.md 8.2.1.
 */
import { judgeAdvantage } from "../../../motion/index.ts";
import { number, type StateOf, state } from "../../world-kit/index.ts";
import type { MapleMap } from "../maps/map.ts";
import type { NodePath } from "../movement/nodes.ts";
import { documentedStances } from "../wire/fragment.ts";
import type { Point } from "../wire/messages.ts";
import { type MapleRuleLimits, mapleRuleDefaults } from "./limits.ts";
import type { PlayerFactors } from "./rules.ts";
import type { NodeTerrain } from "./terrain.ts";

/** A gain as plain data. */
export const savedGain = state({
  /** Pixels that are not explained. */
  heldPx: number,
  /** Pixels that rounding may explain still, along and across. */
  overXPx: number,
  overYPx: number,
  atMs: number,
});
export type Gain = Readonly<StateOf<typeof savedGain>>;

export function noGain(nowMs: number): Gain {
  return { heldPx: 0, overXPx: 0, overYPx: 0, atMs: nowMs };
}

/** A place that a path has named. */
export const savedClaimedPlace = state({
  x: number,
  y: number,
  /** Below 0 on a ladder. */
  foothold: number,
  /** What the paths have lasted since, milliseconds. */
  sinceMs: number,
});
export type ClaimedPlace = Readonly<StateOf<typeof savedClaimedPlace>>;

/** What of a path's nodes decides its gain. */
export type GainNode = Pick<NodePath["nodes"][number], "x" | "y" | "durationMs" | "jump" | "foothold">;

/**
 * The places that a path of `documented` names, one after the other, each with the time since the one before. Its fragments say where they
 * start; where the last one ends is known when the next path comes, so its time is carried over. An end that is extrapolated may be off
 * by 20 px, and is no place that the client has named.
 *
 * @param before the last place of the paths before; undefined when this is the first one.
 */
export function claimedPlaces(
  { nodes }: NodePath,
  before: ClaimedPlace | undefined,
  map: MapleMap | undefined,
  { roundingPx }: MapleRuleLimits = mapleRuleDefaults,
): { readonly nodes: readonly GainNode[]; readonly last: ClaimedPlace | undefined } {
  const named: GainNode[] = [];
  let last = before;
  let sinceMs = before?.sinceMs ?? 0;
  for (const { x, y, state, durationMs, jump, impulse } of nodes) {
    if (durationMs > 0) sinceMs += durationMs;
    else if (!impulse) {
      const foothold = isClimbing(state) ? ladderAt(map, x, roundingPx) : 0;
      named.push({ x, y, durationMs: sinceMs, jump, foothold });
      sinceMs = 0;
      last = { x, y, foothold, sinceMs };
    }
  }
  return { nodes: named, last: last && { ...last, sinceMs } };
}

const isClimbing = (state: number): boolean => state >> 1 >= documentedStances.rope;

/** The number of the ladder at an x as footholds have it: below 0, and 0 for no ladder. */
function ladderAt(map: MapleMap | undefined, x: number, roundingPx: number): number {
  if (map === undefined) return -1;
  const ladder = map.ladders.find((each) => Math.abs(each.x - x) <= roundingPx);
  return ladder === undefined ? 0 : -ladder.id;
}

/** What {@link judgeGain} has to know. */
export interface GainClaim {
  readonly nodes: readonly GainNode[];
  /** Where the path has to begin, and the foothold there; a path that begins elsewhere has come there in no time. */
  readonly from: Point & { readonly foothold: number };
  readonly factors: PlayerFactors;
  /** Undefined where ladders are not known. */
  readonly map: MapleMap | undefined;
  /** Milliseconds that the path lasts beyond the time that has passed. */
  readonly overMs: number;
  /** Pixels above the highest way (`judgeFlight`). */
  readonly abovePx?: number;
  /** Pixels that the map does not allow (`judgeStanding`). */
  readonly strayPx?: number;
  /** What the map allows on the way to each node; undefined on a plain map. */
  readonly terrain?: readonly NodeTerrain[] | undefined;
}

export interface GainJudgement {
  /** False when the gain with this path exceeds the tolerance. */
  readonly accepted: boolean;
  /** The gain with this path. */
  readonly gain: Gain;
}

/** The gain of a player after a path. Changes nothing. */
export function judgeGain(
  before: Gain,
  { nodes, from, factors, map, overMs, abovePx = 0, strayPx = 0, terrain }: GainClaim,
  nowMs: number,
  limits: MapleRuleLimits = mapleRuleDefaults,
): GainJudgement {
  const { roundingPx, gainPx, forgivenPxPerSecond } = limits;
  const walk = limits.walkPxPerSecond * factors.speed;
  const jump = limits.jumpPxPerSecond * factors.jump;
  let { overXPx, overYPx } = before;
  let at = from;
  for (const [index, { x, y, durationMs, jump: isInstant, foothold }] of nodes.entries()) {
    const dx = Math.abs(x - at.x);
    const here = terrain?.[index];
    const across = here === undefined ? walk : x < at.x ? here.left : here.right;
    const rise = here?.rise ?? jump;
    const dy = y - at.y;
    const isGrab = foothold < 0 && at.foothold >= 0 && isOnLadder(map, foothold, x, roundingPx);
    at = { x, y, foothold };
    // A rule of its own judges these.
    if (isInstant) continue;
    const grabPx = isGrab ? limits.grabPx : 0;
    const seconds = durationMs / 1000;
    overXPx = Math.max(0, overXPx + dx - across * seconds - grabPx);
    const allowedY = (dy < 0 ? rise : limits.fallPxPerSecond) * seconds;
    overYPx = Math.max(0, overYPx + Math.abs(dy) - allowedY - grabPx);
  }
  const claimed =
    Math.max(0, overXPx - roundingPx) +
    Math.max(0, overYPx - roundingPx) +
    (Math.max(0, overMs) * walk) / 1000 +
    abovePx +
    strayPx;
  const passed = ((nowMs - before.atMs) * forgivenPxPerSecond) / 1000;
  const { accepted, held } = judgeAdvantage({ tolerance: gainPx }, before.heldPx, { claimed, passed, credit: 0 });
  const over = { overXPx: Math.min(overXPx, roundingPx), overYPx: Math.min(overYPx, roundingPx) };
  return { accepted, gain: { heldPx: held, ...over, atMs: nowMs } };
}

function isOnLadder(map: MapleMap | undefined, foothold: number, x: number, roundingPx: number): boolean {
  if (map === undefined) return true;
  const ladder = map.ladder(-foothold);
  return ladder !== undefined && Math.abs(ladder.x - x) <= roundingPx;
}
