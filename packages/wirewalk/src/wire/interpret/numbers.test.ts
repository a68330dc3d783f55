import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  array,
  ByteReader,
  decode,
  describeNode,
  encode,
  formatHex,
  fromJson,
  i32be,
  integer,
  layoutOf,
  optional,
  parseHex,
  readLayout,
  sizeOf,
  smart,
  struct,
  toJson,
  traceLayout,
  typeName,
  u8,
  u16be,
  u16le,
} from "../index.ts";
import { interpret } from "../testing/interpret.ts";

it.each([
  ["u8", u8, { bits: 8, max: 1 }, "ff"],
  ["u16be", u16be, { bits: 16, max: 1 }, "ffff"],
  ["u16le", u16le, { bits: 16, order: "le", max: 1 }, "ffff"],
  ["i32be", i32be, { bits: 32, signed: true, min: 0 }, "ffffffff"],
] as const)("a range of one integer is not that of others: %s", (_, plain, ranged, hex) => {
  const layout = array(struct({ value: plain }), { rest: 2, tolerant: true });
  expect(() => readLayout(integer(ranged), new ByteReader(parseHex(hex)))).toThrow("is not in");
  // The plan is made at the first message, after the integer with a range. A tolerant list ends where its plan gives up.
  const [item] = readLayout(layout, new ByteReader(parseHex(hex)));
  expect(item?.value).toBe(interpret(plain.node, parseHex(hex), 0));
});

describe("four bytes half by half", () => {
  it.each([
    ["2301", "02 01 04 03"],
    ["1032", "03 04 01 02"],
  ] as const)("%s", (order, hex) => {
    for (const signed of [false, true]) {
      const layout = integer({ bits: 32, signed, order });
      expect(formatHex(encode(layout, 0x0102_0304))).toBe(hex);
      expect(decode(layout, parseHex(hex))).toBe(0x0102_0304);
      expect(layoutOf(layout.node).node).toEqual(layout.node);
      expect(traceLayout(layout, parseHex(hex)).fields[0]).toMatchObject({ bitLength: 32, shown: String(0x0102_0304) });
    }
    expect(typeName(integer({ bits: 32, order }).node)).toBe(`u32 ${order}`);
    expect(formatHex(encode(integer({ bits: 32, signed: true, order }), -2))).toBe(
      order === "2301" ? "ff ff fe ff" : "ff fe ff ff",
    );
    expect(() => integer({ bits: 16, order })).toThrow(`only 32 bits can have the order ${order}, got 16`);
    expect(() => encode(integer({ bits: 32, order }), -1)).toThrow("u32");
  });

  it("as the description alone says, with every transform of the low byte", () => {
    for (const order of ["2301", "1032"] as const) {
      for (const transform of [undefined, "+128", "neg", "sub"] as const) {
        const layout = integer({ bits: 32, signed: true, order, ...(transform === undefined ? {} : { transform }) });
        const check = (value: number): void => {
          const bytes = encode(layout, value);
          expect(decode(layout, bytes)).toBe(value);
          expect(interpret(layout.node, bytes, 0)).toBe(value);
        };
        fc.assert(fc.property(fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff }), check), { numRuns: 50 });
      }
    }
  });
});

describe("a smart number of two or four bytes", () => {
  const layout = smart({ wide: true });

  it.each([
    [0, "00 00"],
    [32_766, "7f fe"],
    [-1, "7f ff"],
    [32_767, "80 00 7f ff"],
    [0x7fff_ffff, "ff ff ff ff"],
  ])("%i", (value, hex) => {
    expect(formatHex(encode(layout, value))).toBe(hex);
    expect(decode(layout, parseHex(hex))).toBe(value);
    expect(interpret(layout.node, parseHex(hex), 0)).toBe(value);
    expect(fromJson(layout, toJson(layout, value))).toBe(value);
  });

  it("is described, and refuses what it cannot hold", () => {
    expect(sizeOf(layout.node)).toEqual({ least: 16, most: 32 });
    expect(typeName(layout.node)).toBe("wide smart");
    expect(layoutOf(layout.node).node).toEqual({ kind: "smart", wide: true });
    expect(layoutOf(smart({ wide: true, max: 9 }).node).node).toEqual({ kind: "smart", wide: true, max: 9 });
    for (const value of [-2, 2 ** 31, 1.5]) {
      expect(() => encode(layout, value)).toThrow(`smart must be an integer in -1..2147483647, got ${value}`);
      expect(() => fromJson(layout, value)).toThrow("smart must be an integer in -1..2147483647");
    }
    expect(() => decode(layout, parseHex("80 00 00"))).toThrow("4 bytes needed, 3 left");
  });
});

describe("a field that some bits of an earlier number announce", () => {
  const layout = struct({ flags: u8, x: optional(u8, { field: "flags", mask: 0x38, from: 8, to: 8 }) });

  it("is there by these bits alone", () => {
    expect(decode(layout, parseHex("4f 05"))).toEqual({ flags: 0x4f, x: 5 });
    expect(decode(layout, parseHex("18"))).toEqual({ flags: 0x18 });
    expect(interpret(layout.node, parseHex("4f 05"), 0)).toEqual({ flags: 0x4f, x: 5 });
    expect(interpret(layout.node, parseHex("18"), 0)).toEqual({ flags: 0x18 });
    expect(() => encode(layout, { flags: 0x18, x: 1 })).toThrow("Cannot write x: value must not be there");
    expect(() => fromJson(layout, { flags: 0x18, x: 1 })).toThrow(
      "Cannot read x: value must not be there: it is there only if flags & 0x38 is 8",
    );
    expect(describeNode(layout.node)[1]?.path).toBe("(flags & 0x38 is 8) x");
  });

  it("is refused where the number has parts of 1: they have no bits", () => {
    const half = integer({ bits: 16, divisor: 2 });
    expect(() => struct({ half, x: optional(u8, { field: "half", mask: 1, from: 1 }) })).toThrow("half has a divisor");
  });
});
