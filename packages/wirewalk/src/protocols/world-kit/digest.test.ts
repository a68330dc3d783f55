import { describe, expect, it } from "vitest";
import { createRandom } from "../../motion/random.ts";
import { digestOf } from "./digest.ts";

/** Values that are all different, many of them by little. */
const different: readonly unknown[] = [
  undefined,
  null,
  false,
  true,
  0,
  -0,
  1,
  -1,
  0.5,
  2 ** 31,
  2 ** 31 - 1,
  -(2 ** 31),
  2 ** 32,
  2 ** 53,
  Number.MIN_VALUE,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  0n,
  1n,
  -1n,
  2n ** 64n,
  -(2n ** 64n),
  "",
  "0",
  "1",
  "a",
  "a\0",
  "ab",
  "ba",
  "é",
  "\ud83d\ude00",
  "undefined",
  [],
  [[]],
  [[], []],
  [0],
  [-0],
  [undefined],
  [null],
  [1, 2],
  [2, 1],
  [1, [2]],
  [[1], 2],
  {},
  { a: undefined },
  { a: null },
  { a: 1 },
  { b: 1 },
  { a: 1, b: 2 },
  { a: 2, b: 1 },
  { a: { b: 1 } },
  { ab: 1 },
  new Map(),
  new Map([[1, 2]]),
  new Map([[2, 1]]),
  new Map([
    [1, 2],
    [3, 4],
  ]),
  new Map([
    [3, 4],
    [1, 2],
  ]),
  new Map([["a", 1]]),
  new Set(),
  new Set([1, 2]),
  new Set([2, 1]),
  new Set([[1, 2]]),
  Uint8Array.of(),
  Uint8Array.of(0),
  Uint8Array.of(0, 0),
  Uint8Array.of(1, 2, 3, 4, 5),
  Uint8Array.of(1, 2, 3, 4, 6),
  Int8Array.of(0),
  Uint8ClampedArray.of(0),
  Uint16Array.of(1, 2),
  Int16Array.of(1, 2),
  Uint32Array.of(0xffff_ffff),
  Int32Array.of(-1),
  Float32Array.of(0),
  Float32Array.of(-0),
  Float32Array.of(Number.NaN),
  Float64Array.of(0),
  Float64Array.of(0.1),
  BigInt64Array.of(-1n),
  BigInt64Array.of(1n),
  BigUint64Array.of(1n),
];

describe("digestOf", () => {
  it("tells all that is different", () => {
    expect(new Set(different.map(digestOf)).size).toBe(different.length);
    expect(new Set(different.map((value) => digestOf([value]))).size).toBe(different.length);
    expect(new Set(different.map((value) => digestOf({ state: value }))).size).toBe(different.length);
  });

  it("gives equal digests for equal data, copied or built in another order of names", () => {
    for (const value of different) expect(digestOf(structuredClone(value))).toBe(digestOf(value));
    expect(digestOf({ b: 2, a: { d: 4, c: 3 } })).toBe(digestOf({ a: { c: 3, d: 4 }, b: 2 }));
    expect(digestOf(Object.assign(Object.create(null), { a: 1 }))).toBe(digestOf({ a: 1 }));
  });

  it("counts an array's values, not the memory that they lie in", () => {
    const memory = Uint8Array.of(9, 1, 2, 3, 4, 5, 9);
    expect(digestOf(memory.subarray(1, 6))).toBe(digestOf(Uint8Array.of(1, 2, 3, 4, 5)));
    const halves = new Uint16Array([7, 1, 2]);
    expect(digestOf(halves.subarray(1))).toBe(digestOf(Uint16Array.of(1, 2)));
  });

  it("has one NaN", () => {
    const bits = new DataView(new ArrayBuffer(8));
    bits.setUint32(0, 0xfff8_1234);
    expect(digestOf(bits.getFloat64(0))).toBe(digestOf(Number.NaN));
  });

  // Digests are compared between machines and kept beside recordings: these may never change.
  it.each<[unknown, bigint]>([
    [undefined, 0xf00cd78e39d3ec4bn],
    ["", 0xf1bdf4dc64ef0b1fn],
    [-0, 0x3426c23e3d3e02abn],
    [0.1, 0x32ddac52ff279acfn],
    [2n ** 64n, 0x9ea160779b4f440fn],
    ["aé\ud83d\ude00", 0x64be937c84861d8an],
    [Uint8Array.of(1, 2, 3, 4, 5), 0xb21e69b8f3e5f08fn],
    [
      { schema: 1, world: "a/b", state: { players: new Map([[1, { x: 0.5, keys: [true, null] }]]) } },
      0x41f1d25df9a15639n,
    ],
  ])("of %s is the same on every machine", (value, digest) => {
    expect(digestOf(value)).toBe(digest);
  });

  it("changes about half of its bits when any one bit of the data changes", () => {
    const random = createRandom(1);
    const bytes = Uint8Array.from({ length: 64 }, () => random.integer(0, 255));
    const digest = digestOf(bytes);
    const counts = Array.from({ length: 512 }, (_, bit) => {
      const changed = bytes.slice();
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      return (digestOf(changed) ^ digest).toString(2).replaceAll("0", "").length;
    });
    expect(Math.min(...counts)).toBeGreaterThan(10);
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    expect(Math.abs(mean - 32)).toBeLessThan(1);
  });

  it("of many states that differ little never meets itself", () => {
    const digests = new Set<bigint>();
    for (let x = 0; x < 400; x++) for (let y = 0; y < 250; y++) digests.add(digestOf({ x, y, at: [x - y, x * 0.5] }));
    expect(digests.size).toBe(100_000);
  });

  it("refuses what is not plain and names the place", () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(() => digestOf({ state: { players: [{ move() {} }] } })).toThrow(
      new TypeError("Cannot digest .state.players[0].move: a function"),
    );
    expect(() => digestOf({ at: new Date(0) })).toThrow(new TypeError("Cannot digest .at: an instance of Date"));
    expect(() => digestOf(new Map([[1, Symbol("a")]]))).toThrow(new TypeError("Cannot digest <0>: a symbol"));
    expect(() => digestOf(() => 1)).toThrow(new TypeError("Cannot digest data: a function"));
    expect(() => digestOf(cycle)).toThrow(/^Cannot digest (\[0\])+: nested deeper than 64$/);
  });
});
