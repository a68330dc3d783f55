/**
 * What the map lets a body do along a path: springs throw it, conveyors carry it, water and the air of flying maps have speeds of their
 * own. What it has of that it keeps in the air, until it stands again.
 *
 * Source: docs/protocols/maplestory.md 8.2.4.
 */
import { number, type StateOf, state } from "../../world-kit/index.ts";
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

/** What a body may do on its way to a node, pixels per second. */
export interface NodeTerrain {
  readonly right: number;
  readonly left: number;
  readonly rise: number;
  /** A spring on the way: how high it reaches, and how fast it throws. */
  readonly spring: { readonly top: number; readonly pxPerSecond: number } | undefined;
  readonly isWater: boolean;
}

export interface PathTerrain {
  /** Of each node. */
  readonly nodes: readonly NodeTerrain[];
  readonly momentum: Momentum;
}

type TerrainNode = Pick<PathNode, "x" | "y" | "durationMs" | "foothold">;

/** What a map allows along a path. Undefined on a plain map: walking, falling and jumping are all that there is. */
export function terrainOf(
  nodes: readonly TerrainNode[],
  from: Point & { readonly foothold: number },
  { map, before, factors }: { readonly map: MapleMap; readonly before: Momentum; readonly factors: PlayerFactors },
  limits: MapleRuleLimits,
): PathTerrain | undefined {
  const { isPlain, springs } = traitsOf(map);
  if (isPlain) return undefined;
  const walk = limits.walkPxPerSecond * factors.speed;
  const jump = limits.jumpPxPerSecond * factors.jump;
  let { right, left, rise } = before;
  let at = from;
  const found = nodes.map((node): NodeTerrain => {
    const isWater = map.isWater(node.x, node.y) || map.isWater(at.x, at.y);
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
    // The ground that it comes from carries it as well as the one that it comes to.
    for (const id of [at.foothold, node.foothold]) {
      const force = id > 0 ? (map.foothold(id)?.force ?? 0) : 0;
      right = Math.max(right, force);
      left = Math.max(left, -force);
    }
    const spring = springs.find((each) => passes(each, at, node));
    const pxPerSecond = spring?.risePxPerSecond ?? limits.springPxPerSecond;
    if (spring !== undefined) {
      right = Math.max(right, spring.acrossPxPerSecond);
      left = Math.max(left, -spring.acrossPxPerSecond);
      rise = Math.max(rise, pxPerSecond);
    }
    const terrain = {
      right: walk + right,
      left: walk + left,
      rise: Math.max(jump, rise),
      spring: spring && { top: spring.y - spring.reachY, pxPerSecond },
      isWater,
    };
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
    return terrain;
  });
  return { nodes: found, momentum: { right, left, rise } };
}

/** The most that a map allows anywhere: for paths of `documented`, which name no ground. */
export function loosestTerrain(
  count: number,
  map: MapleMap,
  { speed, jump }: PlayerFactors,
  limits: MapleRuleLimits,
): readonly NodeTerrain[] | undefined {
  const { isPlain, springs, mostForce } = traitsOf(map);
  if (isPlain) return undefined;
  const swim = map.swims || map.waters.length > 0 ? limits.swimPxPerSecond : 0;
  const across = Math.max(limits.walkPxPerSecond, swim, map.flies ? limits.flyPxPerSecond : 0) * speed + mostForce;
  const throws = springs.map(({ risePxPerSecond }) => risePxPerSecond ?? limits.springPxPerSecond);
  const rise = Math.max(limits.jumpPxPerSecond * jump, ...throws);
  return Array.from({ length: count }, () => ({
    right: across,
    left: across,
    rise,
    spring: undefined,
    isWater: false,
  }));
}

/** Whether a way comes near a spring. */
function passes({ x, y, reachX, reachY }: Spring, a: Point, b: Point): boolean {
  return (
    Math.min(a.x, b.x) <= x + reachX &&
    Math.max(a.x, b.x) >= x - reachX &&
    Math.min(a.y, b.y) <= y + reachY &&
    Math.max(a.y, b.y) >= y - reachY
  );
}
