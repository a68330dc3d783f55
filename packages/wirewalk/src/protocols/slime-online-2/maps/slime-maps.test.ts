import { describe, expect, it, test } from "vitest";
import { type MapFiles, memoryFiles } from "../../map-files.ts";
import { MapError, type MapProblem } from "../../maps.ts";
import { filesOf, project, roomData } from "../testing/map-files.ts";
import { demoRooms, demoRoomsFile, demoSlimeMaps } from "./demo-rooms.ts";
import { isSlimeMaps, loadMaps, roomsToJson, type SlimeMaps, slimeMapReading, slimeMapsOf } from "./slime-maps.ts";

const file = (...rooms: object[]): object => ({ format: "slime-online-2-rooms", version: 1, rooms });
const plain = { room: 7, width: 640, height: 480 };

/** Reads files and keeps what is said about them. */
function read(files: MapFiles, kept?: number): { maps: SlimeMaps; problems: MapProblem[] } {
  const problems: MapProblem[] = [];
  const maps = loadMaps(files, {
    ...(kept === undefined ? {} : { kept }),
    onProblem: (problem) => problems.push(problem),
  });
  return { maps, problems };
}

const digests = (maps: SlimeMaps): (string | undefined)[] => maps.places().map((place) => maps.digest(place));

describe("rooms as JSON", () => {
  it("the demo rooms are a file like any other", () => {
    const { maps, problems } = read(filesOf({ "rooms.json": demoRoomsFile }));
    expect(problems).toEqual([]);
    expect(maps.places()).toEqual(["1", "2", "3", "4"]);
    for (const { geometry, ...room } of demoRooms) {
      const { geometry: shape, ...read } = maps.room(room.room) ?? {};
      expect(read).toEqual(room);
      for (const y of [300, 384.5, 385, 420, 421]) {
        expect(shape?.groundAt(200, y)).toBe(geometry.groundAt(200, y));
        expect(shape?.stopX(0, 900, y)).toBe(geometry.stopX(0, 900, y));
      }
    }
    expect(digests(maps)).toEqual(digests(demoSlimeMaps));
  });

  it("all that a room may have, and back", () => {
    const room = {
      ...plain,
      title: "Yard",
      open: true,
      solids: [{ x: -16.5, y: 400, w: 700, h: 80 }],
      ice: [{ x: 0, y: 400, w: 50, h: 0 }],
      water: [{ x: 60, y: 410, w: 50, h: 20 }],
      free: [{ x: 200, y: 300, w: 100, h: 100 }],
      doors: [
        { x: 620, y: 340, w: 20, h: 60, to: { room: 7, x: -5, y: 400 } },
        { x: 10, y: 400, to: {} },
      ],
      spawns: [{ x: 100, y: 400 }],
      returns: [{ x: 120, y: 400 }],
    };
    const { maps } = read(filesOf({ "rooms.json": file(room) }));
    expect(maps.summary("7")).toEqual({
      room: 7,
      title: "Yard",
      width: 640,
      height: 480,
      open: true,
      solids: 1,
      ice: 1,
      water: 1,
      free: 1,
      doors: 2,
      spawns: 1,
      omitted: [],
    });
    expect(maps.room(7)?.bounds).toEqual({ left: 0, top: 0, right: 640, bottom: 480 });
    expect(maps.room(7)?.geometry?.groundAt(-10, 400)).toBe(true);
    expect(maps.room(7)?.geometry?.freeAt?.(250, 350)).toBe(true);
    expect(roomsToJson(maps)).toEqual(file(room));
  });

  it("what is left out is not known", () => {
    const { maps } = read(filesOf({ "rooms.json": file(plain) }));
    expect(maps.room(7)).toMatchObject({ title: "Room 7", solids: undefined, doors: undefined, geometry: undefined });
    expect(maps.summary("7")).toMatchObject({ solids: null, doors: null });
    expect(roomsToJson(maps)).toEqual(file({ ...plain, title: "Room 7" }));
  });

  it("a folder with several files, in any order; other files in it are not looked at", () => {
    const files = {
      "b/9.json": file({ ...plain, room: 9 }),
      "a.json": file(plain, { ...plain, room: 12 }),
      "package.json": { name: "rooms" },
      "notes.txt": "slime-online-2-rooms",
    };
    const { maps, problems } = read(filesOf(files));
    expect(maps.places()).toEqual(["7", "9", "12"]);
    for (const place of ["12", "9", "7", "9"]) expect(maps.summary(place)?.room).toBe(Number(place));
    expect(problems).toEqual([]);
    for (const place of ["8", "", "07x", "-1", "99999", "7.0"]) {
      expect(maps.summary(place)).toBeUndefined();
      expect(maps.digest(place)).toBeUndefined();
    }
  });

  it("the digest is that of what rules use, in whatever order", () => {
    const [a, b] = [
      { x: 0, y: 0, w: 10, h: 10 },
      { x: 0, y: 20, w: 10, h: 10 },
    ];
    const digestOf = (room: object): string | undefined =>
      read(filesOf({ "rooms.json": file({ ...plain, ...room }) })).maps.digest("7");
    const digest = digestOf({ solids: [a, b] });
    expect(digest).toMatch(/^[0-9a-f]{16}$/);
    expect(digestOf({ title: "other", solids: [b, a] })).toBe(digest);
    const others = [{}, { solids: [a] }, { solids: [a, b], doors: [] }, { solids: [a, b], open: true }];
    expect(new Set([digest, ...others.map(digestOf)]).size).toBe(5);
  });

  it("a door to a room that the set does not have is a door, and said to be one", () => {
    const room = { ...plain, doors: [{ x: 0, y: 0, w: 1, h: 1, to: { room: 99, x: 1, y: 2 } }] };
    const { maps } = read(filesOf({ "rooms.json": file(room) }));
    expect(maps.room(7)?.doors).toHaveLength(1);
    const reason = "leads to room 99, which is not in the set";
    expect(maps.summary("7")?.omitted).toEqual([{ what: "target", id: 0, reason }]);
  });

  const door = { x: 0, y: 0, w: 1, h: 1, to: {} };
  test.each<[string, object, string]>([
    ["a width of 0", { width: 0 }, ", rooms[0].width: must be a number from 1 to 65535, got 0"],
    ["no height", { height: undefined }, ", rooms[0]: has no height"],
    ["a text for a number", { width: "640" }, ', rooms[0].width: must be a number from 1 to 65535, got "640"'],
    [
      "a negative size",
      { solids: [{ x: 0, y: 0, w: -1, h: 1 }] },
      ", rooms[0].solids[0].w: must be a number from 0 to 1000000, got -1",
    ],
    [
      "nothing for a number",
      { ice: [{ x: null, y: 0, w: 1, h: 1 }] },
      ", rooms[0].ice[0].x: must be a number from -1000000 to 1000000, got null",
    ],
    [
      "a number too far",
      { water: [{ x: 1e9, y: 0, w: 1, h: 1 }] },
      ", rooms[0].water[0].x: must be a number from -1000000 to 1000000, got 1000000000",
    ],
    ["no list", { solids: {} }, ", rooms[0].solids: must be a list, got an object"],
    [
      "half a size",
      { doors: [{ ...door, h: undefined }] },
      ", rooms[0].doors[0]: has one of w and h: give both, or none where the size is not known",
    ],
    ["no target", { doors: [{ ...door, to: undefined }] }, ", rooms[0].doors[0]: has no to"],
    [
      "a target that is no room",
      { doors: [{ ...door, to: { room: 70_000 } }] },
      ", rooms[0].doors[0].to.room: must be a number from 0 to 65535, got 70000",
    ],
    [
      "half a room",
      { doors: [{ ...door, to: { room: 1.5 } }] },
      ", rooms[0].doors[0].to.room: must be a whole number, got 1.5",
    ],
    [
      "a misspelt member",
      { solid: [] },
      ', rooms[0]: has an unknown member "solid", known are room, title, width, height, open, solids, ice, water, free, doors, spawns, returns',
    ],
    [
      "a spawn off the wire",
      { spawns: [{ x: -1, y: 0 }] },
      ", rooms[0].spawns[0].x: must be a number from 0 to 65535, got -1",
    ],
    ["a title that is none", { title: 5 }, ", rooms[0].title: must be a text, got 5"],
    [
      "too many",
      { solids: Array.from({ length: 65_537 }, () => 0) },
      ", rooms[0].solids: must have 65536 entries at most, got 65537",
    ],
  ])("%s: the room is not known, its neighbour is, and it is said once", (_, room, reason) => {
    const { maps, problems } = read(filesOf({ "rooms.json": file({ ...plain, ...room }, { ...plain, room: 8 }) }));
    expect(maps.places()).toEqual(["7", "8"]);
    for (let time = 0; time < 2; time++) expect(maps.room(7)).toBeUndefined();
    expect(maps.room(8)).toBeDefined();
    expect(maps.digest("7")).toBeUndefined();
    expect(problems).toEqual([{ place: "7", reason: `rooms.json${reason}` }]);
    expect(() => maps.summary("7")).toThrow(new MapError(`rooms.json${reason}`));
  });

  test.each<[string, string | object, RegExp]>([
    [
      "a cut file",
      JSON.stringify(demoRoomsFile, undefined, 2).slice(0, 400),
      /^rooms\.json(?: line \d+)?: is no JSON: /,
    ],
    [
      "numbers that JSON does not have",
      `{"format":"slime-online-2-rooms",\n"rooms":[{"width":NaN}]}`,
      /^rooms\.json(?: line 2)?: is no JSON: /,
    ],
    ["a room twice", file(plain, plain), /^rooms\.json, rooms\[1\]: is room 7, as rooms\[0\] is$/],
    ["another version", { ...file(), version: 2 }, /^rooms\.json, version: must be 1, got 2$/],
    ["no rooms", { format: "slime-online-2-rooms", version: 1 }, /^rooms\.json: has no rooms$/],
    ["a room without a number", file({ width: 1 }), /^rooms\.json, rooms\[0\]: has no room$/],
    ["something else", { rooms: [] }, /^rooms: has no rooms: neither rooms as JSON/],
    ["a picture", "\x89PNG\r\n\x1a\n", /^rooms: has no rooms: neither rooms as JSON/],
    ["nothing", "", /^rooms: has no rooms: neither rooms as JSON/],
    [
      "brackets in brackets",
      `{"format":"slime-online-2-rooms","rooms":${"[".repeat(200_000)}`,
      /^rooms\.json(?: line \d+)?: is no JSON: /,
    ],
  ])("%s is refused with the file's name", (_, content, error) => {
    expect(() => loadMaps(filesOf({ "rooms.json": content }))).toThrow(MapError);
    expect(() => loadMaps(filesOf({ "rooms.json": content }))).toThrow(error);
  });

  it("a file too large is refused before it is read", () => {
    const open = (name: string) => ({
      name,
      size: 2 ** 30,
      read: (offset: number, length: number) => {
        if (length > 4096) throw new Error("read whole");
        return filesOf({ a: file() }).open("a")?.read(offset, length) ?? new Uint8Array();
      },
    });
    const files = { name: "large", paths: () => ["large.json"], open };
    expect(() => loadMaps(files)).toThrow("large.json: must have 16777216 bytes at most, got 1073741824");
  });

  it("two files that have one room are refused, and a broken file beside good ones is named", () => {
    expect(() => loadMaps(filesOf({ "a.json": file(plain), "b.json": file(plain) }))).toThrow(
      "b.json: has room 7, which a.json has too",
    );
    const { maps, problems } = read(filesOf({ "a.json": file(plain), "b.json": `{"format":"slime-online-2-rooms"` }));
    expect(maps.places()).toEqual(["7"]);
    expect(problems).toEqual([{ place: "", reason: expect.stringMatching(/^b\.json.*: is no JSON/) }]);
  });
});

describe("a project folder", () => {
  it("numbers are the order of the project; objects are what the table says; sizes come from sprites", () => {
    const { maps, problems } = read(filesOf(project));
    expect(maps.places()).toEqual(["0", "1", "2"]);
    expect(maps.room(1)).toMatchObject({
      room: 1,
      title: "rm_yard",
      width: 960,
      height: 480,
      open: true,
      solids: [
        { x: 0, y: 432, w: 960, h: 48 },
        // Made from obj_ground, and mirrored.
        { x: 288, y: 384, w: 32, h: 16 },
        { x: 500, y: 424, w: 32, h: 8 },
      ],
      water: [{ x: 400, y: 440, w: 24, h: 32 }],
      ice: [{ x: 500, y: 424, w: 32, h: 8 }],
      free: [{ x: 600, y: 400, w: 32, h: 32 }],
      spawns: [{ x: 200, y: 432 }],
      doors: [
        { x: 936, y: 368, w: 16, h: 64, to: { room: 2, x: 40, y: 432 } },
        // Its object has no sprite here, and its code an expression.
        { x: 10, y: 470, to: { room: 0 } },
      ],
      omitted: [],
    });
    expect(problems).toEqual([]);
  });

  it("an object that the table does not have makes the solids unknown, and is named once", () => {
    const { maps } = read(filesOf(project));
    expect(maps.room(2)).toMatchObject({
      solids: undefined,
      geometry: undefined,
      doors: [{ to: {} }, { to: { room: 9 } }],
    });
    expect(maps.summary("2")?.omitted).toEqual([
      { what: "object", id: 1, reason: "obj_lever is not in the table of objects, so that the solids are not known" },
      { what: "target", id: 3, reason: "warp_vert does not say which room it leads to" },
      { what: "target", id: 1, reason: "leads to room 9, which is not in the set" },
    ]);
    const { format, version, objects } = project["objects.json"] as Record<string, object>;
    const table = { format, version, objects, others: "ignore" };
    expect(read(filesOf({ ...project, "objects.json": table })).maps.room(2)?.solids).toHaveLength(1);
  });

  it("a room without a door that is known has unknown doors", () => {
    expect(read(filesOf(project)).maps.room(0)).toMatchObject({ doors: undefined, solids: [] });
  });

  it("without a table doors alone are known", () => {
    const { "objects.json": _, ...rest } = project;
    const { maps } = read(filesOf(rest));
    expect(maps.room(1)).toMatchObject({ solids: undefined, omitted: [] });
    expect(maps.room(1)?.doors).toHaveLength(2);
  });

  it("becomes JSON with equal rooms", () => {
    const { maps } = read(filesOf(project));
    const again = read(filesOf({ "rooms.json": roomsToJson(maps) })).maps;
    expect(digests(again)).toEqual(digests(maps));
    expect(again.room(1)?.solids).toEqual(maps.room(1)?.solids);
  });

  test.each<[string, string, RegExp]>([
    [
      "a cut room",
      (project["rooms/RM_yard.room.gmx"] as string).slice(0, 900),
      /^Cannot read rooms\/RM_yard\.room\.gmx: it is cut: .* at line \d+$/,
    ],
    ["no width", "<room><height>1</height></room>", /: width must be a number from 1 to 65535, got none$/],
    ["a width that is none", "<room><width>wide</width><height>1</height></room>", /got wide$/],
    [
      "a document type",
      "<!DOCTYPE room [<!ENTITY a 'b'>]><room/>",
      /a document type \(DOCTYPE\) is not read at line 1$/,
    ],
    ["an entity", "<room><width>&big;</width></room>", /unknown entity &big; at line 1$/],
    ["deep", "<room>".repeat(70), /nested deeper than 64 at line 1$/],
    ["no XML", "room", /it is no XML: text before its root at line 1$/],
    ["empty", "", /it has no element at line 1$/],
  ])("%s: the room is not known, the others are", (_, content, error) => {
    const { maps, problems } = read(filesOf({ ...project, "rooms/RM_yard.room.gmx": content }));
    expect(maps.room(1)).toBeUndefined();
    expect(maps.room(2)).toBeDefined();
    expect(problems).toEqual([{ place: "1", reason: expect.stringMatching(error) }]);
  });

  it("a room's file that is not there is named", () => {
    const { "rooms/RM_yard.room.gmx": _, ...rest } = project;
    const { maps, problems } = read(filesOf(rest));
    expect(maps.room(1)).toBeUndefined();
    const reason = "made.project.gmx: names room rm_yard, and rooms/rm_yard.room.gmx is not there";
    expect(problems).toEqual([{ place: "1", reason }]);
  });

  test.each<[string, string, string]>([
    ["no place", 'objName="obj_ground" x="" y="0"', "solid 0 obj_ground has no place"],
    ["no number", 'objName="obj_ground" x="NaN" y="0"', "solid 0 obj_ground has no place"],
    ["turned", 'objName="obj_ground" x="0" y="0" rotation="45"', "solid 0 obj_ground is turned"],
    ["a wrong scale", 'objName="obj_ground" x="0" y="0" scaleX="wide"', "solid 0 obj_ground has a wrong scale"],
    ["far", 'objName="obj_ground" x="0" y="0" scaleX="1e6"', "solid 0 obj_ground reaches beyond 1000000 px"],
    [
      "no name",
      'x="0" y="0"',
      "object 0 an object without a name is not in the table of objects, so that the solids are not known",
    ],
  ])("an instance with %s makes the solids unknown", (_, attributes, omission) => {
    const content = `<room><width>9</width><height>9</height><instances><instance ${attributes}/></instances></room>`;
    const { maps } = read(filesOf({ ...project, "rooms/RM_yard.room.gmx": content }));
    expect(maps.room(1)?.solids).toBeUndefined();
    expect(maps.room(1)?.omitted.map(({ what, id, reason }) => `${what} ${id} ${reason}`)).toEqual([omission]);
  });

  test.each<[string, object, string]>([
    [
      "a use that is none",
      { objects: { a: "wall" } },
      'objects.json, objects["a"]: must be one of solid, ice, water, free, door, spawn, ignore',
    ],
    [
      "half a size",
      { objects: { a: { is: "solid", w: 1 } } },
      'objects.json, objects["a"]: has one of w and h: give both, or none',
    ],
    ["others that are none", { objects: {}, others: "solid" }, 'objects.json, others: must be "ignore" or "unknown"'],
  ])("a table with %s is refused", (_, table, error) => {
    const whole = { format: "slime-online-2-objects", version: 1, ...table };
    expect(() => loadMaps(filesOf({ ...project, "objects.json": whole }))).toThrow(error);
  });

  it("two projects, two tables, or a room twice are refused", () => {
    expect(() => loadMaps(filesOf({ ...project, "other.project.gmx": "<assets/>" }))).toThrow("has two projects");
    expect(() => loadMaps(filesOf({ ...project, "second.json": project["objects.json"] as object }))).toThrow(
      "second.json: is a second table of objects",
    );
    const twice = "<assets><rooms><room>rooms\\a</room><room>rooms\\a</room></rooms></assets>";
    expect(() => loadMaps(filesOf({ "made.project.gmx": twice }))).toThrow("made.project.gmx: has room a twice");
    const outside = "<assets><rooms><room>rooms\\..\\..\\a</room></rooms></assets>";
    expect(() => loadMaps(filesOf({ "made.project.gmx": outside }))).toThrow("made.project.gmx: has a room of no name");
  });
});

describe("room_data.json", () => {
  it("has bounds and doors, without sizes of doors and without solids", () => {
    const { maps, problems } = read(filesOf({ "room_data.json": roomData }));
    expect(maps.places()).toEqual(["0", "1", "2"]);
    expect(maps.room(1)).toMatchObject({
      title: "rm_yard",
      width: 960,
      height: 480,
      open: true,
      solids: undefined,
      doors: [
        { x: 944, y: 368, to: { room: 2, x: 40, y: 432 } },
        { x: 10, y: 470, to: { room: 0 } },
        { x: 300, y: 400, to: {} },
      ],
      spawns: [],
    });
    expect(maps.room(0)?.doors).toBeUndefined();
    expect(maps.room(2)).toBeUndefined();
    expect(problems).toEqual([
      {
        place: "",
        reason: 'room_data.json, rooms["rm_lost"]: is not in the project\'s list of rooms, so that it has no number',
      },
      { place: "2", reason: 'room_data.json, rooms["rm_cellar"].width: must be a number from 1 to 65535, got 0' },
    ]);
  });

  it("a door without a place makes the doors unknown: who goes through it is honest", () => {
    const { rm_yard: yard } = roomData.rooms;
    const broken = { ...yard, warps: [...yard.warps, { type: "warp_hor", next_room: 5 }] };
    const { maps } = read(filesOf({ "room_data.json": { ...roomData, rooms: { rm_yard: broken } } }));
    expect(maps.room(1)?.doors).toBeUndefined();
    expect(maps.summary("1")?.omitted).toContainEqual({
      what: "door",
      id: 2,
      reason: 'room_data.json, rooms["rm_yard"].warps[2]: has no x',
    });
  });
});

describe("a set", () => {
  it("keeps as many rooms as it is told to, and reads the others again", () => {
    const { maps } = read(filesOf(project), 1);
    const yard = maps.room(1);
    expect(maps.room(1)).toBe(yard);
    expect(maps.room(0)).toBeDefined();
    expect(maps.room(1)).not.toBe(yard);
    expect(maps.room(1)).toEqual({ ...yard, geometry: expect.anything() });
  });

  it("is that of one game", () => {
    expect(isSlimeMaps(demoSlimeMaps)).toBe(true);
    expect(isSlimeMaps({ ...demoSlimeMaps, game: "maplestory" })).toBe(false);
    expect(slimeMapReading.load(filesOf({ "rooms.json": demoRoomsFile })).places()).toHaveLength(4);
    expect(Object.keys(demoSlimeMaps.summary("1") ?? {})).toEqual(
      expect.arrayContaining(Object.keys(slimeMapReading.columns)),
    );
    expect(() => slimeMapsOf("twice", [...demoRooms, ...demoRooms])).toThrow(RangeError);
    expect(() => loadMaps(memoryFiles("empty", new Map()))).toThrow("empty: has no rooms");
  });
});
