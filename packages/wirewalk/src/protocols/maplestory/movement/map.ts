/**
 * Maps: what a player can stand on, climb and leave by. The format is made up and small, for the demo maps; a server
 * with the game's own data turns it into the same plan.
 *
 * ```ts
 * const map = createMap({ mapId: 9, title: "Step", platforms: [[[0, 100], [200, 100], [300, 60]]], portals: [] });
 * map.footholds.length; // 2: from 0 to 200 flat, from 200 to 300 uphill
 * map.below(250, 0)?.y; // 80
 * ```
 */
import type { Point } from "../wire/messages.ts";

/** What a map is made of. Pixels, y downwards. */
export interface MapPlan {
  readonly mapId: number;
  readonly title: string;
  /** Lines to stand on, each from left to right; each pair of points is a foothold, numbered from 1 in this order. */
  readonly platforms: readonly (readonly (readonly [x: number, y: number])[])[];
  /** Numbered from 1; on the wire negative. */
  readonly ladders?: readonly Ladder[];
  readonly portals?: readonly Portal[];
  readonly monsters?: readonly MonsterPlan[];
}

export interface Ladder {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
  /** Default a ladder. */
  readonly rope?: boolean;
}

/** Where players come in and go; number `i` of the list is the wire's spawn point `i`. */
export interface Portal extends Point {
  readonly name: string;
  /** Where it leads; none: players only come in here. */
  readonly target?: { readonly mapId: number; readonly portal: string };
}

/** A monster that lives on the map. */
export interface MonsterPlan extends Point {
  /** The game's number of its kind. */
  readonly template: number;
  /** Pixels per second. */
  readonly speed: number;
}

/** A line to stand on, from left to right. */
export interface Foothold {
  readonly id: number;
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  /** Ids of the footholds that it goes on in, 0 where it ends. */
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
  readonly left: number;
  readonly right: number;
  foothold(id: number): Foothold | undefined;
  /** The first foothold at or under a place, and its height there. */
  below(x: number, y: number): { readonly foothold: Foothold; readonly y: number } | undefined;
}

/** A fall ends at a foothold that it comes to from above by this much at least, pixels: rounding is no step down. */
const EDGE_PX = 0.001;

/** Makes a map of a plan. Throws `RangeError` for a plan that cannot be walked on. */
export function createMap(plan: MapPlan): MapleMap {
  const { mapId, title, ladders = [], portals = [], monsters = [] } = plan;
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

/** The foothold or the ladder that a number on the wire means, in words. */
export function describeFoothold(map: MapleMap, foothold: number): string {
  if (foothold === 0) return "in the air";
  if (foothold > 0) return `foothold ${foothold}`;
  return map.ladders[-foothold - 1]?.rope === true ? `rope ${-foothold}` : `ladder ${-foothold}`;
}
