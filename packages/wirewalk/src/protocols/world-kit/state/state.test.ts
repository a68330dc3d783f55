import { readFileSync } from "node:fs";
import { describe, expect, expectTypeOf, it, test } from "vitest";
import { boolean, constant, f32be, i16be, integer, type Layout, smart, u8, u64le } from "../../../wire/index.ts";
import { findExamples, runExample } from "../../../wire/testing/run-examples.ts";
import * as worldKit from "../index.ts";
import { findUnplain } from "../plain-data.ts";
import { checkState } from "./check.ts";
import { copyState } from "./copy.ts";
import {
  bytes,
  choice,
  flag,
  list,
  mapOf,
  maybe,
  number,
  optionalMember,
  type Part,
  plainData,
  type StateOf,
  state,
  text,
  tuple,
  typedArray,
} from "./describe.ts";

const place = state({ x: number, y: number });
const described = state({
  id: u8,
  height: i16be,
  name: text,
  alive: flag,
  facing: choice(1, -1),
  stance: choice("stand", "walk"),
  key: u64le,
  start: maybe(place),
  room: optionalMember(text),
  moves: list(place),
  pairs: list(tuple(text, list(number))),
  times: mapOf(u64le, place),
  packet: bytes,
  rows: typedArray("Float64Array"),
  set: typedArray("Int32Array", 2),
  evidence: plainData<{ readonly why: string }>(),
});
type Described = StateOf<typeof described>;

const data = (): Described => ({
  id: 7,
  height: -3,
  name: "ann",
  alive: true,
  facing: -1,
  stance: "walk",
  key: 5n,
  start: undefined,
  moves: [{ x: 1, y: -0 }],
  pairs: [["lobby", [1, Number.NaN]]],
  times: new Map([[1n, { x: Number.POSITIVE_INFINITY, y: 2 }]]),
  packet: Uint8Array.of(1, 2),
  rows: Float64Array.of(0.5),
  set: Int32Array.of(1, 2),
  evidence: { why: "seen" },
});

test("the example of describe.ts is true", () => {
  const examples = findExamples(readFileSync(new URL("describe.ts", import.meta.url), "utf8"));
  expect(examples).toHaveLength(1);
  for (const example of examples) runExample(example, worldKit);
});

test("a type follows from a description", () => {
  expectTypeOf<StateOf<typeof place>>().toEqualTypeOf<{ x: number; y: number }>();
  expectTypeOf<Described["start"]>().toEqualTypeOf<{ x: number; y: number } | undefined>();
  expectTypeOf<Pick<Described, "room">>().toEqualTypeOf<{ room?: string }>();
  expectTypeOf<Described["key"]>().toEqualTypeOf<bigint>();
  expectTypeOf<Described["facing"]>().toEqualTypeOf<1 | -1>();
  expectTypeOf<Described["pairs"]>().toEqualTypeOf<[string, number[]][]>();
  expectTypeOf<Described["times"]>().toEqualTypeOf<Map<bigint, { x: number; y: number }>>();
  expectTypeOf<Layout<string>>().not.toExtend<Part>();
});

test("a description is JSON, and that of a flag is that of a message", () => {
  expect(flag.node).toEqual(boolean(u8).node);
  expect(JSON.parse(JSON.stringify(described.node))).toEqual(described.node);
});

test.each([
  ["smart", smart()],
  ["float", f32be],
  ["integer", integer({ bits: 16, divisor: 32 })],
  ["constant", constant(5)],
] as const)("a %s that a message carries is no part of a state", (kind, layout) => {
  expect(() => state({ layout })).toThrow(new TypeError(`a state has no ${kind} of a message: use number`));
});

describe("checkState", () => {
  it("gives the data itself, in any order of its members", () => {
    const given = data();
    expect(checkState(described, given, "state")).toBe(given);
    const turned = Object.fromEntries(Object.entries({ ...given, room: "lobby" }).reverse());
    expect(checkState(described, turned, "state")).toBe(turned);
    const { start: _, ...without } = given;
    expect(checkState(described, without, "state")).toBe(without);
  });

  it.each<[string, (data: Record<string, unknown>) => void, typeof TypeError | typeof RangeError]>([
    ["id must be an integer in 0..255, got 256", (it) => (it.id = 256), RangeError],
    ["id must be an integer in 0..255, got 1.5", (it) => (it.id = 1.5), RangeError],
    ["id must be an integer in 0..255", (it) => (it.id = "7"), TypeError],
    ["height must be an integer in -32768..32767, got -32769", (it) => (it.height = -32769), RangeError],
    ["name must be a text", (it) => (it.name = 7), TypeError],
    ["alive must be true or false", (it) => (it.alive = 1), TypeError],
    ["facing must be 1 or -1, got 0", (it) => (it.facing = 0), RangeError],
    ["stance must be stand or walk, got run", (it) => (it.stance = "run"), RangeError],
    ["key must be a bigint", (it) => (it.key = 5), TypeError],
    ["start must be an object or undefined", (it) => (it.start = 1), TypeError],
    ["start must be an object", (it) => (it.start = null), TypeError],
    ["start.y must be a number", (it) => (it.start = { x: 1 }), TypeError],
    ["room must be a text or undefined", (it) => (it.room = 1), TypeError],
    ["moves must be an array", (it) => (it.moves = {}), TypeError],
    ["moves[1].x must be a number", (it) => (it.moves = [{ x: 1, y: 2 }, {}]), TypeError],
    ["moves[0].z is unknown", (it) => (it.moves = [{ x: 1, y: 2, z: 3 }]), TypeError],
    ["moves[0] must be an object", (it) => (it.moves = [new Map()]), TypeError],
    ["pairs[0] must be an array of 2", (it) => (it.pairs = [["lobby"]]), TypeError],
    ["pairs[0][1][0] must be a number", (it) => (it.pairs = [["lobby", ["1"]]]), TypeError],
    ["times must be a map", (it) => (it.times = {}), TypeError],
    ["times<0>.key must be a bigint", (it) => (it.times = new Map([[1, { x: 1, y: 1 }]])), TypeError],
    ["times<0>.x must be a number", (it) => (it.times = new Map([[1n, { x: "1", y: 1 }]])), TypeError],
    ["packet must be a Uint8Array", (it) => (it.packet = new Int8Array(2)), TypeError],
    ["rows must be a Float64Array", (it) => (it.rows = [0.5]), TypeError],
    ["set must be 2 words", (it) => (it.set = new Int32Array(3)), TypeError],
    ["evidence is missing", (it) => delete it.evidence, TypeError],
    ["alive must be true or false", (it) => delete it.alive, TypeError],
    ["constructor is unknown", (it) => Object.assign(it, { constructor: 1 }), TypeError],
    ["more is unknown", (it) => (it.more = undefined), TypeError],
  ])("refuses: %s", (message, change, kind) => {
    const wrong = data();
    change(wrong as unknown as Record<string, unknown>);
    const check = (): unknown => checkState(described, wrong, "state");
    expect(check).toThrow(new kind(`Cannot restore: state.${message}`));
    // The last order of members is kept: it must not hide a fault, nor a fault spoil it.
    checkState(described, data(), "state");
    expect(check).toThrow(kind);
    checkState(described, data(), "state");
  });

  it.each([null, undefined, 5, "state", [], new Map(), new Date(0)])("refuses %s", (wrong) => {
    expect(() => checkState(described, wrong, "state")).toThrow(
      new TypeError("Cannot restore: state must be an object"),
    );
  });
});

describe("copyState", () => {
  it("copies plain data, members that are left out too", () => {
    const given = data();
    const copy = copyState(described, given);
    expect(copy).toEqual(given);
    expect(Object.hasOwn(copy, "start")).toBe(true);
    expect(Object.hasOwn(copy, "room")).toBe(false);
    expect(Object.is(copy.moves[0]?.y, -0)).toBe(true);
    for (const name of ["moves", "pairs", "times", "packet", "rows", "set", "evidence"] as const) {
      expect(copy[name]).not.toBe(given[name]);
    }
    expect(copy.moves[0]).not.toBe(given.moves[0]);
    expect(copy.times.get(1n)).not.toBe(given.times.get(1n));
  });

  it("takes what objects save, and arrays of what can be iterated", () => {
    class Rows {
      save(): Float64Array {
        return Float64Array.of(1, 2);
      }
    }
    class Evidence {
      save(): { readonly why: string } {
        return { why: "asked" };
      }
    }
    const live = {
      ...data(),
      moves: new Set([{ x: 1, y: 2 }]),
      rows: new Rows(),
      evidence: new Evidence(),
      room: "lobby",
    };
    const copy = copyState(described, live);
    const saved = { moves: [{ x: 1, y: 2 }], rows: Float64Array.of(1, 2), evidence: { why: "asked" }, room: "lobby" };
    expect(copy).toEqual({ ...data(), ...saved });
    expect(findUnplain(copy)).toBeUndefined();
  });

  it("leaves members that are not described as they are", () => {
    const outer = state({ at: place, count: number });
    const given = { at: { x: 1, y: 2 }, count: 1, more: [1] };
    const copy = copyState(outer, given) as typeof given;
    expect(copy).toEqual(given);
    expect(copy.at).not.toBe(given.at);
    expect(copy.more).toBe(given.more);
  });

  it("refuses what is not plain where any data may be", () => {
    const wrong = { ...data(), evidence: { why: "", how: () => {} } };
    expect(() => copyState(described, wrong)).toThrow(TypeError);
  });
});
