/** The values of descriptions: of which kind they are, which numbers and names they may be, which fields they have. */
import type { LayoutNode, ReadingNode } from "./node.ts";
import { integerRange, smartRange } from "./number-nodes.ts";

/** What a description gives as a value. `nothing`: bits without a meaning. */
export type ValueKind =
  | "number"
  | "bigint"
  | "name"
  | "text"
  | "boolean"
  | "bytes"
  | "list"
  | "object"
  | "nothing"
  | "several";

/** The description of the value itself, without what lies around it. */
function inner(node: LayoutNode): LayoutNode {
  switch (node.kind) {
    case "bits":
    case "limited":
    case "sized":
    case "compressed":
      return inner(node.of);
    default:
      return node;
  }
}

function kindOfConstant(value: number | string | boolean | bigint): ValueKind {
  const type = typeof value;
  return type === "string" ? "text" : (type as "number" | "boolean" | "bigint");
}

/** Of which kind the values are. `several`: the bytes ahead decide it. */
export function valueKind(described: LayoutNode): ValueKind {
  const node = inner(described);
  switch (node.kind) {
    case "integer":
      return node.bits === 64 ? "bigint" : "number";
    case "smart":
    case "float":
      return "number";
    case "boolean":
      return "boolean";
    case "oneOf":
    case "prefix":
      return "name";
    case "literal":
    case "constant":
      return kindOfConstant(node.value);
    case "unused":
      return "nothing";
    case "array":
      return "list";
    case "bytes":
      return "bytes";
    case "text":
      return "text";
    case "peek": {
      const kinds = new Set(node.cases.map((each) => valueKind(each.node)));
      const [only = "several"] = kinds;
      return kinds.size === 1 ? only : "several";
    }
    default:
      return "object";
  }
}

/** The least and greatest number that is read, and how many steps lie between two whole ones: 0 where any fraction may be. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
  readonly steps: number;
}

/** The numbers of a description of a number; undefined for any other. */
export function numberRange(described: LayoutNode): NumberRange | undefined {
  const node = inner(described);
  switch (node.kind) {
    case "integer":
      return node.bits === 64 ? undefined : { ...integerRange(node), steps: node.divisor ?? 1 };
    case "smart":
      // `max` bounds what is written.
      return { ...smartRange(node), steps: 1 };
    case "float":
      return { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY, steps: 0 };
    case "literal":
    case "constant":
      return typeof node.value === "number" ? { min: node.value, max: node.value, steps: 1 } : undefined;
    default:
      return undefined;
  }
}

/** Whether the values are objects, to which a tag or the fields of others can be added. */
export function isObject(described: LayoutNode): boolean {
  const node = inner(described);
  if (node.kind === "peek") return node.cases.every((each) => isObject(each.node));
  return ["struct", "variant", "byLength", "mark"].includes(node.kind);
}

/** What stands for each name on the wire, where the values are names. */
export function namesIn(described: LayoutNode): Readonly<Record<string, number | string>> | undefined {
  const node = inner(described);
  return node.kind === "oneOf" ? node.names : node.kind === "prefix" ? node.codes : undefined;
}

/** Whether a number, name or truth may be read. Of texts anything may be. */
export function canBe(described: LayoutNode, value: string | number | boolean | bigint): boolean {
  const node = inner(described);
  const names = namesIn(node);
  if (names !== undefined) return typeof value === "string" && Object.hasOwn(names, value);
  switch (node.kind) {
    case "boolean":
      return typeof value === "boolean";
    case "literal":
    case "constant":
      return node.value === value;
    case "text":
      return typeof value === "string";
    default: {
      const range = numberRange(node);
      if (range === undefined || typeof value !== "number") return false;
      const { min, max, steps } = range;
      return value >= min && value <= max && (steps === 0 || Number.isInteger(value * steps));
    }
  }
}

/** How many values a description of numbers or names has; `Infinity` for any other. */
export function countValues(described: LayoutNode): number {
  const names = namesIn(described);
  if (names !== undefined) return Object.keys(names).length;
  const range = numberRange(described);
  return range === undefined || range.steps === 0
    ? Number.POSITIVE_INFINITY
    : Math.floor((range.max - range.min) * range.steps) + 1;
}

/** The values in words, for errors: `0..255`, `one of left, right`. */
export function valuesText(described: LayoutNode): string {
  const names = namesIn(described);
  if (names !== undefined) return `one of ${Object.keys(names).join(", ")}`;
  const range = numberRange(described);
  if (range === undefined) return valueKind(described);
  return range.min === range.max ? String(range.min) : `in ${range.min}..${range.max}`;
}

/** The meanings of bytes. */
export function readingsOf(node: LayoutNode): readonly ReadingNode[] {
  return node.kind === "bytes" ? (node.readings ?? []) : [];
}

/** A field of an object: a name and what lies there. `always`: there is no value without it. */
export interface ValueField {
  readonly name: string;
  readonly node: LayoutNode;
  readonly always: boolean;
}

/** The fields that the values of an object may have, in wire order; undefined for what is not an object. */
export function fieldsIn(described: LayoutNode): readonly ValueField[] | undefined {
  const node = inner(described);
  const ofCases = (cases: readonly LayoutNode[]): readonly ValueField[] | undefined => {
    const lists = cases.map(fieldsIn);
    if (lists.includes(undefined)) return undefined;
    return lists
      .flatMap((each) => each ?? [])
      .map((field) => ({
        ...field,
        always: field.always && lists.every((list) => list?.some(({ name, always }) => name === field.name && always)),
      }));
  };
  switch (node.kind) {
    case "struct": {
      const lists = node.fields.map(({ name, node: field, hidden, when }): readonly ValueField[] | undefined => {
        if (hidden) return [];
        return name === "" ? fieldsIn(field) : [{ name, node: field, always: when === undefined }];
      });
      return lists.includes(undefined) ? undefined : lists.flatMap((each) => each ?? []);
    }
    case "variant": {
      const { cases, tagName, tag, members } = node;
      const fields = ofCases(cases.map((each) => each.node));
      const shown = cases.filter(({ hidden }) => !hidden);
      if (fields === undefined || shown.length === 0) return fields;
      const always = shown.length === cases.length;
      const own: readonly ValueField[] = [{ name: tagName, node: tag, always }, ...fields];
      const others = Object.entries(members ?? {}).filter(([name]) => !own.some((field) => field.name === name));
      return [
        ...own,
        ...others.map(([name, value]): ValueField => ({ name, node: { kind: "constant", value }, always: true })),
      ];
    }
    case "byLength":
    case "peek":
      return ofCases(node.cases.map((each) => each.node));
    case "mark":
      return ofCases([node.marked, node.of]);
    default:
      return undefined;
  }
}

/**
 * The keys that the JSON of an object may have: its fields, and the meanings of its bytes. Throws `TypeError` for what is not an
 * object.
 */
export function keysOf(node: LayoutNode): ReadonlySet<string> {
  const fields = fieldsIn(node);
  if (fields === undefined) throw new TypeError(`a layout of kind ${node.kind} is not an object`);
  return new Set(
    fields.flatMap(({ name, node: field }) => [name, ...readingsOf(field).map((reading) => reading.name)]),
  );
}
