/**
 * `room_data.json`, which a tool of the community writes from a decompiled game: bounds and doors of rooms, and no solids. A door has a
 * place and no size.
 */
import type { MapFiles } from "../../map-files.ts";
import { MapError, type MapProblem } from "../../maps.ts";
import { type JsonValue, readJson, startOf } from "./json-value.ts";
import { Omissions } from "./omissions.ts";
import type { DoorTarget, RoomDoor, RoomParts } from "./room.ts";
import { MAX_COORDINATE, MAX_DOORS, MAX_NUMBER } from "./room-file.ts";
import { jsonPaths, type RoomSource } from "./room-source.ts";

/** Objects that take a player elsewhere; their targets are chosen in the game. */
export const isDoorObject = (name: string): boolean =>
  name.startsWith("warp_") || name === "obj_warpcenter" || name === "obj_teleporter";

/** `RoomForm` of `room_data.json`. */
export function openRoomData(files: MapFiles): RoomSource | undefined {
  for (const path of jsonPaths(files)) {
    const file = files.open(path);
    // The tool writes the rooms first, each with these members.
    if (file === undefined || !/"rooms"\s*:\s*\{/.test(startOf(file))) continue;
    const value = readJson(file);
    if (value.maybe("room_order") !== undefined) return sourceOf(value);
  }
  return undefined;
}

function sourceOf(file: JsonValue): RoomSource {
  const rooms = new Map<number, readonly [string, JsonValue]>();
  const byName = new Map<string, number>();
  const problems: MapProblem[] = [];
  for (const [name, room] of file.member("rooms").entries()) {
    try {
      const number = room.member("index").whole(-1, MAX_NUMBER);
      if (number === -1) throw room.error("is not in the project's list of rooms, so that it has no number");
      const before = rooms.get(number);
      if (before !== undefined) throw new MapError(`${room.path}: is room ${number}, as ${before[0]} is`);
      rooms.set(number, [name, room]);
      byName.set(name, number);
    } catch (error) {
      if (!(error instanceof MapError)) throw error;
      problems.push({ place: "", reason: error.message });
    }
  }
  if (rooms.size === 0) throw new MapError(problems[0]?.reason ?? file.error("has no rooms").message);
  return {
    rooms: [...rooms.keys()].sort((a, b) => a - b),
    problems,
    read(number) {
      const [name, room] = rooms.get(number) as readonly [string, JsonValue];
      return readDataRoom(number, name, room, byName);
    },
  };
}

function readDataRoom(room: number, title: string, value: JsonValue, byName: ReadonlyMap<string, number>): RoomParts {
  const omissions = new Omissions();
  const doors: RoomDoor[] = [];
  const coordinate = (door: JsonValue, name: string): number =>
    door.member(name).number(-MAX_COORDINATE, MAX_COORDINATE);
  const add = (door: JsonValue, id: number, target: () => DoorTarget): void => {
    try {
      doors.push({ x: coordinate(door, "x"), y: coordinate(door, "y"), to: target() });
    } catch (error) {
      if (!(error instanceof MapError)) throw error;
      omissions.add("door", id, error.message);
    }
  };
  const warps = value.member("warps").list(MAX_DOORS);
  for (const [id, warp] of warps.entries()) {
    add(warp, id, () => {
      const to = targetOf(
        warp.maybe("next_room")?.value,
        warp.maybe("new_x")?.value,
        warp.maybe("new_y")?.value,
        byName,
      );
      if (to.room === undefined) omissions.add("target", id, "the room that it leads to is not a number");
      return to;
    });
  }
  for (const [id, object] of (value.maybe("special_objects")?.list(MAX_NUMBER) ?? []).entries()) {
    if (isDoorObject(object.maybe("obj_name")?.text(256) ?? "")) add(object, id, () => ({}));
  }
  const isCut = omissions.all.some(({ what }) => what === "door");
  return {
    room,
    title,
    width: value.member("width").number(1, MAX_NUMBER),
    height: value.member("height").number(1, MAX_NUMBER),
    open: true,
    solids: undefined,
    // There is a way out of each room: without one that is known, it is unknown.
    doors: doors.length === 0 || isCut ? undefined : doors,
    omitted: omissions.all,
  };
}

/** A target as creation code gives it: numbers, or names of rooms; all else is not known. */
export function targetOf(room: unknown, x: unknown, y: unknown, byName: ReadonlyMap<string, number>): DoorTarget {
  const number = typeof room === "string" ? byName.get(room) : room;
  const isRoom = typeof number === "number" && Number.isInteger(number) && number >= 0 && number <= MAX_NUMBER;
  const isPlace = (value: unknown): value is number => typeof value === "number" && Math.abs(value) <= MAX_COORDINATE;
  return { ...(isRoom ? { room: number } : {}), ...(isPlace(x) ? { x } : {}), ...(isPlace(y) ? { y } : {}) };
}
