import { describe, expect, test } from "vitest";
import { MapError, memoryFile } from "../../index.ts";
import { type MapleMap, type MapParts, makeMap, portalKinds } from "./map.ts";
import { mapOf, unknownMonster } from "./map-of.ts";
import { digestOfMap } from "./maple-maps.ts";
import type { MadeImage } from "./testing/made-images.ts";
import { bytesOf, xmlOf } from "./testing/write-xml.ts";
import { mapImage, writtenMap } from "./testing/written-map.ts";
import { wantedParts } from "./tree.ts";
import { readXmlImage } from "./xml-image.ts";

type Surroundings = Parameters<typeof mapOf>[2];

function fromXml(text: string, surroundings?: Surroundings): MapleMap {
  return mapOf(readXmlImage(memoryFile("000000007.img.xml", bytesOf(text)), wantedParts), 7, surroundings);
}

function fromImage(image: MadeImage, surroundings?: Surroundings): MapleMap {
  return fromXml(xmlOf("000000007.img", image), surroundings);
}

/** A map with only what stands in the XML. */
function part(name: string, xml: string): MapleMap {
  return fromXml(`<imgdir name="000000007.img">\n<imgdir name="${name}">\n${xml}\n</imgdir></imgdir>`);
}

const parts: MapParts = {
  mapId: 7,
  title: "Cliff & <Cave>",
  footholds: [
    { id: 2, x1: 0, y1: 10, x2: 90, y2: 10, previous: 0, next: 5, layer: 1, group: 3 },
    { id: 5, x1: 90, y1: 10, x2: 90, y2: 100, previous: 2, next: 9, layer: 1, group: 3 },
    { id: 9, x1: 90, y1: 100, x2: 0, y2: 100, previous: 5, next: 0, layer: 1, group: 3 },
    {
      id: 12,
      x1: -50,
      y1: 300,
      x2: 200,
      y2: 320,
      previous: 0,
      next: 0,
      force: -120,
      forbidsFall: true,
      blocksRise: true,
    },
  ],
  ladders: [
    { id: 1, x: 10, top: 10, bottom: 300 },
    { id: 4, x: 20, top: 20, bottom: 300, rope: true, closedTop: true },
  ],
  portals: Object.values(portalKinds).map((kind) => ({
    id: kind,
    name: `p${kind}`,
    kind,
    x: kind * 10,
    y: 5 - kind,
    ...(kind % 2 === 0 ? { target: { mapId: kind * 100, portal: "out" } } : { script: `script${kind}` }),
    ...(kind === portalKinds.springOfOwn ? { impactX: -300, impactY: 900, reachX: 100, reachY: 50 } : {}),
  })),
  seats: [{ id: 0, x: -5, y: 9 }],
  waters: [{ left: -10, top: 0, right: 10, bottom: 40 }],
  monsters: [{ template: 100_100, x: 40, y: 10, ...unknownMonster }],
  swims: true,
  flies: true,
  friction: 0.2,
  fieldLimit: 0x2_0001,
};

/** Without functions. */
function plain(map: MapleMap): unknown {
  return JSON.parse(JSON.stringify(map));
}

test("all of a map is read as it was written", () => {
  const bear = {
    template: 9,
    x: -40,
    y: 300,
    speed: 150,
    mp: 70,
    skills: [{ id: 120, level: 2, mp: 5, restMs: 30_000 }],
  };
  const bat = { template: 10, x: 0, y: 0, speed: 50, flies: true };
  const more = { ...parts, monsters: [bear, bat] };
  expect(plain(writtenMap(more))).toEqual(plain(makeMap(more)));
  const map = fromImage(mapImage(parts));
  expect(plain(map)).toEqual(plain(makeMap(parts)));
  expect(digestOfMap(map)).toBe(digestOfMap(makeMap(parts)));
  expect(map.wallBetween({ x: 80, y: 50 }, { x: 100, y: 50 })?.id).toBe(5);
});

describe("numbers and order", () => {
  test("come in any tag and any order", () => {
    const map = part(
      "foothold",
      `<imgdir name="1"><imgdir name="2">
        <imgdir name="10"><string name="x1" value="5"/><short name="x2" value="9"/><float name="y1" value="1,0"/><double name="y2" value="1e1"/></imgdir>
        <imgdir name="2"><int name="y2" value="4"/><int name="y1" value="3"/><int name="x2" value="2"/><int name="x1" value="1"/><int name="prev" value="-1"/><int name="next" value="a"/></imgdir>
      </imgdir></imgdir>`,
    );
    expect(map.footholds).toEqual([
      { id: 2, x1: 1, y1: 3, x2: 2, y2: 4, previous: 0, next: 0, layer: 1, group: 2 },
      { id: 10, x1: 5, y1: 1, x2: 9, y2: 10, previous: 0, next: 0, layer: 1, group: 2 },
    ]);
    expect(map.omitted).toEqual([]);
  });

  test("-0 is 0", () => {
    expect(fromImage({ seat: { 0: { x: "-0", y: 1 } } }).seats).toEqual([{ id: 0, x: 0, y: 1 }]);
  });

  test("friction of 32 bits is that of 64", () => {
    expect(fromImage({ info: { fs: 0.200_000_002_98 } }).friction).toBe(0.2);
    expect(fromImage({ info: { fs: "0,5" } }).friction).toBe(0.5);
    expect(fromImage({ info: { fs: "slippery" } }).friction).toBe(1);
  });
});

describe("left out and named", () => {
  const line =
    '<int name="x1" value="0"/><int name="y1" value="0"/><int name="x2" value="9"/><int name="y2" value="0"/>';

  test.each([
    [
      "an id that is there twice",
      `<imgdir name="1">${line}</imgdir>\n<imgdir name="1">${line}</imgdir>`,
      [1, 6, "its number is there twice"],
      1,
    ],
    ["one without coordinates", '<imgdir name="1"><int name="piece" value="3"/></imgdir>', [1, 5, "no coordinates"], 0],
    [
      "one without coordinates and with a number that is there",
      `<imgdir name="1">${line}</imgdir><imgdir name="1"/>`,
      [1, 5, "no coordinates"],
      1,
    ],
    [
      "a missing one",
      `<imgdir name="1">${line.slice(line.indexOf("/>") + 2)}</imgdir>`,
      [1, 5, "no coordinates: x1 is not there"],
      0,
    ],
    [
      "a wrong number",
      `<imgdir name="1">${line.replace('"9"', '"nine"')}</imgdir>`,
      [1, 5, 'x2 is "nine", no whole number'],
      0,
    ],
    [
      "a part of a pixel",
      `<imgdir name="1">${line.replace('"9"', '"9.5"')}</imgdir>`,
      [1, 5, 'x2 is "9.5", no whole number'],
      0,
    ],
    [
      "a place far out",
      `<imgdir name="1">${line.replace('"9"', '"9000000"')}</imgdir>`,
      [1, 5, "x2 is 9000000, at most 1000000"],
      0,
    ],
    ["a point", `<imgdir name="1">${line.replace('"9"', '"0"')}</imgdir>`, [1, 5, "it has no length"], 0],
    ["number 0", `<imgdir name="0">${line}</imgdir>`, [0, 5, "its number is no whole number from 1 on"], 0],
    ["a name", `<imgdir name="a">${line}</imgdir>`, ["a", 5, "its number is no whole number from 1 on"], 0],
  ] as const)("a foothold: %s", (_, xml, [id, at, reason], count) => {
    const map = part("foothold", `<imgdir name="0">\n<imgdir name="0">\n${xml}</imgdir></imgdir>`);
    const why = reason.replace('"9.5"', "9.5");
    expect(map.omitted.map((each) => ({ ...each, reason: each.reason.replace('"9.5"', "9.5") }))).toEqual([
      { what: "foothold", id, line: at, reason: why },
    ]);
    expect(map.footholds.length).toBe(count);
  });

  test.each([
    ["ladderRope", '<imgdir name="3"/>', 3, "no coordinates"],
    ["ladderRope", '<imgdir name="0"><int name="x" value="1"/></imgdir>', 0, "its number is no whole number from 1 on"],
    ["portal", '<imgdir name="3"><int name="x" value="1"/><int name="y" value="1"/></imgdir>', 3, "pt is not there"],
    ["portal", '<imgdir name="3"><int name="pt" value="1"/></imgdir>', 3, "no coordinates"],
    ["seat", '<vector name="3" x="a" y="1"/>', 3, "no coordinates"],
    ["seat", '<vector name="3" x="1.5" y="1"/>', 3, "x is 1.5, no whole number"],
    ["swimArea", '<imgdir name="sea"><int name="x1" value="1"/></imgdir>', "sea", "no coordinates: y1 is not there"],
    ["life", '<imgdir name="3"><string name="type" value="m"/></imgdir>', 3, "id is not there"],
    [
      "life",
      '<imgdir name="3"><string name="type" value="m"/><int name="id" value="1"/></imgdir>',
      3,
      "no coordinates",
    ],
  ])("%s %s", (what, xml, id, reason) => {
    const map = part(what, xml);
    expect(map.omitted).toEqual([{ what, id, line: 3, reason }]);
    expect([map.ladders, map.portals, map.seats, map.waters, map.monsters].flat()).toEqual([]);
  });

  test("at most 10,000, then a number", () => {
    const map = part("seat", '<vector name="a"/>\n'.repeat(10_005));
    expect(map.omitted.length).toBe(10_001);
    expect(map.omitted.at(-1)).toEqual({ what: "map", id: "000000007.img", reason: "5 more are left out" });
  });
});

describe("ladders, portals, life", () => {
  test("a ladder that stands upside down is turned", () => {
    const map = fromImage({ ladderRope: { 2: { l: 1, uf: 1, x: 4, y1: 90, y2: 10 }, 3: { x: 1, y1: 5, y2: 5 } } });
    expect(map.ladders).toEqual([
      { id: 2, x: 4, top: 10, bottom: 90 },
      { id: 3, x: 1, top: 5, bottom: 5, rope: true },
    ]);
  });

  test("a portal to no map has no target, one to the same map has", () => {
    const portal = { pn: "a", pt: 2, x: 1, y: 2, tn: "b" };
    const map = fromImage({ portal: { 3: { ...portal, tm: 999_999_999 }, 0: { ...portal, tm: 7 }, 130: portal } });
    expect(map.portals.map(({ id, target }) => [id, target])).toEqual([
      [0, { mapId: 7, portal: "b" }],
      [3, undefined],
      [130, undefined],
    ]);
  });

  test("monsters that are shown live on the map; people and hidden ones do not", () => {
    const life = (more: MadeImage): MadeImage => ({ type: "m", id: "0100100", x: 1, y: 2, ...more });
    const monster = (template: number) => ({ speed: template, mp: 3 });
    const map = fromImage(
      {
        life: {
          10: life({ x: 10 }),
          2: life({ hide: 0 }),
          3: life({ hide: 1 }),
          4: life({ type: "n" }),
          5: { ...life({}), id: 9 },
        },
      },
      { monster },
    );
    expect(map.monsters.map(({ template, x, speed }) => [template, x, speed])).toEqual([
      [100_100, 1, 100_100],
      [9, 1, 9],
      [100_100, 10, 100_100],
    ]);
    const grouped = fromImage({ life: { mob: { 0: life({}) }, npc: { 0: life({ type: "n" }) } } });
    expect(grouped.monsters).toEqual([{ template: 100_100, x: 1, y: 2, ...unknownMonster }]);
  });
});

describe("a map that links", () => {
  const target = makeMap(parts);
  const linked = (id: number): MapleMap | undefined => (id === 9 ? target : undefined);

  test("has all of its target but its own info", () => {
    for (const link of ["9", "000000009", 9]) {
      const map = fromImage({ info: { link, fieldLimit: 4, mapName: "Copy" } }, { linked });
      expect(plain(map)).toEqual(plain(makeMap({ ...parts, title: "Copy", fieldLimit: 4, linkedTo: 9 })));
      expect(map.below(10, 0)).toEqual(target.below(10, 0));
    }
  });

  test("has its own water", () => {
    const map = fromImage({ info: { link: "9", swim: 0, fly: 0, fs: 1 } }, { linked });
    expect([map.swims, map.flies, map.friction, map.isWater(500, 500), map.isWater(0, 1)]).toEqual([
      false,
      false,
      1,
      false,
      true,
    ]);
    expect(map.title).toBe("7");
  });

  test.each([
    ["8", "Map 7 links to 8, which is not there"],
    ["far away", 'Map 7 links to "far away", which is no number of a map'],
  ])("to %s is broken", (link, reason) => {
    expect(() => fromImage({ info: { link } }, { linked })).toThrow(new MapError(reason));
  });
});

test("footholds that all go from end to end take no more memory than a few columns", () => {
  const footholds = Array.from({ length: 40_000 }, (_, at) => {
    return { id: at + 1, x1: -1_000_000, y1: at, x2: 1_000_000, y2: at, previous: 0, next: 0 };
  });
  const map = makeMap({ mapId: 1, footholds });
  expect(map.below(999_999, 100.5)?.foothold.id).toBe(102);
  expect(map.isNearGround(-999_999, 39_999, 1)).toBe(true);
});
