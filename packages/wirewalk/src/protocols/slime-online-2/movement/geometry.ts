/**
 * The shape of a room: what stops a player, what is ice, what is water. Server, page and bots use the same one.
 *
 * The document leaves `apply_movement` to the game's rooms. Here a player is one point, the feet: a room collides with
 * that point and nothing else. y grows downwards, so the top of a solid is its smallest y, and a player stands on it
 * with `y` exactly there.
 *
 * ```ts
 * const room = rectangleRoom({ width: 640, height: 480, solids: [{ x: 100, y: 400, w: 200, h: 80 }] });
 * const state = createMovementState({ x: 150, y: 400 });
 * stepPhysics(state, physicsConstants, "documented", room); // stands on the solid
 * ```
 *
 * Exact in f32, like the physics. Source: docs/protocols/slime-online-2.md 6.6.
 */
import type { MovementState } from "./movement-state.ts";

/** A room a player collides with. All coordinates are pixels, f32 values. */
export interface RoomGeometry {
  /** Where feet moving horizontally at height `y` from `fromX` towards `toX` stop: `toX`, or the wall in between. */
  stopX(fromX: number, toX: number, y: number): number;
  /**
   * Where feet moving vertically at `x` from `fromY` towards `toY` stop: `toY`, the floor in between, or, under a
   * ceiling, where they are.
   */
  stopY(x: number, fromY: number, toY: number): number;
  /** Whether feet at (x, y) stand on something. */
  groundAt(x: number, y: number): boolean;
  iceAt(x: number, y: number): boolean;
  waterAt(x: number, y: number): boolean;
  /** Whether (x, y) lies inside of a solid, where feet cannot be. A room without it has no places that are known to be solid. */
  solidAt?(x: number, y: number): boolean;
}

/** An axis-aligned rectangle, pixels; (x, y) is its upper left corner. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A room made of rectangles. */
export interface RectangleRoomOptions {
  /** The walls are at x = 0 and x = width. */
  readonly width: number;
  /** The floor is at y = height, a ceiling at y = 0: positions on the wire are never negative. */
  readonly height: number;
  readonly solids?: readonly Rectangle[];
  /** Ice is a place, edges included: give it the height of a line, `h: 0`, on top of a solid. */
  readonly ice?: readonly Rectangle[];
  readonly water?: readonly Rectangle[];
}

/**
 * Moves `state` by its speeds, x first, then y, and applies the room: a wall stops `hsp`, a floor lands
 * (`free` false, `vsp` 0), a ceiling stops the rise, walking off an edge sets `free`. Then `ice` (on the ground only) and
 * `inWater` are read at the new place. (standard 6.6)
 */
export function applyMovement(state: MovementState, geometry: RoomGeometry): void {
  const toX = Math.fround(state.x + state.hsp);
  const x = geometry.stopX(state.x, toX, state.y);
  if (x !== toX) state.hsp = 0;
  state.x = x;

  const toY = Math.fround(state.y + state.vsp);
  const y = geometry.stopY(x, state.y, toY);
  const stopped = y !== toY;
  if (state.vsp >= 0 && geometry.groundAt(x, y)) {
    state.free = false;
    state.vsp = 0;
  } else {
    state.free = true;
    if (stopped) state.vsp = 0;
  }
  state.y = y;

  state.ice = !state.free && geometry.iceAt(x, y);
  state.inWater = geometry.waterAt(x, y);
}

/** An endless floor at `floorY` (the take-off height of a jump), no walls, no ice, no water. */
export function flatGeometry(floorY: number): RoomGeometry {
  const floor = Math.fround(floorY);
  return {
    stopX: (_fromX, toX) => toX,
    stopY: (_x, _fromY, toY) => (toY > floor ? floor : toY),
    groundAt: (_x, y) => y >= floor,
    iceAt: () => false,
    waterAt: () => false,
  };
}

/**
 * A room of solid rectangles within four walls.
 *
 * A floor reaches from a solid's left to its right edge, both included, so there is no crack between two solids side by side. A
 * wall reaches from just below its top to its bottom, bottom included, so a wall that stands on the floor stops feet on
 * that floor, and the floor itself does not. Moves are swept: no speed tunnels through.
 *
 * @throws RangeError for a size that is not positive.
 */
export function rectangleRoom(options: RectangleRoomOptions): RoomGeometry {
  const width = Math.fround(options.width);
  const height = Math.fround(options.height);
  if (!(width > 0 && height > 0)) throw new RangeError(`Cannot build a room of ${options.width} by ${options.height}`);
  const solids = (options.solids ?? []).map(edges);
  const ice = (options.ice ?? []).map(edges);
  const water = (options.water ?? []).map(edges);

  return {
    stopX(fromX, toX, y) {
      let stop = toX < 0 ? 0 : toX > width ? width : toX;
      for (const solid of solids) {
        if (y <= solid.top || y > solid.bottom) continue;
        if (fromX <= solid.left && stop > solid.left) stop = solid.left;
        else if (fromX >= solid.right && stop < solid.right) stop = solid.right;
      }
      return stop;
    },
    stopY(x, fromY, toY) {
      let stop = toY < 0 ? 0 : toY > height ? height : toY;
      for (const solid of solids) {
        if (x < solid.left || x > solid.right) continue;
        if (fromY <= solid.top && stop > solid.top) stop = solid.top;
        // Stopping at the face itself would leave the feet level with the next ceiling block, which is then a wall.
        else if (fromY >= solid.bottom && stop < solid.bottom) stop = fromY;
      }
      return stop;
    },
    groundAt(x, y) {
      if (y >= height) return true;
      for (const solid of solids) {
        if (y === solid.top && x >= solid.left && x <= solid.right) return true;
      }
      return false;
    },
    iceAt: (x, y) => within(ice, x, y),
    waterAt: (x, y) => within(water, x, y),
    solidAt: (x, y) => solids.some(({ left, top, right, bottom }) => x > left && x < right && y > top && y <= bottom),
  };
}

interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function edges(rectangle: Rectangle): Edges {
  return {
    left: Math.fround(rectangle.x),
    top: Math.fround(rectangle.y),
    right: Math.fround(rectangle.x + rectangle.w),
    bottom: Math.fround(rectangle.y + rectangle.h),
  };
}

function within(places: readonly Edges[], x: number, y: number): boolean {
  for (const place of places) {
    if (x >= place.left && x <= place.right && y >= place.top && y <= place.bottom) return true;
  }
  return false;
}
