/** Sets of rooms, by number. */
import { encodeLatin1, type JsonObject } from "../../../wire/index.ts";
import { KeptPlaces } from "../../kept-places.ts";
import { type MapFiles, memoryFiles } from "../../map-files.ts";
import { type LoadMapsOptions, MapError, type MapReading, type WorldMaps } from "../../maps.ts";
import { openMapFiles } from "../../path-files.ts";
import { openGmx } from "./gmx.ts";
import { digestOfRoom, makeRoom, type RoomOmission, type RoomParts, type SlimeRoom, summaryOfRoom } from "./room.ts";
import { openRoomData } from "./room-data.ts";
import { describeRooms, type RoomsFile } from "./room-file.ts";
import type { RoomForm, RoomSource } from "./room-source.ts";
import { openRoomsJson } from "./rooms-json.ts";

const GAME = "slime-online-2";

/** The rooms of a world of Slime Online 2. */
export interface SlimeMaps extends WorldMaps {
  /** Undefined where the set has no such room, or where it cannot be read. The same object until the cache lets it go. */
  room(number: number): SlimeRoom | undefined;
}

/** Whether a set is one of Slime Online 2. */
export function isSlimeMaps(maps: WorldMaps): maps is SlimeMaps {
  return maps.game === GAME && "room" in maps;
}

/** A set of rooms that are in memory. Throws `RangeError` for two of one number. */
export function slimeMapsOf(name: string, rooms: readonly SlimeRoom[]): SlimeMaps {
  const byNumber = new Map(rooms.map((room) => [room.room, room]));
  if (byNumber.size !== rooms.length) throw new RangeError(`${name} has two rooms of one number`);
  const get = (number: number): SlimeRoom | undefined => byNumber.get(number);
  const numbers = [...byNumber.keys()].sort((a, b) => a - b);
  return setOf(name, numbers, { get, need: get });
}

/** The kinds of files, in the order in which they are tried. */
const forms: readonly RoomForm[] = [openRoomsJson, openRoomData, openGmx];

/** Rooms that are kept ready: more than the game has. */
const KEPT = 512;

/** Capability `maps`. */
export const slimeMapReading: MapReading = {
  forms: "rooms as JSON (one file or a folder), a GameMaker: Studio 1 project folder (*.gmx), or room_data.json",
  columns: {
    room: "room",
    title: "title",
    width: "width",
    height: "height",
    solids: "solids",
    ice: "ice",
    water: "water",
    doors: "doors",
    spawns: "spawns",
    omitted: "omitted",
  },
  load: loadFiles,
  ofExcerpt: mapsOfExcerpt,
};

/**
 * Reads the rooms at a path, in Node, or of files. Rooms are read when they are asked for. Throws {@link MapError} where there are none,
 * and `MapFileError` where the path cannot be read.
 */
export function loadMaps(from: string | MapFiles, options: LoadMapsOptions = {}): SlimeMaps {
  return loadFiles(typeof from === "string" ? openMapFiles(from) : from, options);
}

function loadFiles(files: MapFiles, options: LoadMapsOptions = {}): SlimeMaps {
  const source = sourceOf(files);
  for (const problem of source.problems) options.onProblem?.(problem);
  const known = new Set(source.rooms);
  const rooms = new KeptPlaces<number, SlimeRoom>({
    kept: KEPT,
    ...options,
    read(number) {
      if (!known.has(number)) return undefined;
      const parts = source.read(number);
      return makeRoom({ ...parts, omitted: [...(parts.omitted ?? []), ...unknownTargets(parts, known)] });
    },
  });
  return setOf(files.name, source.rooms, rooms);
}

/** Doors to rooms that the set does not have: they are doors all the same. */
function unknownTargets({ doors = [] }: RoomParts, known: ReadonlySet<number>): readonly RoomOmission[] {
  return doors.flatMap(({ to: { room } }, id) => {
    if (room === undefined || known.has(room)) return [];
    return [{ what: "target", id, reason: `leads to room ${room}, which is not in the set` }];
  });
}

function sourceOf(files: MapFiles): RoomSource {
  for (const open of forms) {
    const source = open(files);
    if (source !== undefined) return source;
  }
  throw new MapError(`${files.name}: has no rooms: neither ${slimeMapReading.forms}`);
}

function setOf(
  name: string,
  numbers: readonly number[],
  rooms: Pick<KeptPlaces<number, SlimeRoom>, "get" | "need">,
): SlimeMaps {
  const numberOf = (place: string): number => (/^\d{1,5}$/.test(place) ? Number(place) : -1);
  return {
    game: GAME,
    name,
    places: () => numbers.map(String),
    room: (number) => rooms.get(number),
    summary(place) {
      const room = rooms.need(numberOf(place));
      return room && summaryOfRoom(room);
    },
    digest(place) {
      const room = rooms.get(numberOf(place));
      return room && digestOfRoom(room);
    },
    excerpt(places) {
      const some = places.flatMap((place) => rooms.need(numberOf(place)) ?? []);
      return describeRooms(some) as unknown as JsonObject;
    },
  };
}

/** The set of `WorldMaps.excerpt`: a file of rooms. */
function mapsOfExcerpt(excerpt: JsonObject): SlimeMaps {
  // ASCII alone, whatever the titles have.
  const text = JSON.stringify(excerpt).replaceAll(/[\u0080-\uffff]/g, (letter) => {
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  const bytes = encodeLatin1(text);
  return loadFiles(memoryFiles("the case", new Map([["rooms.json", bytes]])));
}

/** All rooms of a set in the JSON format, whatever form they were read from. Rooms that cannot be read are left out. */
export function roomsToJson(maps: SlimeMaps): RoomsFile {
  return describeRooms(
    maps.places().flatMap((place) => {
      const room = maps.room(Number(place));
      return room === undefined ? [] : [room];
    }),
  );
}
