import { describe, expect, it } from "vitest";
import { editDistance, nearest } from "./nearest.ts";

describe("editDistance", () => {
  it.each([
    ["", "", 0],
    ["", "abc", 3],
    ["decode", "decode", 0],
    ["decod", "decode", 1],
    ["dcode", "decode", 1],
    ["kitten", "sitting", 3],
  ])("from %j to %j is %d", (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });
});

it.each<[string, string | undefined]>([
  ["lenght", "length"],
  ["Lim", "limit"],
  ["zzzzzz", undefined],
  ["", undefined],
])("the nearest name to %j is %j", (word, meant) => {
  expect(nearest(word, ["length", "limit"])).toBe(meant);
});
