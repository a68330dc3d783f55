/**
 * The path that fragments of `documented` claim, as rules read paths of clients. Its fragments name where they start, each with velocity and
 * stance; they name no ground, and where the last one ends is known when the next path comes. So a way leads from one named place to the
 * next, also from the last path to this one, and the ground of a place is what the map has there for the stance.
 *
 * Source: docs/protocols/maplestory.md 8.2.5.
 */
import { number, type StateOf, state } from "../../world-kit/index.ts";
import { distanceTo, type Foothold, isWall } from "../maps/foothold.ts";
import type { MapleMap } from "../maps/map.ts";
import { isFlying } from "../movement/document-recorder.ts";
import type { NodePath, PathNode } from "../movement/nodes.ts";
import { documentedStances, stances } from "../wire/fragment.ts";
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
  /** What the paths have lasted since, milliseconds. */
  sinceMs: number,
});
export type ClaimedPlace = Readonly<StateOf<typeof savedClaimedPlace>>;

export interface ClaimedPath {
  /** From the last place of the paths before to the last place of this one. */
  readonly path: NodePath;
  /** Where it begins. */
  readonly from: Point & { readonly foothold: number };
  readonly last: ClaimedPlace;
}

/** A foothold that no map has: the player says that it stands, and nothing is there. A ladder that no map has is the same below 0. */
const NO_GROUND = 0x1_0000;

const onFeet: readonly number[] = [documentedStances.walk, documentedStances.stand, documentedStances.prone];
const onLadder: readonly number[] = [documentedStances.rope, documentedStances.ladder];

/**
 * The claimed path of fragments, given as the points that playback has.
 *
 * @param before the last place of the paths before; undefined when the path may begin anywhere.
 */
export function claimedPath(
  { start, nodes }: NodePath,
  before: ClaimedPlace | undefined,
  map: MapleMap | undefined,
  limits: MapleRuleLimits,
): ClaimedPath {
  const claimed: PathNode[] = [];
  let last = before;
  let sinceMs = before?.sinceMs ?? 0;
  /** The way to a place, in the state of the place before it. */
  const arrive = (to: Point): void => {
    if (last !== undefined && (sinceMs > 0 || to.x !== last.x || to.y !== last.y)) {
      for (const node of wayBetween({ ...last, sinceMs }, to, map, limits)) claimed.push(node);
    }
    sinceMs = 0;
  };
  for (const [index, node] of nodes.entries()) {
    if (node.durationMs > 0) {
      sinceMs += node.durationMs;
    } else if (node.impulse) {
      // It applies where the next fragment begins.
      const next = nodes[index + 1];
      const isNamed = next !== undefined && next.durationMs === 0 && !next.jump;
      if (isNamed) arrive(node);
      const { x, y } = isNamed ? node : (last ?? start);
      claimed.push({ ...node, x, y });
      if (isNamed) last = { ...kept(node), sinceMs };
    } else {
      // Nothing names the place that an instant leads away from: it is where the velocity leads.
      arrive(node.jump ? (nodes[index - 1] ?? start) : node);
      claimed.push({ ...node, ...groundFor(map, node, node.state, limits) });
      last = { ...kept(node), sinceMs };
    }
  }
  const { x, y } = before ?? start;
  const { foothold } = groundFor(map, { x, y }, (before ?? nodes[0])?.state ?? 0, limits);
  return {
    path: { start: { x, y }, nodes: claimed },
    from: { x, y, foothold },
    last: { ...(last ?? { ...start, vx: 0, vy: 0, state: nodes[0]?.state ?? 0 }), sinceMs },
  };
}

function kept({ x, y, vx, vy, state }: PathNode): Omit<ClaimedPlace, "sinceMs"> {
  return { x, y, vx, vy, state };
}

/** A way as a client splits it: a body that rises and falls on it has its highest point between. */
function wayBetween(from: ClaimedPlace, to: Point, map: MapleMap | undefined, limits: MapleRuleLimits): PathNode[] {
  const { vx, vy, state, sinceMs } = from;
  // No fragment says for how long it falls through the floor that it stood on.
  const common = { vx, vy, state, type: 0, jump: false, impulse: false, drops: true, gravity: 0 };
  const floats = map !== undefined && (map.flies || map.isWater(from.x, from.y));
  const risesMs = isFlying(state) && !floats ? (-vy / limits.gravity) * 1000 : 0;
  const end = { ...common, x: to.x, y: to.y, ...groundFor(map, to, state, limits) };
  if (!(risesMs > 0 && risesMs < sinceMs)) return [{ ...end, durationMs: sinceMs }];
  const x = from.x + ((to.x - from.x) * risesMs) / sinceMs;
  const y = from.y + (vy * risesMs) / 2000;
  return [
    { ...common, x, y, foothold: 0, durationMs: risesMs },
    { ...end, durationMs: sinceMs - risesMs },
  ];
}

/** What carries a body at a place: its foothold or ladder, 0 for the air, or one that no map has; and its stance where that differs. */
function groundFor(
  map: MapleMap | undefined,
  at: Point,
  state: number,
  limits: MapleRuleLimits,
): Pick<PathNode, "foothold" | "isVague"> & { readonly state?: number } {
  const stance = state >> 1;
  const climbs = onLadder.includes(stance);
  if (map === undefined) return { foothold: climbs ? -NO_GROUND : 0 };
  if (climbs) return { foothold: ladderAt(map, at, limits.grabPx) };
  if (isFlying(state)) return { foothold: 0 };
  const grounds = groundsAt(map, at, limits.groundPx);
  const [ground] = grounds;
  if (ground !== undefined) {
    const isVague = grounds.some(
      (each) =>
        (each.layer !== ground.layer || each.group !== ground.group) && distanceTo(each, at.x, at.y) <= limits.slackPx,
    );
    return { foothold: ground.id, isVague };
  }
  if (isSeat(map, at, limits.slackPx)) return { foothold: 0, state: stances.sit << 1 };
  // Of other stances it is not known whether they need ground; who walks on water is found by a rule of its own.
  return { foothold: !onFeet.includes(stance) || map.isWater(at.x, at.y) ? 0 : NO_GROUND };
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

/** Footholds that a place is on, the nearest first. */
function groundsAt(map: MapleMap, { x, y }: Point, reachPx: number): readonly Foothold[] {
  return map
    .footholdsIn({ left: x - reachPx, right: x + reachPx, top: y - reachPx, bottom: y + reachPx })
    .filter((each) => !isWall(each) && distanceTo(each, x, y) <= reachPx)
    .sort((a, b) => distanceTo(a, x, y) - distanceTo(b, x, y) || a.id - b.id);
}
