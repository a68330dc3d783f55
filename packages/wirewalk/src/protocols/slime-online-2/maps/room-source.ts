/** Where the rooms of a set come from. */
import type { MapFiles } from "../../map-files.ts";
import type { MapProblem } from "../../maps.ts";
import type { RoomParts } from "./room.ts";

/** Files of one kind, found by their content. */
export interface RoomSource {
  /** In order. */
  readonly rooms: readonly number[];
  /** One of `rooms`. Throws `MapError` where it cannot be read. */
  read(room: number): RoomParts;
  /** What was found wrong with the set before any room was read. */
  readonly problems: readonly MapProblem[];
}

/** Undefined where the files are of another kind. Throws `MapError` where they are of this kind and no room can be read. */
export type RoomForm = (files: MapFiles) => RoomSource | undefined;

/** Folders with more files than this are not looked through for JSON. */
const MAX_JSON_FILES = 10_000;

/** Files of JSON: the only file, or all of a folder. */
export function jsonPaths(files: MapFiles): readonly string[] {
  const paths = files.paths();
  if (paths.length === 1) return paths;
  return paths.filter((path) => path.toLowerCase().endsWith(".json")).slice(0, MAX_JSON_FILES);
}
