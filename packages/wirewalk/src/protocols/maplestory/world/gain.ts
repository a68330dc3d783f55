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
import { stances } from "../wire/fragment.ts";
import type { Point } from "../wire/messages.ts";
import type { FarthestWay } from "./judgement.ts";
import { type MapleRuleLimits, mapleRuleDefaults } from "./limits.ts";
import { explainsInstant } from "./map-traits.ts";
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

/** What of a path's nodes decides its gain. */
export type GainNode = Pick<NodePath["nodes"][number], "x" | "y" | "durationMs" | "jump" | "foothold" | "state">;

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
  /** Pixels that the map does not allow (`judgeStanding`), and those that others are shown beyond its places (`shown.ts`). */
  readonly strayPx?: number;
  /** What the map allows on the way to each node; undefined on a plain map. */
  readonly terrain?: readonly NodeTerrain[] | undefined;
  /** Whether it has a skill for instants. Default false. */
  readonly mayTeleport?: boolean;
  /** Seats that are believed on an unknown map. Default 0. */
  readonly seats?: number;
}

export interface GainJudgement {
  /** False when the gain with this path exceeds the tolerance. */
  readonly accepted: boolean;
  /** The gain with this path. */
  readonly gain: Gain;
  /** Seats on an unknown map that it sat down on. */
  readonly sat: number;
  /** The part of the path that is farthest beyond what its time allows; undefined where none is. */
  readonly farthest: FarthestWay | undefined;
}

/** The gain of a player after a path. Changes nothing. */
export function judgeGain(
  before: Gain,
  { nodes, from, factors, map, overMs, abovePx = 0, strayPx = 0, terrain, mayTeleport = false, seats = 0 }: GainClaim,
  nowMs: number,
  limits: MapleRuleLimits = mapleRuleDefaults,
): GainJudgement {
  const { roundingPx, gainPx, forgivenPxPerSecond } = limits;
  const walk = limits.walkPxPerSecond * factors.speed;
  const jump = limits.jumpPxPerSecond * factors.jump;
  let { overXPx, overYPx } = before;
  let at = from;
  let sat = 0;
  let farthest: FarthestWay | undefined;
  for (let index = 0; index < nodes.length; index++) {
    const { x, y, durationMs, jump: isInstant, foothold, state: stance } = nodes[index] as GainNode;
    const dx = Math.abs(x - at.x);
    const here = terrain?.[index];
    const across = here === undefined ? walk : x < at.x ? here.left : here.right;
    const rise = here?.rise ?? jump;
    const dy = y - at.y;
    const wasOnIt = at.foothold === foothold && isOnLadder(map, foothold, at.x, roundingPx);
    const isGrab = foothold < 0 && !wasOnIt && isOnLadder(map, foothold, x, roundingPx);
    const climbs = foothold < 0 && at.foothold < 0;
    const was = at;
    at = { x, y, foothold };
    if (isInstant) {
      // Any other instant is a way in no time: a few of them, one after the other, lead anywhere.
      if (mayTeleport || here?.isPortal === true || explainsInstant(map, was, at, limits)) continue;
      const isSeat = map === undefined && stance >> 1 === stances.sit && Math.hypot(dx, dy) <= limits.instantPx;
      if (isSeat && (dx > 0 || dy !== 0) && sat < seats) {
        sat += 1;
        continue;
      }
    }
    const grabPx = isGrab ? limits.grabPx : 0;
    const seconds = durationMs / 1000;
    overXPx = Math.max(0, overXPx + dx - across * seconds - grabPx);
    // How fast clients climb is not known: no faster than they walk.
    const allowedY = (climbs ? walk : dy < 0 ? rise : limits.fallPxPerSecond) * seconds;
    overYPx = Math.max(0, overYPx + Math.abs(dy) - allowedY - grabPx);
    const beyondPx = Math.max(0, dx - across * seconds - grabPx) + Math.max(0, Math.abs(dy) - allowedY - grabPx);
    if (beyondPx > (farthest?.beyondPx ?? 0)) {
      const side = (perSecond: number): number => perSecond * seconds + grabPx;
      const [up, down] = climbs ? [walk, walk] : [rise, limits.fallPxPerSecond];
      const reach = { left: here?.left ?? walk, right: here?.right ?? walk, up, down };
      farthest = {
        from: { x: was.x, y: was.y },
        at: { x, y },
        reach: { left: side(reach.left), right: side(reach.right), up: side(reach.up), down: side(reach.down) },
        beyondPx,
      };
    }
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
  return { accepted, gain: { heldPx: held, ...over, atMs: nowMs }, sat, farthest };
}

function isOnLadder(map: MapleMap | undefined, foothold: number, x: number, roundingPx: number): boolean {
  if (map === undefined) return true;
  const ladder = map.ladder(-foothold);
  return ladder !== undefined && Math.abs(ladder.x - x) <= roundingPx;
}
