import { expect, test } from "vitest";
import { beyondEdge, CameraMan, FOLLOW_SCALE, fitting, gridStep, toScreen } from "./camera.ts";

const size = { width: 400, height: 300 };

test("puts the world's up on the screen's up", () => {
  const camera = { x: 10, y: 20, scale: 8 };
  expect(toScreen(camera, size, { x: 10, y: 20 })).toEqual({ x: 200, y: 150 });
  expect(toScreen(camera, size, { x: 11, y: 22 })).toEqual({ x: 208, y: 134 });
});

test("shows all players, and a few at a limited scale", () => {
  const points = [
    { x: -20, y: 0 },
    { x: 20, y: 3 },
  ];
  const camera = fitting(size, points);
  expect(camera).toMatchObject({ x: 0, y: 1.5 });
  for (const point of points) {
    const { x, y } = toScreen(camera, size, point);
    expect(x).toBeGreaterThan(30);
    expect(x).toBeLessThan(370);
    expect(y).toBeGreaterThan(30);
  }
  expect(fitting(size, [{ x: 5, y: 5 }])).toEqual({ x: 5, y: 5, scale: (300 - 108) / 16 });
  expect(fitting(size, [])).toMatchObject({ x: 0, y: 0 });
  // A player that is far away must not make the others vanish altogether.
  expect(fitting(size, [...points, { x: 1e6, y: 0 }]).scale).toBe(4);
});

test("moves to the followed player and stays there", () => {
  const man = new CameraMan();
  const all = [
    { x: -20, y: 0 },
    { x: 20, y: 0 },
  ];
  man.look(size, undefined, all, 0);
  const target = { x: 20, y: 0 };
  const first = man.look(size, target, all, 16);
  expect(first.x).toBeGreaterThan(0);
  expect(first.x).toBeLessThan(20);
  for (let ms = 32; ms < 1_000; ms += 16) man.look(size, target, all, ms);
  expect(man.look(size, target, all, 1_000)).toMatchObject({
    x: expect.closeTo(20, 3),
    scale: expect.closeTo(FOLLOW_SCALE, 2),
  });
});

test("comes back from a hidden tab at once, and zooms as far as the wheel goes", () => {
  const man = new CameraMan();
  man.look(size, { x: 0, y: 0 }, [], 0);
  expect(man.look(size, { x: 500, y: 0 }, [], 60_000).x).toBe(500);
  man.zoom(1_000);
  expect(man.look(size, { x: 0, y: 0 }, [], 200_000).scale).toBe(120);
  man.zoom(1 / 1_000_000);
  expect(man.look(size, { x: 0, y: 0 }, [], 300_000).scale).toBe(4);
});

test("a player out of view gets a marker at the edge, in its direction", () => {
  expect(beyondEdge(size, { x: 399, y: 1 }, 10)).toBeUndefined();
  expect(beyondEdge(size, { x: 1_200, y: 150 }, 10)).toEqual({ x: 390, y: 150, radians: 0 });
  expect(beyondEdge(size, { x: 200, y: -500 }, 10)).toEqual({ x: 200, y: 10, radians: -Math.PI / 2 });
  const corner = beyondEdge(size, { x: -9_800, y: 9_150 }, 10);
  expect(corner?.y).toBeCloseTo(290 - 10 / 9, -1);
  expect(corner?.x).toBeGreaterThanOrEqual(10);
});

test.each([
  [26, 1],
  [24, 1],
  [12, 2],
  [5, 5],
  [4, 10],
  [0.1, 500],
])("at %f pixels a metre the grid has a line every %d metres", (scale, metres) => {
  expect(gridStep(scale, 24)).toBe(metres);
});
