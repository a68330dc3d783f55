import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { scaled } from "../../../testing/scale.ts";
import { array, decode, encode, parseHex, traceLayout, u8 } from "../../../wire/index.ts";
import { wireErrorOf } from "../../../wire/testing/check-layout.ts";
import { fragmentOf, typesOf } from "../testing/arbitraries.ts";
import { dialectRules, type MapleDialect, mapleDialects } from "./dialect.ts";
import { Fragment, type FragmentFields } from "./fragment.ts";
import { encodePath, MAX_FRAGMENTS, readFragments, sizeOfFragments, writeFragments } from "./fragment-io.ts";
import { FragmentRows } from "./fragment-rows.ts";
import type { FragmentTable } from "./fragment-table.ts";

const dialects = mapleDialects.map(({ name }) => name);

/** 0 for a type that the dialect does not have. */
const sizeOf = ({ types }: FragmentTable, type: number): number | undefined => types[type]?.size;

describe("the sizes of standard 4.2, 4.3, 4.7 and 4.8", () => {
  test.each<[MapleDialect, number, string, number]>([
    ...[0, 5, 17].map((type): [MapleDialect, number, string, number] => ["v62", type, "absolute", 14]),
    ["v62", 15, "fallDown", 16],
    ...[1, 2, 6, 12, 13, 16].map((type): [MapleDialect, number, string, number] => ["v62", type, "relative", 8]),
    ...[3, 4, 7, 8, 9, 11].map((type): [MapleDialect, number, string, number] => ["v62", type, "instant", 10]),
    ["v62", 14, "startFallDown", 10],
    ["v62", 10, "equipment", 2],
    ...[0, 5, 17].map((type): [MapleDialect, number, string, number] => ["v83", type, "absolute", 14]),
    ["v83", 15, "fallDown", 16],
    ...[1, 2, 6, 12, 13, 16, 18, 19, 20, 22].map((type): [MapleDialect, number, string, number] => {
      return ["v83", type, "relative", 8];
    }),
    ...[3, 4, 7, 8, 9, 11].map((type): [MapleDialect, number, string, number] => ["v83", type, "instant", 10]),
    ["v83", 14, "startFallDown", 10],
    ["v83", 10, "equipment", 2],
    ["v83", 21, "bare", 4],
    ...[0, 5, 14, 35, 36].map((type): [MapleDialect, number, string, number] => ["v95", type, "absolute", 18]),
    ["v95", 12, "fallDown", 20],
    ...[1, 2, 13, 16, 18, 31, 32, 33, 34].map((type): [MapleDialect, number, string, number] => {
      return ["v95", type, "relative", 8];
    }),
    ...[3, 4, 6, 7, 8, 10].map((type): [MapleDialect, number, string, number] => ["v95", type, "instant", 10]),
    ["v95", 11, "startFallDown", 10],
    ["v95", 17, "flyingBlock", 12],
    ["v95", 9, "equipment", 2],
    ...[15, 19, 20, 25, 30].map((type): [MapleDialect, number, string, number] => ["v95", type, "bare", 4]),
    ...[0, 5, 17].map((type): [MapleDialect, number, string, number] => ["documented", type, "absolute", 14]),
    ...[1, 2, 6, 12, 13, 16].map((type): [MapleDialect, number, string, number] => ["documented", type, "relative", 8]),
    // "Right sizes and wrong names": instants and 14 are ten bytes in both.
    ...[3, 4, 7, 8, 9, 14].map((type): [MapleDialect, number, string, number] => ["documented", type, "instant", 10]),
    ["documented", 10, "equipment", 2],
    ["documented", 11, "jumpDown", 16],
  ])("%s: type %i is %s and takes %i bytes", (dialect, type, kind, size) => {
    const { fragments } = dialectRules(dialect);
    expect(fragments.kindOf(type)).toBe(kind);
    expect(fragments.types[type]?.size).toBe(size);
    expect(encode(fragments.layout, made(fragments, { type }))).toHaveLength(size);
  });

  it("every other type is unknown", () => {
    for (const dialect of dialects) {
      const { fragments } = dialectRules(dialect);
      for (let type = { v62: 18, v83: 23, v95: 37, documented: 18 }[dialect]; type <= 255; type++)
        expect(sizeOf(fragments, type)).toBe(0);
    }
    expect(sizeOf(dialectRules("documented").fragments, 15)).toBe(0);
  });
});

describe.each(dialects)("fragments of %s", (dialect) => {
  const { fragments: table } = dialectRules(dialect);
  const list = array(table.layout, { count: u8, limit: MAX_FRAGMENTS });
  const lists = fc.array(fragmentOf(dialect), { maxLength: 12 });
  const rows = new FragmentRows();

  const read = (bytes: Uint8Array): Fragment[] => readFragments(bytes, 1, bytes[0] ?? 0, table);

  it("fragments, paths and rows are those of the definition", () => {
    fc.assert(
      fc.property(lists, (fragments) => {
        const bytes = encode(list, fragments);
        expect(sizeOfFragments(fragments, table)).toBe(bytes.length - 1);
        const written = new Uint8Array(bytes.length - 1);
        expect(writeFragments(written, 0, fragments, table)).toBe(bytes.length - 1);
        expect(written).toEqual(bytes.subarray(1));
        const velocity = dialect === "v95" ? [4, 0, 0xfb, 0xff] : [];
        const start = dialect === "v95" ? { x: -2, y: 3, vx: 4, vy: -5 } : { x: -2, y: 3 };
        expect(encodePath({ start, fragments }, table)).toEqual(Uint8Array.of(0xfe, 0xff, 3, 0, ...velocity, ...bytes));
        expect(read(bytes)).toEqual(fragments);
        expect(rows.read(bytes, 0, table)).toBe(bytes.length);
        expectRows(rows, fragments);
      }),
    );
  });

  it("and so they do on any bytes, in what they refuse and how", () => {
    const known = fc.constantFrom(...typesOf(dialect));
    const anything = fc
      .tuple(fc.integer({ min: 0, max: 4 }), known, fc.uint8Array({ maxLength: 48 }))
      .map(([count, type, rest]) => Uint8Array.of(count, type, ...rest));
    const damaged = fc.tuple(lists, fc.nat(), fc.nat({ max: 255 })).map(([fragments, at, byte]) => {
      const bytes = encode(list, fragments);
      if (byte < 128) return bytes.subarray(0, 1 + (at % bytes.length));
      bytes[at % bytes.length] = byte;
      return bytes;
    });
    fc.assert(
      fc.property(fc.oneof(anything, damaged), (bytes) => {
        const trace = traceLayout(list, bytes);
        const isTrailing = trace.error?.code === "trailing";
        const error = wireErrorOf(() => read(bytes));
        const rowError = wireErrorOf(() => rows.read(bytes, 0, table));
        if (trace.error === undefined || isTrailing) {
          expect(error).toBeUndefined();
          expect(rowError).toBeUndefined();
          expectRows(rows, read(bytes));
        } else {
          expect(error?.code).toBe(trace.error.code);
          expect(error?.path).toBe(trace.error.path);
          expect(error?.bitOffset).toBe(trace.error.bitOffset);
          expect(rowError?.toJSON()).toEqual(trace.error.within("fragments").toJSON());
        }
      }),
      { numRuns: scaled(500, 50) },
    );
  });

  it("an unknown type is refused and named", () => {
    const bytes = Uint8Array.of(2, dialect === "v95" ? 9 : 10, 7, 99, 0, 0);
    const error = wireErrorOf(() => read(bytes));
    expect(error).toMatchObject({ code: "unknown-variant", path: "[1].type", bitOffset: 24 });
    const known = { v62: "0 to 17", v83: "0 to 22", v95: "0 to 36", documented: "0 to 14, 16, 17" }[dialect];
    expect(error?.message).toBe(`Cannot read [1].type: 99 is none of ${known} at byte 3`);
    expect(wireErrorOf(() => rows.read(bytes, 0, table))?.path).toBe("fragments[1].type");
    expect(rows.count).toBe(1);
  });

  it("paths written one after the other share no byte", () => {
    const paths = fc.sample(lists, 50);
    const written = paths.map((fragments) => encodePath({ start: { x: 0, y: 0 }, fragments }, table));
    const countAt = table.startsMoving ? 8 : 4;
    written.forEach((bytes, index) => {
      expect(readFragments(bytes, countAt + 1, bytes[countAt] ?? 0, table)).toEqual(paths[index]);
    });
    expect(() => encodePath({ start: { x: 40_000, y: 0 }, fragments: [] }, table)).toThrow(RangeError);
    for (const fragments of [new Array(256).fill({ type: 10 }), {} as never]) {
      expect(() => encodePath({ start: { x: 0, y: 0 }, fragments }, table)).toThrow(RangeError);
    }
  });

  it("a value that does not fit is the writer's fault, by name", () => {
    const out = new Uint8Array(64);
    const type = dialect === "v95" ? 9 : 10;
    const ok = { type, data: 1 };
    const write = (fragment: { type: number; [field: string]: number | string }) => () =>
      writeFragments(out, 0, [ok, fragment as never], table);
    expect(write({ type, data: 256 })).toThrow(
      new RangeError("Cannot write [1].data: u8 must be an integer in 0..255, got 256"),
    );
    expect(write({ type })).toThrow(TypeError);
    expect(write({ type, data: 0.5 })).toThrow("[1].data");
    expect(write({ type: 1, vx: 40_000, vy: 0, state: 0, durationMs: 0 })).toThrow("[1].vx");
    expect(write({ type: 77 })).toThrow("[1].type");
    expect(write({ type: `${type}` as never, data: 1 })).toThrow("[1].type");
    expect(write({ type, kind: "absolute", data: 1 })).toThrow("[1].kind");
  });
});

it("a captured packet with a chair in it cannot be read as documented: its 11 has another size", () => {
  const chair = parseHex("01 0B 6C 00 35 00 0B 00 14 FE 01");
  expect(decode(array(dialectRules("v62").fragments.layout, { count: u8, limit: 9 }), chair)).toMatchObject([
    { type: 11, kind: "instant", x: 108, y: 53, foothold: 11, state: 20, durationMs: 510 },
  ]);
  const read = (): unknown => readFragments(chair, 1, 1, dialectRules("documented").fragments);
  expect(wireErrorOf(read)?.code).toBe("truncated");
});

it("states have names, and left is odd", () => {
  const names = (dialect: MapleDialect): string[] =>
    [2, 4, 6, 8, 10, 12, 14, 16, 18, 20].map((state) => dialectRules(dialect).fragments.stanceOf(state));
  expect(names("v62")).toEqual("walk stand jump alert prone swim ladder rope dead sit".split(" "));
  expect(names("documented").slice(0, 7)).toEqual("walk stand jump attack prone rope ladder".split(" "));
  expect(dialectRules("v62").fragments.stanceOf(5)).toBe("stand");
  expect(dialectRules("v62").fragments.stanceOf(200)).toBe("stance 100");
});

/** A fragment with 0 in all fields that are not given. */
function made(table: FragmentTable, fields: FragmentFields): Fragment {
  const offsets = table === dialectRules("v95").fragments ? { xOffset: 0, yOffset: 0 } : {};
  return Fragment.of(table.kindOf(fields.type) ?? "absolute", { ...offsets, ...fields });
}

function expectRows(rows: FragmentRows, fragments: readonly Fragment[]): void {
  expect(rows.count).toBe(fragments.length);
  fragments.forEach((fragment, row) => {
    const { type, x, y, vx, vy, foothold, fallStart, unknown, state, durationMs, data } = fragment;
    expect([rows.type(row), rows.x(row), rows.y(row), rows.vx(row), rows.vy(row)]).toEqual([type, x, y, vx, vy]);
    expect([rows.foothold(row) & 0xffff, rows.extra(row) & 0xffff]).toEqual([
      foothold & 0xffff,
      (fallStart | unknown | data) & 0xffff,
    ]);
    expect([rows.state(row), rows.durationMs(row)]).toEqual([state, durationMs]);
  });
}
