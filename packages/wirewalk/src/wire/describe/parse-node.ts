/**
 * Descriptions out of JSON: a table says which keys each kind has, and everything from outside is checked against it.
 *
 * ```ts
 * import { parseNode } from "wirewalk/wire";
 *
 * parseNode({ kind: "integer", bits: 16, signed: false, order: "be" }).kind; // => "integer"
 * parseNode({ kind: "integer", bits: 16 }); // throws bad-value: Cannot read node.signed: it is missing
 * parseNode({ kind: "smart", bits: 16 }); // throws bad-value: Cannot read node.bits: there is no such key
 * ```
 *
 * `layoutOf` then checks what depends on several numbers, such as a greatest value that its bits do not hold. A literal of 64 bits is
 * a bigint, which JSON does not have.
 *
 * @module
 */
import type {
  CaseNode,
  ColumnNode,
  Condition,
  FieldNode,
  KeptNode,
  LayoutNode,
  LiteralPart,
  Meaning,
  PeekTest,
  ReadingNode,
  RowsNode,
  RunLength,
  TextNode,
  WordRule,
} from "../describe/node.ts";
import { WireError, type WireErrorCode } from "../wire-error.ts";
import { hasTest } from "./conditions.ts";
import {
  among,
  type Check,
  formOf,
  type KeysOf,
  keyAt,
  listAt,
  listOf,
  MAX_ENTRIES,
  maybe,
  name,
  number,
  objectAt,
  type Place,
  recordOf,
  refusedJson,
  scalar,
  shape,
  shapeOf,
  TOP,
  text,
  truth,
  whole,
} from "./json-checks.ts";
import { type NodeOf, ofKind } from "./node-kinds.ts";
import { isNumber, isWhole, rules } from "./node-rules.ts";
import { checkNames } from "./option-names.ts";
import { isObject, namesIn, readingsOf } from "./values.ts";

/** Nodes within nodes: known messages have 12. */
const MAX_DEPTH = 32;
/** Items of a run, and characters of a text. */
const MAX_ITEMS = 0xff_ffff;
/** Rules of words of one field, and the decimals of a number in them: a person reads them on a line. */
const MAX_WORDS = 64;
const MAX_DIGITS = 9;
const MAX_U32 = 0xffff_ffff;

// --- Parts of nodes ----------------------------------------------------------------------------------------------------

const anyWhole = whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
const u32 = whole(0, MAX_U32);
const limit = whole(0, MAX_ITEMS);
const bitsOfNumber = whole(1, 32);
const yes = among(true);
const transform = among("+128", "neg", "sub");
const byteOrder = among("be", "le");

const words = listOf(
  shape<WordRule>({
    from: maybe(number),
    to: maybe(number),
    every: maybe(number),
    text,
    offset: maybe(number),
    factor: maybe(number),
    digits: maybe(whole(0, MAX_DIGITS)),
  }),
  MAX_WORDS,
);
const meaning: KeysOf<Meaning> = { doc: maybe(text), section: maybe(text), unit: maybe(text), words: maybe(words) };

const conditionShape = shape<Condition>({
  field: name,
  zero: maybe(truth),
  from: maybe(number),
  to: maybe(number),
  not: maybe(number),
  mask: maybe((json, path) => {
    if (!(Number.isInteger(json) && Number(json) > 0 && Number(json) <= MAX_U32))
      throw refusedJson(path, "it must have bits, at most 32");
  }),
});

const condition: Check = (json, path, place) => {
  conditionShape(json, path, place);
  if (!hasTest(json as Condition)) throw refusedJson(path, "it must have zero, from, to or not");
};

const caseTest = recordOf((json, path, place) => {
  if (json !== "present" && json !== "absent") listOf(scalar)(json, path, place);
});

/** A count, or what stands for names, flags and sizes. */
const wholeNumber: Check = (json, path, place) => {
  if (!isWhole(node(json, path, place))) throw refusedJson(path, "it must be a whole number of at most 32 bits");
};

const object: Check = (json, path, place) => {
  if (!isObject(node(json, path, place))) throw refusedJson(path, "it must have fields");
};

const withinBits: Check = (json, path, place) => void node(json, path, { ...place, inBits: true });

type RunForm<K> = Extract<Exclude<RunLength, number>, { readonly [P in K & string]: unknown }>;
const runForm = formOf(
  {
    count: shape<RunForm<"count">>({ count: wholeNumber, limit }),
    rest: shape<RunForm<"rest">>({ rest: limit, tolerant: maybe(yes) }),
    until: shape<RunForm<"until">>({ until: whole(0, 255), limit }),
  },
  "it must be a number, or have count, rest or until",
);
const runLength: Check = (json, path, place) => {
  if (typeof json === "number") limit(json, path, place);
  else runForm(json, path, place);
};

type TextForm<K> = Extract<TextNode["length"], { readonly [P in K & string]: unknown }>;
const textLength = formOf(
  {
    end: shape<TextForm<"end">>({ end: among("zero"), limit }),
    count: shape<TextForm<"count">>({ count: wholeNumber, limit }),
  },
  "it must have end or count",
);

const codes: Readonly<Record<WireErrorCode, true>> = {
  truncated: true,
  trailing: true,
  "unknown-message": true,
  "unknown-variant": true,
  "bad-value": true,
  limit: true,
  "bad-length": true,
  "bad-hex": true,
  "bad-checksum": true,
  "bad-state": true,
};
const literalPart = shape<LiteralPart>({
  shift: whole(0, 31),
  mask: u32,
  code: among(...Object.keys(codes)),
  why: text,
});

const column = shape<ColumnNode>({ name, fields: listOf(name), bits: among(8, 16, 32), signed: truth });
const rowsOfWords = shape<RowsNode>({ words: listOf(listOf(column)) });
const rows: Check = (json, path, place) => {
  if (json !== "object") rowsOfWords(json, path, place);
};
const reading = shape<ReadingNode>({ name, when: condition, node });
const kept = shape<KeptNode>({
  name,
  from: name,
  to: name,
  before: maybe(limit),
  only: maybe(among("reading", "writing")),
});

const tag: Check = (json, path, place) => {
  const of = node(json, path, place);
  if (namesIn(of) === undefined && !isWhole(of)) throw refusedJson(path, "it must be a whole number or names");
};
const caseOf = shape<CaseNode>({
  tags: maybe(
    listOf((json, path) => {
      if (typeof json !== "string") anyWhole(json, path, TOP);
    }),
  ),
  node: object,
  when: maybe(caseTest),
  hidden: maybe(yes),
});

const peekTest = shape<PeekTest>({
  next: maybe(shape<NonNullable<PeekTest["next"]>>({ mask: whole(1, 255), value: whole(0, 255) })),
  atMost: maybe(limit),
});

// --- The table ---------------------------------------------------------------------------------------------------------

/** Which keys each kind has besides those of every node, and what they may be. */
const kinds: { readonly [K in LayoutNode["kind"]]: KeysOf<Omit<NodeOf<K>, "kind" | keyof Meaning>> } = {
  integer: {
    bits: whole(1, 64),
    signed: truth,
    order: among("be", "le", "2301", "1032"),
    transform: maybe(transform),
    bias: maybe(anyWhole),
    divisor: maybe(whole(1, MAX_U32)),
    min: maybe(number),
    max: maybe(number),
  },
  smart: { max: maybe(whole(0, 0x7fff_ffff)), wide: maybe(yes) },
  float: { bits: among(32), order: byteOrder, finite: maybe(truth) },
  boolean: { of: wholeNumber },
  oneOf: { of: wholeNumber, names: recordOf(anyWhole) },
  prefix: {
    codes: recordOf((json, path) => {
      if (typeof json !== "string" || !/^[01]{1,16}$/.test(json)) throw refusedJson(path, "it must be 1 to 16 bits");
    }),
  },
  flags: {
    of: wholeNumber,
    flags: recordOf(whole(0, 31)),
    reserved: among("refuse", "ignore"),
    shared: maybe(yes),
  },
  literal: { of: node, value: scalar, parts: maybe(listOf(literalPart)) },
  constant: { value: scalar, optional: maybe(yes) },
  unused: { bits: bitsOfNumber },
  array: { item: node, length: runLength, fold: maybe(text), rows: maybe(rows) },
  bytes: {
    length: runLength,
    transform: maybe(transform),
    reversed: maybe(truth),
    opaque: maybe(text),
    inside: maybe(node),
    flat: maybe(yes),
    readings: maybe(listOf(reading)),
  },
  text: { charset: among("latin1", "windows-1252"), length: textLength },
  struct: { fields: checkFields, order: maybe(listOf(name)), kept: maybe(kept) },
  variant: {
    tagName: name,
    tag,
    cases: listOf(caseOf),
    order: maybe(listOf(name)),
    members: maybe(recordOf(scalar)),
    exact: maybe(yes),
  },
  byLength: {
    cases: listOf(shape<NodeOf<"byLength">["cases"][number]>({ bytes: maybe(limit), node: object, when: caseTest })),
  },
  peek: { cases: listOf(shape<NodeOf<"peek">["cases"][number]>({ when: maybe(peekTest), node })) },
  bits: {
    first: among("msb", "lsb"),
    of: withinBits,
    padding: shape<NodeOf<"bits">["padding"]>({ name, value: among("zero", "any") }),
  },
  mark: {
    parts: listOf(shape<NodeOf<"mark">["parts"][number]>({ name, bits: bitsOfNumber, value: u32 })),
    marked: object,
    of: object,
    when: caseTest,
  },
  limited: { bytes: limit, name, of: node },
  sized: { size: wholeNumber, extra: limit, of: node },
  compressed: {
    method: among("lz4-block"),
    limit,
    reserved: among("refuse", "ignore"),
    literals: maybe(limit),
    of: node,
  },
};

const nodes = new Map(
  Object.entries(kinds).map(([kind, keys]) => {
    return [kind, shapeOf({ kind: among(kind), ...meaning, ...keys })];
  }),
);

/** Throws `TypeError` for a key that no node of its kind has. */
export function checkKeys(given: LayoutNode, path: string): void {
  const keys = Object.keys({ kind: true, ...meaning, ...kinds[given.kind] });
  checkNames<object>(path, given, Object.fromEntries(keys.map((key) => [key, true])), given.kind);
}

function node(json: unknown, path: string, place: Place): LayoutNode {
  if (place.depth >= MAX_DEPTH) {
    throw new WireError("limit", `Cannot read ${path}: it is deeper than the limit of ${MAX_DEPTH}`, 0, path);
  }
  const { kind } = objectAt(json, path);
  const check = nodes.get(kind as string);
  if (check === undefined) throw refusedJson(`${path}.kind`, `it is one of ${[...nodes.keys()].join(", ")}`);
  check(json, path, { ...place, depth: place.depth + 1 });
  const checked = json as LayoutNode;
  ofKind(rules, checked)?.(checked, path, place);
  place.visit?.(checked, path);
  return checked;
}

const field = shape<FieldNode>({
  name: (json, path) => {
    if (json !== "") keyAt(json, path);
  },
  node,
  hidden: maybe(yes),
  when: maybe(condition),
  default: maybe(scalar),
});

function checkFields(json: unknown, path: string, place: Place): void {
  const names = new Set<string>();
  const before = new Map<string, LayoutNode>();
  const mustFollow = ({ field: other, zero }: Condition, where: string): void => {
    const found = before.get(other);
    if (zero === undefined ? isNumber(found) : found?.kind === "bytes") return;
    throw refusedJson(`${where}.field`, `it must name ${zero === undefined ? "a number" : "bytes"} before it`);
  };
  for (const [at, each] of listAt(json, path, MAX_ENTRIES).entries()) {
    const where = `${path}[${at}]`;
    field(each, where, place);
    const { name: own, node: of, hidden, when } = each as FieldNode;
    const key = hidden ? `$${own}` : own;
    if (own === "" && !isObject(of)) throw refusedJson(`${where}.name`, "only an object may have no name");
    if (own !== "" && names.has(key)) throw refusedJson(`${where}.name`, `there are two of "${own}"`);
    names.add(key);
    if (hidden && of.kind !== "unused" && of.kind !== "literal")
      throw refusedJson(`${where}.hidden`, "only a literal and what is unused can be hidden");
    if (!hidden && of.kind === "unused") throw refusedJson(`${where}.hidden`, "what is unused is hidden");
    if (when !== undefined) mustFollow(when, `${where}.when`);
    for (const [index, { when: test }] of readingsOf(of).entries())
      mustFollow(test, `${where}.node.readings[${index}].when`);
    if (!hidden) before.set(own, of);
  }
}

/** A description out of JSON. Throws `WireError` (`bad-value`, `limit`) that names the place. */
export function parseNode(json: unknown, path = "node"): LayoutNode {
  return node(json, path, TOP);
}

/** The fields of a struct out of JSON. Throws like {@link parseNode}. `visit`: is called with each node, those within it before it. */
export function parseFields(json: unknown, path: string, visit?: Place["visit"]): readonly FieldNode[] {
  checkFields(json, path, { ...TOP, visit });
  return json as readonly FieldNode[];
}
