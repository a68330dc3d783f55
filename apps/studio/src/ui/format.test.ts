import { expect, test } from "vitest";
import { showAmount, showBytes, showCount, showJson } from "./format.ts";
import { showMeasure } from "./measure.ts";

test.each([
  [0, "0"],
  [999, "999"],
  [1_234, "1.2 k"],
  [34_400, "34 k"],
  [2_500_000, "2.5 M"],
])("%i is counted as %s", (value, text) => {
  expect(showCount(value)).toBe(text);
});

test("bytes carry their unit", () => {
  expect([showBytes(12), showBytes(1_234)]).toEqual(["12 B", "1.2 kB"]);
});

test("a measure without a number is a dash, without a unit a number", () => {
  expect([showMeasure(null, "px"), showMeasure(1234.56, null), showMeasure(61, "messages/s")]).toEqual([
    "–",
    "1,235",
    "61 messages a second",
  ]);
});

test("a share keeps the two digits that count", () => {
  expect([0.3537, 0.00621, 0, 1, 12.06].map((value) => showMeasure(value, null))).toEqual([
    "0.35",
    "0.0062",
    "0",
    "1",
    "12.1",
  ]);
});

test("one is not many", () => {
  expect([showAmount(0, "player"), showAmount(1, "player"), showAmount(2, "player")]).toEqual([
    "0 players",
    "1 player",
    "2 players",
  ]);
});

test("values of a state are short", () => {
  expect([showJson(-4.285500049591), showJson(true), showJson("x"), showJson(null)]).toEqual([
    "-4.286",
    "true",
    "x",
    "null",
  ]);
});
