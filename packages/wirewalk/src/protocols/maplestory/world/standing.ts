/**
 * Where a player says that it stands, climbs, and walks through: the map has a foothold, a ladder or a rope there, and no wall between.
 *
 * Source: docs/protocols/maplestory.md 8.2.4.
 */
import { distanceTo, type Foothold, heightAt, isWall, nearestOn } from "../maps/foothold.ts";
import type { MapleMap } from "../maps/map.ts";
import { wallAfter } from "../maps/walls.ts";
import type { NodePath, PathNode } from "../movement/nodes.ts";
import { stances } from "../wire/fragment.ts";
import type { Point } from "../wire/messages.ts";
import type { Judgement, Refusal } from "./judgement.ts";
import type { MapleRuleLimits } from "./limits.ts";
import { traitsOf } from "./map-traits.ts";
import { JUMP_PX } from "./player-judging.ts";

/** What {@link judgeStanding} finds. */
export interface Standing {
  readonly judgements: readonly Judgement[];
  /** What of it adds to the gain, pixels. */
  readonly gainPx: number;
  /** As in {@link StoodBefore}. */
  readonly stoodOn: number;
}

/** In place of a distance, pixels: the map has no such floor or ladder. A place and a part of a map are nearer to each other. */
const NOWHERE_PX = 0xffff;
/** So many times as far from all that could carry it as a finding allows, it is certain that nothing does. */
const CERTAIN_TIMES = 2;
const onFeet: readonly number[] = [stances.walk, stances.stand];
const noJudgements: readonly Judgement[] = [];

/** How the body stood before a path. */
export interface StoodBefore {
  /**
   * The last foothold that it stood on; 0: not known. Negative after a ladder or an instant: it is not known then which walls keep it out in the
   * air.
   */
  readonly stoodOn: number;
  /** What it was on at the end of the last path: a foothold, a ladder below 0, nothing at 0. */
  readonly foothold: number;
  /** How high it may have been since it stood, if it was in the air: at most, where that is not known. */
  readonly highestY: number;
  /** What a way is where the map certainly lets no body go. */
  readonly refusal: Refusal;
  /** Where it has gone on from at the end of the path, and for how long; undefined where the path ends with a place. */
  readonly goesOn?: (Pick<PathNode, "x" | "y" | "vy" | "state"> & { readonly sinceMs: number }) | undefined;
  /** Where that has led it for certain. */
  readonly led?: PathNode | undefined;
}

/** Judges the footholds, ladders and walls of a path. */
export function judgeStanding(path: NodePath, map: MapleMap, before: StoodBefore, limits: MapleRuleLimits): Standing {
  let stoodOn = Math.abs(before.stoodOn);
  let knowsPiece = before.stoodOn > 0;
  let hasFlown = before.foothold === 0 && isOff(map.foothold(stoodOn), path.start, limits.slackPx);
  let mayHaveFlown = before.foothold <= 0;
  let highestY = before.foothold === 0 ? before.highestY : Number.POSITIVE_INFINITY;
  let at: Point = path.start;
  let named: Point = path.start;
  let climbed = before.foothold < 0;
  let lastFoothold: number | undefined;
  let gainPx = 0;
  let offGroundPx = 0;
  let standsOn: PathNode | undefined;
  let strays = false;
  let hangs = false;
  let offLadderPx = 0;
  let climbedOn: PathNode | undefined;
  let beyondPx = 0;
  /** Where the path is then. */
  let behind: Point | undefined;
  let wall: Foothold | undefined;
  let isCertain = false;
  // So far before a wall a body may name a foothold behind it.
  const { slackPx, airAcceleration } = limits;
  const wallReachPx = limits.groundPx + slackPx;
  let onWaterMs = 0;
  let onWaterPx = 0;
  let onWater: Point | undefined;
  let closed: Foothold | undefined;
  // What it is on, as the path says.
  let on = before.foothold;
  const { goesOn, led } = before;
  for (const node of led === undefined ? path.nodes : [...path.nodes, led]) {
    const { x, y, foothold, impulse, jump: isInstant } = node;
    mayHaveFlown ||= impulse;
    if (node.drops && node.durationMs === 0) {
      closed ??= closedFloor(map, impulse ? on : node.isVague ? 0 : foothold, impulse ? at : node, limits);
    }
    if (impulse) {
      on = 0;
      continue;
    }
    // A place that is named once more, as all of `documented` are where the next fragment begins.
    if (node.durationMs === 0 && foothold === lastFoothold && x === at.x && y === at.y && !isInstant) {
      named = node;
      continue;
    }
    lastFoothold = foothold;
    on = foothold;
    const wayPx = isInstant ? 0 : Math.abs(x - at.x) + Math.abs(y - at.y);
    let isThere = foothold > 0;
    if (node === led) {
      // Walls alone: what it is on there the next path names.
    } else if (foothold > 0) {
      const line = map.foothold(foothold);
      const offPx = line === undefined || isWall(line) ? NOWHERE_PX : distanceTo(line, x, y);
      if (offPx > limits.groundPx) {
        isThere = false;
        if (offPx > offGroundPx) [offGroundPx, standsOn] = [offPx, node];
        if (!map.isNearGround(x, y, limits.groundPx)) {
          gainPx += wayPx;
          strays ||= !isInstant && !map.isNearGround(x, y, limits.groundPx * CERTAIN_TIMES);
        }
      }
    } else if (foothold < 0) {
      const offPx = offLadder(map, -foothold, node);
      if (offPx > limits.grabPx) {
        if (offPx > offLadderPx) [offLadderPx, climbedOn] = [offPx, node];
        if (!isNearLadder(map, node, limits.grabPx)) {
          gainPx += wayPx;
          hangs ||= !isInstant && !isNearLadder(map, node, limits.grabPx * CERTAIN_TIMES);
        }
      }
    } else if (walksOnWater(map, node, limits)) {
      onWaterMs += node.durationMs;
      onWaterPx += wayPx;
      onWater ??= node;
    }
    const mayCross = !isInstant && !climbed && foothold >= 0 && (x !== at.x || y > at.y || isThere);
    if (mayCross && map.hasWalls(Math.min(at.x, x) - wallReachPx, Math.max(at.x, x) + wallReachPx)) {
      const flown = { hasFlown, mayHaveFlown, highestY, knowsPiece };
      const step = { from: at, named, to: node, isThere, ...flown, slackPx, airAcceleration };
      const crossed = wallOnWay(map, stoodOn, step);
      if (crossed !== undefined) {
        const px = Math.abs(x - crossed.wall.x1);
        if (px > beyondPx || behind === undefined) [beyondPx, behind] = [px, node];
        wall ??= crossed.wall;
        isCertain ||= crossed.isCertain;
        gainPx += limits.wallPx;
      }
    }
    if (node === led) break;
    climbed = foothold < 0;
    knowsPiece &&= !climbed && !isInstant;
    if (isThere) {
      stoodOn = node.isVague ? 0 : foothold;
      knowsPiece = true;
      hasFlown = false;
      mayHaveFlown = false;
      highestY = Number.POSITIVE_INFINITY;
    } else {
      hasFlown ||= isOff(map.foothold(stoodOn), node, limits.slackPx);
      mayHaveFlown ||= climbed || isInstant;
    }
    at = node;
    if (node.isBetween !== true) named = node;
  }
  if (goesOn !== undefined && walksOnWater(map, goesOn, limits)) {
    onWaterMs += goesOn.sinceMs;
    onWater ??= goesOn;
  }
  const stood = knowsPiece ? stoodOn : 0 - stoodOn;
  const isFound = offGroundPx > 0 || offLadderPx > 0 || wall !== undefined || closed !== undefined;
  if (!isFound && onWaterMs <= limits.onWaterMs) {
    return { judgements: noJudgements, gainPx, stoodOn: stood };
  }
  const judgements: Judgement[] = [];
  const find = (isCertainly: boolean, judgement: Omit<Judgement, "kind">): void => {
    judgements.push({ kind: isCertainly ? before.refusal : "flag", ...judgement });
  };
  if (standsOn !== undefined) {
    find(strays, {
      rule: "foothold",
      ...distanceWords("foothold", standsOn.foothold, offGroundPx, limits.groundPx),
      about: { named: standsOn.foothold, at: placeOf(standsOn), ...startAt(nearestNamed(map, standsOn)) },
    });
  }
  if (climbedOn !== undefined) {
    find(hangs, {
      rule: "ladder",
      ...distanceWords("ladder or rope", -climbedOn.foothold, offLadderPx, limits.grabPx),
      about: { ladder: -climbedOn.foothold, at: placeOf(climbedOn), ...startAt(nearestRung(map, climbedOn)) },
    });
  }
  if (wall !== undefined) {
    // Who is not put elsewhere by it is refused it in any case.
    find(isCertain || before.refusal === "reject", {
      rule: "wall",
      reason: `Goes through wall ${wall.id}`,
      measured: beyondPx,
      allowed: limits.slackPx,
      unit: "px",
      about: {
        wall: wall.id,
        ...(behind === undefined ? {} : { at: placeOf(behind), from: { x: wall.x1, y: behind.y } }),
      },
    });
  }
  if (closed !== undefined) {
    find(false, {
      rule: "wall",
      reason: `Drops through foothold ${closed.id}, which lets nobody through`,
      about: { wall: closed.id },
    });
  }
  if (onWater !== undefined && onWaterMs > limits.onWaterMs) {
    find(true, {
      rule: "water",
      reason: "Stands in water where no ground is",
      measured: onWaterMs,
      allowed: limits.onWaterMs,
      unit: "ms",
      about: { at: placeOf(onWater) },
    });
    gainPx += onWaterPx;
  }
  return { judgements, gainPx, stoodOn: stood };
}

/** The floor under a drop, where the map lets nobody drop through it. Near its ends the body may be on the next one. */
function closedFloor(map: MapleMap, id: number, at: Point, { groundPx }: MapleRuleLimits): Foothold | undefined {
  const floor = id > 0 ? map.foothold(id) : undefined;
  if (floor?.forbidsFall !== true || isWall(floor) || distanceTo(floor, at.x, at.y) > groundPx) return undefined;
  return at.x >= floor.x1 + groundPx && at.x <= floor.x2 - groundPx ? floor : undefined;
}

function placeOf({ x, y }: Point): Point {
  return { x, y };
}

function startAt(from: Point | undefined): { readonly from?: Point } {
  return from === undefined ? {} : { from };
}

/** The place of the named foothold that is nearest to where the path says that it stands on it. */
function nearestNamed(map: MapleMap, { x, y, foothold }: PathNode): Point | undefined {
  const line = map.foothold(foothold);
  return line === undefined || isWall(line) ? undefined : nearestOn(line, x, y);
}

/** The same of a ladder or rope. */
function nearestRung(map: MapleMap, { y, foothold }: PathNode): Point | undefined {
  const ladder = map.ladder(-foothold);
  return ladder === undefined ? undefined : { x: ladder.x, y: Math.min(Math.max(y, ladder.top), ladder.bottom) };
}

/** How far a path is from what it names. There is no distance to what the map does not have. */
function distanceWords(
  named: "foothold" | "ladder or rope",
  id: number,
  measured: number,
  allowed: number,
): Pick<Judgement, "reason" | "measured" | "allowed" | "unit"> {
  if (measured !== NOWHERE_PX)
    return { reason: `Names ${named} ${id}, but is not on it`, measured, allowed, unit: "px" };
  const kind = named === "foothold" ? "floor" : named;
  return { reason: `Names ${named} ${id}, but the map has no ${kind} with this number` };
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
function walksOnWater(
  map: MapleMap,
  { x, y, vy, state }: Pick<PathNode, "x" | "y" | "vy" | "state">,
  { groundPx }: MapleRuleLimits,
): boolean {
  if (vy !== 0 || !onFeet.includes(state >> 1) || map.flies) return false;
  return map.isWater(x, y) && !map.isNearGround(x, y, groundPx);
}

/** Whether a place is above or below the ground, or that is not known. */
function isOff(ground: Foothold | undefined, { x, y }: Point, slackPx: number): boolean {
  return ground === undefined || Math.abs(heightAt(ground, clampedTo(ground, x)) - y) > slackPx;
}

/**
 * A wall that keeps the body out: one that follows the ground that it stood on, or the foothold after that. In the air also one of the same
 * piece at the end of the ground below.
 */
function wallOnWay(map: MapleMap, stoodOn: number, step: WayStep): Crossing | undefined {
  const { from, to, slackPx } = step;
  const stood = map.foothold(stoodOn);
  if (stood === undefined) return undefined;
  // Straight down it may be at the wall of either side, and what it names may be behind that.
  const changes = to.foothold !== stoodOn && step.isThere;
  const sides = changes || to.x === from.x ? bothWays : to.x > from.x ? rightwards : leftwards;
  for (const goesRight of sides) {
    const wall = wallAfter(map, stood, goesRight);
    if (wall === undefined) continue;
    const way = { map, stood, ground: stood, wall, isOwn: isOfPiece(wall, stood), goesRight, ...step };
    if (isPassed(way)) return { wall, isCertain: isCertainly(way) };
  }
  if (to.foothold !== 0) return undefined;
  for (const goesRight of sides) {
    // It may be a little behind the wall already.
    const under = map.below(from.x + (goesRight ? -slackPx : slackPx), from.y - slackPx)?.foothold;
    if (under === undefined || under === stood) continue;
    const edgeX = goesRight ? under.x2 : under.x1;
    for (const wall of map.wallsFrom(edgeX - slackPx, edgeX + slackPx)) {
      if (wall.y2 < wall.y1 !== goesRight || !isOfPiece(wall, stood)) continue;
      const way = { map, stood, ground: under, wall, isOwn: true, goesRight, ...step };
      if (isPassed(way)) return { wall, isCertain: isCertainly(way) };
    }
  }
  return undefined;
}

const rightwards = [true];
const leftwards = [false];
const bothWays = [true, false];

/** A way through a wall. */
interface Crossing {
  readonly wall: Foothold;
  /** Whether no client, and no rounding, explains it. */
  readonly isCertain: boolean;
}

/** The way to one node. */
interface WayStep {
  readonly from: Point;
  /** The last place before that the path names. */
  readonly named: Point;
  readonly to: PathNode;
  /** Whether it names a foothold, and that is there. */
  readonly isThere: boolean;
  /** Whether the body was off the ground since it stood on it. */
  readonly hasFlown: boolean;
  /** The same where it may have been. */
  readonly mayHaveFlown: boolean;
  /** How high it may have been since it stood. */
  readonly highestY: number;
  /** Whether that foothold is what says which walls keep the body out in the air. */
  readonly knowsPiece: boolean;
  readonly slackPx: number;
  readonly airAcceleration: number;
}

/** The same from a ground, and a wall that may be on it. */
interface WallWay extends WayStep {
  readonly map: MapleMap;
  /** What the body stood on. */
  readonly stood: Foothold;
  readonly ground: Foothold;
  readonly wall: Foothold;
  /** Whether it is of the piece that the body stood on. */
  readonly isOwn: boolean;
  readonly goesRight: boolean;
}

function isPassed(way: WallWay): boolean {
  if (way.hasFlown && mayHaveComeOver(way)) return false;
  return goesThrough(way) || (fallsPast(way) && !(isUpTo(way) && mayHaveComeOver(way)));
}

/** Whether a body has had the time in the air to come up to the end of a wall. */
function isUpTo({ map, wall, highestY }: WallWay): boolean {
  return highestY <= (traitsOf(map).walls.get(wall.id)?.top ?? Number.POSITIVE_INFINITY);
}

/** Whether a body in the air that is at a wall, or a little behind it, may have come there over its end. */
function mayHaveComeOver({ map, stood, wall, goesRight, named }: WallWay): boolean {
  if (goesRight ? named.x < wall.x1 : named.x > wall.x1) return false;
  return Math.min(stood.y1, stood.y2) - JUMP_PX <= (traitsOf(map).walls.get(wall.id)?.top ?? Number.POSITIVE_INFINITY);
}

/**
 * Whether a way that passes a wall can be nothing else. A body on foot is stopped by the wall at the end of its ground. A body in the air is
 * stopped by walls of the piece that it stood on, if it is before the wall: one that came over the wall may be a little behind it.
 */
function isCertainly(way: WallWay): boolean {
  const { wall, isOwn, goesRight, from, knowsPiece } = way;
  if (walksUpTo(way)) return true;
  return isOwn && knowsPiece && (goesRight ? wall.x1 - from.x : from.x - wall.x1) > AT_WALL_PX;
}

/** Whether a body comes on foot to the end of a ground where a wall is. */
function walksUpTo({ map, ground, wall, goesRight, from, hasFlown, mayHaveFlown, slackPx }: WallWay): boolean {
  if (hasFlown || mayHaveFlown || isOff(ground, from, slackPx)) return false;
  return endsAt(map, ground, wall, goesRight, slackPx);
}

/** Whether a ground, or the next one that continues it, ends at a wall. */
function endsAt(map: MapleMap, ground: Foothold, wall: Foothold, goesRight: boolean, slackPx: number): boolean {
  return Math.abs(endOf(lastBefore(map, ground, goesRight), goesRight).x - wall.x1) <= slackPx;
}

function endOf({ x1, y1, x2, y2 }: Foothold, goesRight: boolean): Point {
  return goesRight ? { x: x2, y: y2 } : { x: x1, y: y1 };
}

/** The foothold that continues a ground, or itself where none does. */
function lastBefore(map: MapleMap, ground: Foothold, goesRight: boolean): Foothold {
  const onward = map.foothold(goesRight ? ground.next : ground.previous);
  if (onward === undefined || isWall(onward)) return ground;
  const end = endOf(ground, goesRight);
  const start = endOf(onward, !goesRight);
  return start.x === end.x && start.y === end.y ? onward : ground;
}

/** How high a wall is beside the body at least, pixels: a body may be lifted over its end. */
const STEP_PX = 10;

/** A body that a wall has stopped is at most so far from it, pixels: its place is rounded. */
const AT_WALL_PX = 1;

/**
 * Whether a way leads through a wall that goes up beside the whole of it. In the air only over the ground. Other walls stand behind the body
 * or before it, and the client lets it pass.
 */
function goesThrough(way: WallWay): boolean {
  const { map, ground, wall, isOwn, goesRight, from, to, hasFlown, slackPx } = way;
  // In the air it is only certain for walls of the same piece.
  if (to.foothold === 0 && !isOwn) return false;
  const { x1: wallX } = wall;
  // One that was a little too far before has not come through yet.
  const [fromPx, toPx] = goesRight ? [from.x - wallX, to.x - wallX] : [wallX - from.x, wallX - to.x];
  if (fromPx > slackPx || (toPx <= slackPx && !isNamedBehind(way))) return false;
  // Who comes down at the very wall may stand on either side.
  const named = hasFlown && Math.abs(from.x - wallX) <= slackPx ? map.foothold(to.foothold) : undefined;
  if (named && named !== ground && distanceTo(named, from.x, from.y) <= slackPx) return false;
  const extent = traitsOf(map).walls.get(wall.id);
  if (extent === undefined) return false;
  if (extent.top + STEP_PX > Math.min(from.y, to.y) || extent.bottom + slackPx < Math.max(from.y, to.y)) return false;
  return isOver(map, ground, from, slackPx);
}

/** Whether a body on foot comes to the wall, and to a foothold behind it. */
function isNamedBehind(way: WallWay): boolean {
  const { map, wall, goesRight, to, isThere } = way;
  const named = isThere && !to.isVague ? map.foothold(to.foothold) : undefined;
  if (named === undefined) return false;
  if (goesRight ? Math.min(named.x1, named.x2) < wall.x1 : Math.max(named.x1, named.x2) > wall.x1) return false;
  return walksUpTo(way);
}

/**
 * Whether a body comes from above the ground to below its end, where a wall goes up: the ground carries it up to the wall, and the wall keeps it
 * from going on. Only a drop through the ground leads there.
 */
function fallsPast(way: WallWay): boolean {
  const { map, ground, wall, isOwn, goesRight, from, to, hasFlown, highestY, slackPx } = way;
  const { x1: wallX } = wall;
  const edge = endOf(lastBefore(map, ground, goesRight), goesRight);
  if (to.drops || to.y <= from.y || to.y <= edge.y + slackPx) return false;
  // Between its end and the wall a body falls.
  const overPx = goesRight ? edge.x - wallX : wallX - edge.x;
  if (overPx < 0 || overPx > slackPx) return false;
  const [fromPx, toPx] = goesRight ? [from.x - wallX, to.x - wallX] : [wallX - from.x, wallX - to.x];
  if (fromPx > slackPx || toPx < -slackPx) return false;
  // Walking, it is stopped by any wall, in the air by those of the same piece.
  const isInAir = isOff(ground, from, slackPx);
  if (isInAir && !isOwn) return false;
  // A body that rises from below and turns at the height of the ground was never above it.
  if (hasFlown && !isInAir) return false;
  // At the wall itself it may slip past the end of the ground, and come out below.
  const maySlip = (isInAir || highestY < edge.y - slackPx) && Math.abs(fromPx) <= AT_WALL_PX;
  if (maySlip && toPx <= slackPx + slippedPx(way, edge)) return false;
  const extent = traitsOf(map).walls.get(wall.id);
  if (extent === undefined || extent.top + STEP_PX > from.y || extent.bottom + slackPx < edge.y) return false;
  return isOver(map, ground, from, slackPx);
}

/** So many times as fast as keys accelerate a body in the air, and for how long: a client names a place that often. */
const SLIP_TIMES = 2;
const MOST_SLIP_SECONDS = 0.5;

/**
 * How far behind a wall a body may be that slipped past the end of its ground, pixels. The wall has stopped it, so that it sets off below it.
 * What falls only gets faster: it is at the end no sooner than at an even speed.
 */
function slippedPx({ from, to: { y, durationMs }, airAcceleration }: WallWay, end: Point): number {
  const share = Math.min(1, Math.max(0, (y - end.y) / (y - from.y)));
  const seconds = Math.min(MOST_SLIP_SECONDS, (share * durationMs) / 1000);
  return (SLIP_TIMES * airAcceleration * seconds * seconds) / 2;
}

function isOfPiece(wall: Foothold, ground: Foothold): boolean {
  return wall.layer === ground.layer && wall.group === ground.group;
}

/** Whether the ground is the first one below a place. */
function isOver(map: MapleMap, ground: Foothold, { x, y }: Point, slackPx: number): boolean {
  return map.below(clampedTo(ground, x), y - slackPx)?.foothold === ground;
}

function clampedTo({ x1, x2 }: Foothold, x: number): number {
  return Math.min(Math.max(x, x1), x2);
}
