/**
 * Four made-up rooms, for bots, the page and servers that do not have the game's own rooms. A room is drawn from the same
 * rectangles that it collides with.
 *
 * ```ts
 * import { demoRoom } from "wirewalk/slime-online-2/movement";
 *
 * demoRoom(3).title; // => "Frozen steps"
 * ```
 */
import { type Rectangle, type RectangleRoomOptions, type RoomGeometry, rectangleRoom } from "./geometry.ts";

/** A room as drawn and as collided with. Pixels, y downwards. */
export interface DemoRoom extends RectangleRoomOptions {
  readonly room: number;
  readonly title: string;
  readonly solids: readonly Rectangle[];
  readonly ice: readonly Rectangle[];
  readonly water: readonly Rectangle[];
  /** Where players come in: feet on the ground. */
  readonly spawns: readonly { readonly x: number; readonly y: number }[];
  readonly geometry: RoomGeometry;
}

interface Plan {
  readonly title: string;
  readonly solids: readonly Rectangle[];
  readonly ice?: readonly Rectangle[];
  readonly water?: readonly Rectangle[];
}

/** Every demo room is this wide and high: one canvas fits all. */
const WIDTH = 960;
const HEIGHT = 480;
const GROUND_Y = 420;

/** The ground, from wall to wall. */
const ground: Rectangle = { x: 0, y: GROUND_Y, w: WIDTH, h: HEIGHT - GROUND_Y };

const plans: readonly Plan[] = [
  {
    title: "Meadow",
    solids: [
      ground,
      { x: 180, y: 385, w: 120, h: 12 },
      { x: 360, y: 350, w: 140, h: 12 },
      { x: 640, y: 385, w: 160, h: 12 },
    ],
  },
  {
    title: "Pond",
    solids: [
      { x: 0, y: GROUND_Y, w: 340, h: HEIGHT - GROUND_Y },
      { x: 620, y: GROUND_Y, w: 340, h: HEIGHT - GROUND_Y },
      { x: 430, y: 400, w: 100, h: 10 },
    ],
    // Full to the brim: a swimmer rises two pixels above the water, and must get over the bank.
    water: [{ x: 340, y: GROUND_Y + 1, w: 280, h: HEIGHT - GROUND_Y - 1 }],
  },
  {
    title: "Frozen steps",
    solids: [
      ground,
      { x: 120, y: 385, w: 200, h: 12 },
      { x: 380, y: 350, w: 200, h: 12 },
      { x: 640, y: 385, w: 200, h: 12 },
    ],
    ice: [
      { x: 120, y: 385, w: 200, h: 0 },
      { x: 380, y: 350, w: 200, h: 0 },
      { x: 640, y: 385, w: 200, h: 0 },
    ],
  },
  {
    title: "Stairs",
    solids: [
      ground,
      { x: 600, y: 390, w: 360, h: 30 },
      { x: 720, y: 360, w: 240, h: 30 },
      { x: 840, y: 330, w: 120, h: 30 },
      { x: 0, y: 385, w: 140, h: 35 },
    ],
  },
];

/** The demo rooms; row `i` is room `i + 1`. */
export const demoRooms: readonly DemoRoom[] = plans.map((plan, index) => {
  const { title, solids, ice = [], water = [] } = plan;
  const options = { width: WIDTH, height: HEIGHT, solids, ice, water };
  return {
    ...options,
    room: index + 1,
    title,
    // On the ground left and right of the middle, clear of every step.
    spawns: [220, 260, 300, 330].map((x) => ({ x, y: GROUND_Y })),
    geometry: rectangleRoom(options),
  };
});

/** A demo room by its number; undefined for any other room. */
export function demoRoom(room: number): DemoRoom | undefined {
  return demoRooms[room - 1];
}
