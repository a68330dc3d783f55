import { expect, it } from "vitest";
import { createRandom } from "../../motion/index.ts";
import { angleOf, expOf, logOf, sineOf } from "./exact-math.ts";

it("gives the angles of Math.atan2 to within some units in the last place", () => {
  const random = createRandom(7);
  for (let count = 0; count < 20_000; count += 1) {
    const [x, y] = [(random.next() - 0.5) * 2_000, (random.next() - 0.5) * 2_000];
    const [dx, dy] = count % 2 === 0 ? [x, y] : [Math.round(x / 100), Math.round(y / 100)];
    expect(Math.abs(angleOf(dy, dx) - Math.atan2(dy + 0, dx + 0))).toBeLessThanOrEqual(8 * Number.EPSILON);
  }
});

it.each([
  [0, 0, 0],
  [0, 5, 0],
  [0, -5, Math.PI],
  [5, 0, Math.PI / 2],
  [-5, 0, -Math.PI / 2],
  [-0, -1, Math.PI],
])("angle of (%d, %d)", (y, x, angle) => {
  expect(angleOf(y, x)).toBe(angle);
});

it("gives sines to within some units in the last place", () => {
  for (let step = -1_000; step <= 1_000; step += 1) {
    const angle = (2 * Math.PI * step) / 1_000;
    expect(Math.abs(sineOf(angle) - Math.sin(angle))).toBeLessThanOrEqual(4 * Number.EPSILON);
  }
});

it("gives these bits in every engine", () => {
  const bits = (value: number): string => new BigUint64Array(Float64Array.of(value).buffer)[0]?.toString(16) ?? "";
  expect([angleOf(3, 4), angleOf(-7, 2), angleOf(1, -9), sineOf(1), sineOf(-4), sineOf(6)].map(bits)).toEqual([
    "3fe4978fa3269ee1",
    "bff4ae10fc6589a4",
    "40083f5b13741c77",
    "3feaed548f090cee",
    "3fe837b9dddc1eaf",
    "bfd1e1f18ab0a2bc",
  ]);
});

it("gives logarithms and powers of e to within some units in the last place", () => {
  const random = createRandom(9);
  for (let count = 0; count < 5_000; count += 1) {
    const power = 60 * (random.next() - 0.5);
    expect(Math.abs(expOf(power) / Math.exp(power) - 1)).toBeLessThanOrEqual(32 * Number.EPSILON);
    const value = Math.exp(power);
    expect(Math.abs(logOf(value) - Math.log(value))).toBeLessThanOrEqual(8 * Number.EPSILON * (1 + Math.abs(power)));
  }
});

it.each([
  [1, 0],
  [0, Number.NEGATIVE_INFINITY],
  [-1, Number.NaN],
  [Number.NaN, Number.NaN],
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
])("logarithm of %d", (value, log) => {
  expect(logOf(value)).toBe(log);
});

it.each([
  [0, 1],
  [1000, Number.POSITIVE_INFINITY],
  [-1000, 0],
  [Number.NaN, Number.NaN],
])("e to the power of %d", (power, value) => {
  expect(expOf(power)).toBe(value);
});
