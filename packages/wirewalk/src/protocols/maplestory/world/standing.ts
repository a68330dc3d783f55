/**
 * Where a player says that it stands, climbs, and walks through: the map has a foothold, a ladder or a rope there, and no wall between.
 *
 * Source: docs/protocols/maplestory.md 8.2.4.
 */
import { distanceTo, type Foothold, isWall } from "../maps/foothold.ts";
import type { MapleMap } from "../maps/map.ts";
import { wallAfter } from "../maps/walls.ts";
import type { NodePath, PathNode } from "../movement/nodes.ts";
import { stances } from "../wire/fragment.ts";
import type { Point } from "../wire/messages.ts";
import type { Judgement } from "./judgement.ts";
import type { MapleRuleLimits } from "./limits.ts";
import { traitsOf } from "./map-traits.ts";

/** What {@link judgeStanding} finds. */
export interface Standing {
  readonly judgements: readonly Judgement[];
  /** What of it adds to the gain, pixels. */
  readonly gainPx: number;
  /** The last foothold that the player stood on; 0: not known. */
  readonly stoodOn: number;
}

/** A foothold or ladder that no map could be so far from, pixels. */
const NOWHERE_PX = 0xffff;
const onFeet: readonly number[] = [stances.walk, stances.stand];

/** Judges the footholds, ladders and walls of a path. */
export function judgeStanding(path: NodePath, map: MapleMap, stoodBefore: number, limits: MapleRuleLimits): Standing {
  let stoodOn = stoodBefore;
  let at: Point = path.start;
  let climbed = false;
  let gainPx = 0;
  let offGroundPx = 0;
  let offLadderPx = 0;
  let beyondPx = 0;
  let wall: Foothold | undefined;
  let onWaterMs = 0;
  let onWaterPx = 0;
  for (const node of path.nodes) {
    const { x, y, foothold, impulse, jump: isInstant } = node;
    if (impulse) continue;
    const wayPx = isInstant ? 0 : Math.abs(x - at.x) + Math.abs(y - at.y);
    if (foothold > 0) {
      const line = map.foothold(foothold);
      const offPx = line === undefined || isWall(line) ? NOWHERE_PX : distanceTo(line, x, y);
      if (offPx > limits.groundPx) {
        offGroundPx = Math.max(offGroundPx, offPx);
        if (!map.isNearGround(x, y, limits.groundPx)) gainPx += wayPx;
      }
    } else if (foothold < 0) {
      const offPx = offLadder(map, -foothold, node);
      if (offPx > limits.grabPx) {
        offLadderPx = Math.max(offLadderPx, offPx);
        if (!isNearLadder(map, node, limits.grabPx)) gainPx += wayPx;
      }
    } else if (walksOnWater(map, node, limits)) {
      onWaterMs += node.durationMs;
      onWaterPx += wayPx;
    }
    if (!isInstant && !climbed && foothold >= 0 && x !== at.x) {
      const crossed = wallOnWay(map, stoodOn, at, node, limits.slackPx);
      if (crossed !== undefined) {
        beyondPx = Math.max(beyondPx, Math.abs(x - crossed.x1));
        wall ??= crossed;
        gainPx += limits.wallPx;
      }
    }
    climbed = foothold < 0;
    if (foothold > 0) stoodOn = node.isVague ? 0 : foothold;
    at = node;
  }
  const judgements: Judgement[] = [];
  const find = (
    rule: Judgement["rule"],
    reason: string,
    measured: number,
    allowed: number,
    about?: Judgement["about"],
  ): void => {
    judgements.push({ kind: "flag", rule, reason, measured, allowed, unit: "px", ...(about && { about }) });
  };
  if (offGroundPx > 0) find("foothold", "Names a foothold that is not there", offGroundPx, limits.groundPx);
  if (offLadderPx > 0) find("ladder", "Names a ladder or rope that is not there", offLadderPx, limits.grabPx);
  if (wall !== undefined) {
    find("wall", `Goes through wall ${wall.id}`, beyondPx, limits.slackPx, { wall: wall.id });
  }
  if (onWaterMs > limits.onWaterMs) {
    const reason = "Stands in water where no ground is";
    judgements.push({
      kind: "flag",
      rule: "water",
      reason,
      measured: onWaterMs,
      allowed: limits.onWaterMs,
      unit: "ms",
    });
    gainPx += onWaterPx;
  }
  return { judgements, gainPx, stoodOn };
}

/** How far a place is from a ladder or rope. */
function offLadder(map: MapleMap, id: number, { x, y }: Point): number {
  const ladder = map.ladder(id);
  if (ladder === undefined) return NOWHERE_PX;
  return Math.max(Math.abs(ladder.x - x), ladder.top - y, y - ladder.bottom, 0);
}

function isNearLadder(map: MapleMap, at: Point, reachPx: number): boolean {
  return map.ladders.some(({ id }) => offLadder(map, id, at) <= reachPx);
}

/** Whether a node says that the body is on its feet, in water and on nothing. */
function walksOnWater(map: MapleMap, { x, y, vy, state }: PathNode, { groundPx }: MapleRuleLimits): boolean {
  if (vy !== 0 || !onFeet.includes(state >> 1) || map.flies) return false;
  return map.isWater(x, y) && !map.isNearGround(x, y, groundPx);
}

/**
 * A wall that keeps the body out: one that follows the ground that it stood on, or the foothold after that, and goes up beside the whole
 * way. In the air only over that ground. Other walls stand behind the body or before it, and the client lets it pass.
 */
function wallOnWay(map: MapleMap, stoodOn: number, from: Point, to: PathNode, slackPx: number): Foothold | undefined {
  const ground = map.foothold(stoodOn);
  if (ground === undefined) return undefined;
  const goesRight = to.x > from.x;
  const wall = wallAfter(map, ground, goesRight);
  if (wall === undefined) return undefined;
  // In the air it is only certain for walls of the same piece.
  const isOfPiece = wall.layer === ground.layer && wall.group === ground.group;
  if (to.foothold === 0 && !isOfPiece) return undefined;
  const { x1: wallX } = wall;
  // One that was a little too far before has not come through yet.
  const isThrough = goesRight
    ? from.x <= wallX + slackPx && to.x > wallX + slackPx
    : from.x >= wallX - slackPx && to.x < wallX - slackPx;
  // Who comes down at the very wall may stand on either side.
  const named = isThrough && Math.abs(from.x - wallX) <= slackPx ? map.foothold(to.foothold) : undefined;
  if (named !== undefined && named !== ground && distanceTo(named, from.x, from.y) <= slackPx) return undefined;
  const extent = isThrough ? traitsOf(map).walls.get(wall.id) : undefined;
  if (extent === undefined) return undefined;
  if (extent.top + STEP_PX > Math.min(from.y, to.y) || extent.bottom + slackPx < Math.max(from.y, to.y))
    return undefined;
  return map.below(Math.min(Math.max(from.x, ground.x1), ground.x2), from.y - slackPx)?.foothold === ground
    ? wall
    : undefined;
}
/** How high a wall is beside the body at least, pixels: a body may be lifted over its end. */
const STEP_PX = 10;
