/** Descriptions made up from bytes: every kind of node, mostly ones that can be. */
import type { Condition, FieldNode, IntegerNode, LayoutNode, RunLength } from "wirewalk/wire";

/** Bytes one after another; 0 after the last. */
export class Choices {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? 0;
  }

  below(count: number): number {
    return this.byte() % count;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  chance(inAll: number): boolean {
    return this.below(inAll) === 1;
  }
}

const MAX_DEPTH = 4;
const MAX_FIELDS = 4;
const transforms = [undefined, undefined, "+128", "neg", "sub"] as const;
const orders = ["be", "le"] as const;
const wideOrders = ["be", "le", "2301", "1032"] as const;

function integerNode(choices: Choices, inBits: boolean): IntegerNode {
  const bits = inBits ? 1 + choices.below(20) : choices.pick([8, 8, 16, 16, 24, 32]);
  const signed = choices.chance(3);
  const transform = inBits ? undefined : choices.pick(transforms);
  const extra = choices.below(6);
  return {
    kind: "integer",
    bits,
    signed,
    order: inBits ? "be" : choices.pick(bits === 32 ? wideOrders : orders),
    ...(transform === undefined ? {} : { transform }),
    ...(extra === 1 ? { bias: choices.byte() - 20 } : {}),
    ...(extra === 2 ? { divisor: 2 ** choices.below(5) } : {}),
    ...(extra === 3 ? { min: signed ? -choices.byte() : choices.below(4), max: choices.byte() } : {}),
  };
}

/** A number that stands for something: whole bytes or bits, of which there are at least so many, without extras. */
function plainInteger(choices: Choices, inBits: boolean, least = 1): IntegerNode {
  return { kind: "integer", bits: inBits ? least + choices.below(9 - least) : 8, signed: false, order: "be" };
}

/** The least and the greatest value of a number. */
function rangeOf({ bits, signed, bias = 0, divisor = 1, min, max }: IntegerNode): [number, number] {
  const low = signed ? -(2 ** (bits - 1)) : 0;
  return [min ?? (low - bias) / divisor, max ?? (low + 2 ** bits - 1 - bias) / divisor];
}

/** A condition on a number, mostly one that can hold. */
function conditionOn(choices: Choices, field: string, node: IntegerNode): Condition {
  const [low, high] = rangeOf(node);
  const masked = (node.divisor ?? 1) === 1 && choices.chance(4);
  const mask = 1 + choices.below(Math.min(255, Math.max(1, high)));
  const bound = masked ? choices.below(mask + 1) : Math.min(high, low + choices.byte());
  return {
    field,
    ...choices.pick<object>([{ from: bound }, { to: bound }, { not: bound }, { from: bound, to: bound }]),
    ...(masked ? { mask } : {}),
  };
}

function lengthOf(choices: Choices, inBits: boolean, isLast: boolean): RunLength {
  const kind = choices.below(isLast ? 4 : 2);
  if (kind === 0) return choices.below(5);
  if (kind === 1) {
    const count = plainInteger(choices, inBits);
    return { count: choices.chance(5) ? ({ ...count, signed: true } as LayoutNode) : count, limit: choices.byte() };
  }
  if (kind === 2) return { rest: choices.byte() };
  return choices.chance(2) ? { rest: 1 + choices.byte(), tolerant: true } : { until: 0xff, limit: choices.byte() };
}

/** An object of some fields. A field with a condition asks for a number before it. */
function structNode(choices: Choices, depth: number, inBits: boolean, isLast: boolean): LayoutNode {
  const fields: FieldNode[] = [];
  const numbers: [string, IntegerNode][] = [];
  const count = 1 + choices.below(MAX_FIELDS);
  for (let at = 0; at < count; at++) {
    const name = `f${depth}${at}`;
    const node = nodeFrom(choices, depth + 1, inBits, isLast && at === count - 1);
    const hidden = node.kind === "unused" || (node.kind === "literal" && choices.chance(2));
    const on = numbers.length > 0 && choices.chance(4) ? choices.pick(numbers) : undefined;
    const when = on === undefined ? undefined : conditionOn(choices, ...on);
    const usual = node.kind === "integer" && node.bits <= 32 && choices.chance(5) ? rangeOf(node)[0] : undefined;
    fields.push({
      name,
      node,
      ...(hidden ? { hidden } : {}),
      ...(when === undefined || hidden ? {} : { when }),
      ...(usual === undefined ? {} : { default: usual }),
    });
    if (node.kind === "integer" && node.bits <= 32 && when === undefined) numbers.push([name, node]);
  }
  const [first, last] = [fields[0], fields.at(-1)];
  const keeps = !inBits && first?.hidden !== true && last?.hidden !== true && choices.chance(8);
  return {
    kind: "struct",
    fields,
    ...(choices.chance(6) && first?.hidden !== true ? { order: [first?.name ?? ""] } : {}),
    ...(keeps ? { kept: { name: "kept", from: first?.name ?? "", to: last?.name ?? "" } } : {}),
  };
}

function variantNode(choices: Choices, depth: number, inBits: boolean, isLast: boolean): LayoutNode {
  const body = (): LayoutNode => structNode(choices, depth + 1, inBits, isLast);
  const kind = choices.below(inBits ? 3 : 2);
  if (kind === 0) {
    const tags = [[choices.byte() & 1], [2, 3]];
    const cases = [
      ...tags.map((each) => ({ tags: each, node: body() })),
      ...(choices.chance(2) ? [{ node: body() }] : []),
    ];
    return {
      kind: "variant",
      tagName: "tag",
      tag: plainInteger(choices, inBits, 2),
      cases,
      ...(choices.chance(4) ? { order: choices.pick([["tag"], [`f${depth + 1}0`, "tag"], ["none"]]) } : {}),
    };
  }
  const names = ["a", "b", "c"];
  const of = plainInteger(choices, inBits, 2);
  const tag: LayoutNode =
    kind === 1
      ? { kind: "oneOf", of, names: { a: 0, b: 1, c: choices.below(2 ** of.bits) } }
      : { kind: "prefix", codes: { a: "0", b: "10", c: choices.pick(["11", "110"]) } };
  return { kind: "variant", tagName: "tag", tag, cases: names.map((name) => ({ tags: [name], node: body() })) };
}

/** A few numbers, and perhaps all bytes that are left: what stands within a size or a block. */
function simpleBody(choices: Choices): LayoutNode {
  const fields: FieldNode[] = [];
  for (let count = 1 + choices.below(3); count > 0; count--) {
    const node = choices.chance(3)
      ? ({ kind: "boolean", of: plainInteger(choices, false) } as const)
      : integerNode(choices, false);
    fields.push({ name: `n${count}`, node });
  }
  if (choices.chance(2)) fields.push({ name: "rest", node: { kind: "bytes", length: { rest: 1 + choices.byte() } } });
  return { kind: "struct", fields };
}

/** Values of one shape, whichever case they are. */
function membersNode(choices: Choices, inBits: boolean): LayoutNode {
  const cases = [1, 2, 0].slice(0, 2 + choices.below(2)).map((tag) => {
    const number = integerNode(choices, inBits);
    const fields: FieldNode[] = [
      { name: "word", node: { kind: "constant", value: `case ${tag}`, optional: true } },
      { name: choices.pick(["x", "y"]), node: number },
      { name: "isOn", node: { kind: "boolean", of: plainInteger(choices, inBits) } },
    ];
    return { tags: [tag], node: { kind: "struct", fields } as const };
  });
  return {
    kind: "variant",
    tagName: "tag",
    tag: plainInteger(choices, inBits, 2),
    cases,
    members: { word: "none", x: 0, y: 0, isOn: false, more: "more" },
    ...(choices.chance(3) ? { order: ["word"] } : {}),
  };
}

/** A case that the byte ahead tells, by which values of the other case can be written too. */
function peekNode(choices: Choices, isLast: boolean): LayoutNode {
  const x: FieldNode = { name: "x", node: { kind: "integer", bits: 8, signed: false, order: "be" } };
  const token = 0x80 + choices.below(0x40);
  const of: LayoutNode = { kind: "integer", bits: 8, signed: false, order: "be" };
  const fields: FieldNode[] = [{ name: "token", node: { kind: "literal", of, value: token }, hidden: true }, x];
  const next = { mask: choices.pick([0xff, 0xc0, 0x80]), value: 0 };
  return {
    kind: "peek",
    cases: [
      {
        when: { next: { ...next, value: token & next.mask }, ...(isLast && choices.chance(2) ? { atMost: 2 } : {}) },
        node: { kind: "struct", fields },
      },
      ...(isLast && choices.chance(2) ? [{ when: { atMost: 1 }, node: { kind: "struct", fields: [x] } as const }] : []),
      { node: { kind: "struct", fields: [x, { ...fields[0], name: "end" } as FieldNode] } },
    ],
  };
}

const byte: LayoutNode = { kind: "integer", bits: 8, signed: false, order: "be" };
const structOf = (nodes: Readonly<Record<string, LayoutNode>>): LayoutNode => {
  return { kind: "struct", fields: Object.entries(nodes).map(([name, node]) => ({ name, node })) };
};
const bitsOf = (first: "msb" | "lsb", of: LayoutNode): LayoutNode => {
  return { kind: "bits", first, of, padding: { name: "padding", value: "zero" } };
};
/** A field that is there by one of several others. */
const dependingOn = (when: Condition): LayoutNode => ({
  kind: "struct",
  fields: [
    { name: "a", node: byte },
    { name: "half", node: { ...byte, divisor: 2 } as LayoutNode },
    { name: "name", node: { kind: "oneOf", of: byte, names: { one: 1 } } },
    { name: "bytes", node: { kind: "bytes", length: 2 } },
    { name: "hidden", node: { kind: "literal", of: byte, value: 1 }, hidden: true },
    { name: "x", node: byte, when },
    { name: "later", node: byte },
  ],
});
const sizedByte: LayoutNode = { kind: "sized", size: byte, extra: 0, of: structOf({ x: byte }) };
const blockOfByte: LayoutNode = {
  kind: "compressed",
  method: "lz4-block",
  limit: 9,
  reserved: "refuse",
  of: structOf({ x: byte }),
};
const alike = [{ when: { atMost: 1 }, node: structOf({ x: byte }) }, { node: structOf({ x: byte }) }];
const threeBits: LayoutNode = { kind: "integer", bits: 3, signed: false, order: "be" };

/** What is seldom made up of parts. */
const rare: readonly LayoutNode[] = [
  ...[{ zero: true }, { zero: false }].map((test) => dependingOn({ field: "bytes", ...test })),
  dependingOn({ field: "half", from: 0.5, to: 1, not: 0.5 }),
  dependingOn({ field: "a", mask: 0x28, from: 9, to: 40, not: 32 }),
  ...(["msb", "lsb"] as const).flatMap((first) =>
    [sizedByte, blockOfByte, bitsOf("msb", structOf({ x: byte })), { kind: "peek", cases: alike } as const].map(
      (node) => bitsOf(first, structOf({ a: byte, b: node })),
    ),
  ),
  bitsOf("msb", structOf({ a: threeBits, b: { kind: "smart" }, c: { kind: "smart", wide: true } })),
  bitsOf("msb", structOf({ a: threeBits, b: { kind: "text", charset: "latin1", length: { rest: 9 } } })),
  bitsOf("lsb", {
    kind: "byLength",
    cases: [{ node: structOf({ word: { kind: "constant", value: "only" }, x: byte }), when: { word: ["only"] } }],
  }),
  { kind: "array", item: structOf({ x: byte, y: { kind: "smart" } }), length: { until: 3, limit: 9 } },
  {
    kind: "flags",
    of: { kind: "integer", bits: 16, signed: false, order: "be" },
    flags: { low: 0, high: 15 },
    reserved: "ignore",
  },
];

/** What no description may say. */
const impossible: readonly LayoutNode[] = [
  { kind: "integer", bits: 33, signed: false, order: "be" },
  { kind: "integer", bits: 12, signed: false, order: "be", transform: "neg" },
  { kind: "integer", bits: 24, signed: false, order: "be", transform: "neg" },
  { kind: "integer", bits: 16, signed: false, order: "2301" },
  { kind: "unused", bits: 40 },
  { kind: "prefix", codes: { a: "1", b: "12" } },
  { kind: "prefix", codes: { a: "1", b: "10" } },
  { kind: "flags", of: { kind: "integer", bits: 8, signed: false, order: "be" }, flags: { x: 32 }, reserved: "refuse" },
  { kind: "bytes", length: { until: 1, limit: 2 } },
  { kind: "bytes", length: { rest: 2 }, readings: [] },
  {
    kind: "bytes",
    length: 2,
    readings: [{ name: "r", when: { field: "f", from: 1 }, node: { kind: "unused", bits: 8 } }],
  },
  { kind: "bytes", length: 2, inside: { kind: "smart" } },
  { kind: "struct", fields: [{ name: "1", node: { kind: "smart" } }] },
  { kind: "struct", fields: [{ name: "a", node: { kind: "smart" }, hidden: true }] },
  { kind: "struct", fields: [{ name: "a", node: { kind: "unused", bits: 8 } }] },
  { kind: "struct", fields: [{ name: "a", node: { kind: "smart" } }], order: ["b"] },
  { kind: "struct", fields: [{ name: "", node: { kind: "struct", fields: [] } }] },
  {
    kind: "struct",
    fields: [0, 1].map(() => ({
      name: "",
      node: { kind: "struct", fields: [{ name: "a", node: { kind: "smart" } }] },
    })),
  },
  {
    kind: "struct",
    fields: [
      { name: "a", node: { kind: "smart" } },
      { name: "b", node: { kind: "smart" }, when: { field: "c", from: 1 } },
    ],
  },
  { kind: "struct", fields: [{ name: "a", node: { kind: "smart" }, default: "x" }] },
  { kind: "struct", fields: [{ name: "a", node: { kind: "smart" } }], kept: { name: "a", from: "a", to: "a" } },
  { kind: "peek", cases: [{ node: { kind: "smart" } }, { node: { kind: "smart" } }] },
  { kind: "array", item: { kind: "bytes", length: { rest: 2 } }, length: 2 },
  { kind: "literal", of: { kind: "smart" }, value: -1 },
  ...[
    { field: "hidden" },
    { field: "x" },
    { field: "later" },
    { field: "bytes", from: 1 },
    { field: "bytes", zero: true, from: 1 },
    { field: "a", zero: true },
    { field: "half", mask: 1, from: 1 },
    { field: "a", mask: 0, from: 1 },
    { field: "a", mask: 256, from: 1 },
    { field: "a", mask: 3, from: 9 },
    { field: "a", mask: 3, to: 9 },
    { field: "none" },
    { field: "name", from: 1 },
    { field: "a", mask: 1 },
    { field: "a", mask: 0x28, from: 9, to: 31 },
  ].map(dependingOn),
  ...[sizedByte, blockOfByte].map((b) => bitsOf("msb", structOf({ a: threeBits, b }))),
  { kind: "byLength", cases: [{ bytes: 1, node: { kind: "struct", fields: [] }, when: {} }] },
  { kind: "byLength", cases: [{ node: { kind: "struct", fields: [] }, when: {} }] },
  {
    kind: "variant",
    tagName: "tag",
    tag: { kind: "smart" },
    cases: [{ tags: [1], node: { kind: "struct", fields: [] }, hidden: true }],
  },
];

/** Any description of an object. */
function lastOfConcat(choices: Choices, depth: number, inBits: boolean, isLast: boolean): LayoutNode {
  switch (choices.below(inBits ? 2 : isLast ? 7 : 4)) {
    case 0:
      return structNode(choices, depth, inBits, isLast);
    case 1:
      return variantNode(choices, depth, inBits, isLast);
    case 2:
      return { kind: "sized", size: plainInteger(choices, false), extra: 1, of: simpleBody(choices) };
    case 3:
      return markNode(choices, false);
    case 4:
      return byLengthNode(choices);
    case 5:
      return { kind: "limited", bytes: choices.byte(), name: "all", of: structNode(choices, depth, false, true) };
    default:
      return {
        kind: "compressed",
        method: "lz4-block",
        limit: choices.byte() * 4,
        reserved: "refuse",
        of: simpleBody(choices),
      };
  }
}

/** Two objects as one. Their fields have other names, since they are made at other depths. */
function concatNode(choices: Choices, depth: number, inBits: boolean, isLast: boolean): LayoutNode {
  const first = structNode(choices, depth + 1, inBits, false);
  const last = lastOfConcat(choices, depth + 2, inBits, isLast);
  return {
    kind: "struct",
    fields: [first, last].map((node) => ({ name: "", node })),
    ...(choices.chance(3) ? { order: [`f${depth + 1}0`] } : {}),
  };
}

/** Bytes whose meaning an earlier number decides. */
function readingNode(choices: Choices): LayoutNode {
  const field = (name: string): FieldNode => ({ name, node: { kind: "integer", bits: 8, signed: true, order: "be" } });
  const pair: LayoutNode = { kind: "struct", fields: [field("a"), field("b")] };
  const word: LayoutNode = {
    kind: "struct",
    fields: [{ name: "w", node: { kind: "integer", bits: 16, signed: false, order: "le" } }],
  };
  const edge = choices.byte();
  return {
    kind: "struct",
    fields: [
      { name: "which", node: plainInteger(choices, false) },
      {
        name: "raw",
        node: {
          kind: "bytes",
          length: 2,
          readings: [
            { name: "pair", when: { field: "which", to: edge }, node: pair },
            { name: "word", when: { field: "which", from: edge + 1, not: 255 }, node: word },
          ],
        },
      },
    ],
  };
}

const meaning = {
  doc: "a number",
  section: "1.2",
  unit: "px",
  words: [{ from: 2, to: 9, every: 2, text: "{number} is {}", offset: 1, factor: 0.5, digits: 1 }, { text: "other" }],
};

/** Some description. Some have a meaning beside their bits, and few cannot be. */
export function nodeFrom(choices: Choices, depth: number, inBits: boolean, isLast: boolean): LayoutNode {
  const kind = choices.below(24);
  if (kind === 1) return choices.pick(impossible);
  if (kind === 10 && depth === 0) return choices.pick(rare);
  if (kind === 2 && !inBits && depth < MAX_DEPTH) return readingNode(choices);
  if (kind === 3 && depth < MAX_DEPTH) return concatNode(choices, depth, inBits, isLast);
  if (kind === 6 && isLast && !inBits) return byLengthNode(choices);
  if (kind === 7) return hiddenTagNode(choices, inBits);
  if (kind === 8) return membersNode(choices, inBits);
  if (kind === 9 && !inBits) return peekNode(choices, isLast && depth === 0);
  const node = plainNodeFrom(choices, depth, inBits, isLast);
  return kind === 4 || kind === 5 ? { ...node, ...meaning } : node;
}

/** A description without a meaning. What takes all bytes that are left is only made where nothing follows. */
function plainNodeFrom(choices: Choices, depth: number, inBits: boolean, isLast: boolean): LayoutNode {
  const shallow = depth >= MAX_DEPTH;
  switch (choices.below(shallow ? 10 : 20)) {
    case 0:
    case 1:
      return integerNode(choices, inBits);
    case 2:
      if (inBits) return { kind: "unused", bits: 1 + choices.below(8) };
      return choices.chance(3)
        ? { kind: "integer", bits: 64, signed: false, order: "le" }
        : { kind: "smart", ...(choices.chance(2) ? { wide: true } : {}) };
    case 3:
      if (inBits) return { kind: "prefix", codes: { on: "1", off: "00", other: "01" } };
      return { kind: "float", bits: 32, order: choices.pick(orders), ...(choices.chance(2) ? { finite: true } : {}) };
    case 4:
      return { kind: "boolean", of: plainInteger(choices, inBits) };
    case 5: {
      const of = plainInteger(choices, inBits, 2);
      return { kind: "oneOf", of, names: { one: 1, two: choices.below(2 ** of.bits), none: 0 } };
    }
    case 6: {
      const of = inBits ? ({ kind: "integer", bits: 8, signed: false, order: "be" } as const) : integerOfBytes(choices);
      return {
        kind: "flags",
        of,
        flags: { x: choices.below(8), y: choices.below(8) },
        reserved: choices.pick(["refuse", "ignore"]),
        ...(choices.chance(3) ? { shared: true } : {}),
      };
    }
    case 7: {
      const of = plainInteger(choices, inBits);
      const value = choices.below(2 ** of.bits);
      const parts = choices.chance(3)
        ? { parts: [{ shift: 0, mask: 1, code: "bad-value", why: "{} is odd" } as const] }
        : {};
      return { kind: "literal", of, value, ...parts };
    }
    case 8:
      return {
        kind: "constant",
        value: choices.pick([7, "seven", true]),
        ...(choices.chance(2) ? { optional: true } : {}),
      };
    case 9:
      return inBits && choices.chance(2) ? integerNode(choices, true) : textOrBytes(choices, isLast && !inBits);
    case 10:
    case 11:
      return structNode(choices, depth, inBits, isLast);
    case 12:
    case 13:
      return variantNode(choices, depth, inBits, isLast);
    case 14: {
      const length = lengthOf(choices, inBits, isLast && !inBits);
      return {
        kind: "array",
        item: nodeFrom(choices, depth + 1, inBits, false),
        length,
        ...(choices.chance(5) ? { fold: "items" } : {}),
      };
    }
    case 15:
      if (inBits) return integerNode(choices, true);
      if (choices.chance(3)) return lowFirstNode(choices);
      return {
        kind: "bits",
        first: "msb",
        of: nodeFrom(choices, depth + 1, true, false),
        padding: { name: "padding", value: choices.pick(["zero", "any"]) },
      };
    case 16:
      if (inBits) return integerNode(choices, true);
      return {
        kind: "sized",
        size: plainInteger(choices, false),
        extra: choices.below(3),
        of: simpleBody(choices),
      };
    case 17:
      if (inBits || !isLast) return integerNode(choices, inBits);
      return { kind: "limited", bytes: choices.byte(), name: "all", of: nodeFrom(choices, depth + 1, false, true) };
    case 18:
      if (inBits || !isLast) return integerNode(choices, inBits);
      return {
        kind: "compressed",
        method: "lz4-block",
        limit: choices.byte() * 4,
        reserved: choices.pick(["refuse", "ignore"]),
        of: simpleBody(choices),
        ...(choices.chance(3) ? { literals: 1 } : {}),
      };
    default:
      return inBits || !isLast ? markNode(choices, inBits) : byLengthNode(choices);
  }
}

/** Small numbers of one width, which never lie in two bytes, or of several, some of which would and are refused. */
function lowFirstNode(choices: Choices): LayoutNode {
  if (choices.chance(2)) {
    const padding = { name: "padding", value: "any" } as const;
    return { kind: "bits", first: "lsb", of: nodeFrom(choices, MAX_DEPTH - 1, true, false), padding };
  }
  const item: LayoutNode = { kind: "integer", bits: choices.pick([1, 2, 4]), signed: choices.chance(3), order: "be" };
  const count: LayoutNode = { kind: "integer", bits: 8, signed: false, order: "be" };
  return {
    kind: "bits",
    first: "lsb",
    of: { kind: "array", item, length: { count, limit: choices.byte() } },
    padding: { name: "padding", value: choices.pick(["zero", "any"]) },
  };
}

function integerOfBytes(choices: Choices): LayoutNode {
  return { kind: "integer", bits: choices.pick([8, 16, 32]), signed: false, order: choices.pick(orders) };
}

function textOrBytes(choices: Choices, isLast: boolean): LayoutNode {
  switch (choices.below(5)) {
    case 0:
      if (isLast && choices.chance(3)) return { kind: "text", charset: "latin1", length: { rest: choices.byte() } };
      return { kind: "text", charset: "latin1", length: { end: "zero", limit: choices.byte() } };
    case 1:
      return { kind: "text", charset: "windows-1252", length: { end: "zero", limit: choices.byte() } };
    case 2:
      return {
        kind: "text",
        charset: "latin1",
        length: { count: plainInteger(choices, false), limit: choices.byte() },
      };
    case 3: {
      const inside: LayoutNode = { kind: "struct", fields: [{ name: "in", node: plainInteger(choices, false) }] };
      return { kind: "bytes", length: 1, inside, ...(choices.chance(2) ? { flat: true } : {}) };
    }
    default: {
      const run = lengthOf(choices, false, isLast);
      const transform = choices.pick(transforms);
      return {
        kind: "bytes",
        length: typeof run === "object" && ("until" in run || "tolerant" in run) ? { rest: 9 } : run,
        ...(transform === undefined ? {} : { transform }),
        ...(choices.chance(3) ? { reversed: true } : {}),
        ...(choices.chance(3) ? { opaque: "made up" } : {}),
      };
    }
  }
}

function markNode(choices: Choices, inBits: boolean): LayoutNode {
  if (!inBits)
    return { kind: "bits", first: "msb", of: markNode(choices, true), padding: { name: "padding", value: "zero" } };
  const width = 1 + choices.below(6);
  const value = choices.below(2 ** width);
  const field = (name: string, bits: number): FieldNode => ({
    name,
    node: { kind: "integer", bits, signed: false, order: "be" },
  });
  return {
    kind: "mark",
    parts: [{ name: "first", bits: width, value }],
    marked: { kind: "struct", fields: [{ name: "isMarked", node: { kind: "constant", value: true } }] },
    of: { kind: "struct", fields: [field("first", width), field("second", 1 + choices.below(9))] },
    when: { isMarked: [true] },
  };
}

function byLengthNode(choices: Choices): LayoutNode {
  const named = (kind: string, node: LayoutNode): LayoutNode => ({
    kind: "struct",
    fields: [
      { name: "size", node: { kind: "constant", value: kind } },
      { name: "inner", node },
    ],
  });
  return {
    kind: "byLength",
    cases: [
      { bytes: 1, node: named("short", plainInteger(choices, false)), when: { size: ["short"] } },
      { node: named("long", { kind: "bytes", length: { rest: choices.byte() } }), when: { size: ["long"] } },
    ],
  };
}

/** A tag that does not stand in the value: it follows from which fields are there. */
function hiddenTagNode(choices: Choices, inBits: boolean): LayoutNode {
  const body = (name: string): LayoutNode => ({
    kind: "struct",
    fields: [{ name, node: plainInteger(choices, inBits) }],
  });
  return {
    kind: "variant",
    tagName: "tag",
    tag: { kind: "integer", bits: 8, signed: false, order: "be" },
    cases: [
      { tags: [1], node: body("one"), when: { one: "present" }, hidden: true },
      { tags: [2], node: body("two"), when: { one: "absent" }, hidden: true },
    ],
  };
}
