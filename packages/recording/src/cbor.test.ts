import { describe, expect, it } from "vitest";
import { WireError } from "wirewalk/wire";
import { decodeCbor } from "./cbor-reader.ts";
import { CborWriter, encodeCbor } from "./cbor-writer.ts";

/** Values with their bytes as RFC 8949 (appendix A) and RFC 8746 print them, or as they follow from there. */
const vectors: readonly (readonly [value: unknown, hex: string])[] = [
  [0, "00"],
  [23, "17"],
  [24, "1818"],
  [1000, "1903e8"],
  [1_000_000, "1a000f4240"],
  [1_000_000_000_000, "1b000000e8d4a51000"],
  [-1, "20"],
  [-1000, "3903e7"],
  [1.1, "fb3ff199999999999a"],
  [-0, "fb8000000000000000"],
  [Number.NaN, "fb7ff8000000000000"],
  [Number.POSITIVE_INFINITY, "fb7ff0000000000000"],
  [2 ** 53, "fb4340000000000000"],
  [18_446_744_073_709_551_616n, "c249010000000000000000"],
  [-18_446_744_073_709_551_617n, "c349010000000000000000"],
  [7n, "c24107"],
  [false, "f4"],
  [null, "f6"],
  [undefined, "f7"],
  ["IETF", "6449455446"],
  ["\u00fc", "62c3bc"],
  ["\ud800", "d90111" + "43eda080"],
  ["a\udc00\u00fc", "d90111" + "4661edb080c3bc"],
  ["", "60"],
  [Uint8Array.of(1, 2, 3, 4), "4401020304"],
  [[1, [2, 3]], "82018202" + "03"],
  [{ a: 1, b: [2, 3] }, "a26161016162820203"],
  [new Map([[1, 2]]), "d90103a10102"],
  [new Set([1, 2]), "d90102820102"],
  [Uint16Array.of(1, 0x203), "d8454401000302"],
  [Int8Array.of(-1), "d84841ff"],
  [Float64Array.of(1.5), "d85648000000000000f83f"],
  [BigInt64Array.of(-1n), "d84f48ffffffffffffffff"],
];

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

describe("plain data as CBOR", () => {
  it.each(vectors)("%o is written and read", (value, expected) => {
    expect(hex(encodeCbor(value))).toBe(expected);
    expect(decodeCbor(Buffer.from(expected, "hex"))).toStrictEqual(value);
  });

  it("is the same when it is written in steps", () => {
    const data = {
      all: vectors.map(([value]) => value),
      deep: { map: new Map([["a", { b: [{ c: [1, { d: 2 }] }] }]]) },
    };
    const writer = new CborWriter(4);
    let steps = 0;
    for (const _ of writer.steps(data)) steps += 1;
    expect(hex(writer.bytes)).toBe(hex(encodeCbor(data)));
    expect(steps).toBeGreaterThan(vectors.length);
  });

  it("keeps the name __proto__ a name", () => {
    const data = JSON.parse('{"__proto__": {"admin": true}}') as object;
    const read = decodeCbor(encodeCbor(data)) as object;
    expect(Object.keys(read)).toEqual(["__proto__"]);
    expect("admin" in read).toBe(false);
  });

  it("is refused at every cut, and with bytes after it", () => {
    const bytes = encodeCbor(vectors.map(([value]) => value));
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => decodeCbor(bytes.subarray(0, length))).toThrow(WireError);
    }
    expect(() => decodeCbor(Uint8Array.of(0, 0))).toThrow(
      new WireError("trailing", "Cannot read data: 1 bytes after it", 8),
    );
  });

  it.each([
    ["9b00000000ffffffff", "Cannot read data: 4294967295 items"],
    ["9f", "Cannot read data: additional information 31"],
    ["c600", "Cannot read data: tag 6"],
    ["d84543010203", "Cannot read data: 3 bytes of tag 69"],
    ["a10102", "Cannot read data: a key that is not a text"],
    ["62c328", "Cannot read data: a text that is not UTF-8"],
    ["d9011161" + "61", "Cannot read data: tag 273 without bytes"],
    ["d901114161", "Cannot read data: a text that is not WTF-8"],
    ["81".repeat(100), "Cannot read data: nested deeper than 64"],
  ])("%s is refused", (bytes, message) => {
    expect(() => decodeCbor(Buffer.from(bytes, "hex"))).toThrow(message);
  });

  it("refuses to write what is not plain", () => {
    expect(() => encodeCbor({ at: new Date() })).toThrow(new TypeError("Cannot write an instance of Date as CBOR"));
    expect(() => encodeCbor([() => 1])).toThrow(new TypeError("Cannot write a function as CBOR"));
  });
});
