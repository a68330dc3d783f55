import { describe, expect, it } from "vitest";
import {
  decode,
  describeNode,
  encode,
  formatHex,
  fromJson,
  integer,
  layoutOf,
  optional,
  parseHex,
  sizeOf,
  smart,
  struct,
  toJson,
  traceLayout,
  typeName,
  u8,
} from "../index.ts";
import { interpret } from "../testing/interpret.ts";

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
});
