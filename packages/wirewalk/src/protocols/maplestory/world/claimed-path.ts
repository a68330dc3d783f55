/**
 * The path that fragments of `documented` claim, as rules read paths of clients. Its fragments name where they start, each with velocity and
 * stance; they name no ground, and where the last one ends is known when the next path comes. So a way leads from one named place to the
 * next, also from the last path to this one, and the ground of a place is what the map has there for the stance.
 *
 * Source: docs/protocols/maplestory.md 8.2.5.
 */
import { flag, number, type StateOf, state } from "../../world-kit/index.ts";
import type { MapleMap } from "../maps/map.ts";
import { extrapolate, isFlying, PACKET_MS, TOLERANCE_PX } from "../movement/document-recorder.ts";
import type { NodePath, PathNode } from "../movement/nodes.ts";
import { fall } from "../movement/playback.ts";
import { dialectRules } from "../wire/dialect.ts";
import { documentedStances, Fragment } from "../wire/fragment.ts";
import type { Point } from "../wire/messages.ts";
import type { MapleRuleLimits } from "./limits.ts";
import { isSeat } from "./map-traits.ts";

/** The last place that a player's paths have named. */
export const savedClaimedPlace = state({
  x: number,
  y: number,
  /** Velocity and state with which it went on from there. */
  vx: number,
  vy: number,
  state: number,
  /** What it is on there, as clients name it. */
  foothold: number,
  /** What the paths have lasted since, milliseconds. */
  sinceMs: number,
  /** What of that were paths that were refused: it was elsewhere in between. */
  refusedMs: number,
  /** Whether it may be on its way down through the floor that it stood on. */
  drops: flag,
});
export type ClaimedPlace = Readonly<StateOf<typeof savedClaimedPlace>>;

export interface ClaimedPath {
  /** From the last place of the paths before to the last place of this one. */
  readonly path: NodePath;
  /** Where it begins. */
  readonly from: ClaimedPlace;
  readonly last: ClaimedPlace;
  /** Where the last fragment leads for certain, no part of the path. Undefined for one that lasts no longer than a step. */
  readonly led: PathNode | undefined;
}

/** A foothold that no map has: the player says that it stands, and nothing is there. A ladder that no map has is the same below 0. */
const NO_GROUND = 0x1_0000;

/** So near to where a flight leads a client names its end, pixels: what it leaves out of a recording, and rounding. */
const FLIGHT_PX = TOLERANCE_PX + 1;

const onFeet: readonly number[] = [documentedStances.walk, documentedStances.stand, documentedStances.prone];
const onLadder: readonly number[] = [documentedStances.rope, documentedStances.ladder];

/** What a place is on. */
type Ground = Pick<PathNode, "foothold" | "isVague">;

/** What rules know of places. */
interface Surroundings {
  readonly map: MapleMap | undefined;
  readonly limits: MapleRuleLimits;
}

/** How long its path lasts, milliseconds: as one of a client. */
const STANDING_MS = PACKET_MS;

const { fragments, stepMs } = dialectRules("documented");
const stand = documentedStances.stand << 1;
const air: Ground = { foothold: 0, isVague: false };
const nothing: Ground = { foothold: NO_GROUND, isVague: false };

/**
 * The claimed path of fragments, given as the points that playback has.
 *
 * @param before the last place of the paths before; undefined when the path may begin anywhere.
 */
export function claimedPath(
  { start, nodes }: NodePath,
  before: ClaimedPlace | undefined,
  around: Surroundings,
): ClaimedPath {
  const claimed: PathNode[] = [];
  let last = before;
  let sinceMs = before?.sinceMs ?? 0;
  for (const [index, node] of nodes.entries()) {
    if (node.durationMs > 0) {
      sinceMs += node.durationMs;
      continue;
    }
    const next = nodes[index + 1];
    if (node.impulse && (next === undefined || next.durationMs > 0 || next.jump)) {
      // It applies where the next fragment begins, and none follows.
      claimed.push(placed(node, last ?? start, node));
      continue;
    }
    // Nothing names the place that an instant leads away from: it is where the velocity leads.
    const to = node.jump ? (nodes[index - 1] ?? start) : node;
    // A jump down begins on the ground, however short the stay there was.
    const isDrop = fragments.kindOf(node.type) === "jumpDown";
    const standsIn = isDrop ? stand : node.state;
    const ground = groundFor(node, standsIn, around);
    if (last !== undefined && (sinceMs > 0 || to.x !== last.x || to.y !== last.y)) {
      const isSame = to === node && last.state >> 1 === standsIn >> 1;
      addWay(claimed, { ...last, sinceMs }, to, isSame ? ground : groundFor(to, last.state, around), around);
    }
    sinceMs = 0;
    const on = node.impulse ? air : ground;
    claimed.push(isDrop ? { ...placed(node, node, on), drops: true } : placed(node, node, on));
    const { x, y, vx, vy, state } = node;
    const drops = isDrop || (on.foothold === 0 && last?.drops !== false);
    last = { x, y, vx, vy, state, foothold: on.foothold, sinceMs, refusedMs: 0, drops };
  }
  const from = before ?? firstPlace(start, nodes[0]?.state ?? 0, around);
  const now = { ...(last ?? from), sinceMs };
  return { path: { start: { x: from.x, y: from.y }, nodes: claimed }, from, last: now, led: ledBy(now) };
}

/**
 * Where a place has led: a client makes its last fragment longer while its velocity leads where the body is. What the body did in the last step
 * is not known.
 */
function ledBy(place: ClaimedPlace): PathNode | undefined {
  const { state, foothold, sinceMs, refusedMs, drops } = place;
  const durationMs = sinceMs - stepMs;
  if (durationMs <= 0 || refusedMs > 0) return undefined;
  const { x, y, vx, vy } = extrapolate(place, durationMs);
  const common = { type: 0, state, foothold, durationMs, drops, gravity: 0 };
  return { ...common, x, y, vx, vy, jump: false, impulse: false, isBetween: true };
}

/** A node at a place, on a ground. Member by member: spread, it took twice the time. */
function placed(node: PathNode, { x, y }: Point, { foothold, isVague = false }: Ground): PathNode {
  const { vx, vy, state, type, durationMs, jump, gravity, impulse, drops } = node;
  return { x, y, vx, vy, state, type, foothold, isVague, durationMs, jump, gravity, impulse, drops };
}

/** The fragment of a body that stands at a place: for others, where its client cannot be put there. */
export function standingAt({ x, y, state }: ClaimedPlace): Fragment {
  const common = { type: 0, x, y, vx: 0, vy: 0, durationMs: STANDING_MS };
  return Fragment.of("absolute", { ...common, state: isFlying(state) ? stand | (state & 1) : state });
}

function firstPlace({ x, y }: Point, state: number, around: Surroundings): ClaimedPlace {
  const { foothold } = groundFor({ x, y }, state, around);
  return { x, y, vx: 0, vy: 0, state, foothold, sinceMs: 0, refusedMs: 0, drops: true };
}

/**
 * A way as a client splits it: a body that rises and falls on it has its highest point between. Only a flight that leads to the named end has
 * one: a body that has walked up a slope and off its end names the slope's velocity, and falls at once.
 */
function addWay(
  path: PathNode[],
  from: ClaimedPlace,
  to: Point,
  { foothold, isVague = false }: Ground,
  { map, limits }: Surroundings,
): void {
  const { vx, vy, state, sinceMs, refusedMs } = from;
  const floats = map !== undefined && (map.flies || map.isWater(from.x, from.y));
  const risesMs = isFlying(state) && !floats ? Math.max(0, -vy / limits.gravity) * 1000 : 0;
  const led = fall(from.y, vy, limits.gravity, limits.maxFall, sinceMs / 1000);
  const isSplit = risesMs > 0 && risesMs < sinceMs && Math.abs(to.y - led.y) <= FLIGHT_PX;
  // One that rises may come over a wall, and down behind it; not one that was refused that.
  const drops = from.drops || (refusedMs === 0 && !isSplit && vy < 0);
  const common = { vx, vy, state, type: 0, jump: false, impulse: false, drops, gravity: 0 };
  if (isSplit) {
    const x = from.x + ((to.x - from.x) * risesMs) / sinceMs;
    path.push({ ...common, x, y: from.y + (vy * risesMs) / 2000, ...air, isBetween: true, durationMs: risesMs });
  }
  path.push({ ...common, x: to.x, y: to.y, foothold, isVague, durationMs: sinceMs - (isSplit ? risesMs : 0) });
}

/** What carries a body at a place in a state: its foothold or ladder, nothing in the air, or one that no map has. */
function groundFor(at: Point, state: number, { map, limits }: Surroundings): Ground {
  if (isFlying(state)) return air;
  const stance = state >> 1;
  const climbs = onLadder.includes(stance);
  if (climbs) return { foothold: map === undefined ? -NO_GROUND : ladderAt(map, at, limits.grabPx), isVague: false };
  // Whether it is there is not known.
  if (map === undefined) return onFeet.includes(stance) ? { foothold: NO_GROUND, isVague: true } : air;
  const near = map.nearest(at.x, at.y, limits.groundPx, limits.slackPx);
  if (near !== undefined) return { foothold: near.foothold.id, isVague: near.isVague };
  // Of other stances it is not known whether they need ground; who walks on water is found by a rule of its own.
  const needsNone = !onFeet.includes(stance) || map.isWater(at.x, at.y) || isSeat(map, at, limits.slackPx);
  return needsNone ? air : nothing;
}

/** The ladder or rope that is nearest to a place, as footholds have it. */
function ladderAt(map: MapleMap, { x, y }: Point, reachPx: number): number {
  let nearest = NO_GROUND;
  let nearestPx = reachPx;
  for (const ladder of map.ladders) {
    const awayPx = Math.abs(ladder.x - x);
    if (awayPx > nearestPx || y < ladder.top - reachPx || y > ladder.bottom + reachPx) continue;
    nearest = ladder.id;
    nearestPx = awayPx;
  }
  return -nearest;
}
