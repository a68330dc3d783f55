/** Files in the JSON format of this library: one with all rooms, or a folder with several. */
import type { MapFile, MapFiles } from "../../map-files.ts";
import { MapError, type MapProblem } from "../../maps.ts";
import { type JsonValue, readJson, startOf } from "./json-value.ts";
import { isRoomsFile, ROOMS_FORMAT, readRoom, roomsIn } from "./room-file.ts";
import { jsonPaths, type RoomSource } from "./room-source.ts";

/** `RoomForm` of the JSON format. */
export function openRoomsJson(files: MapFiles): RoomSource | undefined {
  const paths = new Map<number, string>();
  const problems: MapProblem[] = [];
  let last: { readonly path: string; readonly rooms: ReadonlyMap<number, JsonValue> } | undefined;
  let found = 0;
  for (const path of jsonPaths(files)) {
    const file = files.open(path);
    if (file === undefined || !mayBeRooms(file)) continue;
    let rooms: ReadonlyMap<number, JsonValue>;
    try {
      const value = readJson(file);
      if (!isRoomsFile(value.value)) continue;
      found += 1;
      rooms = roomsIn(value);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      problems.push({ place: "", reason: error.message });
      continue;
    }
    for (const number of rooms.keys()) {
      const before = paths.get(number);
      if (before !== undefined) throw new MapError(`${file.name}: has room ${number}, which ${before} has too`);
      paths.set(number, path);
    }
    last = { path, rooms };
  }
  if (paths.size === 0) {
    const [problem] = problems;
    if (problem !== undefined) throw new MapError(problem.reason);
    if (found === 0) return undefined;
  }
  return {
    rooms: [...paths.keys()].sort((a, b) => a - b),
    problems,
    read(room) {
      const path = paths.get(room) ?? "";
      if (last?.path !== path) {
        const file = files.open(path);
        if (file === undefined) throw new MapError(`${path}: is no longer there`);
        last = { path, rooms: roomsIn(readJson(file)) };
      }
      const value = last.rooms.get(room);
      if (value === undefined) throw new MapError(`${path}: no longer has room ${room}`);
      return readRoom(value);
    },
  };
}

/** Whether the format is named in a file's first bytes, as it must be: a large file of another kind is not parsed. */
function mayBeRooms(file: MapFile): boolean {
  return startOf(file).includes(ROOMS_FORMAT);
}
