import { expect, test } from "vitest";
import { type Box, isOver } from "../games/labels.ts";
import { placePanel, placeWords } from "./label-places.ts";

const picture = { width: 400, height: 240 };
const words = { width: 90, height: 18 };
const isWithin = ({ left, top, right, bottom }: Box): boolean =>
  left >= 0 && top >= 0 && right <= picture.width && bottom <= picture.height;

test("words of marks in one heap lie within the picture, on no mark, and on no other words", () => {
  const marks = [0, 4, 8, 12, 300].map((x) => ({ x: 40 + x, y: 120, radius: 8 }));
  const taken: Box[] = marks.map(({ x, y }) => ({ left: x - 8, right: x + 8, top: y - 8, bottom: y + 8 }));
  for (const mark of marks) {
    const box = placeWords(mark, words, picture, taken);
    expect(isWithin(box)).toBe(true);
    expect(taken.filter((other) => isOver(box, other))).toEqual([]);
    taken.push(box);
  }
});

test("a mark beyond the edge has its words within the picture", () => {
  expect(isWithin(placeWords({ x: 900, y: -50, radius: 8 }, words, picture, []))).toBe(true);
});

test("where everything is taken, words cover as little as they can", () => {
  const all = { left: 0, top: 0, right: 400, bottom: 240 };
  const twice = { left: 0, top: 0, right: 400, bottom: 120 };
  const box = placeWords({ x: 200, y: 100, radius: 8 }, words, picture, [all, twice]);
  expect([isWithin(box), isOver(box, twice)]).toEqual([true, false]);
});

test("a panel takes the corner where nothing is", () => {
  const taken = [{ left: 300, top: 0, right: 400, bottom: 60 }];
  expect(placePanel({ width: 200, height: 100 }, picture, taken).left).toBeLessThan(10);
  expect(placePanel({ width: 200, height: 100 }, picture, []).right).toBeGreaterThan(390);
});
