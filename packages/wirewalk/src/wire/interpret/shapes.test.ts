/** Values of one shape, bytes that are kept, looking ahead, defaults, shared flags and blocks with a head of literals. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  array,
  byteRun,
  concat,
  constant,
  decode,
  encode,
  encodeLz4Block,
  fixedBytes,
  flags,
  formatHex,
  fromJson,
  i16le,
  layoutOf,
  limited,
  lz4Block,
  oneOf,
  parseHex,
  peek,
  prefixedString,
  restBytes,
  struct,
  tagged,
  toJson,
  traceLayout,
  u8,
  u16le,
  withDefault,
} from "../index.ts";
import { wireErrorOf } from "../testing/check-layout.ts";
import { withDefaults } from "../testing/interpret.ts";

const place = { x: i16le, y: i16le };
const step = tagged(
  "type",
  u8,
  [
    { tags: [0, 5], layout: struct({ kind: constant("absolute", { optional: true }), ...place, state: u8 }) },
    {
      tags: [1],
      layout: struct({
        kind: constant("relative", { optional: true }),
        state: u8,
      }),
    },
    {
      tags: [10],
      layout: struct({ kind: constant("equipment", { optional: true }), side: oneOf(u8, { left: 1, right: 2 }) }),
    },
  ],
  { members: { kind: "absolute", x: 0, y: 0, unknown: 0, state: 0, side: "left" } },
);

describe("a variant with members", () => {
  it("has the tag, then all members in their order, with the values of its case put in", () => {
    const value = decode(step, parseHex("05 01 00 02 00 03"));
    const expected = { type: 5, kind: "absolute", x: 1, y: 2, unknown: 0, state: 3, side: "left" };
    expect(value).toEqual(expected);
    expect(Object.keys(value)).toEqual(Object.keys(expected));
    expect(decode(step, parseHex("0A 02"))).toEqual({
      ...expected,
      type: 10,
      kind: "equipment",
      x: 0,
      y: 0,
      state: 0,
      side: "right",
    });
    expect(Object.keys(decode(step, parseHex("0A 02")))).toEqual(Object.keys(expected));
    expect(decode(step, parseHex("01 09"))).toMatchObject({ type: 1, kind: "relative", x: 0, state: 9 });
  });

  it("has them from JSON too; JSON and bytes have those of the case alone", () => {
    const json = { type: 10, kind: "equipment", side: "right" };
    const value = fromJson(step, json);
    expect(value).toEqual(decode(step, parseHex("0A 02")));
    expect(Object.keys(value)).toEqual(Object.keys(decode(step, parseHex("0A 02"))));
    expect(toJson(step, value)).toEqual(json);
    expect(formatHex(encode(step, value))).toBe("0a 02");
    expect(wireErrorOf(() => fromJson(step, { ...json, x: 0 }))).toMatchObject({ code: "bad-value", path: "x" });
  });

  it("writes a value that has only the fields of its case", () => {
    expect(formatHex(encode(step, { type: 10, side: "left" } as never))).toBe("0a 01");
    expect(() => encode(step, { type: 10, kind: "absolute", side: "left" } as never)).toThrow(
      "Cannot write kind: value must be equipment, got absolute",
    );
  });
});

const relay = struct(
  { id: u16le, start: struct(place), steps: array(step, { count: u8, limit: 9 }), end: u8 },
  { kept: { name: "pathBytes", from: "start", to: "steps" } },
);
const relayed = parseHex("07 00 01 00 02 00 02 0A 01 01 05 63");

describe("bytes of fields that are kept", () => {
  const value = { id: 7, pathBytes: parseHex("01 00 02 00 02 0A 01 01 05"), end: 0x63 };

  it("are written in place of these fields", () => {
    expect(encode(relay, value as never)).toEqual(relayed);
    expect(encode(relay, decode(relay, relayed))).toEqual(relayed);
    expect(() => encode(relay, { ...value, pathBytes: [1] } as never)).toThrow(
      new TypeError("Cannot write pathBytes: value must be a Uint8Array, got object"),
    );
  });

  it("are no part of what is read", () => {
    expect(Object.keys(decode(relay, relayed))).toEqual(["id", "start", "steps", "end"]);
  });

  it("are in JSON as the fields that they hold", () => {
    expect(toJson(relay, value as never)).toEqual(toJson(relay, decode(relay, relayed)));
    expect(toJson(struct({ list: array(relay, { count: u8, limit: 2 }) }), { list: [value as never] })).toEqual({
      list: [toJson(relay, decode(relay, relayed))],
    });
    expect(() => toJson(relay, { ...value, pathBytes: parseHex("01") } as never)).toThrow("Cannot read start.y");
    expect(
      wireErrorOf(() => fromJson(relay, { ...(toJson(relay, value as never) as object), pathBytes: "00" }))?.path,
    ).toBe("pathBytes");
  });

  it("may begin before the first of these fields", () => {
    const layout = struct(
      { head: fixedBytes(5), steps: array(u8, { count: u8, limit: 9 }), end: u8 },
      { kept: { name: "pathBytes", from: "steps", to: "steps", before: 4 } },
    );
    const written = encode(layout, {
      head: parseHex("09 FF FF FF FF"),
      pathBytes: parseHex("01 02 03 04 01 07"),
      end: 8,
    } as never);
    expect(formatHex(written)).toBe("09 01 02 03 04 01 07 08");
  });
});

describe("bytes ahead", () => {
  const ahead = peek([
    { when: { next: { mask: 0xf0, value: 0x80 }, atMost: 3 }, layout: struct({ id: u8, x: u16le }) },
    { when: { atMost: 2 }, layout: struct({ id: u8, x: u8 }) },
    { layout: struct({ id: u16le, x: u16le }) },
  ]);

  it("select the first case whose test holds", () => {
    expect(decode(ahead, parseHex("85 01 02"))).toEqual({ id: 0x85, x: 0x201 });
    expect(decode(ahead, parseHex("75 01"))).toEqual({ id: 0x75, x: 1 });
    expect(decode(ahead, parseHex("85 01 02 00"))).toEqual({ id: 0x185, x: 2 });
    expect(wireErrorOf(() => decode(ahead, parseHex("75 01 02")))).toMatchObject({ code: "truncated", path: "x" });
    expect(wireErrorOf(() => decode(ahead, new Uint8Array()))).toMatchObject({ code: "truncated", path: "id" });
    expect(traceLayout(ahead, parseHex("85 01 02")).fields.map(({ path, bitLength }) => [path, bitLength])).toEqual([
      ["id", 8],
      ["x", 16],
    ]);
  });

  it("are written by the first case", () => {
    expect(formatHex(encode(ahead, { id: 1, x: 2 }))).toBe("01 02 00");
    expect(fromJson(ahead, { id: 1, x: 2 })).toEqual({ id: 1, x: 2 });
    expect(() => encode(ahead, { id: 256, x: 2 })).toThrow("Cannot write id: u8 must be an integer in 0..255, got 256");
  });
});

describe("a field with a default", () => {
  const packet = limited(
    struct({
      average: u8,
      side: withDefault(oneOf(u8, { left: 1, right: 2 }), "right"),
      name: withDefault(prefixedString({ count: u8, limit: 9 }), ""),
      cut: withDefault(restBytes({ limit: 9 }), ""),
    }),
    { bytes: 9, name: "payload" },
  );

  it("may be left out of JSON, and of nothing else", () => {
    for (const json of [{ average: 1 }, { average: 1, cut: "0a" }, { average: 1, side: "left", name: "a" }]) {
      const whole = withDefaults(packet.node, json);
      expect(fromJson(packet, json)).toEqual(fromJson(packet, whole));
      expect(toJson(packet, fromJson(packet, json))).toEqual(whole);
    }
    expect(fromJson(packet, { average: 1 })).toEqual({ average: 1, side: "right", name: "", cut: new Uint8Array() });
    expect(wireErrorOf(() => fromJson(packet, {}))?.path).toBe("average");
    expect(() => encode(packet, { average: 1 } as never)).toThrow("Cannot write side");
  });

  it("is in the description, in the form of JSON", () => {
    expect(packet.node).toMatchObject({ of: { fields: [{}, { default: "right" }, { default: "" }, { default: "" }] } });
    expect(layoutOf(packet.node).node).toEqual(packet.node);
  });
});

describe("flags that are shared", () => {
  const keys = flags(u8, { jump: 0, crawl: 1, aim: 7 }, { shared: true });

  it("are one frozen object for the same bits", () => {
    const value = decode(keys, Uint8Array.of(0x81));
    expect(value).toEqual({ jump: true, crawl: false, aim: true });
    expect(Object.isFrozen(value)).toBe(true);
    expect(decode(keys, Uint8Array.of(0x81))).toBe(value);
    expect(fromJson(keys, { jump: true, crawl: false, aim: true })).toBe(value);
    expect(decode(flags(u8, { jump: 0 }), Uint8Array.of(1))).not.toBe(decode(flags(u8, { jump: 0 }), Uint8Array.of(1)));
  });
});

describe("a block whose first bytes are literals", () => {
  const body = concat(struct({ tick: u16le }), struct({ rest: byteRun({ rest: 500 }) }));
  const block = lz4Block(body, { limit: 502, literals: 2 });

  it("has the rest as it is compressed alone, with them before it", () => {
    const rest = new Uint8Array(100).fill(7);
    const alone = encodeLz4Block(rest);
    const [first, second] = [1, 2].map((tick) => encode(block, { tick, rest })) as [Uint8Array, Uint8Array];
    expect(formatHex(first).replace("01 00", "02 00")).toBe(formatHex(second));
    expect(formatHex(first.subarray(3))).toBe(formatHex(alone.subarray(1)));
    expect(decode(block, first)).toEqual({ tick: 1, rest });
  });

  it("is a block, however many literals the rest begins with", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat({ max: 90 }), (start, repeats) => {
        const rest = Uint8Array.from([...start, ...new Uint8Array(repeats).fill(7)]);
        const value = { tick: 513, rest };
        expect(decode(block, encode(block, value))).toEqual(value);
      }),
    );
  });
});
