/** Anything that `JSON.stringify` writes and `JSON.parse` reads back the same. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
