import { expect, test } from "vitest";
import { LabelSpace } from "./labels.ts";

test("a label that would lie on another one is lifted over it, and one beside it stays", () => {
  const space = new LabelSpace(400);
  expect(space.place(100, 200, 60, 13)).toEqual({ x: 100, y: 200 });
  expect(space.place(120, 198, 60, 13)).toEqual({ x: 120, y: 185 });
  expect(space.place(110, 205, 60, 13)).toEqual({ x: 110, y: 170 });
  expect(space.place(300, 200, 60, 13)).toEqual({ x: 300, y: 200 });
});

test("a label is lifted over words that have their place already", () => {
  const space = new LabelSpace(400);
  space.take({ left: 80, right: 140, top: 180, bottom: 198 });
  expect(space.place(120, 195, 60, 13)).toEqual({ x: 120, y: 178 });
});

test("a label stays within the drawing", () => {
  const space = new LabelSpace(400);
  expect(space.place(-30, 200, 60, 13)).toEqual({ x: 32, y: 200 });
  expect(space.place(900, 200, 60, 13)).toEqual({ x: 368, y: 200 });
  expect(space.place(200, 3, 60, 13)).toEqual({ x: 200, y: 13 });
  // No room above the one at the upper edge: they go under it, rather than outside.
  expect(space.place(200, 3, 60, 13)).toEqual({ x: 200, y: 28 });
  expect(space.place(210, 20, 60, 13)).toEqual({ x: 210, y: 43 });
});

test("labels of a crowd are not moved: each costs no more than the first ones", () => {
  const space = new LabelSpace(400, 2);
  for (let index = 0; index < 2; index++) space.place(100, 200, 60, 13);
  expect(space.place(100, 200, 60, 13)).toEqual({ x: 100, y: 200 });
});
