import { expect, it } from "vitest";
import { createRandom } from "../../packages/wirewalk/src/motion/index.ts";
import { type MapParts, makeMap, mapleMapsOf } from "../../packages/wirewalk/src/protocols/maplestory/maps/index.ts";
import { kindsOf, playableMaps, startMaps } from "./start-maps.ts";

const footholds = [{ id: 1, x1: 0, y1: 0, x2: 900, y2: 0, previous: 0, next: 0 }];
const portals = [{ id: 0, name: "sp", kind: 0, x: 50, y: 0 }];
const map = (mapId: number, more: Partial<MapParts> = {}) => makeMap({ mapId, footholds, portals, ...more });
const monsters = Array.from({ length: 6 }, (_, at) => ({ template: 1, x: at, y: 0, speed: 60 }));
// One map with water, one of ice, one that is linked, and many plain ones.
const plain = Array.from({ length: 50 }, (_, at) => map(100 + at, { monsters: [] }));
const set = mapleMapsOf("test", [
  ...plain,
  map(1, { swims: true, monsters }),
  map(2, { friction: 0.2, monsters }),
  map(3, { linkedTo: 1, swims: true }),
  map(4, { footholds: [] }),
]);

it("maps to begin in are of all kinds, whatever there is most of", () => {
  const chosen = startMaps(set, 4, createRandom(1));
  expect(chosen).toHaveLength(4);
  expect(chosen).toEqual(expect.arrayContaining([1, 2]));
  expect(chosen).not.toContain(3);
  expect(chosen).not.toContain(4);
});

it("are counted by kind, one map as often as it has kinds", () => {
  const counts = kindsOf(set, [1, 2, 100, 101, 999]);
  expect(counts).toMatchObject({ water: 1, ice: 1, plain: 2, hunting: 2, seats: 0 });
});

it("all that can be played in are those with ground and a portal of their own", () => {
  expect(playableMaps(set)).toEqual([...plain.map(({ mapId }) => mapId), 1, 2]);
});

it("follow from the seed", () => {
  const of = (seed: number) => startMaps(set, 6, createRandom(seed));
  expect(of(5)).toEqual(of(5));
  expect(of(5)).not.toEqual(of(6));
});

it("a set without a map that can be played is refused", () => {
  expect(() => startMaps(mapleMapsOf("none", []), 2, createRandom(1))).toThrow(RangeError);
});
