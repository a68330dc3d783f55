/**
 * Four made-up rooms, for bots, the page and servers that do not have the game's own rooms, in the format of a user's own rooms. A room is
 * drawn from the same rectangles that it collides with.
 *
 * ```ts
 * import { demoRoom } from "wirewalk/slime-online-2/maps";
 *
 * demoRoom(3).title; // => "Frozen steps"
 * ```
 */
import type { Rectangle, RoomGeometry } from "./geometry.ts";
import { JsonValue } from "./json-value.ts";
import { makeRoom, type RoomDoor, type SlimeRoom } from "./room.ts";
import { type RoomsFile, readRoom, roomsIn } from "./room-file.ts";
import { slimeMapsOf } from "./slime-maps.ts";

/** A room whose shape is known. */
export interface DemoRoom extends SlimeRoom {
  readonly solids: readonly Rectangle[];
  readonly geometry: RoomGeometry;
}

/** Every demo room is this wide and high: one canvas fits all. */
const size = { width: 960, height: 480 } as const;

/** The ground, from wall to wall. */
const ground: Rectangle = { x: 0, y: 420, w: 960, h: 60 };

/** On the ground left and right of the middle, clear of every step. */
const spawns = [220, 260, 300, 330].map((x) => ({ x, y: 420 }));

/** At both ends of a room: the one to the left leads to the right end of another room. */
const doors = (
  before: number,
  after: number,
  [left, right]: readonly [number, number] = [420, 420],
): readonly RoomDoor[] => [
  { x: 0, y: left - 60, w: 24, h: 60, to: { room: before, x: 900, y: before === 4 ? 330 : 420 } },
  { x: 936, y: right - 60, w: 24, h: 60, to: { room: after, x: 60, y: after === 4 ? 385 : 420 } },
];

/** The file of the demo rooms. */
export const demoRoomsFile: RoomsFile = {
  format: "slime-online-2-rooms",
  version: 1,
  rooms: [
    {
      room: 1,
      title: "Meadow",
      ...size,
      solids: [
        ground,
        { x: 180, y: 385, w: 120, h: 12 },
        { x: 360, y: 350, w: 140, h: 12 },
        { x: 640, y: 385, w: 160, h: 12 },
      ],
      doors: doors(4, 2),
      spawns,
    },
    {
      room: 2,
      title: "Pond",
      ...size,
      solids: [
        { x: 0, y: 420, w: 340, h: 60 },
        { x: 620, y: 420, w: 340, h: 60 },
        { x: 430, y: 400, w: 100, h: 10 },
      ],
      // Full to the brim: a swimmer rises two pixels above the water, and must get over the bank.
      water: [{ x: 340, y: 421, w: 280, h: 59 }],
      doors: doors(1, 3),
      spawns,
    },
    {
      room: 3,
      title: "Frozen steps",
      ...size,
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
      doors: doors(2, 4),
      spawns,
    },
    {
      room: 4,
      title: "Stairs",
      ...size,
      solids: [
        ground,
        { x: 600, y: 390, w: 360, h: 30 },
        { x: 720, y: 360, w: 240, h: 30 },
        { x: 840, y: 330, w: 120, h: 30 },
        { x: 0, y: 385, w: 140, h: 35 },
      ],
      doors: doors(3, 1, [385, 330]),
      spawns,
    },
  ],
};

/** The demo rooms; row `i` is room `i + 1`. */
export const demoRooms: readonly DemoRoom[] = Array.from(
  roomsIn(new JsonValue("demo rooms", demoRoomsFile)).values(),
  (value) => {
    const room = makeRoom(readRoom(value));
    const { solids, geometry } = room;
    if (solids === undefined || geometry === undefined) throw new RangeError("A demo room has no solids");
    return { ...room, solids, geometry };
  },
);

/** A demo room by its number; undefined for any other room. */
export function demoRoom(room: number): DemoRoom | undefined {
  return demoRooms[room - 1];
}

/** The demo rooms as a set. */
export const demoSlimeMaps = slimeMapsOf("demo", demoRooms);
