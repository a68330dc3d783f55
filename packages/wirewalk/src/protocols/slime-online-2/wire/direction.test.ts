import { expect, test } from "vitest";
import { directionRow, directions } from "./direction.ts";

test("the thirteen codes are the document's", () => {
  expect(directions.map((row) => `${row.code} ${row.name} ${row.position}`)).toEqual([
    "1 leftPress xy",
    "2 rightPress xy",
    "3 upPress x",
    "4 downPress none",
    "5 leftRelease xy",
    "6 rightRelease xy",
    "7 upRelease none",
    "8 downRelease none",
    "9 landing xy",
    "10 leftPressAir none",
    "11 rightPressAir none",
    "12 leftReleaseAir none",
    "13 rightReleaseAir none",
  ]);
});

test("code and name name the same row", () => {
  for (const row of directions) {
    expect(directions[row.code - 1]).toBe(row);
    expect(directionRow(row.name)).toBe(row);
  }
});

test("1, 2, 3, 5, 6 are ground codes and 10..13 air codes", () => {
  const codes = (where: string) => directions.filter((row) => row.where === where).map((row) => row.code);
  expect(codes("ground")).toEqual([1, 2, 3, 5, 6]);
  expect(codes("air")).toEqual([10, 11, 12, 13]);
  expect(codes("any")).toEqual([4, 7, 8, 9]);
});
