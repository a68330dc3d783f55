/**
 * Maps: footholds, ladders, ropes and portals. The format is small and our own, for the demo maps; a server with the game's
 * data converts it into the same plan.
 *
 * ```ts
 * const map = createMap({ mapId: 9, title: "Step", platforms: [[[0, 100], [200, 100], [300, 60]]], portals: [] });
 * map.footholds.length; // 2: from 0 to 200 flat, from 200 to 300 uphill
 * map.below(250, 0)?.y; // 80
 * ```
 */
import type { Point } from "../wire/messages.ts";

/** The parts of a map. Pixels, y downwards. */
export interface MapPlan {
  readonly mapId: number;
  readonly title: string;
  /** Lines to stand on, each from left to right; each pair of points is a foothold, numbered from 1 in this order. */
  readonly platforms: readonly (readonly (readonly [x: number, y: number])[])[];
  /** Numbered from 1; on the wire negative. */
  readonly ladders?: readonly Ladder[];
  readonly portals?: readonly Portal[];
  readonly monsters?: readonly MonsterPlan[];
  /** Under water: bodies swim and need no ground. Default false. */
  readonly swims?: boolean;
}

export interface Ladder {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
  /** Default a ladder. */
  readonly rope?: boolean;
}

/** Where players enter and leave. Its index in the list is its number on the wire. */
export interface Portal extends Point {
  readonly name: string;
  /** Where it leads; undefined: players only enter here. */
  readonly target?: { readonly mapId: number; readonly portal: string };
}

/** A monster that lives on the map. */
export interface MonsterPlan extends Point {
  /** The game's number of its kind. */
  readonly template: number;
  /** Pixels per second. */
  readonly speed: number;
  /** Whether its kind flies. Default false: its paths are on footholds. */
  readonly flies?: boolean;
  /** Its mana. Default 100. */
  readonly mp?: number;
  /** Skills of its kind, the one that is preferred first. Default: none. */
  readonly skills?: readonly MonsterSkill[];
}

/** A skill that a monster may use. */
export interface MonsterSkill {
  /** The game's numbers. */
  readonly id: number;
  readonly level: number;
  /** What it costs. */
  readonly mp: number;
  /** Milliseconds between two uses of any skill. */
  readonly restMs: number;
}

/** A line to stand on, from left to right. */
export interface Foothold {
  readonly id: number;
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  /** Ids of the footholds before and after it, 0 at an edge. */
  readonly previous: number;
  readonly next: number;
}

/** A map ready for use. */
export interface MapleMap {
  readonly mapId: number;
  readonly title: string;
  readonly footholds: readonly Foothold[];
  readonly ladders: readonly Ladder[];
  readonly portals: readonly Portal[];
  readonly monsters: readonly MonsterPlan[];
  readonly swims: boolean;
  readonly left: number;
  readonly right: number;
  foothold(id: number): Foothold | undefined;
  /** The first foothold at or below a position, and its height there. */
  below(x: number, y: number): { readonly foothold: Foothold; readonly y: number } | undefined;
}

/** How far above a position a foothold is still at it, pixels: rounding must not be a step down. */
const EDGE_PX = 0.001;

/** Makes a map out of a plan. Throws `RangeError` for an invalid plan. */
export function createMap(plan: MapPlan): MapleMap {
  const { mapId, title, ladders = [], portals = [], monsters = [], swims = false } = plan;
  const footholds: Foothold[] = [];
  for (const line of plan.platforms) {
    if (line.length < 2) throw new RangeError(`Map ${mapId}: a platform has at least two points`);
    for (let index = 1; index < line.length; index++) {
      const [x1, y1] = line[index - 1] as readonly [number, number];
      const [x2, y2] = line[index] as readonly [number, number];
      if (!(x2 > x1)) throw new RangeError(`Map ${mapId}: a platform goes from left to right, not ${x1} to ${x2}`);
      const id = footholds.length + 1;
      footholds.push({
        id,
        x1,
        y1,
        x2,
        y2,
        previous: index === 1 ? 0 : id - 1,
        next: index === line.length - 1 ? 0 : id + 1,
      });
    }
  }
  if (footholds.length === 0) throw new RangeError(`Map ${mapId} has nothing to stand on`);
  for (const { top, bottom } of ladders) {
    if (!(bottom > top)) throw new RangeError(`Map ${mapId}: a ladder goes down, not from ${top} to ${bottom}`);
  }
  return {
    mapId,
    title,
    footholds,
    ladders,
    portals,
    monsters,
    swims,
    left: Math.min(...footholds.map(({ x1 }) => x1)),
    right: Math.max(...footholds.map(({ x2 }) => x2)),
    foothold: (id) => footholds[id - 1],
    below(x, y) {
      let found: { foothold: Foothold; y: number } | undefined;
      for (const foothold of footholds) {
        if (x < foothold.x1 || x > foothold.x2) continue;
        const height = heightAt(foothold, x);
        if (height >= y - EDGE_PX && (found === undefined || height < found.y)) found = { foothold, y: height };
      }
      return found;
    },
  };
}

/** The height of a foothold at x. */
export function heightAt({ x1, y1, x2, y2 }: Foothold, x: number): number {
  return y1 + ((y2 - y1) * (x - x1)) / (x2 - x1);
}

/** The foothold or the ladder with a number on the wire, in words. */
export function describeFoothold(map: MapleMap, foothold: number): string {
  if (foothold === 0) return "in the air";
  if (foothold > 0) return `foothold ${foothold}`;
  return map.ladders[-foothold - 1]?.rope === true ? `rope ${-foothold}` : `ladder ${-foothold}`;
}
