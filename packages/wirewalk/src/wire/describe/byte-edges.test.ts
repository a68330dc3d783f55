import { describe, expect, it } from "vitest";
import {
  array,
  bits,
  cstring,
  decode,
  encode,
  fromJson,
  type Layout,
  prefix,
  prefixedBytes,
  prefixedString,
  struct,
  tagged,
  tilingFault,
  traceLayout,
  u8,
  u16be,
  uint,
  WireError,
} from "../index.ts";

const low = <T>(of: Layout<T>): Layout<T> => bits(of, { first: "lsb", padding: "any" });

describe("bits, least significant first", () => {
  it.each([
    ["a number over the edge", () => low(struct({ one: uint(6), two: uint(3) })), "two of 3 bits may begin at bit 6"],
    ["a number wider than a byte", () => low(struct({ wide: u16be })), "wide of 16 bits may begin at bit 0"],
    ["items over the edge", () => low(array(uint(3), { count: 3 })), "[] of 3 bits may begin at bit 6"],
    [
      "a list that may end anywhere",
      () => low(struct({ list: array(uint(1), { count: uint(4), limit: 9 }), next: uint(2) })),
      "next of 2 bits may begin at bit 7",
    ],
    [
      "a case of another length",
      () =>
        low(
          struct({
            some: tagged("tag", uint(1), [
              { tags: [0], layout: struct({}) },
              { tags: [1], layout: struct({ x: uint(7) }) },
            ]),
            y: u8,
          }),
        ),
      "y of 8 bits may begin at bit 1",
    ],
    [
      "a code over the edge",
      () => low(struct({ x: uint(7), code: prefix({ on: "1", off: "01" }) })),
      "code of 2 bits may begin at bit 7",
    ],
  ])("%s is refused where it is described", (_, describeIt, why) => {
    expect(describeIt).toThrow(TypeError);
    expect(describeIt).toThrow(why);
  });

  it("a code is written in the order in which it is read", () => {
    const layout = low(struct({ flag: uint(1), code: prefix({ on: "1", off: "00", other: "01" }) }));
    for (const code of ["on", "off", "other"] as const) {
      expect(decode(layout, encode(layout, { flag: 1, code }))).toEqual({ flag: 1, code });
    }
    // Bit 0 is the flag, bit 1 the code's first bit.
    expect([...encode(layout, { flag: 0, code: "other" })]).toEqual([0b100]);
  });

  it("a trace has a place for every field: texts, and lists that are one field elsewhere", () => {
    const bytes = Uint8Array.of(0x41, 0x42, 0, 3, 0b1011_0010, 1);
    const list = array(uint(4), { count: u8, limit: 9 }, { fold: "fours" });
    const { fields } = traceLayout(low(struct({ text: cstring({ limit: 9 }), list })), bytes);
    expect(tilingFault(fields, bytes.length)).toBeUndefined();
    expect(fields.map(({ path, bitOffset, bitLength }) => [path, bitOffset, bitLength])).toEqual([
      ["text", 0, 24],
      ["list.count", 24, 8],
      ["list[0]", 36, 4],
      ["list[1]", 32, 4],
      ["list[2]", 44, 4],
      ["padding", 40, 4],
    ]);
  });

  it("numbers that fill bytes are read as they were written", () => {
    const layout = low(struct({ list: array(uint(2), { count: u8, limit: 9 }) }));
    for (const list of [[], [1], [1, 2, 3, 0], [3, 3, 3, 3, 1]]) {
      expect(decode(layout, encode(layout, { list }))).toEqual({ list });
    }
    expect(() =>
      low(struct({ a: uint(3), b: array(uint(5), { count: 1 }), c: array(uint(4), { count: 201 }) })),
    ).not.toThrow();
  });
});

describe("a limit that is higher than a count can say", () => {
  const texts = [
    ["a list", array(u8, { count: u8, limit: 300 }), Array.from({ length: 300 }, () => 1), "items"],
    ["bytes", prefixedBytes({ count: u8, limit: 300 }), "00".repeat(300), "bytes"],
    ["a text", prefixedString({ count: u8, limit: 300 }), "a".repeat(300), "characters"],
  ] as const;

  it.each(texts)("is an error of the JSON, not of what writes it: %s", (_, layout, json, what) => {
    const parse = (): unknown => fromJson(layout as Layout<unknown>, json as never);
    expect(parse).toThrow(WireError);
    expect(parse).toThrow(`a number of ${what} that its count can hold, got 300`);
  });

  it("leaves what the count can say", () => {
    const layout = array(uint(1), { count: uint(4), limit: 20 });
    expect(
      fromJson(
        layout,
        Array.from({ length: 15 }, () => 1),
      ),
    ).toHaveLength(15);
    expect(() =>
      fromJson(
        layout,
        Array.from({ length: 16 }, () => 1),
      ),
    ).toThrow(WireError);
  });
});
