import { describe, expect, test, vi } from "vitest";
import { MapError, type MapFiles, memoryFiles } from "../../index.ts";
import { loadMaps } from "./load.ts";
import { makeMap } from "./map.ts";
import { mapleMapsOf } from "./maple-maps.ts";
import { clientPhysics } from "./physics.ts";
import type { MadeImage } from "./testing/made-images.ts";
import { bytesOf, xmlOf } from "./testing/write-xml.ts";
import { mapImage } from "./testing/written-map.ts";

const ground = { id: 1, x1: 0, y1: 10, x2: 90, y2: 10, previous: 0, next: 0 };
const town = mapImage({ mapId: 1, footholds: [ground] });

function filesOf(images: Readonly<Record<string, MadeImage | string>>): MapFiles {
  const texts = Object.entries(images).map(([path, image]) => {
    const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.xml$/, "");
    return [path, bytesOf(typeof image === "string" ? image : xmlOf(name, image))] as const;
  });
  return memoryFiles("maps", new Map(texts));
}

function idsOf(paths: readonly string[]): readonly string[] {
  return loadMaps(filesOf(Object.fromEntries(paths.map((path) => [path, town])))).places();
}

describe("map files are found", () => {
  test.each([
    ["in a whole dump", ["server/wz/Map.wz/Map/Map1/100000000.img.xml", "server/wz/Map.wz/Map/Map0/000000001.img.xml"]],
    ["in Map.wz", ["Map/Map1/100000000.img.xml", "Map/Map0/000000001.img.xml"]],
    ["in Map", ["Map1/100000000.img.xml", "Map0/000000001.img.xml"]],
    ["in Map1", ["100000000.img.xml", "000000001.img.xml"]],
    ["all in one folder", ["maps/100000000.img.xml", "maps/000000001.img.xml"]],
    ["with short names", ["Map/Map1/100000000.xml", "Map/Map0/1.img.xml"]],
    ["in two places", ["Map.wz/Map/Map1/100000000.img.xml", "Map002.wz/Map/Map0/000000001.img.xml"]],
  ])("%s", (_, paths) => {
    expect(idsOf(paths)).toEqual(["1", "100000000"]);
  });

  test("one file of any name, by its content", () => {
    expect(loadMaps(filesOf({ "town.xml": xmlOf("100000000.img", town) })).places()).toEqual(["100000000"]);
  });

  test("not among monsters, pictures and people", () => {
    const monster = { info: { speed: 3, link: "0100101" } };
    const paths = [
      "Mob.wz/0100100.img.xml",
      "Mob/0100100.img.xml",
      "Npc/1002000.img.xml",
      "Map.wz/Obj/Map1/000000001.img.xml",
    ];
    const others = Object.fromEntries(paths.map((path) => [path, monster]));
    const maps = loadMaps(filesOf({ ...others, "Map.wz/Map/Map0/000000005.img.xml": town }));
    expect(maps.places()).toEqual(["5"]);
    expect(() => loadMaps(filesOf(others))).toThrow(
      new MapError("Cannot read maps of maps: none of its 4 files has one (read are XML, .nx, .wz)"),
    );
  });

  test("of one number: that of the folder with more maps", () => {
    const other = mapImage({ mapId: 1, footholds: [{ ...ground, y1: 50, y2: 50 }] });
    const maps = loadMaps(
      filesOf({
        "a/Map/Map0/000000001.img.xml": other,
        "b/Map/Map0/000000001.img.xml": town,
        "b/Map/Map0/000000002.img.xml": town,
      }),
    );
    expect(maps.places()).toEqual(["1", "2"]);
    expect(maps.map(1)?.bounds.top).toBe(10);
  });

  test("not where no file is XML", () => {
    expect(() => loadMaps(filesOf({ "Map0/000000001.img.xml": "PK" }))).toThrow(MapError);
    expect(() => loadMaps(filesOf({}))).toThrow(MapError);
  });
});

describe("a set", () => {
  const path = (id: number): string =>
    `wz/Map.wz/Map/Map${Math.floor(id / 1e8)}/${String(id).padStart(9, "0")}.img.xml`;
  const many = Object.fromEntries([1, 2, 3, 4].map((id) => [path(id), town]));

  test("reads a map when it is asked for, and keeps a few", () => {
    const files = filesOf(many);
    const opened = vi.fn((name: string) => files.open(name));
    const maps = loadMaps({ ...files, open: opened }, { kept: 2 });
    opened.mockClear();
    const first = maps.map(1);
    expect(first?.footholds).toEqual([ground]);
    expect(maps.map(1)).toBe(first);
    expect(opened.mock.calls).toEqual([[path(1)]]);
    maps.map(2);
    maps.map(1);
    maps.map(3);
    expect(maps.map(1)).toBe(first);
    maps.map(2);
    expect(opened.mock.calls.length).toBe(4);
    maps.map(3);
    expect(maps.map(1)).not.toBe(first);
    expect(maps.map(77)).toBeUndefined();
    expect(() => loadMaps(files, { kept: 0 })).toThrow(RangeError);
  });

  test("says what is in a map in one line", () => {
    const image = {
      ...mapImage({
        mapId: 1,
        footholds: [ground, { ...ground, id: 2, x2: 0, y2: 80 }, { ...ground, id: 3, x2: -40 }],
        friction: 0.2,
      }),
      ladderRope: { 1: { l: 1, x: 0, y1: 0, y2: 1 }, 2: { l: 0, x: 0, y1: 0, y2: 1 } },
      portal: { 0: { pn: "sp", pt: 0, x: 0, y: 0, tm: 999_999_999, tn: "" } },
      seat: { a: "none" },
    };
    const maps = loadMaps(
      filesOf({
        [path(101_000_000)]: image,
        [path(5)]: { info: { link: "101000000", fieldLimit: 3 } },
        [path(6)]: { info: { returnMap: 5 } },
      }),
    );
    const numbers =
      '"footholds":3,"vertical":1,"reversed":1,"ropes":1,"ladders":1,"portals":1,"seats":0,"left":-40,"top":10,"right":90,"bottom":80,"swim":false,"fly":false,"friction":0.2';
    const omitted = '"omitted":[{"what":"seat","id":"a","line":66,"reason":"its number is no whole number from 0 on"}]';
    expect(JSON.stringify(maps.summary("101000000"))).toBe(`{"map":101000000,"link":null,${numbers},${omitted}}`);
    expect(JSON.stringify(maps.summary("000000005"))).toBe(`{"map":5,"link":101000000,${numbers},${omitted}}`);
    expect(maps.summary("6")).toMatchObject({ footholds: 0, left: null, bottom: null, friction: 1 });
    expect([maps.summary("8"), maps.summary("town"), maps.digest("8")]).toEqual([undefined, undefined, undefined]);
    expect(maps.map(5)?.fieldLimit).toBe(3);
  });

  test("goes on without a broken map, and names it once", () => {
    const problems: unknown[] = [];
    const cut = xmlOf("000000002.img", town).slice(0, -"</imgdir>\n".length);
    const maps = loadMaps(filesOf({ ...many, [path(2)]: cut }), { onProblem: (problem) => problems.push(problem) });
    const reason = `Cannot read ${path(2)}: it is cut: <imgdir> has no end at line 28`;
    expect(maps.map(2)).toBeUndefined();
    expect(() => maps.summary("2")).toThrow(new MapError(reason));
    expect([maps.map(2), maps.digest("2")]).toEqual([undefined, undefined]);
    expect(problems).toEqual([{ place: "2", reason }]);
    expect(maps.map(3)?.mapId).toBe(3);
  });

  test("follows links, and refuses circles, long chains and missing targets", () => {
    const links = (...pairs: readonly (readonly [number, number])[]) =>
      Object.fromEntries(pairs.map(([from, to]) => [path(from), { info: { link: String(to), returnMap: 1 } }]));
    const chain = Array.from({ length: 10 }, (_, step) => [100 + step, step === 9 ? 1 : 101 + step] as const);
    const maps = loadMaps(filesOf({ ...many, ...links([10, 11], [11, 10], [12, 12], [13, 14], ...chain) }));
    expect(() => maps.summary("10")).toThrow("Maps link in a circle: 10 -> 11 -> 10");
    expect(() => maps.summary("12")).toThrow("Maps link in a circle: 12 -> 12");
    expect(() => maps.summary("13")).toThrow("Map 13 links to 14, which is not there");
    expect(() => maps.summary("100")).toThrow("More than 8 links from map to map: 100 -> 101");
    expect(maps.summary("102")).toMatchObject({ map: 102, link: 103, footholds: 1 });
    expect(maps.map(102)?.linkedTo).toBe(103);
  });

  test("takes monsters, costs of skills and names from beside the maps", () => {
    const life = Object.fromEntries(
      ["0100100", "0100101", "8500002", "9999999", "0100102"].map((id, at) => [at, { type: "m", id, x: at, y: 0 }]),
    );
    const skill = { 0: { skill: 120, level: 2 }, 10: { skill: 200, level: 1 }, 2: { skill: 110, level: 3 } };
    const maps = loadMaps(
      filesOf({
        [path(1)]: { ...town, life },
        "wz/Mob.wz/0100100.img.xml": { info: { speed: -20, maxMP: 35 }, move: { 0: {} } },
        "wz/Mob.wz/0100101.img.xml": { info: { link: "0100100", flySpeed: 10, skill }, fly: {} },
        "wz/Mob.wz/8500002.img.xml": { info: { speed: -50 }, fly: { 0: {} } },
        "wz/Mob.wz/0100102.img.xml": "<imgdir",
        "wz/Skill.wz/MobSkill.img.xml": { 110: { level: { 3: { mpCon: 5, interval: 30 } } } },
        "wz/String.wz/Map.img.xml": { victoria: { 1: { mapName: "Town", streetName: "Road" } } },
        // Of another dump.
        "old/Mob.wz/0100100.img.xml": { info: { speed: 90 } },
      }),
    );
    const rest = { mp: 0, restMs: 10_000 };
    expect(maps.map(1)?.title).toBe("Town");
    expect(maps.map(1)?.monsters).toEqual([
      { template: 100_100, x: 0, y: 0, speed: 100, mp: 35 },
      {
        template: 100_101,
        x: 1,
        y: 0,
        speed: 220,
        flies: true,
        skills: [
          { id: 120, level: 2, ...rest },
          { id: 110, level: 3, mp: 5, restMs: 30_000 },
          { id: 200, level: 1, ...rest },
        ],
      },
      { template: 8_500_002, x: 2, y: 0, speed: 100, flies: true },
      { template: 9_999_999, x: 3, y: 0, speed: 125, flies: true },
      { template: 100_102, x: 4, y: 0, speed: 125, flies: true },
    ]);
  });

  test("has the constants of movement where they are there and make sense", () => {
    const physics = "wz/Map.wz/Physics.img.xml";
    const with_ = (image: MadeImage | string, problems: string[] = []) =>
      loadMaps(filesOf({ ...many, [physics]: image }), { onProblem: ({ reason }) => problems.push(reason) });
    expect(loadMaps(filesOf(many)).physics).toBeUndefined();
    expect(with_({ walkSpeed: "150", minFriction: "0,05", flyJumpDec: 35 }).physics).toEqual({
      ...clientPhysics,
      walkSpeed: 150,
      flyJumpDec: 35,
    });
    const problems: string[] = [];
    const wrong = with_({ walkSpeed: 0 }, problems);
    expect([wrong.physics, wrong.physics, wrong.map(1)?.mapId]).toEqual([undefined, undefined, 1]);
    expect(problems).toEqual([
      "Physics.img is left out: Cannot read Physics.img: walkSpeed is 0, the client's is 125 at line 3",
    ]);
    expect(with_({ jumpSpeed: "high" }).physics).toBeUndefined();
    expect(with_("<imgdir").physics).toBeUndefined();
  });
});

describe("a digest", () => {
  const physics = "Map.wz/Physics.img.xml";
  const path = "Map.wz/Map/Map0/000000001.img.xml";
  const digest = (image: MadeImage, more: Readonly<Record<string, MadeImage>> = {}) =>
    loadMaps(filesOf({ [path]: image, ...more })).digest("1");

  test("is that of an equal map, whatever it came from", () => {
    expect(digest(town)).toBe(mapleMapsOf("mine", [makeMap({ mapId: 1, footholds: [ground] })]).digest("1"));
    expect(digest({ ...town, portal: { 1: { pt: 0, x: 1, y: 1 }, 0: { pt: 0, x: 0, y: 0 } } })).toBe(
      digest({ ...town, portal: { 0: { pt: 0, x: 0, y: 0 }, 1: { pt: 0, x: 1, y: 1 } } }),
    );
    expect(digest({ ...town, info: { mapName: "Town" }, seat: { a: 3 } })).toBe(digest(town));
    expect(digest(town, { [physics]: {} })).toBe(digest(town, { [physics]: { walkSpeed: 125 } }));
  });

  test("is another where rules go by something else", () => {
    const others: readonly [MadeImage, Readonly<Record<string, MadeImage>>?][] = [
      [town],
      [{ ...town, info: { swim: 1 } }],
      [{ ...town, info: { fs: 0.2 } }],
      [{ ...town, info: { fieldLimit: 1 } }],
      [{ ...town, seat: { 0: { x: 1, y: 1 } } }],
      [{ ...town, swimArea: { a: { x1: 0, y1: 0, x2: 1, y2: 1 } } }],
      [{ ...town, portal: { 1: { pt: 0, x: 1, y: 1 } } }],
      [{ ...town, portal: { 1: { pt: 3, x: 1, y: 1 } } }],
      [{ ...town, ladderRope: { 1: { x: 1, y1: 0, y2: 9, l: 1 } } }],
      [{ ...town, ladderRope: { 1: { x: 1, y1: 0, y2: 9, l: 0 } } }],
      [mapImage({ mapId: 1, footholds: [{ ...ground, force: 120 }] })],
      [mapImage({ mapId: 1, footholds: [{ ...ground, blocksRise: true }] })],
      [town, { [physics]: {} }],
      [town, { [physics]: { walkSpeed: 126 } }],
    ];
    expect(new Set(others.map(([image, more]) => digest(image, more))).size).toBe(others.length);
  });
});
