/**
 * A player's **flight**: how high it may be in the air. Wherever it left the ground, a body rises with its jump at most and then
 * falls, so no honest path is above the way of a full jump from there. A client without gravity, or one that jumps in the air, is.
 * Needs the map: {@link judgeFreeFlight} is for those that are not known.
 *
 * Source: docs/protocols/maplestory.md 8.2.3.
 */
import { flag, maybe, number, type StateOf, state } from "../../world-kit/index.ts";
import { distanceTo, isWall } from "../maps/foothold.ts";
import type { MapleMap } from "../maps/map.ts";
import type { NodePath, PathNode } from "../movement/nodes.ts";
import { stances } from "../wire/fragment.ts";
import type { Point } from "../wire/messages.ts";
import type { Judgement, Subject } from "./judgement.ts";
import { type MapleRuleLimits, mapleRuleDefaults } from "./limits.ts";
import { explainsInstant, isSeat } from "./map-traits.ts";
import type { PlayerFactors } from "./rules.ts";
import type { NodeTerrain } from "./terrain.ts";

/** The highest way: where a body could be at most, and how fast it would be there. Pixels and seconds, y downwards. */
export const savedFlight = state({
  y: number,
  vy: number,
  /** On an unknown map: where its last jump began, how fast, how long ago, and whether it may have swum or flown since. */
  jumped: maybe(state({ y: number, vy: number, sinceMs: number, floated: flag })),
});
export type Flight = Readonly<StateOf<typeof savedFlight>>;
/** A height, and a speed there. */
export type Way = Pick<Flight, "y" | "vy">;

/** What {@link judgeFlight} has to know. */
export interface FlightClaim {
  readonly path: NodePath;
  readonly map: MapleMap;
  readonly factors: PlayerFactors;
  /** Whether the player has a skill for movement: it may jump in the air. */
  readonly hasSkill: boolean;
  /** How many pushes in the air are believed. */
  readonly pushes: number;
  /** What the map does to the body on its way to each node; undefined on a plain map. */
  readonly terrain?: readonly NodeTerrain[] | undefined;
}

/** Where a path is, and the height that it is above. */
export type FlightPlaces = Required<Pick<Subject, "from" | "at">>;

export interface FlightJudgement {
  readonly flight: Flight;
  /** By how much the path is above the highest way, in all. */
  readonly abovePx: number;
  /** Where it is farthest above, and what it is above; undefined where it is not. */
  readonly places: FlightPlaces | undefined;
  /** Pushes in the air that it has. */
  readonly pushed: number;
}

/** The flight of a player after a path. Undefined before: the path may begin anywhere. */
export function judgeFlight(
  before: Flight | undefined,
  { path, map, factors, hasSkill, pushes, terrain }: FlightClaim,
  limits: MapleRuleLimits = mapleRuleDefaults,
): FlightJudgement {
  const jump = limits.jumpPxPerSecond * factors.jump * limits.jumpImpulse;
  // Of the highest way. Numbers of their own: an object for each node is a third of what this rule costs.
  let highestY = before?.y ?? path.start.y;
  // The way before is not known: what the map gives it may be of that.
  let highestVy = before?.vy ?? -Math.max(jump, (terrain?.[0]?.rise ?? 0) * limits.jumpImpulse);
  let at: Point = path.start;
  let abovePx = 0;
  let farthestPx = 0;
  let places: FlightPlaces | undefined;
  let pushed = 0;
  for (let index = 0; index < path.nodes.length; index++) {
    const node = path.nodes[index] as PathNode;
    const { y, vy, durationMs, impulse, jump: isInstant } = node;
    const here = terrain?.[index];
    const isElsewhere = isInstant && (hasSkill || explainsInstant(map, at, node, limits));
    if (here?.isWater === true || isElsewhere || isSupported(node, map, limits)) {
      // From the ground it may jump.
      highestY = y;
      highestVy = -jump;
    } else {
      // It falls.
      const seconds = durationMs / 1000;
      const falling = fallingSeconds(highestVy, limits.gravity, limits.maxFall, seconds);
      const fast = Math.min(limits.maxFall, highestVy + limits.gravity * falling);
      highestY = highestY + highestVy * falling + (limits.gravity * falling * falling) / 2 + fast * (seconds - falling);
      highestVy = fast;
      if (here?.spring !== undefined) {
        const { top, pxPerSecond } = here.spring;
        const fastest = Math.max(jump, pxPerSecond * limits.jumpImpulse);
        const highest = thrown({ y: highestY, vy: highestVy }, y, top, fastest, limits);
        highestY = highest.y;
        highestVy = highest.vy;
      } else if (impulse && isOnGround(map, at, limits)) {
        highestY = at.y;
        highestVy = -jump;
      } else if (impulse) {
        pushed += 1;
        // Of a hit, or of a skill.
        if (hasSkill || pushed <= pushes) {
          highestY = y;
          highestVy = Math.max(-jump, Math.min(vy, highestVy));
        }
      }
    }
    const above = highestY - y - limits.flightSlackPx;
    if (above > 0) {
      abovePx += above;
      if (above > farthestPx) {
        farthestPx = above;
        // What falls stays on the ground.
        const groundY = map.below(node.x, y)?.y ?? highestY;
        places = { from: { x: node.x, y: Math.min(highestY, groundY) }, at: { x: node.x, y } };
      }
      highestY = y + limits.flightSlackPx;
    }
    at = node;
  }
  const flight = { y: highestY, vy: highestVy, jumped: undefined };
  return { flight, abovePx, places, pushed: hasSkill ? 0 : Math.min(pushed, pushes) };
}

/** For how much of a time a body gets faster that falls. */
export function fallingSeconds(vy: number, gravity: number, maxFall: number, seconds: number): number {
  return Math.min(seconds, Math.max(0, (maxFall - vy) / gravity));
}

/** A flag for a path above the highest way. */
export function flightFinding(
  { abovePx, places }: Pick<FlightJudgement, "abovePx" | "places">,
  { flightSlackPx }: MapleRuleLimits,
): Judgement | undefined {
  if (abovePx <= 0) return undefined;
  const reason = "Higher than a jump from the ground leads";
  return {
    kind: "flag",
    rule: "flight",
    reason,
    measured: abovePx + flightSlackPx,
    allowed: flightSlackPx,
    unit: "px",
    ...(places && { about: places }),
  };
}

/** The highest way of a body that a spring has thrown somewhere on its way to a height: at the upper end of its reach at the latest. */
function thrown(before: Way, y: number, top: number, pxPerSecond: number, { gravity }: MapleRuleLimits): Way {
  const above = Math.max(0, top - y);
  const most = (pxPerSecond * pxPerSecond) / (2 * gravity);
  if (above <= most) return { y, vy: -Math.sqrt(pxPerSecond * pxPerSecond - 2 * gravity * above) };
  return before.y < top - most ? before : { y: top - most, vy: 0 };
}

/** Whether a node names something that carries it, and that is there. */
function isSupported(node: PathNode, map: MapleMap, limits: MapleRuleLimits): boolean {
  const { x, y, foothold, state } = node;
  if (foothold > 0) {
    const named = map.foothold(foothold);
    // It mostly is on the one that it names, which takes no search.
    const isThere = named !== undefined && !isWall(named) && distanceTo(named, x, y) <= limits.groundPx;
    return isThere || isOnGround(map, node, limits);
  }
  if (foothold === 0) {
    // Who has fallen out of the map waits there.
    return y > map.bounds.bottom || (state >> 1 !== stances.jump && isSeat(map, node, limits.slackPx));
  }
  const ladder = map.ladder(-foothold);
  if (ladder === undefined || Math.abs(ladder.x - x) > limits.grabPx) return false;
  return y >= ladder.top - limits.grabPx && y <= ladder.bottom + limits.grabPx;
}

/** Whether something to stand on is near a place. Below the lowest ground is no flight. */
function isOnGround(map: MapleMap, { x, y }: Point, { groundPx }: MapleRuleLimits): boolean {
  return map.isNearGround(x, y, groundPx) || map.isBelowAll(x, y, groundPx);
}
