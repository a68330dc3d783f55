import { expect, test } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { type MapleMap, makeMap } from "./map.ts";
import { mapleMapsOf, partsOf } from "./maple-maps.ts";

/** Lines of all directions, walls among them. */
function randomMap(seed: number, count: number): MapleMap {
  const random = createRandom(seed);
  const footholds = Array.from({ length: count }, (_, index) => {
    const [x1, y1] = [random.integer(-2_000, 2_000), random.integer(-900, 900)];
    const [dx, dy] = [random.pick([-60, 0, 0, 30, 90, 700]), random.integer(-80, 80)];
    return { id: index + 1, x1, y1, x2: x1 + dx, y2: y1 + (dx === 0 ? Math.abs(dy) + 1 : dy), previous: 0, next: 0 };
  });
  return makeMap({ mapId: 1, footholds });
}

test.each([1, 2, 3, 4])("the footholds of an area are those that reach into it, each once (seed %i)", (seed) => {
  const map = randomMap(seed, 400);
  const random = createRandom(seed + 100);
  for (let turn = 0; turn < 100; turn++) {
    const [left, top] = [random.integer(-2_400, 2_400), random.integer(-1_200, 1_200)];
    const area = { left, top, right: left + random.integer(0, 900), bottom: top + random.integer(0, 700) };
    const expected = map.footholds.filter(
      ({ x1, y1, x2, y2 }) =>
        Math.max(x1, x2) >= area.left &&
        Math.min(x1, x2) <= area.right &&
        Math.max(y1, y2) >= area.top &&
        Math.min(y1, y2) <= area.bottom,
    );
    const found = map.footholdsIn(area).map(({ id }) => id);
    expect(found.toSorted((a, b) => a - b)).toEqual(expected.map(({ id }) => id));
  }
});

test("a map without footholds has none in any area", () => {
  expect(makeMap({ mapId: 1, footholds: [] }).footholdsIn({ left: -9, top: -9, right: 9, bottom: 9 })).toEqual([]);
});

test("a map is made again from its parts as JSON", () => {
  const map = makeMap({
    mapId: 5,
    footholds: [{ id: 3, x1: 0, y1: 0, x2: 90, y2: 4, previous: 0, next: 0, force: -120, forbidsFall: true }],
    ladders: [{ id: 2, x: 10, top: -90, bottom: 0, rope: true, closedTop: true }],
    portals: [{ id: 1, name: "out", kind: 3, x: 4, y: 5, target: { mapId: 6, portal: "in" }, reachX: 20 }],
    seats: [{ id: 0, x: 1, y: 2 }],
    waters: [{ left: 0, top: 0, right: 9, bottom: 9 }],
    monsters: [{ template: 100_100, x: 0, y: 0, speed: 50 }],
    friction: 0.2,
    linkedTo: 7,
    omitted: [{ what: "foothold", id: 71, line: 812, reason: "no coordinates" }],
  });
  const maps = mapleMapsOf("made", [map]);
  const again = makeMap(JSON.parse(JSON.stringify(maps.parts?.("5"))));
  expect(partsOf(again)).toEqual(partsOf(map));
  expect(mapleMapsOf("again", [again]).digest("5")).toBe(maps.digest("5"));
  expect(maps.parts?.("6")).toBeUndefined();
});
