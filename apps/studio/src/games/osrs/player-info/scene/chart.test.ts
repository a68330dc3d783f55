import { expect, test } from "vitest";
import { barsOf, scaleTop, tickAt, totalBits } from "./chart.ts";

const bits = { pass1: 1, pass2: 2, pass3: 3, pass4: 4, masks: 5, alignment: 6 };
const ticks = Array.from({ length: 120 }, (_, at) => ({ number: at + 1, bits }));

test("the newest packet is on the right, and as many before it as fit", () => {
  const bars = barsOf(ticks, 70);
  expect(bars.map(({ tick }) => tick.number)).toEqual([111, 112, 113, 114, 115, 116, 117, 118, 119, 120]);
  const few = barsOf(ticks.slice(0, 2), 70);
  expect(few.map(({ x }) => x)).toEqual([56, 63]);
});

test("a horizontal position belongs to a packet or to none", () => {
  expect(tickAt(ticks, 70, 69)?.number).toBe(120);
  expect(tickAt(ticks, 70, 0)?.number).toBe(111);
  expect(tickAt(ticks.slice(0, 2), 70, 30)).toBeUndefined();
  expect(tickAt([], 70, 30)).toBeUndefined();
});

test("a packet's bits are those of its parts", () => {
  expect(totalBits(bits)).toBe(21);
});

test.each([
  [0, 8],
  [8, 8],
  [9, 10],
  [101, 150],
  [200, 200],
  [4_999, 5_000],
  [2_600, 3_000],
  [320_000, 400_000],
])("for %i bits the scale goes to %i", (largest, top) => {
  expect(scaleTop(largest)).toBe(top);
});
