import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scaled } from "../../testing/scale.ts";
import {
  array,
  bits,
  boolean,
  bytesReadBy,
  concat,
  constant,
  f32be,
  fixedBytes,
  flags,
  integer,
  type LayoutNode,
  limited,
  literal,
  lz4Block,
  mark,
  oneOf,
  optional,
  parseNode,
  prefix,
  prefixedString,
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
  WireError,
  withMeaning,
} from "../index.ts";
import { wireErrorOf } from "../testing/check-layout.ts";

/** All kinds that have constructors, and those that have none. */
const known: readonly LayoutNode[] = [
  struct({
    $magic: literal(u16be, 0xc0de),
    $gap: unused(8),
    kind: oneOf(u8, { near: 1, far: 2 }),
    count: withMeaning(smart({ max: 9 }), { doc: "how many", section: "4.2", unit: "items", words: [{ text: "{}" }] }),
    half: optional(integer({ bits: 16, signed: true, order: "le", divisor: 2, bias: 3 }), { field: "count", from: 1 }),
    open: boolean(u8),
    keys: flags(u8, { jump: 0, crawl: 7 }, { reserved: "ignore" }),
    height: f32be,
    id: u64le,
    name: prefixedString({ count: u8, limit: 12 }),
    mask: fixedBytes(4),
    target: bytesReadBy(2, [{ name: "place", when: { field: "count", from: 3 }, of: struct({ x: u16be }) }]),
    rest: array(smart({ wide: true }), { rest: 9, tolerant: true }, { fold: "numbers" }),
  }).node,
  variant("size", oneOf(u8, { small: 0, large: 1 }), { small: struct({}), large: struct({ by: constant("all") }) })
    .node,
  tagged("type", u8, [
    { tags: [0, 5], layout: struct({ x: u8 }) },
    { tags: [7], hidden: true, when: { type: "absent" }, layout: struct({ stop: constant(true) }) },
    { layout: struct({}) },
  ]).node,
  bits(
    concat(
      variant("step", prefix({ short: "0", long: "10" }), {
        short: struct({ a: uint(3) }),
        long: struct({ b: uint(9) }),
      }),
      mark({
        parts: [{ name: "x", bits: 4, value: 15 }],
        marked: struct({ gone: constant(true) }),
        of: struct({ x: uint(4) }),
        when: { gone: [true] },
      }),
    ),
    { padding: "any" },
  ).node,
  limited(sized(u8, struct({ x: u8 })), { bytes: 9, name: "body" }).node,
  lz4Block(struct({ x: array(u8, { until: 255, limit: 3 }) }), { limit: 99 }).node,
  {
    kind: "peek",
    cases: [
      { when: { next: { mask: 0x80, value: 0x80 }, atMost: 7 }, node: struct({ x: u16be }).node },
      { node: struct({ y: u8 }).node },
    ],
  },
  {
    kind: "struct",
    fields: [
      { name: "tick", node: u8.node, default: 0 },
      {
        name: "steps",
        node: { kind: "array", item: u8.node, length: 2, rows: { words: [[column("x", 8), column("y", 16)]] } },
      },
    ],
    order: ["steps"],
    kept: { name: "path", from: "tick", to: "steps", before: 1 },
  },
];

function column(name: string, width: 8 | 16) {
  return { name, fields: [name], bits: width, signed: false } as const;
}

const copyOf = (node: LayoutNode): unknown => JSON.parse(JSON.stringify(node));

describe("a description out of JSON", () => {
  it.each(known.map((node) => [node.kind, node] as const))("is itself: %s", (_, node) => {
    expect(parseNode(copyOf(node))).toEqual(node);
  });

  const field = (node: unknown, more: object = {}): unknown => ({
    kind: "struct",
    fields: [
      { name: "n", node: u8.node },
      { name: "x", node, ...more },
    ],
  });
  /** What no constructor makes: they refuse it. */
  const cases = (...given: readonly object[]): unknown => ({
    kind: "variant",
    tagName: "t",
    tag: u8.node,
    cases: given.map((each) => ({ ...each, node: { kind: "struct", fields: [] } })),
  });
  const count = { count: u8.node, limit: 9 };
  let deep: unknown = u8.node;
  for (let depth = 0; depth < 40; depth++) deep = { kind: "array", item: deep, length: 1 };

  it.each<[string, unknown, string]>([
    ["a text", "u8", "Cannot read node: it must be an object"],
    ["no kind", {}, "Cannot read node.kind: it is one of integer, smart, float"],
    ["a kind of all objects", { kind: "constructor" }, "Cannot read node.kind: "],
    ["a missing key", { kind: "integer", bits: 8, order: "be" }, "Cannot read node.signed: it is missing"],
    ["a key of another kind", { kind: "smart", bits: 8 }, "Cannot read node.bits: there is no such key"],
    ["a key that all objects have", JSON.parse('{"kind":"smart","__proto__":1}'), "Cannot read node.__proto__: "],
    ["a wrong value", { ...u8.node, signed: 1 }, "Cannot read node.signed: it must be true or false"],
    ["too many bits", { ...u8.node, bits: 40 }, "Cannot read node.bits: it must be an integer in 1..32, or 64"],
    ["64 bits with a sign", { ...u64le.node, signed: true }, "Cannot read node.bits: 64 bits are an unsigned number"],
    [
      "half a byte among bytes",
      { ...u8.node, bits: 4 },
      "Cannot read node.bits: outside of bits it must be whole bytes",
    ],
    ["bits within bits", bits(bits(u8)).node, "Cannot read node.of: bits stands among whole bytes"],
    ["a mark among bytes", { kind: "prefix", codes: { a: "1" } }, "Cannot read node: prefix stands within bits"],
    [
      "a code of no bits",
      bits({ ...u8, node: { kind: "prefix", codes: { a: "12" } } }).node,
      "Cannot read node.of.codes.a: ",
    ],
    ["no names", { kind: "oneOf", of: u8.node, names: {} }, "Cannot read node.names: it must not be empty"],
    [
      "a name that is a number",
      { kind: "oneOf", of: u8.node, names: { 1: 1 } },
      "Cannot read node.names: it must be a name",
    ],
    [
      "names of names",
      { kind: "oneOf", of: oneOf(u8, { a: 1 }).node, names: { a: 1 } },
      "Cannot read node.of: it must be a whole",
    ],
    [
      "a count with a fraction",
      { kind: "bytes", length: { count: { ...u8.node, divisor: 2 }, limit: 1 } },
      "Cannot read node.length.count: ",
    ],
    [
      "a run without an end",
      { kind: "bytes", length: {} },
      "Cannot read node.length: it must be a number, or have count, rest",
    ],
    [
      "two ends",
      { kind: "bytes", length: { ...count, rest: 1 } },
      "Cannot read node.length.rest: there is no such key",
    ],
    [
      "a text in no charset",
      { kind: "text", charset: "utf-8", length: count },
      "Cannot read node.charset: it is one of latin1",
    ],
    [
      "a literal of another kind",
      { kind: "literal", of: u8.node, value: "a" },
      "Cannot read node.value: it must be a number",
    ],
    ["a control character", { ...u8.node, doc: "a\nb" }, "Cannot read node.doc: it must be a text of at most 200"],
    ["two of a name", field(u8.node, { name: "n" }), 'Cannot read node.fields[1].name: there are two of "n"'],
    ["a name of every object", field(u8.node, { name: "toString" }), "Cannot read node.fields[1].name: every object"],
    ["a number without a name", field(u8.node, { name: "" }), "Cannot read node.fields[1].name: only an object"],
    ["a hidden number", field(u8.node, { hidden: true }), "Cannot read node.fields[1].hidden: only a literal"],
    [
      "unused bits in the value",
      field({ kind: "unused", bits: 8 }),
      "Cannot read node.fields[1].hidden: what is unused",
    ],
    [
      "a condition on itself",
      field(u8.node, { when: { field: "x", from: 1 } }),
      "Cannot read node.fields[1].when.field: it must name a number before it",
    ],
    [
      "a condition that tests nothing",
      field(u8.node, { when: { field: "n", mask: 1 } }),
      "Cannot read node.fields[1].when: it must have zero, from, to or not",
    ],
    [
      "a condition with an unknown test",
      field(u8.node, { when: { field: "n", equals: 1 } }),
      "Cannot read node.fields[1].when.equals: there is no such key",
    ],
    [
      "a condition on no bytes",
      field(u8.node, { when: { field: "n", zero: true } }),
      "Cannot read node.fields[1].when.field: it must name bytes before it",
    ],
    [
      "a condition without bits",
      field(u8.node, { when: { field: "n", mask: 0 } }),
      "Cannot read node.fields[1].when.mask: it must have bits",
    ],
    [
      "a reading by a later number",
      field({ ...fixedBytes(1).node, readings: [{ name: "r", when: { field: "y", from: 1 }, node: u8.node }] }),
      "Cannot read node.fields[1].node.readings[0].when.field: ",
    ],
    [
      "a case without fields",
      { kind: "variant", tagName: "t", tag: u8.node, cases: [{ node: u8.node }] },
      "Cannot read node.cases[0].node: it must have fields",
    ],
    ["a tag that is taken", cases({ tags: [1] }, { tags: [2, 1] }), "Cannot read node.cases[1].tags[1]: it is taken"],
    ["two cases of all others", cases({}, {}), "Cannot read node.cases[1]: another case"],
    [
      "a tag without a name",
      { ...variant("t", oneOf(u8, { a: 1 }), { a: struct({}) }).node, cases: [{ tags: ["b"], node: struct({}).node }] },
      "Cannot read node.cases[0].tags[0]: it is one of a",
    ],
    [
      "a peek that never ends",
      { kind: "peek", cases: [{ when: { atMost: 1 }, node: u8.node }] },
      "Cannot read node.cases[0].when: every case but",
    ],
    [
      "an order of no field",
      { kind: "struct", fields: [], order: ["x"] },
      "Cannot read node.order[0]: it must name a field",
    ],
    [
      "a limit without end",
      { kind: "array", item: u8.node, length: { count: u8.node, limit: 2 ** 30 } },
      "Cannot read node.length.limit: ",
    ],
  ])("is refused with %s", (_, json, message) => {
    const error = wireErrorOf(() => parseNode(json));
    expect(error?.code).toBe("bad-value");
    expect(error?.message).toContain(message);
    expect(message).toContain(`Cannot read ${error?.path}`);
  });

  it.each<[string, unknown, string]>([
    ["deeper than anything", deep, "deeper than the limit of 32"],
    ["wider than anything", { kind: "struct", fields: new Array(1001).fill({}) }, "1001 over the limit of 1000"],
  ])("is refused when it is %s", (_, json, why) => {
    const error = wireErrorOf(() => parseNode(json));
    expect(error?.code).toBe("limit");
    expect(error?.message).toContain(why);
  });

  it("is refused by a WireError and nothing else, whatever is changed in it", () => {
    let refused = 0;
    const changes = fc.array(fc.nat(), { minLength: 6, maxLength: 14 });
    fc.assert(
      fc.property(fc.constantFrom(...known), changes, (node, [how = 0, which = 0, ...steps]) => {
        const json = { node: copyOf(node) };
        damage(json, how, which, steps);
        try {
          parseNode(json.node);
        } catch (error) {
          if (!(error instanceof WireError)) throw error;
          refused += 1;
        }
      }),
      { numRuns: scaled(100_000, 3_000), seed: 9 },
    );
    expect(refused).toBeGreaterThan(0);
  });
});

/** Changes one value, as deep inside as the steps go. */
function damage(holder: object, how: number, which: number, steps: readonly number[]): void {
  let within: object = holder;
  let key = "node";
  for (const step of steps) {
    const inner = (within as Record<string, unknown>)[key];
    if (typeof inner !== "object" || inner === null || Object.keys(inner).length === 0) break;
    within = inner;
    key = Object.keys(inner)[step % Object.keys(inner).length] as string;
  }
  const others = [
    null,
    0,
    -1,
    2 ** 40,
    0.5,
    "",
    "x",
    "struct",
    [],
    {},
    [[]],
    true,
    { kind: "smart" },
    copyOf(known[which % known.length] as LayoutNode),
  ];
  if (how % 5 === 0) delete (within as Record<string, unknown>)[key];
  else (within as Record<string, unknown>)[key] = others[how % others.length];
}
