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
import { Columns, type Edges } from "./columns.ts";

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
  /** Whether feet at (x, y) may stand on something that the rectangles do not show. A room without it has no such places. */
  freeAt?(x: number, y: number): boolean;
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
  /** The edges of the room stop nobody: what is solid there is among `solids`. Default false. */
  readonly open?: boolean;
  readonly solids?: readonly Rectangle[];
  /** Ice is a place, edges included: give it the height of a line, `h: 0`, on top of a solid. */
  readonly ice?: readonly Rectangle[];
  readonly water?: readonly Rectangle[];
  /** Where players may stand at any height: slopes, moving platforms. */
  readonly free?: readonly Rectangle[];
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
  const isOpen = options.open === true;
  const [left, right] = isOpen ? [-Infinity, Infinity] : [0, width];
  const [top, bottom] = isOpen ? [-Infinity, Infinity] : [0, height];
  const solids = new Columns((options.solids ?? []).map(edges));
  const ice = new Columns((options.ice ?? []).map(edges));
  const water = new Columns((options.water ?? []).map(edges));
  const free = new Columns((options.free ?? []).map(edges));

  return {
    stopX(fromX, toX, y) {
      let stop = toX < left ? left : toX > right ? right : toX;
      solids.between(fromX, stop, (solid) => {
        if (y <= solid.top || y > solid.bottom) return;
        if (fromX <= solid.left && stop > solid.left) stop = solid.left;
        else if (fromX >= solid.right && stop < solid.right) stop = solid.right;
      });
      return stop;
    },
    stopY(x, fromY, toY) {
      let stop = toY < top ? top : toY > bottom ? bottom : toY;
      for (const solid of solids.at(x)) {
        if (x < solid.left || x > solid.right) continue;
        if (fromY <= solid.top && stop > solid.top) stop = solid.top;
        // Stopping at the face itself would leave the feet level with the next ceiling block, which is then a wall.
        else if (fromY >= solid.bottom && stop < solid.bottom) stop = fromY;
      }
      return stop;
    },
    groundAt(x, y) {
      if (y >= bottom) return true;
      for (const solid of solids.at(x)) {
        if (y === solid.top && x >= solid.left && x <= solid.right) return true;
      }
      return false;
    },
    iceAt: (x, y) => within(ice, x, y),
    waterAt: (x, y) => within(water, x, y),
    freeAt: (x, y) => within(free, x, y),
    solidAt: (x, y) =>
      solids.at(x).some((solid) => x > solid.left && x < solid.right && y > solid.top && y <= solid.bottom),
  };
}

function edges(rectangle: Rectangle): Edges {
  return {
    left: Math.fround(rectangle.x),
    top: Math.fround(rectangle.y),
    right: Math.fround(rectangle.x + rectangle.w),
    bottom: Math.fround(rectangle.y + rectangle.h),
  };
}

function within(places: Columns, x: number, y: number): boolean {
  for (const place of places.at(x)) {
    if (x >= place.left && x <= place.right && y >= place.top && y <= place.bottom) return true;
  }
  return false;
}
