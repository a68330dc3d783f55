/** Walls that keep a body on its ground: only those that a ground leads to, as in the client. */
import { type Foothold, isWall } from "./foothold.ts";
import type { MapleMap } from "./map.ts";

/** Footholds after the ground at which the client looks for a wall. */
const LOOKS_AHEAD = 2;

/** The wall that ends a ground, where it goes up. */
export function wallAfter(map: MapleMap, ground: Foothold, goesRight: boolean): Foothold | undefined {
  let at = ground;
  for (let count = 0; count < LOOKS_AHEAD; count++) {
    const onward = map.foothold(goesRight ? at.next : at.previous);
    if (onward === undefined) return undefined;
    if (isWall(onward)) return onward.y2 < onward.y1 === goesRight ? onward : undefined;
    at = onward;
  }
  return undefined;
}

/** Walls that continue each other, at most. */
const MAX_WALLS = 64;

/** A wall with those that continue it upwards. */
export function wholeWall(map: MapleMap, wall: Foothold, goesRight: boolean): Foothold {
  let { y1, y2 } = wall;
  let at = wall;
  for (let count = 0; count < MAX_WALLS; count++) {
    const onward = map.foothold(goesRight ? at.next : at.previous);
    if (onward === undefined || !isWall(onward) || onward.x1 !== wall.x1) break;
    y1 = Math.min(y1, onward.y1);
    y2 = Math.min(y2, onward.y2);
    at = onward;
  }
  return { ...wall, y1: Math.max(wall.y1, wall.y2), y2: Math.min(y1, y2) };
}
