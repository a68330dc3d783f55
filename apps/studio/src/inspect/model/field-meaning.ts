/**
 * What the description of a message says of a traced field: unit, names of its values, type, section of the standard. The field's path
 * is followed through the description; at a variant the traced tag decides. Pure.
 */
import type { PayloadCodec, Side } from "wirewalk/protocol";
import { type LayoutNode, type TraceField, typeName } from "wirewalk/wire";
import { stepsOf } from "./field-tree.ts";

export interface FieldMeaning {
  /** `u16le`, `flags in u8`. */
  readonly type: string;
  readonly unit: string;
  /** What the field means, in a sentence. */
  readonly doc: string;
  /** Its section in the protocol's standard. */
  readonly section: string;
  /** Values or bits with names. */
  readonly names: readonly { readonly value: string; readonly name: string; readonly isSet: boolean }[];
  /** The places of bits with names. */
  readonly flags: NonNullable<TraceField["flags"]>;
}

/** Names that are listed: a field with more of them says how many. */
export const MAX_NAMES = 40;

type Fields = ReadonlyMap<string, TraceField>;

/** The meanings of the fields of one payload. Undefined for a field that no description has, such as a mark of player info. */
export function meaningOf(
  codec: PayloadCodec,
  sender: Side,
  trace: { readonly message: string | undefined; readonly fields: readonly TraceField[] },
): (field: TraceField) => FieldMeaning | undefined {
  const fields: Fields = new Map(trace.fields.map((field) => [field.path, field]));
  const [first] = trace.fields;
  const sent = codec.messages.filter((row) => row.sender === sender);
  // A refused message is known by its number.
  const byId = first?.path === codec.id.name ? sent.find(({ id }) => id === first.raw)?.message : undefined;
  const name = trace.message ?? byId;
  const body = name === undefined ? undefined : codec.layouts[sender][name]?.node;
  return (field) => {
    const node =
      field === first && field.path === codec.id.name
        ? codec.id.node
        : body === undefined
          ? undefined
          : nodeAt(body, stepsOf(field.path), "", fields);
    if (node === undefined) return undefined;
    const { unit = "", doc = "", section = "" } = node;
    const meaning = {
      type: typeName(node),
      unit,
      doc,
      section,
      names: namesOf(node, field),
      flags: bitsOf(node, field),
    };
    if (field !== first || field.path !== codec.id.name) return meaning;
    const names = sent.map((row) => ({ value: String(row.id), name: row.message, isSet: row.id === field.raw }));
    return { ...meaning, names };
  };
}

/** The named bits of a field: of a mask, or of flags that a description has. */
export function flagsOf(field: TraceField, known: FieldMeaning | undefined): NonNullable<TraceField["flags"]> {
  return field.flags ?? known?.flags ?? [];
}

/** The description at the end of a path; `path` is what was followed so far. */
function nodeAt(node: LayoutNode, steps: readonly string[], path: string, fields: Fields): LayoutNode | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return leaf(node, path, fields);
  const joined = (name: string): string => (path === "" || name.startsWith("[") ? path + name : `${path}.${name}`);
  switch (node.kind) {
    case "struct":
      for (const { name, node: field } of node.fields) {
        const found =
          name === ""
            ? nodeAt(field, steps, path, fields)
            : name === step
              ? nodeAt(field, rest, joined(name), fields)
              : field.kind === "bytes"
                ? insideBytes(field, steps, path, fields)
                : undefined;
        if (found !== undefined) return found;
      }
      return undefined;
    case "variant": {
      if (step === node.tagName && rest.length === 0) return node.tag;
      const tag = fields.get(joined(node.tagName));
      const isOf = (tags: readonly (string | number)[] | undefined): boolean =>
        tags === undefined || tag === undefined || tags.some((each) => each === tag.raw || each === tag.shown);
      for (const { tags, node: inner } of node.cases) {
        const found = isOf(tags) ? nodeAt(inner, steps, path, fields) : undefined;
        if (found !== undefined) return found;
      }
      return undefined;
    }
    case "byLength":
    case "peek":
      return firstOf(
        node.cases.map((each) => each.node),
        steps,
        path,
        fields,
      );
    case "mark":
      return firstOf([node.of, node.marked], steps, path, fields);
    case "array":
      if (step === "count" && typeof node.length === "object" && "count" in node.length) return node.length.count;
      return /^\[\d+\]$/.test(step) ? nodeAt(node.item, rest, joined(step), fields) : undefined;
    case "text":
      return step === "count" && "count" in node.length ? node.length.count : undefined;
    case "bytes":
      if (step === "count" && typeof node.length === "object" && "count" in node.length) return node.length.count;
      return insideBytes(node, steps, path, fields);
    case "sized":
      return step === "size" && rest.length === 0 ? node.size : nodeAt(node.of, steps, path, fields);
    case "bits":
      // What is left of the last byte has a name and no description of its own.
      if (step === node.padding.name && rest.length === 0) return { kind: "unused", bits: 8 };
      return nodeAt(node.of, steps, path, fields);
    case "limited":
    case "compressed":
    case "boolean":
    case "oneOf":
    case "flags":
    case "literal":
      return nodeAt(node.of, steps, path, fields);
    default:
      return undefined;
  }
}

function firstOf(
  nodes: readonly LayoutNode[],
  steps: readonly string[],
  path: string,
  fields: Fields,
): LayoutNode | undefined {
  for (const node of nodes) {
    const found = nodeAt(node, steps, path, fields);
    if (found !== undefined) return found;
  }
  return undefined;
}

function insideBytes(
  node: Extract<LayoutNode, { kind: "bytes" }>,
  steps: readonly string[],
  path: string,
  fields: Fields,
): LayoutNode | undefined {
  const insides = [...(node.inside === undefined ? [] : [node.inside])];
  const found = firstOf(insides, steps, path, fields);
  if (found !== undefined) return found;
  const [step, ...rest] = steps;
  for (const { name, node: reading } of node.readings ?? []) {
    const inner = step === name ? nodeAt(reading, rest, path === "" ? name : `${path}.${name}`, fields) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** What a path without further steps names: of a node that only wraps another one, the other. */
function leaf(node: LayoutNode, path: string, fields: Fields): LayoutNode | undefined {
  switch (node.kind) {
    case "limited":
    case "bits":
      return leaf(node.of, path, fields);
    case "struct":
    case "variant":
    case "byLength":
    case "peek":
    case "mark":
    case "sized":
      return undefined;
    default:
      return node;
  }
}

/** Where the named bits of flags stand on the wire. None for numbers whose bits are changed on the way. */
function bitsOf(node: LayoutNode, { bitOffset, bitLength }: TraceField): FieldMeaning["flags"] {
  if (node.kind !== "flags" || node.of.kind !== "integer") return [];
  const { order, transform, bias = 0, divisor = 1, bits } = node.of;
  const isPlain = transform === undefined && bias === 0 && divisor === 1 && bits === bitLength;
  if (!isPlain || (order !== "be" && order !== "le")) return [];
  const placeOf = (bit: number): number =>
    order === "be" ? bitOffset + bitLength - 1 - bit : bitOffset + (bit - (bit % 8)) + 7 - (bit % 8);
  return Object.entries(node.flags)
    .map(([name, bit]) => ({ name, bitOffset: placeOf(bit) }))
    .sort((a, b) => a.bitOffset - b.bitOffset);
}

function namesOf(node: LayoutNode, { raw, shown }: TraceField): FieldMeaning["names"] {
  switch (node.kind) {
    case "oneOf":
      return Object.entries(node.names).map(([name, value]) => ({ value: String(value), name, isSet: value === raw }));
    case "prefix":
      return Object.entries(node.codes).map(([name, value]) => ({ value, name, isSet: name === shown }));
    case "flags":
      return Object.entries(node.flags).map(([name, bit]) => ({
        value: `bit ${bit}`,
        name,
        isSet: typeof raw === "number" && Math.floor(raw / 2 ** bit) % 2 === 1,
      }));
    case "boolean":
      return [
        { value: "0", name: "false", isSet: raw === 0 },
        { value: "1", name: "true", isSet: raw === 1 },
      ];
    default:
      return (node.words ?? []).flatMap(({ from, to, text }) =>
        from !== undefined && from === to && !text.includes("{")
          ? [{ value: String(from), name: text, isSet: raw === from }]
          : [],
      );
  }
}
