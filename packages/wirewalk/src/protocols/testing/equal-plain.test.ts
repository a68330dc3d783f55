import { expect, it } from "vitest";
import { digestOf } from "../world-kit/index.ts";
import { equalPlain } from "./equal-plain.ts";

/** Each differs from all others. */
const values: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => 0,
  () => -0,
  () => Number.NaN,
  () => 1.5,
  () => 1n,
  () => "1",
  () => [],
  () => [1, [2]],
  () => [1, [3]],
  () => ({}),
  () => ({ a: undefined }),
  () => ({ a: 1, b: { c: [Number.NaN] } }),
  () => ({ a: 1, b: { c: [0] } }),
  () => ({ a: 1, d: { c: [0] } }),
  () => new Map(),
  () =>
    new Map([
      [1, "a"],
      [2, "b"],
    ]),
  () =>
    new Map([
      [2, "b"],
      [1, "a"],
    ]),
  () => new Set([1, 2]),
  () => new Set([2, 1]),
  () => Uint8Array.of(1, 2),
  () => Int8Array.of(1, 2),
  () => Float64Array.of(1, Number.NaN),
  () => BigInt64Array.of(1n),
];

it("says what digests say, of all pairs", () => {
  for (const [at, a] of values.entries()) {
    for (const [other, b] of values.entries()) {
      const isEqual = digestOf(a()) === digestOf(b());
      expect(isEqual).toBe(at === other);
      expect(equalPlain(a(), b()), `${at} and ${other}`).toBe(isEqual);
    }
  }
});

it("knows nothing of the order of an object's members", () => {
  expect(equalPlain({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
});

it("takes data that is not plain for equal to itself alone", () => {
  const call = (): void => {};
  expect([equalPlain(call, call), equalPlain(call, () => {}), equalPlain(new Date(0), new Date(0))]).toEqual([
    true,
    false,
    false,
  ]);
});
