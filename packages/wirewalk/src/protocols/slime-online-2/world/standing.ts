/**
 * Whether a player can stand where it says, in rooms whose shape the world knows. Every position with an x and a y is that of a
 * player on the ground (docs/protocols/slime-online-2.md, standard 8.12).
 */
import type { RoomGeometry } from "../maps/geometry.ts";
import type { RoomBounds } from "../maps/room.ts";
import type { Place } from "./ghost.ts";

/** Further down than any room. */
const FAR_PX = 0x10000;

/**
 * How far a place is from where a player can stand, pixels: 0 where the ground is within `px` of the feet, or water around them. x and y
 * are rounded, so the pixels beside x count too.
 */
export function pixelsOffGround(geometry: RoomGeometry, { x, y }: Place, px: number): number {
  if (geometry.waterAt(x, y) || geometry.freeAt?.(x, y) === true) return 0;
  for (const at of [x, x - 1, x + 1]) if (standsAt(geometry, at, y, px)) return 0;
  const outside = Math.abs(geometry.stopX(x, x, y) - x);
  const below = Math.abs(geometry.stopY(x, y, y + FAR_PX) - y);
  // In a solid, or below the room, there is no way to the ground.
  return Math.max(outside, below, px + 1);
}

/**
 * The nearest place at or above one that is in no solid. A jump does not say how high it begins, so what was known of a height may be older
 * than what is known of x.
 */
export function outOfSolids(geometry: RoomGeometry | undefined, { x, y }: Place): Place {
  let free = y;
  while (free > 0 && geometry?.solidAt?.(x, free) === true) free -= 1;
  // Onto the solid, whose upper edge may lie between two pixels.
  return { x, y: geometry === undefined || free === y ? y : geometry.stopY(x, free, y) };
}

function standsAt(geometry: RoomGeometry, x: number, y: number, px: number): boolean {
  if (geometry.stopX(x, x, y) !== x || geometry.solidAt?.(x, y) === true) return false;
  const floor = geometry.stopY(x, y - px, y + px);
  // Below a room's floor the way to it leads up.
  return floor >= y - px && geometry.groundAt(x, floor);
}

/** How far a place is outside of a room; 0 within `px` of it. */
export function pixelsOutside({ left, top, right, bottom }: RoomBounds, { x, y }: Place, px: number): number {
  const outside = Math.max(left - x, x - right, top - y, y - bottom);
  return outside > px ? outside : 0;
}
