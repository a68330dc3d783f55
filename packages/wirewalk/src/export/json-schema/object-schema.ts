/**
 * Descriptions of objects as closed object schemas, one for each shape that a value can have: the cases of a variant, a
 * mark or not. Each has all of its properties in one place, which type generators understand.
 */

import { integerRange } from "../../wire/describe/number-nodes.ts";
import type {
  CaseNode,
  CaseTest,
  Condition,
  FieldNode,
  JsonObject,
  JsonValue,
  LayoutNode,
  MarkNode,
  VariantNode,
} from "../../wire/index.ts";
import { constantSchema } from "./constant-schema.ts";

/** One shape of an object. */
interface ObjectSchema {
  readonly properties: ReadonlyMap<string, JsonObject>;
  readonly required: ReadonlySet<string>;
  /** What must hold beside. */
  readonly rules: readonly JsonObject[];
}

type SchemaOf = (node: LayoutNode) => JsonObject;

const empty: ObjectSchema = { properties: new Map(), required: new Set(), rules: [] };

/** Most numbers that a condition on some bits of a number is written out for. */
const MAX_LISTED = 256;

/** The shapes of the JSON objects that a description gives. Throws `TypeError` for a description of something else. */
export function objectsOf(node: LayoutNode, schemaOf: SchemaOf): readonly ObjectSchema[] {
  switch (node.kind) {
    case "struct": {
      let objects: readonly ObjectSchema[] = [empty];
      for (const field of node.fields) {
        objects = objects.flatMap((object) => withField(object, field, schemaOf, node.fields));
      }
      return objects.map((object) => ordered(object, node.order));
    }
    case "variant":
      return mergedCases(node.cases).flatMap((each) => caseObjects(node, each, schemaOf));
    case "byLength":
      return node.cases.flatMap(({ node: inner, when }) =>
        objectsOf(inner, schemaOf).map((object) => passing(object, when)),
      );
    case "mark":
      return [
        ...objectsOf(node.marked, schemaOf).map((object) => passing(object, node.when)),
        ...objectsOf(node.of, schemaOf).map((object) => unmarked(object, node)),
      ];
    case "peek":
      return objectsOf((node.cases[0] as { readonly node: LayoutNode }).node, schemaOf);
    case "bits":
    case "limited":
    case "sized":
    case "compressed":
      return objectsOf(node.of, schemaOf);
    default:
      throw new TypeError(`a ${node.kind} is not an object`);
  }
}

/** The schema of one shape. */
export function closedObject({ properties, required, rules }: ObjectSchema): JsonObject {
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.size === 0 ? {} : { required: [...properties.keys()].filter((name) => required.has(name)) }),
    additionalProperties: false,
    ...(rules.length === 0 ? {} : { allOf: rules }),
  };
}

function withField(
  object: ObjectSchema,
  { name, node, hidden, when }: FieldNode,
  schemaOf: SchemaOf,
  fields: readonly FieldNode[],
): readonly ObjectSchema[] {
  if (hidden) return [object];
  if (name === "") return objectsOf(node, schemaOf).map((inner) => joined(object, inner));
  const present = when === undefined ? undefined : conditionSchema(when, fields);
  const properties = new Map([...object.properties, [name, schemaOf(node)]]);
  const required = new Set(when === undefined ? [...object.required, name] : object.required);
  const rules = present === undefined ? [...object.rules] : [...object.rules, presence(present, name)];
  // Only the first reading that fits is there.
  const others: JsonObject[] = [];
  for (const reading of node.kind === "bytes" ? (node.readings ?? []) : []) {
    properties.set(reading.name, schemaOf(reading.node));
    const holds = conditionSchema(reading.when, fields);
    if (holds === undefined) continue;
    const isFirst = others.length === 0 ? holds : { allOf: [holds, { not: { anyOf: [...others] } }] };
    rules.push(presence(isFirst, reading.name));
    others.push(holds);
  }
  return [{ properties, required, rules }];
}

function presence(condition: JsonObject, name: string): JsonObject {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, never a promise
  return { if: condition, then: { required: [name] }, else: { not: { required: [name] } } };
}

/** The objects for which a condition holds; undefined where a schema cannot say it. */
function conditionSchema(when: Condition, fields: readonly FieldNode[]): JsonObject | undefined {
  const test = numberTest(when, fields);
  return test && { properties: { [when.field]: test }, required: [when.field] };
}

function numberTest(
  { field, from, to, not, zero, mask }: Condition,
  fields: readonly FieldNode[],
): JsonObject | undefined {
  if (zero !== undefined) return zero ? { pattern: "^0*$" } : { pattern: "[1-9a-f]" };
  if (mask === undefined) {
    return {
      ...(from === undefined ? {} : { minimum: from }),
      ...(to === undefined ? {} : { maximum: to }),
      ...(not === undefined ? {} : { not: { const: not } }),
    };
  }
  const node = fields.find(({ name }) => name === field)?.node;
  if (node?.kind !== "integer" || node.bits > 8) return undefined;
  const { min: least, max: most } = integerRange(node);
  const numbers = Array.from({ length: Math.min(MAX_LISTED, most - least + 1) }, (_, index) => least + index);
  const holds = (number: number): boolean => {
    const bits = (number & mask) >>> 0;
    return bits >= (from ?? 0) && bits <= (to ?? 2 ** 32) && bits !== not;
  };
  return { enum: numbers.filter(holds) };
}

function joined(a: ObjectSchema, b: ObjectSchema): ObjectSchema {
  return {
    properties: new Map([...a.properties, ...b.properties]),
    required: new Set([...a.required, ...b.required]),
    rules: [...a.rules, ...b.rules],
  };
}

function ordered(object: ObjectSchema, order: readonly string[] = []): ObjectSchema {
  const first = order.flatMap((name): [string, JsonObject][] => {
    const schema = object.properties.get(name);
    return schema === undefined ? [] : [[name, schema]];
  });
  return { ...object, properties: new Map([...first, ...object.properties]) };
}

/** Cases that differ in their tags alone, as one. */
function mergedCases(cases: readonly CaseNode[]): readonly CaseNode[] {
  const merged = new Map<string, CaseNode>();
  for (const each of cases) {
    const { tags, node, when, hidden } = each;
    const key = tags === undefined || hidden ? `case ${merged.size}` : JSON.stringify([node, when]);
    const other = merged.get(key);
    merged.set(key, other === undefined ? each : { ...each, tags: [...(other.tags ?? []), ...(tags ?? [])] });
  }
  return [...merged.values()];
}

function caseObjects(
  variant: VariantNode,
  { tags, node, when, hidden }: CaseNode,
  schemaOf: SchemaOf,
): readonly ObjectSchema[] {
  const { tagName, order } = variant;
  const bodies = objectsOf(node, schemaOf).map((object) => (when === undefined ? object : passing(object, when)));
  if (hidden) return bodies.map((body) => ordered(body, order));
  const schema = schemaOf(variant.tag);
  const taken = variant.cases.flatMap((each) => each.tags ?? []);
  const tag = tags === undefined ? without(schema, taken) : onlyValues(schema, tags);
  const start: ObjectSchema = { properties: new Map([[tagName, tag]]), required: new Set([tagName]), rules: [] };
  return bodies.map((body) => ordered(joined(start, body), order));
}

function without(schema: JsonObject, values: readonly JsonValue[]): JsonObject {
  return values.length === 0 ? schema : { ...schema, not: { enum: values } };
}

/** A schema with fewer values: those that are in the list. */
function onlyValues(schema: JsonObject, values: readonly JsonValue[]): JsonObject {
  const { description } = schema;
  const [only] = values;
  const isOne =
    values.length === 1 && (typeof only === "string" || typeof only === "number" || typeof only === "boolean");
  return {
    ...(description === undefined ? {} : { description }),
    ...(isOne ? constantSchema(only) : { enum: values }),
  };
}

/** A shape whose values pass the test of their case. */
function passing(object: ObjectSchema, test: CaseTest): ObjectSchema {
  const properties = new Map(object.properties);
  const required = new Set(object.required);
  for (const [name, wanted] of Object.entries(test)) {
    const schema = properties.get(name);
    if (wanted === "absent") properties.delete(name);
    else if (schema !== undefined) {
      required.add(name);
      if (wanted !== "present") properties.set(name, onlyValues(schema, wanted));
    }
  }
  return { ...object, properties, required };
}

/** A shape whose numbers are not those of the mark. */
function unmarked(object: ObjectSchema, { parts }: MarkNode): ObjectSchema {
  const tests = parts.map(({ name, bits, value }): [string, JsonObject | undefined] => {
    const { minimum, maximum } = object.properties.get(name) ?? {};
    if (typeof minimum !== "number" || typeof maximum !== "number") return [name, undefined];
    const first = minimum + ((((value - minimum) % 2 ** bits) + 2 ** bits) % 2 ** bits);
    const numbers = Array.from(
      { length: Math.floor((maximum - first) / 2 ** bits) + 1 },
      (_, at) => first + at * 2 ** bits,
    );
    return [name, { enum: numbers }];
  });
  if (tests.some(([, test]) => test === undefined)) return object;
  const properties = Object.fromEntries(tests.map(([name, test]) => [name, test ?? {}]));
  return { ...object, rules: [...object.rules, { not: { properties, required: Object.keys(properties) } }] };
}
