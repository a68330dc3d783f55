import type { JsonObject } from "../../wire/index.ts";

/**
 * A value that is always the same. Of numbers and booleans it is an `enum` of one, with its type: quicktype 23 fails at a
 * `const` that is no text.
 */
export function constantSchema(value: string | number | boolean): JsonObject {
  if (typeof value === "string") return { const: value };
  if (typeof value === "boolean") return { type: "boolean", enum: [value] };
  return { type: Number.isInteger(value) ? "integer" : "number", enum: [value] };
}
