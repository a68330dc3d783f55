/** What the compiler knows of descriptions, and which mistakes it refuses. Each of these is refused at run time too. */
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  array,
  bytesReadBy,
  type Condition,
  concat,
  constant,
  fixedBytes,
  type Infer,
  type Layout,
  oneOf,
  optional,
  peek,
  struct,
  tagged,
  u8,
  u16be,
  variant,
  withDefault,
} from "../index.ts";

/** Descriptions that are refused: only their types are of interest. */
const refused = (describeIt: () => unknown): void => expect(describeIt).toThrow();

describe("a layout", () => {
  it("has the type of its values, and is covariant", () => {
    const step = struct({ x: u8, list: array(u16be, { count: 2 }) });
    expectTypeOf<Infer<typeof step>>().toEqualTypeOf<{ x: number; list: number[] }>();
    expectTypeOf(step).toExtend<Layout<object>>();
    expectTypeOf(step).toExtend<Layout<{ readonly x: number }>>();
    expectTypeOf(step).not.toExtend<Layout<{ readonly y: number }>>();
    expectTypeOf(u8).not.toExtend<Layout<string>>();
    expectTypeOf<Infer<Layout<unknown>>>().toEqualTypeOf<unknown>();
  });

  it("of an optional field may be absent; one of a default may not", () => {
    const step = struct({ kind: u8, x: optional(u8, { field: "kind", from: 1 }), y: withDefault(u8, 0) });
    expectTypeOf<Infer<typeof step>>().toEqualTypeOf<{ kind: number; x?: number; y: number }>();
    expectTypeOf<Infer<typeof step>>().toExtend<{ x?: number }>();
  });

  it("of two parts and of bytes ahead has the fields of both", () => {
    const both = concat(struct({ a: u8 }), struct({ b: u8 }), { order: ["b"] });
    expectTypeOf<Infer<typeof both>>().toEqualTypeOf<{ a: number; b: number }>();
    const ahead = peek([{ when: { atMost: 1 }, layout: struct({ a: u8 }) }, { layout: struct({ a: u16be }) }]);
    expectTypeOf<Infer<typeof ahead>>().toEqualTypeOf<{ a: number }>();
  });
});

describe("a variant with members", () => {
  const absolute = struct({ kind: constant("absolute"), x: u8, side: oneOf(u8, { left: 1, right: 2 }) });
  const jump = struct({ kind: constant("jump"), y: u8 });
  const cases = [
    { tags: [1], layout: absolute },
    { tags: [2], layout: jump },
  ] as const;

  it("has all of them, whichever case it is, and the names that the cases have", () => {
    const step = tagged("type", u8, cases, {
      members: { kind: "jump", x: 0, y: 0, side: "left", unknown: 0, note: "" },
      order: ["kind"],
    });
    expectTypeOf<Infer<typeof step>>().toEqualTypeOf<{
      type: number;
      kind: "absolute" | "jump";
      x: number;
      y: number;
      side: "left" | "right";
      unknown: number;
      note: string;
    }>();
  });

  it("has the fields of its case without them", () => {
    const step = tagged("type", u8, cases);
    expectTypeOf<Infer<typeof step>>().toEqualTypeOf<
      { type: number; kind: "absolute"; x: number; side: "left" | "right" } | { type: number; kind: "jump"; y: number }
    >();
  });

  it("lacks none, and has no member of another kind", () => {
    // @ts-expect-error side and y are fields of cases
    refused(() => tagged("type", u8, cases, { members: { kind: "jump", x: 0 } }));
    // @ts-expect-error x is a number
    refused(() => tagged("type", u8, cases, { members: { kind: "jump", x: "0", y: 0, side: "left" } }));
  });
});

describe("the compiler refuses", () => {
  it("a condition on a field that is misspelt or hidden", () => {
    // @ts-expect-error the field is kind
    refused(() => struct({ kind: u8, x: optional(u8, { field: "knid", from: 1 }) }));
    // @ts-expect-error not in the value
    refused(() => struct({ $kind: constant(1), x: optional(u8, { field: "$kind", from: 1 }) }));
    const when = { field: "knid", from: 1 } as const;
    // @ts-expect-error the field is kind
    refused(() => struct({ kind: u8, bytes: bytesReadBy(1, [{ name: "x", when, of: u8 }]) }));
  });

  it("a condition with an unknown test, and one that tests nothing", () => {
    // @ts-expect-error there is no equals
    refused(() => struct({ kind: u8, x: optional(u8, { field: "kind", equals: 1 }) }));
    // @ts-expect-error there is no equals beside from
    refused(() => struct({ kind: u8, x: optional(u8, { field: "kind", from: 1, equals: 1 }) }));
    // @ts-expect-error nothing is tested
    refused(() => struct({ kind: u8, x: optional(u8, { field: "kind" }) }));
    // @ts-expect-error a mask says only of which bits
    refused(() => struct({ kind: u8, x: optional(u8, { field: "kind", mask: 1 }) }));
    // @ts-expect-error nothing is tested
    refused(() => struct({ kind: u8, b: bytesReadBy(1, [{ name: "x", when: { field: "kind" }, of: u8 }]) }));
    // @ts-expect-error there is no equals
    refused(() => struct({ kind: u8, b: bytesReadBy(1, [{ name: "x", when: { field: "kind", equals: 1 }, of: u8 }]) }));
  });

  it("a number compared with a name, and zeros of what is not bytes", () => {
    // @ts-expect-error side is a name
    refused(() => struct({ side: oneOf(u8, { left: 1 }), x: optional(u8, { field: "side", from: 1 }) }));
    // @ts-expect-error x is an object
    refused(() => struct({ inner: struct({ y: u8 }), x: optional(u8, { field: "inner", not: 1 }) }));
    // @ts-expect-error kind is a number
    refused(() => struct({ kind: u8, x: optional(u8, { field: "kind", zero: true }) }));
    // @ts-expect-error the bytes are no number
    refused(() => struct({ bytes: fixedBytes(2), x: optional(u8, { field: "bytes", from: 1 }) }));
  });

  it("an order of keys that are none", () => {
    // @ts-expect-error the fields are a and b
    refused(() => struct({ a: u8, b: u8 }, { order: ["c"] }));
    // @ts-expect-error the fields are a and b
    refused(() => concat(struct({ a: u8 }), struct({ b: u8 }), { order: ["c"] }));
    // @ts-expect-error the fields are tag and a
    refused(() => tagged("tag", u8, [{ tags: [1], layout: struct({ a: u8 }) }], { order: ["c"] }));
    // @ts-expect-error the fields are a and b
    refused(() => struct({ a: u8, b: u8 }, { kept: { name: "bytes", from: "a", to: "c" } }));
  });

  it("a tag that is no name of its number", () => {
    const side = oneOf(u8, { left: 1, right: 2 });
    // @ts-expect-error left or right
    refused(() => tagged("side", side, [{ tags: ["up"], layout: struct({}) }]));
    // @ts-expect-error left or right
    refused(() => variant("side", side, { left: struct({}), up: struct({}) }));
    // @ts-expect-error a number
    refused(() => tagged("side", u8, [{ tags: ["left"], layout: struct({}) }]));
  });

  it("none of these where a description is data", () => {
    const when: Condition = { field: "kind", from: 1 };
    const fields: Record<string, Layout<unknown>> = { kind: u8, x: optional(u8, when) };
    expect(struct({ kind: u8, x: optional(u8, when) }).node).toEqual(struct(fields).node);
    expectTypeOf(struct(fields)).toExtend<Layout<object>>();
    expectTypeOf(struct({ kind: u8 as Layout<unknown>, x: optional(u8, { field: "kind", from: 1 }) })).toExtend<
      Layout<object>
    >();
  });
});
