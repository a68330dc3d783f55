/** What follows from descriptions alone: ranges, keys, and which values lie in one row. */

import type { IntegerNode, LayoutNode, StructNode } from "../wire/describe/node.ts";
import { integerRange, smartRange } from "../wire/describe/number-nodes.ts";
import { sizeOf } from "../wire/describe/size.ts";
import { joinPath } from "../wire/wire-error.ts";
import { partsOf } from "./program.ts";
import type { Local, ReadStep, Value, ValueField, WireInteger, WriteStep } from "./steps.ts";

/** Whether a value's size follows from its description and nothing in it can be refused by its value. */
export function isPlain(node: LayoutNode): boolean {
  switch (node.kind) {
    case "integer":
      return node.min === undefined && node.max === undefined;
    case "float":
      return node.finite !== true;
    case "unused":
    case "constant":
      return true;
    case "bytes":
      return typeof node.length === "number";
    case "flags":
      return node.reserved === "ignore" && isPlain(node.of);
    case "struct":
      return node.fields.every(({ node: field, when }) => when === undefined && isPlain(field));
    default:
      return false;
  }
}

/** Whether reading it asks where a size that was read before claims that the bytes end. */
export function asksClaim(node: LayoutNode): boolean {
  if (node.kind === "bytes") return typeof node.length === "object" && "rest" in node.length;
  return node.kind !== "sized" && partsOf(node).some(asksClaim);
}

/** The field at an index and those right after it with the same condition, which none of them is about. */
export function groupFrom(fields: StructNode["fields"], index: number): StructNode["fields"] {
  const when = JSON.stringify(fields[index]?.when);
  const others = fields.slice(index + 1);
  const end = others.findIndex((each) => each.when === undefined || JSON.stringify(each.when) !== when);
  return fields.slice(index, end < 0 ? fields.length : index + 1 + end);
}

/** Whether steps end with a return or a refusal in every branch. */
export function endsHere(steps: readonly (ReadStep | WriteStep)[]): boolean {
  const last = steps.at(-1);
  switch (last?.step) {
    case "return":
    case "fill":
    case "rows":
    case "refuse":
    case "end":
      return true;
    case "if":
      return endsHere(last.yes) && endsHere(last.no);
    case "switch":
    case "choose":
      return last.cases.every(({ body }) => endsHere(body)) && endsHere(last.no);
    default:
      return false;
  }
}

/** The numbers of tags that are names; undefined where the tags are numbers themselves. */
export function numbersOf(tag: LayoutNode): ReadonlyMap<string, number> | undefined {
  if (tag.kind === "oneOf") return new Map(Object.entries(tag.names));
  if (tag.kind === "prefix") return new Map(Object.keys(tag.codes).map((name, index) => [name, index]));
  return undefined;
}

export const otherTags = (numbers: ReadonlyMap<string, number>, known: readonly (string | number)[]): string[] =>
  [...numbers.keys()].filter((name) => !known.includes(name));

export function wireInteger(node: IntegerNode): WireInteger {
  const { bits, signed, order, transform, bias, divisor } = node;
  return {
    bits,
    signed,
    order,
    ...(transform === undefined ? {} : { transform }),
    ...(bias === undefined ? {} : { bias }),
    ...(divisor === undefined ? {} : { divisor }),
  };
}

/** The least and the greatest value of a number that is written. */
export function rangeOf(node: LayoutNode): { readonly min: number; readonly max: number } {
  if (node.kind === "smart") {
    const { min, max } = smartRange(node);
    return { min, max: node.max ?? max };
  }
  if (node.kind !== "integer") throw new TypeError(`a ${node.kind} is not a number`);
  return integerRange(node);
}

/** The names and bits of the fields of a plain item, for errors. */
export function piecesOf(node: LayoutNode, path: string): readonly (string | number)[] {
  if (node.kind !== "struct") return node.kind === "constant" ? [] : [path, sizeOf(node).most];
  return node.fields.flatMap(({ name, node: field }) => piecesOf(field, joinPath(path, name)));
}

/** The keys that all objects have, where they are the same and always there. */
export function commonKeys(nodes: readonly LayoutNode[]): readonly string[] | undefined {
  const lists = nodes.map(keysOf);
  const [first] = lists;
  if (first === undefined) return undefined;
  const isSame = lists.every(
    (keys) => keys !== undefined && keys.length === first.length && first.every((key) => keys.includes(key)),
  );
  return isSame ? first : undefined;
}

export function keysOf(node: LayoutNode): readonly string[] | undefined {
  if (node.kind === "bits" || node.kind === "limited") return keysOf(node.of);
  if (node.kind === "mark") return commonKeys([node.marked, node.of]);
  if (node.kind !== "struct") return undefined;
  const keys: string[] = [];
  for (const { name, node: field, hidden, when } of node.fields) {
    if (when !== undefined) return undefined;
    if (name === "") {
      const inner = keysOf(field);
      if (inner === undefined) return undefined;
      keys.push(...inner);
    } else if (!hidden) keys.push(name);
  }
  return ordered(
    keys.map((key) => ({ key, value: constant(0) })),
    node.order,
  ).map(({ key }) => key);
}

/** The fields with some keys first. */
export function ordered(fields: readonly ValueField[], order: readonly string[] = []): readonly ValueField[] {
  const first = order.flatMap((key) => fields.filter((field) => field.key === key));
  return [...first, ...fields.filter(({ key }) => !order.includes(key))];
}

/** The name of an item of a list. */
export function singular(name: string): string {
  return name.endsWith("s") && name.length > 2 ? name.slice(0, -1) : `${name}Item`;
}

/** A value that a local holds. */
export const local = (value: Local): Value => ({ is: "local", local: value });
/** A value that is known. */
export const constant = (value: number | string | boolean | bigint): Value => ({ is: "constant", value });

/** Whether its value is an object, whose members may stand beside those of what is around it. */
export function isObject(node: LayoutNode): boolean {
  switch (node.kind) {
    case "struct":
    case "variant":
    case "byLength":
    case "mark":
      return true;
    case "peek":
      return node.cases.every((each) => isObject(each.node));
    case "bits":
    case "limited":
      return isObject(node.of);
    default:
      return false;
  }
}

/** Whether the steps after it are the same whatever its bytes are. */
export function isStraight(node: LayoutNode): boolean {
  switch (node.kind) {
    case "struct":
      return node.fields.every(({ name, node: field }) => name !== "" || isStraight(field));
    case "bits":
    case "limited":
      return isStraight(node.of);
    case "variant":
      // Whatever the case, its object is made in one place.
      return node.members !== undefined;
    default:
      return !isObject(node);
  }
}
