/**
 * The part of **JSON Schema** (draft 2020-12) in which the config file is described, and its check: the description that editors
 * read is the one that the command follows.
 */
import type { JsonValue } from "wirewalk/wire";
import { suggest } from "../input/nearest.ts";
import type { PathStep } from "./json-places.ts";

interface Described {
  readonly title?: string;
  readonly description?: string;
  readonly default?: JsonValue;
  readonly examples?: readonly JsonValue[];
}

export interface StringSchema extends Described {
  readonly type: "string";
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export interface IntegerSchema extends Described {
  readonly type: "integer";
  readonly minimum: number;
  readonly maximum: number;
}

export interface BooleanSchema extends Described {
  readonly type: "boolean";
}

/** A single value of any of these types. */
export interface ScalarSchema extends Described {
  readonly type: readonly ("string" | "number" | "boolean")[];
}

export interface ArraySchema extends Described {
  readonly type: "array";
  readonly items: Schema;
}

export interface ObjectSchema extends Described {
  readonly type: "object";
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** What members that `properties` does not name are; false: there may be none. */
  readonly additionalProperties: false | Schema;
}

export type Schema = StringSchema | IntegerSchema | BooleanSchema | ScalarSchema | ArraySchema | ObjectSchema;

/** What is wrong with a value, and where. */
export interface SchemaProblem {
  readonly path: readonly PathStep[];
  readonly reason: string;
}

/** All problems of a value, in its order. */
export function checkSchema(
  schema: Schema,
  value: JsonValue,
  path: readonly PathStep[] = [],
): readonly SchemaProblem[] {
  const problem = (reason: string): readonly SchemaProblem[] => [{ path, reason }];
  switch (schema.type) {
    case "string":
      return typeof value === "string"
        ? checkString(schema, value).flatMap(problem)
        : problem(wrongType(value, "a string"));
    case "integer": {
      const { minimum, maximum } = schema;
      if (typeof value !== "number" || !Number.isInteger(value)) return problem(wrongType(value, "a whole number"));
      const isIn = value >= minimum && value <= maximum;
      return isIn ? [] : problem(`${value} is not in ${minimum}..${maximum}`);
    }
    case "boolean":
      return typeof value === "boolean" ? [] : problem(wrongType(value, "true or false"));
    case "array":
      if (!Array.isArray(value)) return problem(wrongType(value, "a list"));
      return value.flatMap((item, index) => checkSchema(schema.items, item, [...path, index]));
    case "object":
      return checkObject(schema, value, path);
    default:
      return (schema.type as readonly string[]).includes(typeof value)
        ? []
        : problem(wrongType(value, `a ${schema.type.join(" or a ")}`));
  }
}

function checkObject(schema: ObjectSchema, value: JsonValue, path: readonly PathStep[]): readonly SchemaProblem[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [{ path, reason: wrongType(value, "an object") }];
  }
  const { properties, required = [], additionalProperties } = schema;
  const problems: SchemaProblem[] = [];
  for (const name of required) {
    if (!Object.hasOwn(value, name)) problems.push({ path, reason: `"${name}" is missing` });
  }
  for (const [name, member] of Object.entries(value)) {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const described = own ?? (additionalProperties === false ? undefined : additionalProperties);
    const place = [...path, name];
    if (described !== undefined) problems.push(...checkSchema(described, member as JsonValue, place));
    else problems.push({ path: place, reason: `unknown${suggest(name, Object.keys(properties))}` });
  }
  return problems;
}

function checkString(schema: StringSchema, value: string): readonly string[] {
  const { enum: choices, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const length = [...value].length;
  if (choices !== undefined && !choices.includes(value)) return [`${show(value)} is none of ${choices.join(", ")}`];
  if (length < minLength || length > maxLength) return [`${show(value)} needs ${minLength} to ${maxLength} characters`];
  if (pattern !== undefined && !new RegExp(pattern, "u").test(value)) {
    const [example] = schema.examples ?? [];
    return [`${show(value)} has another form than ${JSON.stringify(example)}`];
  }
  return [];
}

function wrongType(value: JsonValue, expected: string): string {
  return `${show(value)} is not ${expected}`;
}

function show(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
