/**
 * Maps made for tests of rules and bodies: a yard with one of everything (500), a roof beside it (501), a lake (502), the sky (503), a shelf
 * that ends at a wall, with a floor below (504), walls (505), a closed box above a floor (506).
 */
import { type MapleMap, makeMap, portalKinds } from "../maps/map.ts";
import { mapleMapsOf } from "../maps/maple-maps.ts";

const line = (id: number, x1: number, y1: number, x2: number, y2: number, previous = 0, next = 0) => ({
  id,
  x1,
  y1,
  x2,
  y2,
  previous,
  next,
});

/** A yard: ground with a block on it, a conveyor, a ladder to a platform, a pond, a spring, portals of many kinds. Numbers in no order. */
const yard = makeMap({
  mapId: 500,
  footholds: [
    line(7, -600, 300, 0, 300, 0, 3),
    line(3, 0, 300, 0, 200, 7, 9),
    line(9, 0, 200, 400, 200, 3, 12),
    line(12, 400, 200, 400, 300, 9, 20),
    line(20, 400, 300, 900, 300, 12, 30),
    { ...line(30, 900, 300, 1200, 300, 20, 0), force: 150 },
    line(40, -350, 150, -250, 150),
    line(50, 1300, 700, 1700, 700),
    // An underside, from right to left.
    line(60, -100, 120, -200, 120),
    // A cliff of another piece, in front of the way.
    { ...line(80, 650, 300, 650, 100), group: 2 },
  ],
  ladders: [
    { id: 5, x: -300, top: 150, bottom: 290 },
    { id: 2, x: 300, top: 60, bottom: 190, rope: true },
  ],
  portals: [
    { id: 1, name: "sp", kind: portalKinds.start, x: -550, y: 220 },
    { id: 4, name: "in", kind: portalKinds.invisible, x: -500, y: 300, target: { mapId: 500, portal: "out" } },
    { id: 6, name: "out", kind: portalKinds.invisible, x: 850, y: 300 },
    { id: 0, name: "east", kind: portalKinds.visible, x: 700, y: 260, target: { mapId: 501, portal: "west" } },
    { id: 8, name: "trap", kind: portalKinds.touched, x: 1150, y: 250, target: { mapId: 501, portal: "roof" } },
    { id: 9, name: "lost", kind: portalKinds.visible, x: 450, y: 300, target: { mapId: 999, portal: "a" } },
    { id: 11, name: "up", kind: portalKinds.springOfOwn, x: 550, y: 290, impactX: 200, impactY: 1200 },
    { id: 12, name: "npc", kind: portalKinds.script, x: -200, y: 300, script: "home" },
  ],
  seats: [{ id: 0, x: -60, y: 270 }],
  waters: [{ left: 1300, right: 1700, top: 350, bottom: 720 }],
});

const roof = makeMap({
  mapId: 501,
  footholds: [line(2, 0, 100, 800, 100)],
  portals: [
    { id: 3, name: "west", kind: portalKinds.visible, x: 20, y: 100, target: { mapId: 500, portal: "east" } },
    { id: 5, name: "roof", kind: portalKinds.invisible, x: 400, y: 100 },
    { id: 7, name: "sp", kind: portalKinds.start, x: 600, y: 30 },
  ],
});

const lake: MapleMap = makeMap({
  mapId: 502,
  swims: true,
  footholds: [line(1, -500, 900, 500, 900)],
  portals: [{ id: 0, name: "sp", kind: portalKinds.start, x: 0, y: 100 }],
});

const sky: MapleMap = makeMap({
  mapId: 503,
  flies: true,
  footholds: [line(1, -500, 900, 500, 900)],
  portals: [{ id: 0, name: "sp", kind: portalKinds.start, x: 0, y: 100 }],
});

/** A wall after a step of 3 px, with ground on both sides; a wall with a platform 3 px beside it; a rope; ground below all of it. */
const walls: MapleMap = makeMap({
  mapId: 505,
  footholds: [
    line(1, -300, 200, -3, 200, 8, 2),
    line(2, -3, 200, 0, 212, 1, 3),
    line(3, 0, 212, 0, 60, 2, 0),
    line(4, 0, 212, 200, 212),
    line(7, -500, 0, -500, 300, 0, 8),
    line(8, -500, 300, -300, 300, 7, 1),
    line(9, -497, 200, -400, 200),
    line(20, -900, 700, 900, 700),
  ],
  ladders: [{ id: 5, x: -60, top: 100, bottom: 190, rope: true }],
  portals: [{ id: 0, name: "sp", kind: portalKinds.start, x: -200, y: 150 }],
});

/** Who jumps from the floor at the wall turns at the height of the shelf. */
const shelf = makeMap({
  mapId: 504,
  footholds: [
    line(1, -500, 300, 0, 300, 0, 2),
    line(2, 0, 300, 0, 200, 1, 3),
    line(3, 0, 200, 300, 200, 2),
    line(4, -300, 377, 300, 377),
  ],
  portals: [{ id: 0, name: "sp", kind: portalKinds.start, x: -400, y: 290 }],
});

/** A player walks off the top of the box and falls along its outer wall. The floor within the box ends at that wall. */
const box = makeMap({
  mapId: 506,
  footholds: [
    line(1, -292, 57, -226, 57, 4, 2),
    line(2, -226, 57, -226, -19, 1, 3),
    line(3, -226, -19, -292, -19, 2, 4),
    line(4, -292, -19, -292, 57, 3, 1),
    { ...line(50, -341, 111, 335, 108), layer: 2 },
  ],
  portals: [{ id: 0, name: "sp", kind: portalKinds.start, x: 0, y: 100 }],
});

/** A place of each kind that rules of maps are about. */
export const yardMaps = mapleMapsOf("test", [yard, roof, lake, sky, shelf, walls, box]);
