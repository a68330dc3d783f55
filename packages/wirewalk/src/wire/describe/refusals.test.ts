/** What cannot be is refused when it is described: by the constructors, and by `layoutOf` for descriptions out of files. */
import { describe, expect, it } from "vitest";
import {
  array,
  bits,
  boolean,
  byLength,
  bytesReadBy,
  bytesWith,
  type Condition,
  concat,
  constant,
  cstring,
  dialect,
  f32be,
  fixedBytes,
  flags,
  float32,
  i8,
  integer,
  type Layout,
  type LayoutNode,
  layoutOf,
  limited,
  literal,
  lz4Block,
  mark,
  oneOf,
  optional,
  peek,
  prefix,
  prefixedBytes,
  prefixedString,
  restBytes,
  restString,
  sized,
  smart,
  struct,
  tagged,
  u8,
  u16be,
  u64le,
  uint,
  unused,
  variant,
  windows1252String,
  withDefault,
  withMeaning,
} from "../index.ts";

/** Fields of any kind, and one that is there when the condition holds. What is wrong is not known to the compiler. */
const depending = (when: Condition): Layout<object> =>
  struct({
    kind: u8,
    small: integer({ bits: 8, min: 2, max: 9 }),
    half: integer({ bits: 8, divisor: 2 }),
    float: f32be,
    side: oneOf(u8, { left: 1, right: 2 }),
    text: cstring({ limit: 9 }),
    inner: struct({ x: u8 }),
    isOn: boolean(u8),
    keys: flags(u8, { a: 0 }),
    big: u64le,
    list: array(u8, { count: 2 }),
    bytes: fixedBytes(2),
    five: literal(u8, 5),
    $hidden: literal(u8, 7),
    x: optional(u8, when),
    later: u8,
  });

describe("a condition", () => {
  it.each<readonly [string, typeof TypeError | typeof RangeError, Condition]>([
    ["it depends on knid, and the struct has no such field", TypeError, { field: "knid", from: 1 }],
    ["it depends on later, which comes later", TypeError, { field: "later", from: 1 }],
    ["it depends on hidden, which is hidden and not in the value", TypeError, { field: "hidden", from: 1 }],
    ["it depends on itself", TypeError, { field: "x", from: 1 }],
    [
      "it depends on the number side, and side is a name: use variant, whose cases have the fields of each name",
      TypeError,
      { field: "side", from: 1 },
    ],
    ["it depends on the number text, and text is a text", TypeError, { field: "text", not: 1 }],
    ["it depends on the number inner, and inner is an object", TypeError, { field: "inner", to: 1 }],
    [
      "it depends on the number keys, and keys is an object: describe it as a number, and test its bits with mask",
      TypeError,
      { field: "keys", mask: 1 },
    ],
    [
      "it depends on the number isOn, and isOn is true or false: describe it as a number",
      TypeError,
      { field: "isOn", to: 0 },
    ],
    ["it depends on the number big, and big is a number of 64 bits", TypeError, { field: "big", from: 1 }],
    ["it depends on the number list, and list is a list", TypeError, { field: "list", from: 1 }],
    ["it depends on the number bytes, and bytes is bytes", TypeError, { field: "bytes", from: 1 }],
    ["it asks whether kind is all 0, and kind is a number, not bytes", TypeError, { field: "kind", zero: true }],
    [
      "it asks whether bytes is all 0, and compares it with numbers",
      TypeError,
      { field: "bytes", zero: true, from: 1 },
    ],
    ["a mask is of a whole number, and half has a divisor", TypeError, { field: "half", mask: 1, from: 1 }],
    ["a mask is of a whole number, and float has a divisor", TypeError, { field: "float", mask: 1, from: 1 }],
    ["it is never there: no number has kind >= 5 and kind <= 3", RangeError, { field: "kind", from: 5, to: 3 }],
    [
      "it is never there: no number has kind is 5 and kind is not 5",
      RangeError,
      { field: "kind", from: 5, to: 5, not: 5 },
    ],
    ["it is never there", RangeError, { field: "half", from: 0.6, to: 0.9 }],
    ["it is never there: no number has five is not 5", RangeError, { field: "five", not: 5 }],
    ["it compares kind with 256, and kind is in 0..255", RangeError, { field: "kind", from: 256 }],
    ["it compares kind with -1, and kind is in 0..255", RangeError, { field: "kind", to: -1 }],
    ["it compares small with 1, and small is in 2..9", RangeError, { field: "small", not: 1 }],
    ["the mask 0x100 has bits that kind does not have", RangeError, { field: "kind", mask: 0x100, from: 1 }],
    [
      "its condition has no option equals; known are field, zero, from, to, not, mask",
      TypeError,
      { field: "kind", equals: 1 } as Condition,
    ],
    ["its condition has no option form; did you mean from?", TypeError, { field: "kind", form: 1 } as Condition],
    ["its condition on kind has none of from, to and not: it would always be there", TypeError, { field: "kind" }],
    [
      "its condition on kind has none of from, to and not: it would always be there",
      TypeError,
      { field: "kind", mask: 1 },
    ],
    ["a mask must be in 1..0xffffffff, got 0", RangeError, { field: "kind", mask: 0, to: 0 }],
    ["it compares kind & 0x6 with 8", RangeError, { field: "kind", mask: 6, from: 8 }],
    [
      "it is never there: no number has kind & 0x28 >= 9 and kind & 0x28 <= 31",
      RangeError,
      { field: "kind", mask: 0x28, from: 9, to: 31 },
    ],
  ])("is refused: %s", (why, kind, when) => {
    expect(() => depending(when)).toThrow(kind);
    expect(() => depending(when)).toThrow(`Cannot describe x: ${why}`);
  });

  it.each<Condition>([
    { field: "kind", from: 0 },
    { field: "kind", from: 3, to: 255, not: 4 },
    { field: "half", from: 0.5, to: 0.5 },
    { field: "float", from: 1000 },
    { field: "five", from: 5 },
    { field: "bytes", zero: false },
    { field: "kind", mask: 0x28, from: 9, to: 32 },
  ])("that can hold is none of them: %j", (when) => {
    expect(depending(when).node).toEqual(layoutOf(depending(when).node).node);
  });

  it("of a meaning of bytes is checked too", () => {
    const when: Condition = { field: "knid", from: 1 };
    const layout = () => struct({ kind: u8, target: bytesReadBy(1, [{ name: "place", when, of: struct({ x: i8 }) }]) });
    expect(layout).toThrow("Cannot describe target.place: it depends on knid, and the struct has no such field");
  });

  it("sees a field with a condition, and none of another part of the object", () => {
    const first = struct({ kind: u8, more: optional(u8, { field: "kind", from: 1 }) });
    expect(() =>
      struct({ kind: u8, a: optional(u8, { field: "kind", from: 1 }), b: optional(u8, { field: "a", from: 1 }) }),
    ).not.toThrow();
    const when: Condition = { field: "kind", from: 1 };
    expect(() => concat(first, struct({ x: optional(u8, when) }))).toThrow("Cannot describe x: it depends on kind");
  });
});

const empty = struct({});
const named = (kind: string, more: Record<string, Layout<unknown>> = {}): Layout<object> =>
  struct({ kind: constant(kind), ...more });

describe("a case that no value belongs to", () => {
  it.each<readonly [string, () => Layout<unknown>]>([
    [
      "Cannot describe tag: two cases have the tag 2",
      () =>
        tagged("tag", u8, [
          { tags: [1, 2], layout: empty },
          { tags: [2], layout: empty },
        ]),
    ],
    ["Cannot describe tag: two cases have the tag 1", () => tagged("tag", u8, [{ tags: [1, 1], layout: empty }])],
    [
      "Cannot describe tag: it is never 256: it is in 0..255",
      () => tagged("tag", u8, [{ tags: [256], layout: empty }]),
    ],
    ["Cannot describe tag: it is never 1.5", () => tagged("tag", u8, [{ tags: [1.5], layout: empty }])],
    [
      "Cannot describe state: it is never sailing: it is in 0..255",
      () => variant("state", u8, { sailing: empty } as never),
    ],
    ["it is in 0..32767", () => tagged("tag", smart(), [{ tags: [0x8000], layout: empty }])],
    [
      "it is never b: it is one of a",
      () => tagged("tag", oneOf(u8, { a: 1 }) as Layout<string>, [{ tags: ["b"], layout: empty }]),
    ],
    ["it is never b: it is one of a", () => variant("tag", prefix({ a: "1" }) as Layout<string>, { b: empty })],
    ["a case has no tags", () => tagged("tag", u8, [{ tags: [], layout: empty }])],
    ["two cases take all other tags", () => tagged("tag", u8, [{ layout: empty }, { layout: empty }])],
    [
      "a case takes all other tags, and there are no others",
      () => tagged("tag", uint(1), [{ tags: [0, 1], layout: empty }, { layout: empty }]),
    ],
    [
      "a case for 2 bytes has 1 byte",
      () =>
        byLength([
          { bytes: 2, layout: named("a", { x: u8 }), when: { kind: ["a"] } },
          { layout: named("b"), when: { kind: ["b"] } },
        ]),
    ],
    [
      "two cases have 0 bytes",
      () =>
        byLength([
          { bytes: 0, layout: named("a"), when: { kind: ["a"] } },
          { bytes: 0, layout: named("b"), when: { kind: ["b"] } },
          { layout: named("c"), when: { kind: ["c"] } },
        ]),
    ],
    [
      "a case stands after the one that takes all other lengths",
      () =>
        byLength([
          { layout: named("a"), when: { kind: ["a"] } },
          { layout: named("b"), when: { kind: ["b"] } },
        ]),
    ],
    ["a case stands after the one without a test", () => peek([{ layout: u8 }, { layout: u8 }])],
    [
      "no byte has 1 under the mask 240",
      () => peek([{ when: { next: { mask: 0xf0, value: 1 } }, layout: u8 }, { layout: u8 }]),
    ],
    ["a test of the bytes ahead says nothing", () => peek([{ when: {}, layout: u8 }, { layout: u8 }])],
    [
      "atMost must be a whole number of 1 or more, got 0",
      () => peek([{ when: { next: { mask: 1, value: 1 }, atMost: 0 }, layout: u8 }, { layout: u8 }]),
    ],
    [
      "a case is chosen by knid, and no case has such a field",
      () => tagged("tag", u8, [{ tags: [1], layout: named("a"), when: { knid: ["a"] }, hidden: true }]),
    ],
    [
      "a case is chosen where kind is b, which it never is there",
      () => tagged("tag", u8, [{ tags: [1], layout: named("a"), when: { kind: ["b"] }, hidden: true }]),
    ],
    [
      "a case is chosen where kind is absent, which it never is there",
      () => tagged("tag", u8, [{ tags: [1], layout: named("a"), when: { kind: "absent" }, hidden: true }]),
    ],
    [
      "x of 2 bits is never 4",
      () =>
        mark({
          parts: [{ name: "x", bits: 2, value: 4 }],
          marked: named("mark"),
          of: struct({ kind: constant("other"), x: uint(2) }),
          when: { kind: ["mark"] },
        }),
    ],
  ])("is refused: %s", (why, describeIt) => {
    expect(describeIt).toThrow(why);
  });

  it("needs no object for a tag, and no tag that is an object", () => {
    expect(() => tagged("tag", flags(u8, { a: 0 }) as never, [{ tags: [1], layout: empty }])).toThrow(
      "Cannot describe tag: a tag is a number or a name, and this is an object",
    );
    expect(() => tagged("x", u8, [{ tags: [1], layout: struct({ x: u8 }) }])).toThrow(
      "Cannot describe x: a case has a field of the name of the tag",
    );
    expect(() => peek<unknown>([{ when: { atMost: 1 }, layout: u8 }, { layout: fixedBytes(2) }])).toThrow(
      "its cases have values of different kinds",
    );
  });
});

describe("members", () => {
  const cases = [
    { tags: [1], layout: struct({ x: u8 }) },
    { tags: [2], layout: struct({ side: oneOf(u8, { left: 1 }) }) },
  ] as const;
  const withMembers = (members: Record<string, string | number | boolean>): Layout<object> =>
    tagged("kind", u8, cases as never, { members } as never);

  it("are all fields of all cases, of their kinds", () => {
    expect(() => withMembers({ x: 0, side: "left", more: true })).not.toThrow();
    expect(() => withMembers({ x: 0 })).toThrow("Cannot describe kind: its members lack side, a field of a case");
    expect(() => withMembers({ x: "0", side: "left" })).toThrow("its member x is 0, and x is a number");
    expect(() => withMembers({ x: 0, side: 1 })).toThrow("its member side is 1, and side is a name");
    expect(() => withMembers({ x: 0, side: "left", kind: 1 })).toThrow("its members have the name of the tag");
  });

  it("are not for lists, and not for hidden tags", () => {
    const list = [{ tags: [1], layout: struct({ list: array(u8, { count: 1 }) }) }];
    expect(() => tagged("kind", u8, list as never, { members: { list: 0 } } as never)).toThrow(
      "its member list is 0, and list is a list",
    );
    const sometimes = [{ tags: [1], layout: struct({ x: u8, y: optional(u8, { field: "x", from: 1 }) }) }] as const;
    expect(() => tagged("kind", u8, sometimes, { members: { x: 0, y: 0 } })).toThrow(
      "y is not always there in its case, so that values cannot have members",
    );
    const hidden = [{ tags: [1], layout: struct({ x: u8 }), when: { x: "present" }, hidden: true }] as const;
    expect(() => tagged("kind", u8, hidden, { members: { x: 0 } })).toThrow("members are not for hidden tags");
  });
});

describe("a size that cannot be known", () => {
  const rest = restBytes({ limit: 9 });
  const block = lz4Block(u8, { limit: 1 });
  it.each<readonly [string, () => Layout<unknown>, string]>([
    [
      "all that is left, and then a field",
      () => struct({ a: rest, b: u8 }),
      "Cannot describe a: it takes all bytes that are left, and b comes after it",
    ],
    [
      "the same within an object",
      () => struct({ a: struct({ in: rest }), b: u8 }),
      "Cannot describe a: it takes all bytes that are left",
    ],
    [
      "the same in a case",
      () => struct({ a: tagged("t", u8, [{ tags: [1], layout: struct({ in: rest }) }]), b: u8 }),
      "Cannot describe a: it takes",
    ],
    [
      "the same in two parts",
      () => concat(struct({ a: rest }), struct({ b: u8 })),
      "it takes all bytes that are left, and more comes after it",
    ],
    [
      "the same, and then a field that may be there",
      () => struct({ k: u8, a: rest, b: optional(u8, { field: "k", from: 1 }) }),
      "Cannot describe a",
    ],
    [
      "the same where it is there, and then a field",
      () => struct({ k: u8, a: optional(rest, { field: "k", from: 1 }), b: u8 }),
      "Cannot describe a",
    ],
    [
      "a list of what takes all",
      () => array(struct({ a: rest }), { count: 2 }),
      "an item takes all bytes that are left, and other items come after it",
    ],
    ["a block and then a field", () => struct({ a: block, b: u8 }), "Cannot describe a: it takes all bytes"],
    [
      "a limit of what is left, and then a field",
      () => struct({ a: limited(u8, { bytes: 1, name: "a" }), b: u8 }),
      "Cannot describe a: it takes",
    ],
    [
      "what the length decides, and then a field",
      () => struct({ a: byLength([{ layout: named("a"), when: { kind: ["a"] } }]), b: u8 }),
      "Cannot describe a: it takes all bytes",
    ],
    ["items without bytes to the end", () => array(empty, { rest: 9 }), "items without bytes need a count"],
    [
      "a size too small for its content",
      () => sized(u8, fixedBytes(256)),
      "Cannot describe size: it is at most 255, and its content makes it 256 or more",
    ],
    [
      "bits in what has a size",
      () => sized(u8, struct({ x: uint(3) })),
      "Cannot describe x: 3 bits are not whole bytes, and stand outside of bits",
    ],
    [
      "bits in a block",
      () => lz4Block(struct({ x: prefix({ a: "1" }) }), { limit: 1 }),
      "Cannot describe x: a code of some bits stands outside of bits",
    ],
    [
      "bytes that begin within one",
      () => bits(struct({ x: uint(3), list: sized(u8, struct({ y: u8 })) })),
      "list begins at a byte, and may stand within one",
    ],
    [
      "a count that is a fraction",
      () => array(u8, { count: integer({ bits: 8, divisor: 2 }), limit: 9 }),
      "Cannot describe count: a count is a whole number",
    ],
    [
      "a count that is a name",
      () => array(u8, { count: oneOf(u8, { a: 1 }) as never, limit: 9 }),
      "a count is a number, and this is a name",
    ],
    [
      "a body smaller than its literals",
      () => lz4Block(struct({ x: u8 }), { limit: 9, literals: 2 }),
      "2 bytes are literals, and a body may have 1",
    ],
    [
      "a body larger than what comes out",
      () => lz4Block(fixedBytes(9), { limit: 8 }),
      "at most 8 bytes come out, and a body has 9 or more",
    ],
  ])("%s is refused", (_, describeIt, why) => {
    expect(describeIt).toThrow(why);
  });

  it("is known where a tolerant list leaves what it cannot read, where nothing has bytes, and where one stands for the other", () => {
    expect(() => struct({ list: array(u8, { rest: 9, tolerant: true }), cut: rest })).not.toThrow();
    expect(() => struct({ a: rest, b: constant(1) })).not.toThrow();
    expect(() => struct({ content: sized(u8, rest), next: u8 })).not.toThrow();
    expect(() =>
      struct({
        kind: u8,
        a: optional(rest, { field: "kind", to: 0 }),
        b: optional(u16be, { field: "kind", from: 1 }),
      }),
    ).not.toThrow();
  });
});

describe("numbers and names that cannot be", () => {
  it.each<readonly [string, () => unknown]>([
    ["Cannot describe value: names are numbers that are in 0..255, got 256", () => oneOf(u8, { a: 256 })],
    ["the bit of a is 8, and the number is in 0..255", () => flags(u8, { a: 8 })],
    [
      "at most 8 flags can be shared, got 9",
      () => flags(u16be, { a: 0, b: 1, c: 2, d: 3, e: 4, f: 5, g: 6, h: 7, i: 8 }, { shared: true }),
    ],
    ["it is never 256: it is in 0..255", () => literal(u8, 256)],
    ["it is never a", () => literal(u8, "a")],
    ["no number is in 5..3", () => integer({ bits: 8, min: 5, max: 3 })],
    ["true and false are numbers that are in 1..255, got 0", () => boolean(integer({ bits: 8, min: 1 }))],
    [
      "order must have fields of the struct at a, a, got b",
      () => tagged("a", u8, [{ tags: [1], layout: empty }], { order: ["b" as never] }),
    ],
  ])("is refused: %s", (why, describeIt) => {
    expect(describeIt).toThrow(why);
  });
});

/** Options with a name that none has, which the compiler would refuse. */
const more = (options: object): never => ({ ...options, ordre: 1 }) as never;
const count = { count: u8, limit: 9 };

describe("an option that there is not", () => {
  it.each<readonly [string, () => unknown, string]>([
    ["integer", () => integer(more({ bits: 8 })), "integer: it has no option ordre; did you mean order?"],
    ["smart", () => smart(more({})), "smart: it has no option ordre; known are max, wide"],
    ["float32", () => float32(more({ order: "be" })), "float32: it has no option ordre; did you mean order?"],
    ["flags", () => flags(u8, { a: 0 }, more({})), "flags: it has no option ordre; known are reserved, shared"],
    ["literal", () => literal(u8, 1, more({})), "literal: it has no option ordre; known are parts"],
    [
      "a part of literal",
      () => literal(u8, 1, { parts: [more({})] }),
      "value: a part of a literal has no option ordre",
    ],
    ["constant", () => constant(1, more({})), "constant: it has no option ordre"],
    ["struct", () => struct({}, more({})), "struct: it has no option ordre; did you mean order?"],
    ["concat", () => concat(empty, empty, more({})), "concat: it has no option ordre; did you mean order?"],
    ["array", () => array(u8, count, more({})), "array: it has no option ordre"],
    ["the length of array", () => array(u8, more(count)), "array: its length has no option ordre"],
    ["fixedBytes", () => fixedBytes(1, more({})), "bytes: it has no option ordre"],
    ["prefixedBytes", () => prefixedBytes(more(count)), "bytes: it has no option ordre"],
    ["restBytes", () => restBytes(more({ limit: 1 })), "bytes: it has no option ordre"],
    ["bytesWith", () => bytesWith(u8, more({})), "bytesWith: it has no option ordre"],
    ["bytesReadBy", () => bytesReadBy(1, [more({ when: {} })]), "bytesReadBy: a reading has no option ordre"],
    ["cstring", () => cstring(more({ limit: 1 })), "cstring: it has no option ordre; known are limit"],
    ["windows1252String", () => windows1252String(more({ limit: 1 })), "windows1252String: it has no option ordre"],
    ["prefixedString", () => prefixedString(more(count)), "prefixedString: it has no option ordre"],
    ["restString", () => restString(more({ limit: 1 })), "restString: it has no option ordre"],
    ["bits", () => bits(u8, more({})), "bits: it has no option ordre"],
    ["limited", () => limited(u8, more({ bytes: 1, name: "a" })), "limited: it has no option ordre"],
    ["sized", () => sized(u8, u8, more({})), "sized: it has no option ordre; known are extra"],
    ["lz4Block", () => lz4Block(u8, more({ limit: 1 })), "lz4Block: it has no option ordre"],
    ["tagged", () => tagged("t", u8, [{ tags: [1], layout: empty }], more({})), "t: it has no option ordre; did you"],
    ["a case of tagged", () => tagged("t", u8, [more({ tags: [1], layout: empty })]), "t: a case has no option ordre"],
    ["a case of byLength", () => byLength([more({ layout: empty, when: {} })]), "byLength: a case has no option ordre"],
    ["a case of peek", () => peek([more({ layout: u8 })]), "peek: a case has no option ordre"],
    ["a test of peek", () => peek([{ when: more({ atMost: 1 }), layout: u8 }, { layout: u8 }]), "no option ordre"],
    ["mark", () => mark(more({ parts: [] })), "mark: it has no option ordre"],
    ["kept bytes", () => struct({ a: u8 }, { kept: more({ name: "b", from: "a", to: "a" }) }), "kept has no option"],
    ["rows", () => array(empty, count, { rows: more({ words: [] }) }), "value: rows has no option ordre"],
    [
      "a meaning",
      () => withMeaning(u8, { units: "px" } as never),
      "meaning: it has no option units; did you mean unit?",
    ],
    [
      "words",
      () => withMeaning(u8, { words: [more({ text: "" })] }),
      "meaning: a rule of its words has no option ordre",
    ],
    [
      "dialect",
      () => dialect(more({ dialect: "v1", idName: "type", id: u8, messages: [] })),
      "dialect: it has no option ordre",
    ],
  ])("of %s is refused", (_, describeIt, why) => {
    expect(describeIt).toThrow(TypeError);
    expect(describeIt).toThrow(why);
  });
});

describe("kept bytes, defaults and rows", () => {
  const fields = { id: u16be, path: array(u8, { count: u8, limit: 9 }), end: u8 };
  it("keep fields of whole bytes that are there, in order, under a name of their own", () => {
    const keep = (kept: object, more: object = {}) =>
      struct({ ...fields, ...more } as typeof fields, { kept: kept as never });
    expect(() => keep({ name: "bytes", from: "path", to: "end", before: 2 })).not.toThrow();
    expect(() => keep({ name: "bytes", from: "pth", to: "end" })).toThrow(
      "it keeps the bytes of pth, and the struct has no such field",
    );
    expect(() => keep({ name: "bytes", from: "end", to: "path" })).toThrow(
      "it keeps the bytes from end to path, which comes before it",
    );
    expect(() => keep({ name: "id", from: "path", to: "end" })).toThrow("a field has this name, and the bytes too");
    expect(() => keep({ name: "bytes", from: "path", to: "end", before: 3 })).toThrow(
      "3 bytes before path belong to it, and there are 2",
    );
    expect(() => bits(struct({ a: uint(4), b: uint(4) }, { kept: { name: "bytes", from: "a", to: "b" } }))).toThrow(
      "a is not of whole bytes",
    );
    expect(() =>
      keep({ name: "bytes", from: "path", to: "end" }, { more: optional(u8, { field: "end", from: 1 }) }),
    ).toThrow("more depends on end, which a value with these bytes need not have");
  });

  it("a default is what JSON may have there", () => {
    expect(() => struct({ x: withDefault(u8, 0), cut: withDefault(fixedBytes(1), "00") })).not.toThrow();
    expect(() => struct({ x: withDefault(u8, 256) })).toThrow(
      "Cannot describe x: its default is 256, and it is a number",
    );
    expect(() => struct({ x: withDefault(oneOf(u8, { a: 1 }), "b") })).toThrow('its default is "b", and it is a name');
    expect(() => struct({ x: withDefault(fixedBytes(1), "0") })).toThrow('its default is "0", and it is bytes');
    expect(() => struct({ $x: withDefault(unused(8), 0) })).toThrow("it is hidden, so it has no default");
  });

  it("a row has room for its columns, and a column for its fields", () => {
    const rows = (words: object) =>
      array(struct({ x: u16be, y: i8, name: cstring({ limit: 3 }) }), { count: 2 }, { rows: { words } as never });
    const column = { name: "x", fields: ["x"], bits: 16, signed: false };
    expect(() => rows([[column, { name: "y", fields: ["y"], bits: 8, signed: true }]])).not.toThrow();
    expect(() => rows([[column, { ...column, name: "z", bits: 32 }]])).toThrow(
      "a word of a row has 32 bits, and its columns have 48",
    );
    expect(() => rows([[column], [column]])).toThrow("two columns have the name x");
    expect(() => rows([[{ ...column, fields: ["z"] }]])).toThrow("the column x holds z, and no item has such a field");
    expect(() => rows([[{ ...column, fields: ["name"] }]])).toThrow("the column x holds numbers, and name is a text");
    expect(() => rows([[{ ...column, bits: 8 }]])).toThrow("the column x of 8 bits does not hold x");
  });
});

describe("a dialect", () => {
  const step = { sender: "client", id: 1, message: "step", summary: "a step", layout: struct({ x: u8 }) } as const;
  const of = (...messages: readonly object[]) =>
    dialect({ dialect: "v1", idName: "type", id: u8, messages: messages as never });

  it("has each id and each name once for each sender, and whole bytes", () => {
    expect(of(step, { ...step, sender: "server" }).messages).toHaveLength(2);
    expect(() => of(step, { ...step, message: "other" })).toThrow(
      "Cannot describe other: a client has two messages of the type 1",
    );
    expect(() => of(step, { ...step, id: 2 })).toThrow(
      "Cannot describe step: a client has two messages of the name step",
    );
    expect(() => of({ ...step, id: 256 })).toThrow("Cannot describe step: its type is 256, which is not in 0..255");
    expect(() => of({ ...step, layout: struct({ x: uint(3) }) })).toThrow(
      "Cannot describe step.x: 3 bits are not whole bytes",
    );
  });
});

describe("a description out of a file", () => {
  it.each<readonly [string, LayoutNode]>([
    [
      "Cannot describe list[].x: it depends on tpye, and the struct has no such field",
      {
        kind: "struct",
        fields: [
          {
            name: "list",
            node: {
              kind: "array",
              length: 2,
              item: { kind: "struct", fields: [{ name: "x", node: u8.node, when: { field: "tpye", from: 1 } }] },
            },
          },
        ],
      },
    ],
    ["Cannot describe value: there is no kind float64", { kind: "float64" } as never],
    ["a number of 64 bits is unsigned, low byte first", { kind: "integer", bits: 64, signed: true, order: "le" }],
    [
      "Cannot describe a: two fields have this name",
      { kind: "struct", fields: [u8, u8].map(({ node }) => ({ name: "a", node })) },
    ],
    [
      "all parts of an object are without a name, or none",
      {
        kind: "struct",
        fields: [
          { name: "", node: struct({ a: u8 }).node },
          { name: "b", node: u8.node },
        ],
      },
    ],
    [
      "Cannot describe step.kind: two cases have the tag 1",
      {
        kind: "compressed",
        method: "lz4-block",
        limit: 9,
        reserved: "refuse",
        of: {
          kind: "struct",
          fields: [
            {
              name: "step",
              node: {
                kind: "variant",
                tagName: "kind",
                tag: u8.node,
                cases: [1, 1].map((tag) => ({ tags: [tag], node: empty.node })),
              },
            },
          ],
        },
      },
    ],
  ])("is refused: %s", (why, node) => {
    expect(() => layoutOf(node)).toThrow(why);
  });
});
