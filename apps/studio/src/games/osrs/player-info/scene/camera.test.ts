import { expect, test } from "vitest";
import { type Camera, dragged, fitting, toScreen, toTile, zoomed } from "./camera.ts";

const size = { width: 400, height: 300 };
const camera: Camera = { x: 3200.5, z: 3200.5, pxPerTile: 8 };

test("north is up and east is right", () => {
  expect(toScreen(camera, size, 3200.5, 3200.5)).toEqual({ x: 200, y: 150 });
  expect(toScreen(camera, size, 3201.5, 3200.5)).toEqual({ x: 208, y: 150 });
  expect(toScreen(camera, size, 3200.5, 3201.5)).toEqual({ x: 200, y: 142 });
});

test("pixels and tiles lead to each other", () => {
  const { x, y } = toScreen(camera, size, 3190.25, 3211.75);
  const back = toTile(camera, size, x, y);
  expect(back.x).toBeCloseTo(3190.25);
  expect(back.z).toBeCloseTo(3211.75);
});

test("the tile under the pointer stays there while zooming", () => {
  const at = { x: 321, y: 44 };
  const before = toTile(camera, size, at.x, at.y);
  for (const factor of [0.3, 2, 5]) {
    const after = toTile(zoomed(camera, size, factor, at), size, at.x, at.y);
    expect(after.x).toBeCloseTo(before.x);
    expect(after.z).toBeCloseTo(before.z);
  }
});

test("zooming ends at the whole world and at one tile", () => {
  expect(zoomed(camera, size, 1e9).pxPerTile).toBeLessThanOrEqual(64);
  expect(zoomed(camera, size, 1e-9).pxPerTile * 16_384).toBeLessThan(400);
});

test("the map follows a drag", () => {
  const { x, y } = toScreen(dragged(camera, 30, -20), size, 3200.5, 3200.5);
  expect([x, y]).toEqual([230, 130]);
});

test("a square of tiles fits with a margin", () => {
  const { pxPerTile } = fitting(0, 0, 31, size);
  expect(pxPerTile * 31).toBeLessThan(300);
  expect(pxPerTile * 31).toBeGreaterThan(270);
});
