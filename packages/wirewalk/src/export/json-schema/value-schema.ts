/** The JSON of a value as a schema, made from the description of its layout. */

import { integerRange } from "../../wire/describe/number-nodes.ts";
import type {
  FlagsNode,
  IntegerNode,
  JsonObject,
  LayoutNode,
  PeekNode,
  RunLength,
  TextNode,
} from "../../wire/index.ts";
import { meaningOf } from "../words.ts";
import { constantSchema } from "./constant-schema.ts";
import { closedObject, objectsOf } from "./object-schema.ts";

/** The schema of what `toJson` of the layout gives. */
export function valueSchema(node: LayoutNode): JsonObject {
  const description = meaningOf(node);
  return description === "" ? bareSchema(node) : { description, ...bareSchema(node) };
}

function bareSchema(node: LayoutNode): JsonObject {
  switch (node.kind) {
    case "integer":
      return integerSchema(node);
    case "smart":
      return { type: "integer", minimum: node.wide ? -1 : 0, maximum: node.max ?? (node.wide ? 0x7fff_ffff : 0x7fff) };
    case "float":
      return node.finite ? finiteFloat : { anyOf: [{ type: "number" }, { enum: ["NaN", "Infinity", "-Infinity"] }] };
    case "boolean":
      return { type: "boolean" };
    case "oneOf":
      return { enum: Object.keys(node.names) };
    case "prefix":
      return { enum: Object.keys(node.codes) };
    case "flags":
      return flagsSchema(node);
    case "literal":
      return constantSchema(typeof node.value === "bigint" ? String(node.value) : node.value);
    case "constant":
      return constantSchema(node.value);
    case "unused":
      return constantSchema(0);
    case "array":
      return { type: "array", items: valueSchema(node.item), ...itemBounds(node.length) };
    case "bytes":
      return bytesSchema(node.length);
    case "text":
      return textSchema(node);
    case "bits":
    case "limited":
    case "sized":
    case "compressed":
      return valueSchema(node.of);
    case "peek":
      // JSON is that of the first case, by which it is written.
      return valueSchema(firstOf(node));
    case "struct":
    case "variant":
    case "byLength":
    case "mark": {
      const objects = objectsOf(node, valueSchema).map(closedObject);
      const [only] = objects;
      return only !== undefined && objects.length === 1 ? only : { oneOf: objects };
    }
  }
}

function firstOf({ cases }: PeekNode): LayoutNode {
  return (cases[0] as { readonly node: LayoutNode }).node;
}

/** Numbers of this size and more round to an infinity as 32-bit floats. */
const FLOAT_END = 2 ** 128 - 2 ** 103;

const finiteFloat: JsonObject = { type: "number", exclusiveMinimum: -FLOAT_END, exclusiveMaximum: FLOAT_END };

function integerSchema(node: IntegerNode): JsonObject {
  if (node.bits === 64) return { type: "string", pattern: `^(?:${digitsUpTo(2n ** 64n - 1n)})$` };
  const { min: minimum, max: maximum } = integerRange(node);
  const { divisor = 1 } = node;
  return divisor === 1
    ? { type: "integer", minimum, maximum }
    : { type: "number", minimum, maximum, multipleOf: 1 / divisor };
}

/** A pattern of the decimal numbers from 0 to a greatest one, without zeros in front. */
function digitsUpTo(most: bigint): string {
  const digits = String(most);
  const shorter = `[1-9]\\d{0,${digits.length - 2}}`;
  const lower = [...digits].flatMap((digit, at) => {
    const least = at === 0 ? 1 : 0;
    const below = Number(digit) - 1;
    if (below < least) return [];
    const left = digits.length - at - 1;
    return [`${digits.slice(0, at)}[${least}-${below}]${left === 0 ? "" : `\\d{${left}}`}`];
  });
  return ["0", shorter, ...lower, digits].join("|");
}

function flagsSchema({ flags }: FlagsNode): JsonObject {
  const names = Object.keys(flags);
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "boolean" }])),
    required: names,
    additionalProperties: false,
  };
}

/** The most that a count before a run can say. */
function mostOf(length: { readonly count: LayoutNode; readonly limit: number }): number {
  const { count, limit } = length;
  if (count.kind === "integer") return Math.min(limit, integerRange(count).max);
  if (count.kind === "smart") return Math.min(limit, count.max ?? (count.wide ? 0x7fff_ffff : 0x7fff));
  return limit;
}

function boundsOf(length: RunLength): [number, number] {
  if (typeof length === "number") return [length, length];
  if ("rest" in length) return [0, length.rest];
  if ("until" in length) return [0, length.limit];
  return [0, mostOf(length)];
}

function itemBounds(length: RunLength): JsonObject {
  const [least, most] = boundsOf(length);
  return { ...(least === 0 ? {} : { minItems: least }), maxItems: most };
}

function bytesSchema(length: RunLength): JsonObject {
  const [least, most] = boundsOf(length);
  return {
    type: "string",
    contentEncoding: "base16",
    pattern: "^(?:[0-9a-f]{2})*$",
    ...(least === 0 ? {} : { minLength: 2 * least }),
    maxLength: 2 * most,
  };
}

/** The characters of 0x80 to 0x9F in Windows-1252; five bytes stand for themselves. */
const CP1252_SPECIAL =
  "\\u20ac\\u0081\\u201a\\u0192\\u201e\\u2026\\u2020\\u2021\\u02c6\\u2030\\u0160\\u2039\\u0152\\u008d\\u017d\\u008f" +
  "\\u0090\\u2018\\u2019\\u201c\\u201d\\u2022\\u2013\\u2014\\u02dc\\u2122\\u0161\\u203a\\u0153\\u009d\\u017e\\u0178";

function textSchema({ charset, length }: TextNode): JsonObject {
  const first = "end" in length ? "\\u0001" : "\\u0000";
  const characters = charset === "latin1" ? `${first}-\\u00ff` : `${first}-\\u007f${CP1252_SPECIAL}\\u00a0-\\u00ff`;
  const maxLength = "end" in length ? length.limit : "rest" in length ? length.rest : mostOf(length);
  return { type: "string", pattern: `^[${characters}]*$`, maxLength };
}
