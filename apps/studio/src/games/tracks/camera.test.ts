import { expect, test } from "vitest";
import { gridStep, SeenBox } from "./camera.ts";

const size = { width: 800, height: 400 };

test("every place that was seen is within the window, and the drawing does not follow players within it", () => {
  const box = new SeenBox();
  const places = [
    { x: -3_000, y: 12 },
    { x: 40_000, y: 900 },
    { x: 7, y: -20_000 },
  ];
  for (const place of places) box.add(place);
  const camera = box.camera(size);
  for (const { x, y } of places) {
    expect(camera.left + x * camera.scale).toBeGreaterThan(0);
    expect(camera.left + x * camera.scale).toBeLessThan(size.width);
    expect(camera.top + y * camera.scale).toBeGreaterThan(0);
    expect(camera.top + y * camera.scale).toBeLessThan(size.height);
  }
  box.add({ x: 500, y: 500 });
  box.add({ x: Number.NaN, y: Infinity });
  expect(box.camera(size)).toEqual(camera);
});

test("one player alone, and none, have a finite camera", () => {
  const box = new SeenBox();
  expect(box.camera(size)).toEqual({ scale: 40, left: 400, top: 200 });
  box.add({ x: 10, y: 20 });
  expect(box.camera(size)).toEqual({ scale: 40, left: 0, top: -600 });
  expect(box.camera({ width: 0, height: 0 }).scale).toBeGreaterThan(0);
});

test.each([
  [1, 100],
  [0.01, 10_000],
  [40, 2],
  [0.7, 100],
  [12, 5],
])("at %d px a unit the grid has a line every %d units", (scale, step) => {
  expect(gridStep(scale)).toBe(step);
});
