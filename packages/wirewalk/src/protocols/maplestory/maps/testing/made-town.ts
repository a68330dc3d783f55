/**
 * A small map with one of everything, made for tests: walls, an underside, ids out of order, ice, water, a conveyor, ropes upside down,
 * seats, kinds of portals, monsters; and pictures and sounds, which readers pass over.
 */
import { folder, type MadeArchive, type MadeNode, values } from "./made-images.ts";

export const townId = 104000007;
export const linkedId = 104000008;

const none = 999999999;

function foothold(id: number, [x1, y1, x2, y2]: readonly number[], prev: number, next: number, more = {}): MadeNode {
  return values(id, { x1: x1 as number, y1: y1 as number, x2: x2 as number, y2: y2 as number, prev, next, ...more });
}

/** Many nodes of a layer's tiles, which no rule needs. */
const tiles = Array.from({ length: 40 }, (_, index) =>
  values(index, { x: index * 90, y: 30, u: "enH0", no: index % 3, zM: 0 }),
);

const picture: MadeNode = {
  name: "canvas",
  kind: "canvas",
  children: [{ name: "origin", kind: "vector", value: { x: 4, y: -9 } }],
};

const town: readonly MadeNode[] = [
  folder(
    "info",
    { name: "version", kind: "int", value: 10 },
    { name: "fs", kind: "float", value: 0.2 },
    { name: "swim", kind: "short", value: 0 },
    { name: "fieldLimit", kind: "long", value: 0x20001 },
    { name: "bgm", kind: "string", value: "Bgm00/FloralLife" },
    { name: "mapDesc", kind: "string", value: "Kerning 커닝시티" },
    { name: "returnMap", kind: "int", value: none },
    { name: "nothing", kind: "null" },
  ),
  folder("0", folder("info"), folder("tile", ...tiles), folder("obj", values(0, { oS: "acc1", x: -70_000, y: 12 }))),
  folder("back", values(0, { bS: "grassySoil", front: 0, ani: 0, cx: 0, cy: 0 })),
  folder(
    "foothold",
    folder(
      "0",
      folder(
        "3",
        foothold(7, [-300, 100, 0, 100], 9, 2),
        foothold(2, [0, 100, 90, 40], 7, 11, { forbidFallDown: 1 }),
        foothold(11, [90, 40, 300, 40], 2, 10, { force: -120 }),
        foothold(9, [-300, -400, -300, 100], 0, 7),
        foothold(10, [300, 40, 300, 500], 11, 0),
      ),
    ),
    folder(
      "4",
      folder(
        "1",
        foothold(1, [200, -90, 100, -90], 0, 0, { cantThrough: 1 }),
        foothold(40_001, [-5, -90, 80, -90], 0, 0),
      ),
    ),
  ),
  folder(
    "ladderRope",
    values(2, { l: 1, uf: 1, x: 40, y1: -90, y2: 60, page: 4 }),
    values(1, { l: 0, uf: 0, x: 130, y1: 35, y2: -80, page: 4 }),
  ),
  folder(
    "portal",
    values(0, { pn: "sp", pt: 0, x: -20, y: 20, tm: none, tn: "" }),
    values(2, { pn: "in00", pt: 2, x: 250, y: 40, tm: linkedId, tn: "out00" }),
    values(1, {
      pn: "up",
      pt: 13,
      x: -200,
      y: 95,
      tm: none,
      tn: "",
      horizontalImpact: 300,
      verticalImpact: -700,
      delay: 0,
    }),
    values(3, { pn: "script", pt: 9, x: 10, y: 0, tm: none, tn: "", script: "enterTown", hRange: 30, vRange: 80 }),
  ),
  folder(
    "seat",
    { name: "0", kind: "vector", value: { x: -100, y: 98 } },
    { name: "1", kind: "vector", value: { x: -160, y: 98 } },
  ),
  folder("swimArea", values("pond", { x1: -290, y1: 80, x2: -210, y2: 120 })),
  folder(
    "life",
    values(0, { type: "m", id: "9400007", x: -50, y: 95, fh: 7, cy: 100, rx0: -100, rx1: 0, f: 1 }),
    values(1, { type: "n", id: "9900001", x: 20, y: 85, fh: 2, cy: 86, rx0: 0, rx1: 40 }),
    values(2, { type: "m", id: "9400007", x: -150, y: 95, fh: 7, cy: 100, rx0: -250, rx1: -90 }),
  ),
  folder("miniMap", picture, { name: "width", kind: "int", value: 900 }, { name: "mag", kind: "int", value: 4 }),
  {
    name: "area",
    kind: "convex",
    corners: [
      { x: 1, y: 2 },
      { x: 300, y: -4 },
    ],
  },
  { name: "bell", kind: "sound" },
  { name: "elsewhere", kind: "uol", value: "../foothold/0" },
];

const linked: readonly MadeNode[] = [values("info", { link: String(townId), returnMap: townId, fieldLimit: 1 })];

const physics: readonly MadeNode[] = [
  { name: "walkForce", kind: "double", value: 140_000 },
  { name: "walkSpeed", kind: "double", value: 125 },
  { name: "minFriction", kind: "double", value: 0.05 },
];

const monster: readonly MadeNode[] = [
  values("info", { level: 7, speed: -20, maxMP: 55, link: "9400008" }),
  folder("stand", { ...picture, name: "0" }, { name: "1", kind: "uol", value: "0" }),
  folder("move", { ...picture, name: "0" }),
];

/** Map.wz. */
export const townArchive: MadeArchive = new Map<string, readonly MadeNode[]>([
  ["Physics.img", physics],
  ["Map/Map0/000000009.img", [values("info", { town: 1 })]],
  [`Map/Map1/${townId}.img`, town],
  [`Map/Map1/${linkedId}.img`, linked],
  ["Obj/acc1.img", [folder("grassySoil", folder("nature", picture))]],
]);

/** Mob.wz. */
export const monsterArchive: MadeArchive = new Map([["9400007.img", monster]]);
