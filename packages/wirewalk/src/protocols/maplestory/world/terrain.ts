/**
 * What the map lets a body do along a path: springs throw it, conveyors carry it, water and the air of flying maps have speeds of their
 * own. What it has of that it keeps in the air, until it stands again.
 *
 * Source: docs/protocols/maplestory.md 8.2.4.
 */
import { number, type StateOf, state } from "../../world-kit/index.ts";
import type { Foothold, MapArea } from "../maps/foothold.ts";
import type { MapleMap } from "../maps/map.ts";
import type { PathNode } from "../movement/nodes.ts";
import type { Point } from "../wire/messages.ts";
import type { MapleRuleLimits } from "./limits.ts";
import { type Spring, traitsOf } from "./map-traits.ts";
import type { PlayerFactors } from "./rules.ts";

/** What a body has of springs and conveyors, pixels per second: to the right and to the left beyond its walk, and upwards in all. */
export const savedMomentum = state({ right: number, left: number, rise: number });
export type Momentum = Readonly<StateOf<typeof savedMomentum>>;

export const noMomentum: Momentum = { right: 0, left: 0, rise: 0 };

/** What a body in the air may have where nothing is known of its way: as much as the map gives anywhere. */
export function mostMomentum(map: MapleMap, { springPxPerSecond }: MapleRuleLimits): Momentum {
  const { springs, conveyors } = traitsOf(map);
  const across = [...springs.map((each) => each.acrossPxPerSecond), ...conveyors.map(({ force = 0 }) => force)];
  return {
    right: Math.max(0, ...across),
    left: Math.max(0, ...across.map((each) => -each)),
    rise: Math.max(0, ...springs.map((each) => each.risePxPerSecond ?? springPxPerSecond)),
  };
}

/** What a body may do on its way to a node, pixels per second. */
export interface NodeTerrain {
  readonly right: number;
  readonly left: number;
  readonly rise: number;
  /** Springs on the way: how high the highest reaches, and how fast the body may have been thrown since it stood. */
  readonly spring: { readonly top: number; readonly pxPerSecond: number } | undefined;
  readonly isWater: boolean;
  /** Whether a portal explains that it is elsewhere at once: on an unknown map, where it is supposed. */
  readonly isPortal: boolean;
}

export interface PathTerrain {
  /** Of each node. */
  readonly nodes: readonly NodeTerrain[];
  readonly momentum: Momentum;
}

/** Where a path is, and what its player has. */
interface TerrainPlace {
  readonly map: MapleMap;
  readonly before: Momentum;
  readonly factors: PlayerFactors;
  /** Whether nodes name the ground that they come over: what carries a body then is where it comes from and where it comes to. */
  readonly namesGround: boolean;
}

type TerrainPoint = Point & { readonly foothold: number };
type TerrainNode = Pick<PathNode, "x" | "y" | "durationMs" | "foothold">;

const noSprings: readonly Spring[] = [];

/** What a map allows along a path. Undefined on a plain map: walking, falling and jumping are all that there is. */
export function terrainOf(
  nodes: readonly TerrainNode[],
  from: Point & { readonly foothold: number },
  { map, before, factors, namesGround }: TerrainPlace,
  limits: MapleRuleLimits,
): PathTerrain | undefined {
  const { isPlain, springs, conveyors } = traitsOf(map);
  if (isPlain) return undefined;
  const { waters } = map;
  const walk = limits.walkPxPerSecond * factors.speed;
  const jump = limits.jumpPxPerSecond * factors.jump;
  let { right, left, rise } = before;
  let at: TerrainPoint = from;
  const found: NodeTerrain[] = [];
  let last: NodeTerrain | undefined;
  for (const node of nodes) {
    // On its way it may only pass through water.
    const isWater = map.swims || isInAny(waters, at, node);
    const own = map.flies
      ? Math.max(walk, limits.flyPxPerSecond * factors.speed)
      : isWater
        ? Math.max(walk, limits.swimPxPerSecond * factors.speed)
        : walk;
    // It comes out of the water as fast as it swims.
    if (own > walk) {
      right = Math.max(right, own - walk);
      left = Math.max(left, own - walk);
    }
    for (const conveyor of conveyors) {
      const { id, force = 0 } = conveyor;
      const carries = namesGround
        ? id === at.foothold || id === node.foothold
        : leadsBy(conveyor, at, node, limits.groundPx);
      if (!carries) continue;
      right = Math.max(right, force);
      left = Math.max(left, -force);
    }
    // A place that is named once more: the way to it has met all springs that are there.
    const isNamedAgain = !namesGround && node.durationMs === 0 && node.x === at.x && node.y === at.y && at !== from;
    // Of several springs any may have thrown it, and one that it had passed before is stronger than this one, perhaps.
    let top = Number.POSITIVE_INFINITY;
    for (const spring of isNamedAgain && last?.spring === undefined ? noSprings : springs) {
      if (!passes(spring, at, node)) continue;
      right = Math.max(right, spring.acrossPxPerSecond);
      left = Math.max(left, -spring.acrossPxPerSecond);
      rise = Math.max(rise, spring.risePxPerSecond ?? limits.springPxPerSecond);
      top = Math.min(top, spring.y - spring.reachY);
    }
    const spring = top === Number.POSITIVE_INFINITY ? undefined : { top, pxPerSecond: rise };
    // Far from everything all nodes are alike.
    if (
      last === undefined ||
      spring !== undefined ||
      last.spring !== undefined ||
      last.isWater !== isWater ||
      last.right !== walk + right ||
      last.left !== walk + left ||
      last.rise !== Math.max(jump, rise)
    ) {
      last = { right: walk + right, left: walk + left, rise: Math.max(jump, rise), spring, isWater, isPortal: false };
    }
    found.push(last);
    if (node.foothold !== 0) rise = 0;
    if (node.foothold > 0) {
      const slowed = (limits.walkDrag * Math.min(1, map.friction) * node.durationMs) / 1000;
      right = Math.max(0, right - slowed);
      left = Math.max(0, left - slowed);
    } else if (node.foothold < 0) {
      right = 0;
      left = 0;
    }
    at = node;
  }
  return { nodes: found, momentum: { right, left, rise } };
}

/** Whether a way comes near a spring. */
function passes({ x, y, reachX, reachY }: Spring, a: Point, b: Point): boolean {
  // Without an area: it is asked for each spring and node.
  if (Math.min(a.x, b.x) > x + reachX || Math.max(a.x, b.x) < x - reachX) return false;
  return Math.min(a.y, b.y) <= y + reachY && Math.max(a.y, b.y) >= y - reachY;
}

/** Whether a way comes near a foothold. */
function leadsBy({ x1, y1, x2, y2 }: Foothold, a: Point, b: Point, reachPx: number): boolean {
  const left = Math.min(x1, x2) - reachPx;
  const right = Math.max(x1, x2) + reachPx;
  return touchesArea({ left, right, top: Math.min(y1, y2) - reachPx, bottom: Math.max(y1, y2) + reachPx }, a, b);
}

function isInAny(areas: readonly MapArea[], a: Point, b: Point): boolean {
  for (const area of areas) if (touchesArea(area, a, b)) return true;
  return false;
}

function touchesArea({ left, top, right, bottom }: MapArea, a: Point, b: Point): boolean {
  return (
    Math.min(a.x, b.x) <= right &&
    Math.max(a.x, b.x) >= left &&
    Math.min(a.y, b.y) <= bottom &&
    Math.max(a.y, b.y) >= top
  );
}
