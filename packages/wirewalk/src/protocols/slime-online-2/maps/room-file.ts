/**
 * Rooms as JSON: the form that people write. `docs/slime-online-2.md` describes it.
 *
 * ```json
 * { "format": "slime-online-2-rooms", "version": 1, "rooms": [
 *   { "room": 32, "width": 960, "height": 480, "solids": [{ "x": 0, "y": 420, "w": 960, "h": 60 }],
 *     "doors": [{ "x": 936, "y": 360, "w": 24, "h": 60, "to": { "room": 33, "x": 40, "y": 420 } }] } ] }
 * ```
 */
import type { Rectangle } from "./geometry.ts";
import type { JsonValue } from "./json-value.ts";
import type { DoorTarget, RoomDoor, RoomParts, RoomPlace, SlimeRoom } from "./room.ts";

export const ROOMS_FORMAT = "slime-online-2-rooms";
const VERSION = 1;

/** Positions are 16 bits on the wire. */
export const MAX_NUMBER = 65_535;
/** Further away than any part of a room; its sums are exact in f32 to 1/8 px. */
export const MAX_COORDINATE = 1_000_000;
/** Of each kind in one room: the largest room of the game has place for 58,594 blocks of 16 px. */
export const MAX_PARTS = 65_536;
/** Doors and spawns of one room. */
export const MAX_DOORS = 1024;
const MAX_TITLE = 256;

/** A room as a file has it. */
export interface RoomDescription extends Omit<RoomParts, "title" | "omitted"> {
  readonly title?: string;
}

/** A file with rooms. */
export interface RoomsFile {
  readonly format: typeof ROOMS_FORMAT;
  readonly version: typeof VERSION;
  readonly rooms: readonly RoomDescription[];
}

const roomMembers = [
  "room",
  "title",
  "width",
  "height",
  "open",
  "solids",
  "ice",
  "water",
  "free",
  "doors",
  "spawns",
  "returns",
];

/** The rooms of a file, not yet read, by number. Throws {@link MapError} for another file, and for two rooms of one number. */
export function roomsIn(file: JsonValue): ReadonlyMap<number, JsonValue> {
  file.only(["format", "version", "rooms"]);
  const version = file.member("version").number(1, MAX_NUMBER);
  if (version !== VERSION) throw file.member("version").error(`must be ${VERSION}, got ${version}`);
  const rooms = new Map<number, JsonValue>();
  for (const room of file.member("rooms").list(MAX_NUMBER + 1)) {
    const number = numberOf(room);
    const before = rooms.get(number);
    if (before !== undefined) throw room.error(`is room ${number}, as ${before.path} is`);
    rooms.set(number, room);
  }
  return rooms;
}

function numberOf(room: JsonValue): number {
  return room.member("room").whole(0, MAX_NUMBER);
}

/** One room. Throws {@link MapError} with the place of what is wrong. */
export function readRoom(value: JsonValue): RoomParts {
  value.only(roomMembers);
  const areas = (name: string): readonly Rectangle[] | undefined => value.maybe(name)?.list(MAX_PARTS).map(rectangle);
  const room = numberOf(value);
  return {
    room,
    title: value.maybe("title")?.text(MAX_TITLE) ?? `Room ${room}`,
    width: value.member("width").number(1, MAX_NUMBER),
    height: value.member("height").number(1, MAX_NUMBER),
    open: value.maybe("open")?.flag() ?? false,
    solids: areas("solids"),
    ice: areas("ice") ?? [],
    water: areas("water") ?? [],
    free: areas("free") ?? [],
    doors: value.maybe("doors")?.list(MAX_DOORS).map(door),
    spawns: value.maybe("spawns")?.list(MAX_DOORS).map(wirePlace) ?? [],
    returns: value.maybe("returns")?.list(MAX_DOORS).map(wirePlace) ?? [],
  };
}

function rectangle(value: JsonValue): Rectangle {
  value.only(["x", "y", "w", "h"]);
  return {
    ...placeOf(value),
    w: value.member("w").number(0, MAX_COORDINATE),
    h: value.member("h").number(0, MAX_COORDINATE),
  };
}

function wirePlace(value: JsonValue): RoomPlace {
  value.only(["x", "y"]);
  return { x: value.member("x").whole(0, MAX_NUMBER), y: value.member("y").whole(0, MAX_NUMBER) };
}

function door(value: JsonValue): RoomDoor {
  value.only(["x", "y", "w", "h", "to"]);
  const [w, h] = ["w", "h"].map((name) => value.maybe(name)?.number(0, MAX_COORDINATE));
  if ((w === undefined) !== (h === undefined))
    throw value.error("has one of w and h: give both, or none where the size is not known");
  return { ...placeOf(value), ...(w === undefined || h === undefined ? {} : { w, h }), to: target(value.member("to")) };
}

function target(value: JsonValue): DoorTarget {
  value.only(["room", "x", "y"]);
  const room = value.maybe("room")?.whole(0, MAX_NUMBER);
  const x = value.maybe("x")?.number(-MAX_COORDINATE, MAX_COORDINATE);
  const y = value.maybe("y")?.number(-MAX_COORDINATE, MAX_COORDINATE);
  return {
    ...(room === undefined ? {} : { room }),
    ...(x === undefined ? {} : { x }),
    ...(y === undefined ? {} : { y }),
  };
}

function placeOf(value: JsonValue): RoomPlace {
  const coordinate = (name: string): number => value.member(name).number(-MAX_COORDINATE, MAX_COORDINATE);
  return { x: coordinate("x"), y: coordinate("y") };
}

/** A room as a file has it: what is not known is left out. */
export function describeRoom({ room, title, width, height, open, ...parts }: SlimeRoom): RoomDescription {
  const { solids, ice, water, free, doors, spawns, returns } = parts;
  return {
    room,
    title,
    width,
    height,
    ...(open ? { open } : {}),
    ...(solids === undefined ? {} : { solids }),
    ...(ice.length === 0 ? {} : { ice }),
    ...(water.length === 0 ? {} : { water }),
    ...(free.length === 0 ? {} : { free }),
    ...(doors === undefined ? {} : { doors }),
    ...(spawns.length === 0 ? {} : { spawns }),
    ...(returns.length === 0 ? {} : { returns }),
  };
}

/** The file of some rooms. */
export function describeRooms(rooms: Iterable<SlimeRoom>): RoomsFile {
  return { format: ROOMS_FORMAT, version: VERSION, rooms: Array.from(rooms, describeRoom) };
}

/** Whether a value is of this format, whatever may be wrong with it. */
export function isRoomsFile(value: unknown): boolean {
  return typeof value === "object" && value !== null && (value as { format?: unknown }).format === ROOMS_FORMAT;
}
