/** Schemas that stand in several places, said once under `$defs`. */
import type { JsonObject, JsonValue } from "../../wire/index.ts";
import { pascalCase } from "../words.ts";

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether it describes objects: other schemas are shorter than a reference to them. */
function describesObjects(schema: JsonObject): boolean {
  if (schema.type === "object") return true;
  return Array.isArray(schema.oneOf) && schema.oneOf.every((each) => isObject(each) && each.type === "object");
}

/**
 * The same definitions, in which a schema of objects that is the value of several properties or items is a definition of its
 * own. It has the name of the first of these: `fragments` have `Fragment`.
 */
export function sharedSchemas(defs: Readonly<Record<string, JsonObject>>): Record<string, JsonObject> {
  const counts = new Map<string, number>();
  for (const schema of Object.values(defs)) countPlaces(schema, counts);
  const shared: Record<string, JsonObject> = {};
  const names = new Map<string, string>();
  const isTaken = (name: string): boolean => Object.hasOwn(defs, name) || Object.hasOwn(shared, name);

  const place = (schema: JsonValue, hint: string): JsonValue => {
    if (!isObject(schema)) return schema;
    const key = JSON.stringify(schema);
    if ((counts.get(key) ?? 0) < 2 || !describesObjects(schema)) return inside(schema, hint);
    let name = names.get(key);
    if (name === undefined) {
      name = hint;
      for (let number = 2; isTaken(name); number++) name = `${hint}${number}`;
      names.set(key, name);
      shared[name] = {};
      shared[name] = inside(schema, hint);
    }
    return { $ref: `#/$defs/${name}` };
  };
  const inside = (schema: JsonObject, hint: string): JsonObject => {
    const { properties, items, oneOf } = schema;
    return {
      ...schema,
      ...(isObject(properties) ? { properties: mapValues(properties, place) } : {}),
      ...(items === undefined ? {} : { items: place(items, hint.replace(/s$/, "")) }),
      ...(Array.isArray(oneOf) ? { oneOf: oneOf.map((each) => (isObject(each) ? inside(each, hint) : each)) } : {}),
    };
  };

  const own = Object.entries(defs).map(([name, schema]): [string, JsonObject] => [name, inside(schema, name)]);
  return { ...Object.fromEntries(own), ...shared };
}

function mapValues(properties: JsonObject, place: (schema: JsonValue, hint: string) => JsonValue): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, place(schema, pascalCase(name))]),
  );
}

/** Counts the places of properties and items in which each schema stands. */
function countPlaces(schema: JsonValue, counts: Map<string, number>): void {
  if (!isObject(schema)) return;
  const { properties, items, oneOf } = schema;
  for (const each of [...(isObject(properties) ? Object.values(properties) : []), items]) {
    if (!isObject(each)) continue;
    const key = JSON.stringify(each);
    counts.set(key, (counts.get(key) ?? 0) + 1);
    countPlaces(each, counts);
  }
  for (const each of Array.isArray(oneOf) ? oneOf : []) countPlaces(each as JsonValue, counts);
}
