import { describe, expect, test } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { distanceTo, type Foothold, heightAt } from "./foothold.ts";
import { FootholdIndex } from "./foothold-index.ts";

const random = createRandom(30);

function line(id: number, x1: number, y1: number, x2: number, y2: number): Foothold {
  return { id, x1, y1, x2, y2, previous: 0, next: 0 };
}

/** Floors, walls and undersides, also far apart and on top of each other. */
function madeUp(count: number, spread: number): Foothold[] {
  return Array.from({ length: count }, (_, index) => {
    const x1 = random.integer(-spread, spread);
    const y1 = random.integer(-spread, spread);
    const kind = random.integer(0, 9);
    const x2 = kind < 3 ? x1 : kind === 3 ? x1 - random.integer(1, 300) : x1 + random.integer(1, 300);
    const y2 = y1 + (random.integer(0, 2) === 0 ? random.integer(-120, 120) : 0);
    return line(index + 1, x1, y1, x2, y2);
  });
}

const maps = [
  { name: "a small one", footholds: madeUp(12, 200) },
  { name: "a crowded one", footholds: madeUp(400, 500) },
  { name: "a wide one", footholds: madeUp(300, 200_000) },
  { name: "one of walls alone", footholds: [line(1, 5, 0, 5, 90), line(2, 5, 100, 5, 20), line(3, -7, 0, -7, 9)] },
  { name: "an empty one", footholds: [] },
];

/** Places around the footholds, many of them exactly at ends. */
function placesIn(footholds: readonly Foothold[]): { x: number; y: number }[] {
  const at = (value: number): number => value + random.integer(-2, 2) * (random.integer(0, 1) === 0 ? 0 : 37.5);
  const near = footholds.map(({ x1, y1, x2 }) => ({ x: at(random.integer(0, 1) === 0 ? x1 : x2), y: at(y1) }));
  return [...near, { x: 0, y: 0 }, { x: -1e9, y: 0 }, { x: 1e9, y: 1e9 }].slice(0, 300);
}

describe.each(maps)("footholds of $name are found as by looking at each", ({ footholds }) => {
  const index = new FootholdIndex(footholds);
  const places = placesIn(footholds);
  const slopes = footholds.filter(({ x1, x2 }) => x1 !== x2);

  test("below a place", () => {
    for (const { x, y } of places) {
      const floors = slopes.filter(({ x1, x2 }) => x1 < x2 && x >= x1 && x <= x2);
      const heights = floors.map((each) => heightAt(each, x)).filter((height) => height >= y - 0.001);
      const found = index.below(x, y);
      expect(found?.y).toBe(heights.length === 0 ? undefined : Math.min(...heights));
      if (found !== undefined) expect(heightAt(found.foothold, x)).toBe(found.y);
    }
  });

  test.each([0, 3, 40])("within %i pixels", (reach) => {
    for (const { x, y } of places) {
      const beside = slopes.flatMap((each) => {
        const [left, right] = [Math.min(each.x1, each.x2), Math.max(each.x1, each.x2)];
        return x < left - reach || x > right + reach ? [] : [heightAt(each, Math.min(Math.max(x, left), right))];
      });
      expect(index.isNear(x, y, reach)).toBe(beside.some((height) => Math.abs(height - y) <= reach));
      expect(index.isBelowAll(x, y, reach)).toBe(beside.length > 0 && beside.every((height) => height < y));
    }
  });

  test.each([3, 10, 40])("the nearest within %i pixels, and whether another is near", (reach) => {
    for (const { x, y } of places) {
      const near = slopes
        .map((each) => ({ each, px: distanceTo(each, x, y) }))
        .filter(({ px }) => px <= reach)
        .toSorted((a, b) => a.px - b.px || a.each.id - b.each.id);
      const found = index.nearest(x, y, reach, 3);
      expect(found?.foothold).toBe(near[0]?.each);
      if (found !== undefined) expect(found.isVague).toBe(near.slice(1).some(({ px }) => px <= 3));
      const walls = footholds.filter(({ x1, x2 }) => x1 === x2 && x1 >= x - reach && x1 <= x + reach);
      expect(index.hasWalls(x - reach, x + reach)).toBe(walls.length > 0);
    }
  });

  test("walls between two places", () => {
    for (const [at, from] of places.entries()) {
      const to = places[(at * 7 + 3) % places.length] as { x: number; y: number };
      const crossed = footholds.filter(({ x1, y1, x2, y2 }) => {
        if (x1 !== x2 || x1 <= Math.min(from.x, to.x) || x1 >= Math.max(from.x, to.x)) return false;
        const y = from.y + ((to.y - from.y) / (to.x - from.x)) * (x1 - from.x);
        return y >= Math.min(y1, y2) && y <= Math.max(y1, y2);
      });
      const nearest = Math.min(...crossed.map(({ x1 }) => Math.abs(x1 - from.x)));
      const found = index.wallBetween(from, to);
      expect(found === undefined ? Number.POSITIVE_INFINITY : Math.abs(found.x1 - from.x)).toBe(nearest);
    }
  });
});

test("the extent is that of all ends", () => {
  expect(new FootholdIndex([line(1, 10, -5, 0, 40), line(2, 3, 90, 3, 20)]).bounds).toEqual({
    left: 0,
    top: -5,
    right: 10,
    bottom: 90,
  });
});
