import { describe, expect, expectTypeOf, test } from "vitest";
import { withoutStackTraces } from "../../testing/inner-loops.ts";
import {
  array,
  ByteReader,
  bits,
  boolean,
  cstring,
  decode,
  encode,
  f32be,
  f32le,
  fixedBytes,
  flags,
  formatHex,
  fromJson,
  type Infer,
  i8,
  i16le,
  integer,
  type JsonValue,
  type Layout,
  layoutOf,
  limited,
  literal,
  oneOf,
  parseHex,
  prefixedBytes,
  prefixedString,
  restBytes,
  sizeOf,
  struct,
  Tracer,
  toJson,
  traceInto,
  traceLayout,
  u8,
  u16be,
  u16le,
  u32be,
  u32le,
  u64le,
  uint,
  unused,
  variant,
  withMeaning,
} from "../index.ts";
import { wireErrorOf } from "../testing/check-layout.ts";

withoutStackTraces();

/** A message in the shape of the kinds of fields of each of the five standards, with values for it. */
const login = variant("result", oneOf(u8, { ok: 1, noAccount: 2, banned: 6 }), {
  ok: struct({ pid: u16be, motd: cstring({ limit: 20 }), tools: array(u8, { count: 3 }) }),
  noAccount: struct({}),
  banned: struct({}),
});

const path = struct({
  start: struct({ x: i16le, vx: f32le }),
  fragments: array(variant("kind", u8, { 0: struct({ x: i16le, state: u8 }), 10: struct({ data: u8 }) }), {
    count: u8,
    limit: 5,
  }),
  tail: prefixedBytes({ count: u16le, limit: 9 }),
});

const keys = flags(u8, { jump: 0, crawl: 1, horizontal: 2, sprint: 3, aim: 4 });

test("the highest flag of 32 bits is no sign", () => {
  const bits32 = flags(u32le, { lowest: 0, highest: 31 });
  expect(decode(bits32, parseHex("01 00 00 80"))).toEqual({ lowest: true, highest: true });
  expect(encode(bits32, { lowest: false, highest: true })).toEqual(parseHex("00 00 00 80"));
  expect(wireErrorOf(() => decode(bits32, parseHex("00 00 00 c0")))?.message).toContain("reserved bits 0x40000000");
});

test("all bytes that are left are taken, up to a limit", () => {
  const message = struct({ type: u8, opaque: restBytes({ limit: 4 }) });
  expect(wireErrorOf(() => decode(message, new Uint8Array(6)))?.toJSON()).toMatchObject({
    code: "limit",
    path: "opaque",
  });
  expect(() => encode(message, { type: 1, opaque: new Uint8Array(5) })).toThrow(RangeError);
});

describe("reading says what is wrong, where, and in which field", () => {
  test.each([
    ["truncated in a struct", path, "ff", "truncated", "Cannot read start.x: 2 bytes needed, 1 left at byte 0"],
    [
      "truncated in a list",
      path,
      "0000 00000000 02 0a01 00ff",
      "truncated",
      "Cannot read fragments[1].x: 2 bytes needed, 1 left at byte 10",
    ],
    [
      "an unknown tag",
      path,
      "0000 00000000 01 07",
      "unknown-variant",
      "Cannot read fragments[0].kind: 7 is none of 0, 10 at byte 7",
    ],
    [
      "a count over its limit",
      path,
      "0000 00000000 06",
      "limit",
      "Cannot read fragments.count: 6 is over its limit of 5 at byte 6",
    ],
    [
      "a length over its limit",
      path,
      "0000 00000000 00 0a00",
      "limit",
      "Cannot read tail.count: 10 is over its limit of 9 at byte 7",
    ],
    [
      "trailing bytes",
      path,
      "0000 00000000 00 0000 01",
      "trailing",
      "Cannot read end of message: 1 byte left at byte 9",
    ],
    ["a reserved bit", keys, "e1", "bad-value", "Cannot read value: reserved bits 0xe0 are set at byte 0"],
    ["an unnamed value", login, "03", "unknown-variant", "Cannot read result: 3 is none of 1, 2, 6 at byte 0"],
    ["another literal", literal(u16be, 8), "0009", "bad-value", "Cannot read value: 9 is not 8 at byte 0"],
    [
      "a negative count",
      array(u8, { count: i8, limit: 4 }),
      "ff",
      "bad-value",
      "Cannot read count: -1 is not a count at byte 0",
    ],
    [
      "a string without end",
      cstring({ limit: 9 }),
      "6162",
      "truncated",
      "Cannot read cstring: its final zero is missing, 2 left at byte 0",
    ],
    [
      "a string over its limit",
      login,
      `01 0001 ${"61".repeat(21)}`,
      "limit",
      "Cannot read motd: over its limit of 20 characters at byte 3",
    ],
  ] as const)("%s", (_, layout, hex, code, message) => {
    const error = wireErrorOf(() => decode(layout as Layout<unknown>, parseHex(hex)));
    expect(error?.message).toBe(message);
    expect(error?.code).toBe(code);
    expect(message.endsWith(`at byte ${(error?.bitOffset ?? -1) / 8}`)).toBe(true);
  });

  test("a count is a claim: a huge one costs nothing before its items are there", () => {
    const greedy = array(u8, { count: u32be, limit: 0xffff_ffff });
    expect(wireErrorOf(() => decode(greedy, parseHex("ffffffff 01")))?.path).toBe("[1]");
    const run = prefixedBytes({ count: u32be, limit: 0xffff_ffff });
    expect(wireErrorOf(() => decode(run, parseHex("ffffffff 01")))?.code).toBe("truncated");
  });
});

describe("writing names the field whose value does not fit", () => {
  const fragments = [{ kind: 10 as const, data: 1 }];
  const good = { start: { x: 1, vx: 0 }, fragments, tail: new Uint8Array(2) };

  test.each([
    [
      { ...good, start: { x: 40_000, vx: 0 } },
      RangeError,
      "Cannot write start.x: i16le must be an integer in -32768..32767, got 40000",
    ],
    [
      { ...good, fragments: [...fragments, { kind: 10, data: 300 }] },
      RangeError,
      "Cannot write fragments[1].data: u8 must be an integer in 0..255, got 300",
    ],
    [
      { ...good, fragments: [{ kind: 3 }] },
      RangeError,
      "Cannot write fragments[0].kind: value must be one of 0, 10, got 3",
    ],
    [
      { ...good, fragments: Array(6).fill(fragments[0]) },
      RangeError,
      "Cannot write fragments: value must have at most 5 items, got 6",
    ],
    [{ ...good, tail: new Uint8Array(10) }, RangeError, "Cannot write tail: value must have at most 9 bytes, got 10"],
    [{ ...good, tail: [1] }, TypeError, "Cannot write tail: value must be a Uint8Array, got object"],
    [{ ...good, start: { x: 1 } }, TypeError, "Cannot write start.vx: f32le must be a number, got undefined"],
    [{ ...good, start: undefined }, TypeError, "Cannot write start: value must be an object, got undefined"],
    [{ ...good, start: null }, TypeError, "Cannot write start: value must be an object, got null"],
    [{ ...good, fragments: undefined }, TypeError, "Cannot write fragments: value must be a list, got undefined"],
    [
      { ...good, fragments: { length: 1 } },
      TypeError,
      "Cannot write fragments: value must be a list, got [object Object]",
    ],
  ])("%#", (value, type, message) => {
    expect(() => encode(path, value as Infer<typeof path>)).toThrow(new type(message));
  });

  test("values of the small layouts", () => {
    expect(() => encode(keys, { jump: 1 } as never)).toThrow(TypeError);
    expect(() => encode(oneOf(u8, { a: 1 }), "b" as "a")).toThrow(new RangeError("value must be one of a, got b"));
    expect(() => encode(literal(u8, 8), 9 as 8)).toThrow(new RangeError("value must be 8, got 9"));
    expect(() => encode(fixedBytes(2), new Uint8Array(3))).toThrow(RangeError);
    expect(() => encode(array(u8, { count: 2 }), [1])).toThrow(new RangeError("value must have 2 items, got 1"));
    expect(() => encode(array(u8, { count: u8, limit: 999 }), Array(256).fill(0))).toThrow(
      new RangeError("Cannot write count: u8 must be an integer in 0..255, got 256"),
    );
  });
});

test("what was written stays, whatever is written after it, refused values too", () => {
  const outer = struct({ before: u8, inner: struct({ a: u8, b: u16be }) });
  const value = { before: 1, inner: { a: 2, b: 3 } };
  expect(() => encode(outer, { before: 1, inner: { a: 2, b: -1 } })).toThrow("Cannot write inner.b: u16be");
  const first = encode(outer, value);
  expect(formatHex(first)).toBe("01 02 00 03");
  encode(outer, { before: 9, inner: { a: 9, b: 9 } });
  expect(formatHex(first)).toBe("01 02 00 03");
});

describe("a declaration that cannot work is refused when it is made", () => {
  test("bits out of range or twice", () => {
    expect(() => flags(u8, { a: 32 })).toThrow(RangeError);
    expect(() => flags(u8, { a: 1, b: 1 })).toThrow(RangeError);
  });
  test("two names for one number", () => {
    expect(() => oneOf(u8, { a: 1, b: 1 })).toThrow(RangeError);
  });
  test("names that JavaScript would reorder", () => {
    expect(() => struct({ b: u8, 1: u8 })).toThrow(TypeError);
  });
});

describe("unused bits and limits", () => {
  const item = bits(struct({ level: uint(3), $unused: unused(5) }));
  const some = limited(struct({ items: array(item, { rest: 9 }) }), { bytes: 3, name: "payload" });

  test("unused bits are read over, traced, and written as 0", () => {
    expect(decode(item, Uint8Array.of(0b1011_1111))).toEqual({ level: 5 });
    expect(encode(item, { level: 5 })).toEqual(Uint8Array.of(0b1010_0000));
    expect(fromJson(item, toJson(item, { level: 5 }))).toEqual({ level: 5 });
    expect(traceLayout(item, Uint8Array.of(0b1011_1111)).fields.map(({ path, raw }) => [path, raw])).toEqual([
      ["level", 5],
      ["unused", 31],
    ]);
    expect(() => fromJson(item, { level: 5, unused: 0 })).toThrow("no such field");
    expect(() => struct({ unused: unused(5) })).toThrow(TypeError);
    expect(() => unused(0)).toThrow(RangeError);
  });

  test("more bytes than the limit are refused by its name, in every direction", () => {
    expect(sizeOf(some.node)).toEqual({ least: 0, most: 24 });
    const value = { items: [1, 2, 3, 4].map((level) => ({ level })) };
    expect(wireErrorOf(() => decode(some, new Uint8Array(4)))).toMatchObject({
      code: "limit",
      path: "payload",
      message: "Cannot read payload: 4 bytes are over its limit of 3",
    });
    expect(traceLayout(some, new Uint8Array(4))).toMatchObject({ fields: [], error: { code: "limit" } });
    expect(() => encode(some, value)).toThrow("Cannot write payload: 4 bytes are over its limit of 3");
    expect(wireErrorOf(() => fromJson(some, value))).toMatchObject({ code: "limit", path: "payload" });
    const short = { items: value.items.slice(0, 3) };
    expect(decode(some, encode(some, short))).toEqual(short);
    expect(fromJson(some, toJson(some, short))).toEqual(short);
    expect(layoutOf(some.node).node).toEqual(some.node);
  });
});

test.each<[string, Layout<unknown>, JsonValue, JsonValue]>([
  ["a number", u16be, 7, "no"],
  ["64 bits", u64le, "7", 7],
  ["a float", f32be, 0.5, "no"],
  ["a name", oneOf(u8, { left: 1 }), "left", 7],
  ["true or false", boolean(u8), true, "no"],
  ["a text", cstring({ limit: 9 }), "hi", 7],
  ["a text with a count", prefixedString({ count: u8, limit: 9 }), "hi", 7],
  ["bytes", prefixedBytes({ count: u8, limit: 9 }), "0a", 7],
  ["a list", array(u8, { count: u8, limit: 9 }), [1], "no"],
  ["an object", struct({ y: u8 }), { y: 1 }, "no"],
  ["flags", flags(u8, { a: 0 }), { a: true }, "no"],
  ["a variant", login, { result: "banned" }, "no"],
])("JSON: %s is needed, is of its kind, and has nothing beside it", (_, layout, right, wrong) => {
  const message = struct({ x: layout });
  const refused = (json: JsonValue): unknown => wireErrorOf(() => fromJson(message, json))?.toJSON();
  expect(refused({ x: right })).toBeUndefined();
  for (const json of [{}, { x: wrong }, { x: null }]) {
    expect(refused(json)).toMatchObject({ code: "bad-value", path: expect.stringMatching(/^x/) });
  }
  expect(refused({ x: right, extra: 1 })).toMatchObject({ code: "bad-value", path: "extra" });
});

test("JSON of flags has all of them, each true or false, and no other", () => {
  const layout = flags(u8, { a: 0, b: 1 });
  for (const [json, path] of [
    [{ a: true }, "b"],
    [{ a: true, b: 1 }, "b"],
    [{ a: true, b: false, c: true }, "c"],
  ] as const) {
    expect(wireErrorOf(() => fromJson(layout, json))).toMatchObject({ code: "bad-value", path });
  }
});

describe("a trace", () => {
  test("tells every field with its path, place, raw value and meaning", () => {
    const bytes = parseHex("01 0005 6869e900 010203");
    expect(traceLayout(login, bytes)).toEqual({
      value: { result: "ok", pid: 5, motd: "hi\xe9", tools: [1, 2, 3] },
      fields: [
        { path: "result", bitOffset: 0, bitLength: 8, raw: 1, shown: "ok" },
        { path: "pid", bitOffset: 8, bitLength: 16, raw: 5, shown: "5" },
        { path: "motd", bitOffset: 24, bitLength: 32, raw: "6869e900", shown: '"hi\xe9"' },
        { path: "tools[0]", bitOffset: 56, bitLength: 8, raw: 1, shown: "1" },
        { path: "tools[1]", bitOffset: 64, bitLength: 8, raw: 2, shown: "2" },
        { path: "tools[2]", bitOffset: 72, bitLength: 8, raw: 3, shown: "3" },
      ],
    });
  });

  test("keeps the fields before a failure, and says the failure", () => {
    const { fields, error, ...rest } = traceLayout(path, parseHex("0100 0000803f 02 0a01 0a"));
    expect(rest).toEqual({});
    expect(fields.map((field) => `${field.path}=${field.shown}`)).toEqual([
      "start.x=1",
      "start.vx=1",
      "fragments.count=2",
      "fragments[0].kind=10",
      "fragments[0].data=1",
      "fragments[1].kind=10",
    ]);
    expect(error?.path).toBe("fragments[1].data");
  });

  test("shows flags by name, floats short, runs cut, and numbers in words", () => {
    const turn = withMeaning(u8, { words: [{ text: "{} deg", factor: 360 / 256 }] });
    const message = struct({
      keys,
      none: keys,
      speed: f32be,
      back: f32be,
      turn,
      run: fixedBytes(20),
      name: prefixedString({ count: u8, limit: 9 }),
    });
    const bytes = parseHex(`05 00 3e28f5c3 80000000 40 ${"ab".repeat(20)} 02 6122`);
    expect(traceLayout(message, bytes).fields.map((field) => field.shown)).toEqual([
      "jump, horizontal",
      "none",
      "0.165",
      "-0",
      "90 deg",
      `${formatHex(new Uint8Array(16).fill(0xab))} ...`,
      "2",
      '"a\\""',
    ]);
  });
});

test("an error of the program is no refusal of the bytes, and no end of a tolerant list", () => {
  class BrokenTracer extends Tracer {
    override field(): void {
      throw new Error("bug");
    }
  }
  const list = array(u8, { rest: 3, tolerant: true });
  expect(() => traceInto(list, new ByteReader(new Uint8Array(1)), new BrokenTracer(), "")).toThrow("bug");
});

test("the types are the plain objects one would write", () => {
  expectTypeOf<Infer<typeof login>>().toEqualTypeOf<
    { result: "ok"; pid: number; motd: string; tools: number[] } | { result: "noAccount" } | { result: "banned" }
  >();
  expectTypeOf<Infer<typeof path>["fragments"][number]>().toEqualTypeOf<
    { kind: 0; x: number; state: number } | { kind: 10; data: number }
  >();
  expectTypeOf<Infer<typeof keys>>().toEqualTypeOf<
    Record<"jump" | "crawl" | "horizontal" | "sprint" | "aim", boolean>
  >();
  const direction = oneOf(u8, { left: 1, right: 2 });
  expectTypeOf<Infer<typeof direction>>().toEqualTypeOf<"left" | "right">();
  const eight = literal(u16be, 8);
  expectTypeOf<Infer<typeof eight>>().toEqualTypeOf<8>();
});

test("a number of three bytes has the order of its description, and a limit lies within its bits", () => {
  const low = integer({ bits: 24, signed: true, order: "le" });
  expect(decode(low, parseHex("fe ff ff"))).toBe(-2);
  expect(encode(low, -2)).toEqual(parseHex("fe ff ff"));
  expect(decode(integer({ bits: 24, order: "le" }), parseHex("01 02 03"))).toBe(0x03_02_01);
  expect(decode(integer({ bits: 24 }), parseHex("01 02 03"))).toBe(0x01_02_03);
  expect(() => integer({ bits: 4, min: -1, max: 3 })).toThrow("u4 holds 0..15, so min and max must not be -1 and 3");
  expect(() => integer({ bits: 8, divisor: 2, max: 128 })).toThrow("u8 holds 0..127.5");
});

test("a text without its zero is refused where it begins, within bits too", () => {
  const text = struct({ flag: uint(1), text: cstring({ limit: 9 }) });
  expect(wireErrorOf(() => decode(bits(text), parseHex("30 b0 80 ff")))).toMatchObject({
    code: "truncated",
    message: "Cannot read text: its final zero is missing, 3 left at byte 0 bit 1",
    bitOffset: 1,
  });
});
