/** Files with rooms of Slime Online 2, made of any bytes. */
import type { Run, Target } from "../target.ts";
import { src } from "./sources.ts";

/** The file of a folder that an input is, by its first byte. */
const places = [
  "rooms.json",
  "room_data.json",
  "made.project.gmx",
  "rooms/RM_yard.room.gmx",
  "objects.json",
  "objects/obj_ground.object.gmx",
  "sprites/spr_block.sprite.gmx",
] as const;
/** Files that stand alone. */
const ALONE = 2;

/** Any bytes as a file of rooms, or as a part of a project. */
export const slimeRooms: Target = {
  name: "slime-online-2 rooms",
  summary:
    "a file of rooms, which one in the first byte: read, or refused with a MapError; what is read is the same rooms when it is written as JSON",
  cover: new RegExp(
    `${src}protocols/slime-online-2/maps/(gmx|json-value|omissions|room-|rooms-|slime-maps)[^/]*(?<!\\.test)\\.ts$|${src}wire/xml/`,
  ),
  maxBytes: 4000,
  async open() {
    const { MapError, memoryFiles } = await import("wirewalk/protocol");
    const { loadMaps, roomsToJson } = await import("wirewalk/slime-online-2/maps");
    const { encodeLatin1 } = await import("wirewalk/wire");
    const { filesOf, project, roomData } = await import(
      "../../../packages/wirewalk/src/protocols/slime-online-2/testing/map-files.ts"
    );
    const { demoRoomsFile } = await import(
      "../../../packages/wirewalk/src/protocols/slime-online-2/maps/demo-rooms.ts"
    );
    const made = filesOf(project);
    const bytesOf = (path: string): Uint8Array => {
      const file = made.open(path);
      return file?.read(0, file.size) ?? new Uint8Array();
    };
    const base = new Map(made.paths().map((path) => [path, bytesOf(path)]));
    const load = (input: Uint8Array): ReturnType<typeof loadMaps> | undefined => {
      const place = (input[0] ?? 0) % places.length;
      const content = [places[place] as string, input.subarray(1)] as const;
      try {
        return loadMaps(memoryFiles("fuzzed", new Map(place < ALONE ? [content] : [...base, content])));
      } catch (error) {
        if (error instanceof MapError) return undefined;
        throw error;
      }
    };
    const run: Run = (input) => {
      const maps = load(input);
      for (const place of maps?.places().slice(0, 8) ?? []) {
        let isKnown = true;
        try {
          isKnown = maps?.summary(place) !== undefined;
        } catch (error) {
          if (!(error instanceof MapError)) throw error;
          isKnown = false;
        }
        if (isKnown !== (maps?.digest(place) !== undefined)) throw new Error(`${place} is known and has no digest`);
        const geometry = maps?.room(Number(place))?.geometry;
        if (geometry !== undefined && !Number.isFinite(geometry.stopX(0, 100, 100))) throw new Error("no place");
      }
    };
    const check: Run = (input) => {
      const maps = load(input);
      if (maps === undefined) return;
      const file = roomsToJson(maps);
      if (file.rooms.length === 0) return;
      const again = loadMaps(filesOf({ "rooms.json": JSON.stringify(file).replaceAll(/[^ -~]/g, "?") }));
      for (const { room } of file.rooms) {
        const [before, after] = [maps, again].map((all) => all.digest(String(room)));
        if (before !== after) throw new Error(`room ${room} is ${before}, written and read it is ${after}`);
      }
    };
    const [first] = demoRoomsFile.rooms;
    const all = {
      ...first,
      open: true,
      ice: [{ x: 0, y: 0, w: 1, h: 0 }],
      free: [{ x: 0, y: 0, w: 1, h: 1 }],
      doors: [{ x: 1, y: 2, to: {} }],
      returns: [{ x: 1, y: 2 }],
    };
    const texts: readonly string[] = [JSON.stringify({ ...demoRoomsFile, rooms: [all] }), JSON.stringify(roomData)];
    const seeds = places.map((path, place) => {
      const bytes = place < ALONE ? encodeLatin1(texts[place] as string) : (base.get(path) as Uint8Array);
      return Uint8Array.of(place, ...bytes);
    });
    const words = [
      "null",
      "-1",
      "1e9",
      "{}",
      "[]",
      '"room":',
      "rotation",
      "scaleX",
      "next_room = ",
      "&#10;",
      "<![CDATA[",
      "]]>",
      "<!--",
      "<rooms>",
      "</rooms>",
      "0,5",
    ];
    return { run, check, seeds, words: words.map((word) => encodeLatin1(word)) };
  },
};
