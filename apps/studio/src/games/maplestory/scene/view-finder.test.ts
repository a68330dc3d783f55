import { expect, test } from "vitest";
import { makeMap, portalKinds } from "wirewalk/maplestory/maps";
import { areaOf, shownArea, toMap, toScreen } from "./camera.ts";
import { nearScale, ViewFinder } from "./view-finder.ts";

const size = { width: 760, height: 420 };

/** A floor so wide and a roof so high above it. */
function mapOf(width: number, height: number) {
  const line = (id: number, y: number) => ({ id, x1: 0, y1: y, x2: width, y2: y, previous: 0, next: 0 });
  const portals = [{ id: 0, name: "sp", kind: portalKinds.start, x: 400, y: 0 }];
  return makeMap({ mapId: width, footholds: [line(1, 0), line(2, -height)], portals });
}

const town = mapOf(2_800, 4_500);

test("a small map is drawn whole; of a town the part around the followed player", () => {
  const finder = new ViewFinder();
  expect(finder.modeOn(size, mapOf(1_200, 300))).toBe("whole");
  expect(finder.modeOn(size, town)).toBe("near");
  const camera = finder.camera(size, town, [], { x: 1_400, y: -2_000 }, 0);
  expect(camera.scale).toBe(nearScale(size));
  const { x, y } = toScreen(camera, { x: 1_400, y: -2_000 });
  expect(x).toBeCloseTo(size.width / 2);
  expect(y).toBeGreaterThan(size.height / 2);
  expect(y).toBeLessThan(size.height * 0.7);
});

test("without anybody to follow, the entrance is shown, and no more than the map", () => {
  const camera = new ViewFinder().camera(size, town, [], undefined, 0);
  const shown = areaOf(camera, size);
  const whole = shownArea(town, []);
  expect(shown.left).toBeLessThan(400);
  expect(shown.right).toBeGreaterThan(400);
  expect(shown.bottom).toBeCloseTo(whole.bottom);
  expect(shown.left).toBeGreaterThan(whole.left - 1);
});

test("the camera moves towards the followed player, and jumps when that player is far away", () => {
  const finder = new ViewFinder();
  finder.camera(size, town, [], { x: 1_000, y: -2_000 }, 0);
  const middleOf = (atMs: number, x: number) =>
    toMap(finder.camera(size, town, [], { x, y: -2_000 }, atMs), { x: size.width / 2, y: 0 }).x;
  const first = middleOf(16, 1_200);
  expect(first).toBeGreaterThan(1_000);
  expect(first).toBeLessThan(1_050);
  expect(middleOf(5_000, 1_200)).toBeCloseTo(1_200, 0);
  finder.camera(size, town, [], { x: 1_200, y: -200 }, 5_016);
  expect(
    toMap(finder.camera(size, town, [], { x: 1_200, y: -300 }, 5_016), { x: 0, y: size.height / 2 }).y,
  ).toBeGreaterThan(-400);
});

test("a key shows the whole map, and a moved one stays where it was moved until another map", () => {
  const finder = new ViewFinder();
  finder.choose("whole");
  const whole = finder.camera(size, town, [], undefined, 0);
  const { left, right, top, bottom } = areaOf(whole, size);
  const area = shownArea(town, []);
  expect(left <= area.left && right >= area.right && top <= area.top + 1 && bottom >= area.bottom - 1).toBe(true);
  const under = toMap(whole, { x: 200, y: 100 });
  finder.zoom(whole, size, { x: 200, y: 100 }, 4);
  expect(finder.modeOn(size, town)).toBe("free");
  const zoomed = finder.camera(size, town, [], undefined, 16);
  expect(zoomed.scale).toBeCloseTo(whole.scale * 4);
  expect(toScreen(zoomed, under).x).toBeCloseTo(200);
  finder.pan(zoomed, size, 30, -10);
  const panned = finder.camera(size, town, [], { x: 0, y: 0 }, 32);
  expect(toScreen(panned, under).x).toBeCloseTo(230);
  expect(toScreen(panned, under).y).toBeCloseTo(90);
  finder.camera(size, mapOf(3_000, 3_000), [], undefined, 48);
  expect(finder.modeOn(size, mapOf(3_000, 3_000))).toBe("near");
});
