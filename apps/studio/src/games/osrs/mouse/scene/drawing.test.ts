import { expect, test } from "vitest";
import { nearestFigure, restRadius, windowWidth } from "./drawing.ts";

const line = (x: number, y: number) => ({ fromX: 0, fromY: 0, x, y, speed: 1, age: 0 });
const figure = (name: string, lines: readonly ReturnType<typeof line>[], x = -1000, y = -1000) => ({
  name,
  path: { lines, rests: [], ends: [], exits: [], pointer: { x, y, stance: "resting" as const } },
});

test("a click selects the nearest path", () => {
  const figures = [figure("a", [line(100, 100)]), figure("b", [line(110, 100)])];
  expect(nearestFigure(figures, { x: 107, y: 100 }, 20)?.name).toBe("b");
});

test("a click on a pointer selects it, though another path is as near", () => {
  const figures = [figure("pointer", [], 104, 100), figure("path", [line(100, 100)])];
  expect(nearestFigure(figures, { x: 100, y: 100 }, 20)?.name).toBe("pointer");
});

test("a click beside everything selects nothing", () => {
  expect(nearestFigure([figure("a", [line(100, 100)])], { x: 121, y: 100 }, 20)).toBeUndefined();
});

test("a window grows until all pointers are in it, and never shrinks", () => {
  expect(windowWidth([figure("a", [], 764, 502)], 765)).toBe(765);
  const grown = windowWidth([figure("a", [], 1548, 1335)], 765);
  expect(grown).toBeGreaterThan(1548);
  // Its height is in the same proportion.
  expect((grown * 503) / 765).toBeGreaterThan(1335);
  expect(windowWidth([figure("a", [], 1549, 1335)], grown)).toBe(grown);
  expect(windowWidth([], grown)).toBe(grown);
});

test("a rest's circle grows in area with its time, and never hides the window", () => {
  expect(restRadius(4000)).toBeCloseTo(2 * restRadius(1000));
  expect(restRadius(3_600_000)).toBe(30);
});
