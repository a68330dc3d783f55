/** Bytes one after another; 0 after the last. */
export class Choices {
  #bytes;
  #at = 0;
  constructor(bytes) {
    this.#bytes = bytes;
  }
  byte() {
    return this.#bytes[this.#at++] ?? 0;
  }
  below(count) {
    return this.byte() % count;
  }
  pick(items) {
    return items[this.below(items.length)];
  }
  chance(inAll) {
    return this.below(inAll) === 1;
  }
}
const MAX_DEPTH = 4;
const MAX_FIELDS = 4;
const transforms = [undefined, undefined, "+128", "neg", "sub"];
const orders = ["be", "le"];
const wideOrders = ["be", "le", "2301", "1032"];
function integerNode(choices, inBits) {
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
/** A number that stands for something: whole bytes or bits, without extras. */
function plainInteger(choices, inBits) {
  return { kind: "integer", bits: inBits ? 1 + choices.below(8) : 8, signed: false, order: "be" };
}
function lengthOf(choices, inBits, isLast) {
  const kind = choices.below(isLast ? 4 : 2);
  if (kind === 0) return choices.below(5);
  if (kind === 1) {
    const count = plainInteger(choices, inBits);
    return { count: choices.chance(5) ? { ...count, signed: true } : count, limit: choices.byte() };
  }
  if (kind === 2) return { rest: choices.byte() };
  return choices.chance(2) ? { rest: 1 + choices.byte(), tolerant: true } : { until: 0xff, limit: choices.byte() };
}
/** An object of some fields. A field with a condition asks for a number before it. */
function structNode(choices, depth, inBits, isLast) {
  const fields = [];
  const numbers = [];
  const count = 1 + choices.below(MAX_FIELDS);
  for (let at = 0; at < count; at++) {
    const name = `f${depth}${at}`;
    const node = nodeFrom(choices, depth + 1, inBits, isLast && at === count - 1);
    const hidden = node.kind === "unused" || (node.kind === "literal" && choices.chance(2));
    const field = numbers.length > 0 && choices.chance(4) ? choices.pick(numbers) : undefined;
    const when =
      field === undefined
        ? undefined
        : {
            field,
            ...choices.pick([{ from: choices.byte() }, { to: choices.byte() }, { not: choices.byte() }]),
            ...(choices.chance(4) ? { mask: choices.byte() } : {}),
          };
    fields.push({ name, node, ...(hidden ? { hidden } : {}), ...(when === undefined || hidden ? {} : { when }) });
    if (node.kind === "integer" && node.bits <= 32 && when === undefined) numbers.push(name);
  }
  return {
    kind: "struct",
    fields,
    ...(choices.chance(6) && fields[0]?.hidden !== true ? { order: [fields[0]?.name ?? ""] } : {}),
  };
}
function variantNode(choices, depth, inBits, isLast) {
  const body = () => structNode(choices, depth + 1, inBits, isLast);
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
      tag: plainInteger(choices, inBits),
      cases,
      ...(choices.chance(4) ? { order: ["none", "tag"] } : {}),
    };
  }
  const names = ["a", "b", "c"];
  const tag =
    kind === 1
      ? { kind: "oneOf", of: plainInteger(choices, inBits), names: { a: 0, b: 1, c: choices.byte() } }
      : { kind: "prefix", codes: { a: "0", b: "10", c: choices.pick(["11", "110"]) } };
  return { kind: "variant", tagName: "tag", tag, cases: names.map((name) => ({ tags: [name], node: body() })) };
}
/** A few numbers, and perhaps all bytes that are left: what stands within a size or a block. */
function simpleBody(choices) {
  const fields = [];
  for (let count = 1 + choices.below(3); count > 0; count--) {
    const node = choices.chance(3)
      ? { kind: "boolean", of: plainInteger(choices, false) }
      : integerNode(choices, false);
    fields.push({ name: `n${count}`, node });
  }
  if (choices.chance(2)) fields.push({ name: "rest", node: { kind: "bytes", length: { rest: 1 + choices.byte() } } });
  return { kind: "struct", fields };
}
/** What no description may say. */
const impossible = [
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
  { kind: "bytes", length: 2, readings: [{ name: "r", when: { field: "f" }, node: { kind: "unused", bits: 8 } }] },
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
function lastOfConcat(choices, depth, inBits, isLast) {
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
function concatNode(choices, depth, inBits, isLast) {
  const first = structNode(choices, depth + 1, inBits, false);
  const last = lastOfConcat(choices, depth + 2, inBits, isLast);
  return {
    kind: "struct",
    fields: [first, last].map((node) => ({ name: "", node })),
    ...(choices.chance(3) ? { order: [`f${depth + 1}0`] } : {}),
  };
}
/** Bytes whose meaning an earlier number decides. */
function readingNode(choices) {
  const field = (name) => ({ name, node: { kind: "integer", bits: 8, signed: true, order: "be" } });
  const pair = { kind: "struct", fields: [field("a"), field("b")] };
  const word = {
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
export function nodeFrom(choices, depth, inBits, isLast) {
  const kind = choices.below(24);
  if (kind === 1) return choices.pick(impossible);
  if (kind === 2 && !inBits && depth < MAX_DEPTH) return readingNode(choices);
  if (kind === 3 && depth < MAX_DEPTH) return concatNode(choices, depth, inBits, isLast);
  if (kind === 6 && isLast && !inBits) return byLengthNode(choices);
  if (kind === 7) return hiddenTagNode(choices, inBits);
  const node = plainNodeFrom(choices, depth, inBits, isLast);
  return kind === 4 || kind === 5 ? { ...node, ...meaning } : node;
}
/** A description without a meaning. What takes all bytes that are left is only made where nothing follows. */
function plainNodeFrom(choices, depth, inBits, isLast) {
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
    case 5:
      return { kind: "oneOf", of: plainInteger(choices, inBits), names: { one: 1, two: choices.byte(), none: 0 } };
    case 6: {
      const of = inBits ? { kind: "integer", bits: 8, signed: false, order: "be" } : integerOfBytes(choices);
      return {
        kind: "flags",
        of,
        flags: { x: choices.below(8), y: choices.below(8) },
        reserved: choices.pick(["refuse", "ignore"]),
      };
    }
    case 7: {
      const of = plainInteger(choices, inBits);
      const value = choices.below(2 ** of.bits);
      const parts = choices.chance(3) ? { parts: [{ shift: 0, mask: 1, code: "bad-value", why: "{} is odd" }] } : {};
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
      };
    default:
      return inBits || !isLast ? markNode(choices, inBits) : byLengthNode(choices);
  }
}
/** Small numbers of one width, which never lie in two bytes, or of several, some of which would and are refused. */
function lowFirstNode(choices) {
  if (choices.chance(2)) {
    const padding = { name: "padding", value: "any" };
    return { kind: "bits", first: "lsb", of: nodeFrom(choices, MAX_DEPTH - 1, true, false), padding };
  }
  const item = { kind: "integer", bits: choices.pick([1, 2, 4]), signed: choices.chance(3), order: "be" };
  const count = { kind: "integer", bits: 8, signed: false, order: "be" };
  return {
    kind: "bits",
    first: "lsb",
    of: { kind: "array", item, length: { count, limit: choices.byte() } },
    padding: { name: "padding", value: choices.pick(["zero", "any"]) },
  };
}
function integerOfBytes(choices) {
  return { kind: "integer", bits: choices.pick([8, 16, 32]), signed: false, order: choices.pick(orders) };
}
function textOrBytes(choices, isLast) {
  switch (choices.below(5)) {
    case 0:
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
      const inside = { kind: "struct", fields: [{ name: "in", node: plainInteger(choices, false) }] };
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
function markNode(choices, inBits) {
  if (!inBits)
    return { kind: "bits", first: "msb", of: markNode(choices, true), padding: { name: "padding", value: "zero" } };
  const width = 1 + choices.below(6);
  const value = choices.below(2 ** width);
  const field = (name, bits) => ({
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
function byLengthNode(choices) {
  const named = (kind, node) => ({
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
function hiddenTagNode(choices, inBits) {
  const body = (name) => ({
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
