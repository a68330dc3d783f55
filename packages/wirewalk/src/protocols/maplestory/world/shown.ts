/**
 * What others are shown of a path beyond the places that it names: their clients play it by its velocities. Within a node of a recording
 * no velocity changes its sign (standard 6.1), so the way that an honest one is shown leads from place to place without a detour. A
 * velocity that the motion does not have leads others elsewhere for a moment: what that is counts as gain.
 *
 * Source: docs/protocols/maplestory.md 8.2.1, 11.
 */
import { isFlying } from "../movement/document-recorder.ts";
import { CONTINUE_MS } from "../movement/native-playback.ts";
import type { NodePath, PathNode } from "../movement/nodes.ts";
import type { Point } from "../wire/messages.ts";
import type { MapleRuleLimits } from "./limits.ts";
import type { PlayerFactors } from "./rules.ts";
import type { NodeTerrain } from "./terrain.ts";

/** What {@link shownBeyondPx} has to know. */
export interface ShownClaim {
  readonly path: NodePath;
  readonly factors: PlayerFactors;
  /** What the map allows on the way to each node; undefined on a plain map. */
  readonly terrain: readonly NodeTerrain[] | undefined;
}

/**
 * How far the clients of v62 and later show a path beyond its places: by a cubic with the velocities at both ends of a node. Each velocity
 * is compared with the way of its own node: where a body is stopped or grabs a ladder, the next node begins with another one.
 */
export function shownBeyondPx(
  { path: { start, nodes }, factors, terrain }: ShownClaim,
  limits: MapleRuleLimits,
): number {
  let from: Point = start;
  let beyondPx = 0;
  for (const [index, node] of nodes.entries()) {
    const seconds = node.durationMs / 1000;
    // Rules of their own judge impulses.
    if (!node.impulse) beyondPx += fastPx(node, terrain?.[index], factors, limits);
    if (seconds > 0 && !node.jump && !node.impulse) {
      beyondPx += Math.max(0, outside(node.x - from.x, node.vx * seconds) - limits.slackPx);
      beyondPx += Math.max(0, outside(node.y - from.y, node.vy * seconds) - limits.slackPx);
    }
    from = node;
  }
  return beyondPx;
}

/** How far a velocity that no body has leads in the time for which others may go on with it. */
function fastPx(
  { vx, vy }: Pick<PathNode, "vx" | "vy">,
  here: NodeTerrain | undefined,
  factors: PlayerFactors,
  { walkPxPerSecond, walkImpulse, jumpPxPerSecond, jumpImpulse, fallPxPerSecond }: MapleRuleLimits,
): number {
  const across = Math.max(walkPxPerSecond * factors.speed, (vx < 0 ? here?.left : here?.right) ?? 0) * walkImpulse;
  const rise = Math.max(jumpPxPerSecond * factors.jump, here?.rise ?? 0) * jumpImpulse;
  const beyond = Math.max(0, Math.abs(vx) - across) + Math.max(0, -vy - rise, vy - fallPxPerSecond);
  return (beyond * CONTINUE_MS) / 1000;
}

/** How far a cubic from 0 to `way`, flat at its begin and with a slope at its end, is outside of that way, on both sides together. */
function outside(way: number, slope: number): number {
  // Without a slope against the way or over three times as steep, it goes there without a detour.
  if (slope * way >= 0 && Math.abs(slope) <= 3 * Math.abs(way)) return 0;
  // b s^2 + c s^3
  const b = 3 * way - slope;
  const c = slope - 2 * way;
  const s = (-2 * b) / (3 * c);
  if (!(s > 0 && s < 1)) return 0;
  const at = b * s * s + c * s * s * s;
  return Math.max(0, at, way) - Math.min(0, at, way) - Math.abs(way);
}

/** What {@link continuedBeyondPx} has to know. */
export interface ContinuedClaim extends ShownClaim {
  /** Where the velocities of the path before have led, and the state there; undefined where the path may begin elsewhere. */
  readonly led: (Point & { readonly state: number }) | undefined;
}

/**
 * The same in `documented`, whose clients go on with the last velocity until the next path: how far that has led away from where the path
 * begins, and what its velocities are beyond those of bodies. A body that falls may have fallen on.
 */
export function continuedBeyondPx({ path, led, factors, terrain }: ContinuedClaim, limits: MapleRuleLimits): number {
  const { start, nodes } = path;
  const last = nodes.at(-1);
  const beyondPx = last === undefined ? 0 : fastPx(last, terrain?.at(-1), factors, limits);
  if (led === undefined) return beyondPx;
  const belowPx = isFlying(led.state) ? 0 : start.y - led.y;
  const awayPx = Math.max(Math.abs(start.x - led.x), led.y - start.y, belowPx);
  return beyondPx + Math.max(0, awayPx - limits.documentedStartPx);
}
