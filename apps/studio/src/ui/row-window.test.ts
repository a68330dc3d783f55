import { expect, test } from "vitest";
import { rowsShown } from "./row-window.ts";

test("a short list is made whole, wherever it is scrolled to", () => {
  expect(rowsShown(0, 0, 0)).toEqual({ from: 0, to: 0 });
  expect(rowsShown(150, 90, 10)).toEqual({ from: 0, to: 150 });
});

test("of a long list the rows in sight are made, with some beyond each edge", () => {
  expect(rowsShown(2047, 1000.4, 20)).toEqual({ from: 970, to: 1050 });
  expect(rowsShown(2047, 0, 20)).toEqual({ from: 0, to: 50 });
});

test("the list's end is never left empty, also when it became shorter while scrolled down", () => {
  expect(rowsShown(300, 2000, 20)).toEqual({ from: 250, to: 300 });
  expect(rowsShown(300, -5, 20)).toEqual({ from: 0, to: 50 });
});

test("before the height of the list is known a screenful of rows is made", () => {
  expect(rowsShown(2047, 0, 0)).toEqual({ from: 0, to: 90 });
});
