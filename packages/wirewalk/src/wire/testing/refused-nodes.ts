/** Descriptions out of JSON that are refused, each for a reason of its own. */
import { bits, fixedBytes, oneOf, struct, u8, u64le, variant } from "../index.ts";

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

/** Why, the JSON, and how the error begins: `Cannot read <path>: `. */
export const refusedNodes: readonly (readonly [why: string, json: unknown, message: string])[] = [
  ["a text", "u8", "Cannot read node: it must be an object"],
  ["no kind", {}, "Cannot read node.kind: it is one of integer, smart, float"],
  ["a kind of all objects", { kind: "constructor" }, "Cannot read node.kind: "],
  ["a kind that is a list", { kind: ["integer"] }, "Cannot read node.kind: it is one of integer, smart"],
  ["a missing key", { kind: "integer", bits: 8, order: "be" }, "Cannot read node.signed: it is missing"],
  ["a key of another kind", { kind: "smart", bits: 8 }, "Cannot read node.bits: there is no such key"],
  ["a key that all objects have", JSON.parse('{"kind":"smart","__proto__":1}'), "Cannot read node.__proto__: "],
  ["a wrong value", { ...u8.node, signed: 1 }, "Cannot read node.signed: it must be true or false"],
  ["a transform that there is not", { ...u8.node, transform: "BE" }, "Cannot read node.transform: it is one of +128"],
  ["words without text", { ...u8.node, words: [{ from: 1 }] }, "Cannot read node.words[0].text: it is missing"],
  ["too many digits", { ...u8.node, words: [{ text: "{}", digits: 10 }] }, "Cannot read node.words[0].digits: "],
  ["too many bits", { ...u8.node, bits: 40 }, "Cannot read node.bits: it must be an integer in 1..32, or 64"],
  ["64 bits with a sign", { ...u64le.node, signed: true }, "Cannot read node.bits: 64 bits are an unsigned number"],
  ["half a byte among bytes", { ...u8.node, bits: 4 }, "Cannot read node.bits: outside of bits it must be whole bytes"],
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
  ["two ends", { kind: "bytes", length: { ...count, rest: 1 } }, "Cannot read node.length.rest: there is no such key"],
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
  ["unused bits in the value", field({ kind: "unused", bits: 8 }), "Cannot read node.fields[1].hidden: what is unused"],
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
];
