import { expect, test } from "vitest";
import { MapCamera } from "./map-camera.ts";

const map = { x: 3152, z: 3152, tiles: 104 };
const size = { width: 300, height: 300 };
const eye = (x: number, z = 3200.5) => ({ x, z, tiles: 31 });

test("without an observer it shows the whole map", () => {
  const camera = new MapCamera(map);
  camera.move(undefined, size, 16);
  expect(camera.now).toMatchObject({ x: 3204, z: 3204 });
  expect(camera.now.pxPerTile * 104).toBeLessThanOrEqual(300);
});

test("shows the whole map again once the room is empty", () => {
  const camera = new MapCamera(map);
  camera.move(eye(3160.5), size, 16);
  camera.move(undefined, size, 16);
  expect(camera.now).toMatchObject({ x: 3204, z: 3204 });
});

test("shows as much of a foreign world as its client loads, around the observer", () => {
  const camera = new MapCamera(undefined);
  camera.look("map");
  camera.move(eye(1160.5, 9200.5), size, 16);
  expect(camera.now).toMatchObject({ x: 1160.5, z: 9200.5 });
  // All of it, with a margin.
  expect(camera.now.pxPerTile * 104).toBeGreaterThan(270);
  expect(camera.now.pxPerTile * 104).toBeLessThanOrEqual(300);
  const before = camera.now;
  camera.move(undefined, size, 16);
  expect(camera.now).toEqual(before);
});

test("follows the observer: at once from far away, else smoothly, and arrives", () => {
  const camera = new MapCamera(map);
  camera.move(eye(3160.5), size, 16);
  expect(camera.now.x).toBe(3160.5);
  camera.move(eye(3162.5), size, 16);
  expect(camera.now.x).toBeGreaterThan(3160.5);
  expect(camera.now.x).toBeLessThan(3162.5);
  for (let frame = 0; frame < 200; frame++) camera.move(eye(3162.5), size, 16);
  expect(camera.now.x).toBeCloseTo(3162.5);
});

test("is as far along after one long frame as after two short ones", () => {
  const [one, two] = [new MapCamera(map), new MapCamera(map)];
  for (const camera of [one, two]) camera.move(eye(3160.5), size, 16);
  one.move(eye(3162.5), size, 32);
  two.move(eye(3162.5), size, 16);
  two.move(eye(3162.5), size, 16);
  expect(one.now.x).toBeCloseTo(two.now.x);
});

test("shows all of the view, whatever the map's size on the page", () => {
  const camera = new MapCamera(map);
  for (const side of [120, 300, 900]) {
    camera.move(eye(3160.5), { width: side * 2, height: side }, 16);
    expect(camera.now.pxPerTile * 31).toBeLessThan(side);
    expect(camera.now.pxPerTile * 31).toBeGreaterThan(side * 0.7);
  }
});

test("a drag ends following, the wheel does not", () => {
  const camera = new MapCamera(map);
  camera.move(eye(3160.5), size, 16);
  camera.zoom(2, size, { x: 0, y: 0 });
  expect(camera.now.x).toBe(3160.5);
  const { pxPerTile } = camera.now;
  camera.move(eye(3200.5), size, 16);
  expect(camera.now).toMatchObject({ x: 3200.5, pxPerTile });
  camera.drag(100, 0);
  const { x } = camera.now;
  camera.move(eye(3200.5), size, 1_000);
  expect(camera.now.x).toBe(x);
  camera.look("view");
  camera.move(eye(3250.5), size, 16);
  expect(camera.now.x).toBe(3250.5);
});

test("goes to another observer, but not while it shows the whole map", () => {
  const camera = new MapCamera(map);
  camera.drag(500, 0);
  camera.lookAtObserver();
  camera.move(eye(3170.5), size, 16);
  expect(camera.now.x).toBe(3170.5);
  camera.look("map");
  camera.lookAtObserver();
  camera.move(eye(3170.5), size, 16);
  expect(camera.now.x).toBe(3204);
});
