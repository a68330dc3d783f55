/** Numbers and texts out of a packet's JSON, whose shape only its message says. */
import type { JsonObject, JsonValue } from "wirewalk/wire";

/** The value of a message: an object, or an empty one. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.map((each) => objectOf(each as JsonValue)) : [];
}

export function numberIn(object: JsonObject, name: string): number | undefined {
  const value = object[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
