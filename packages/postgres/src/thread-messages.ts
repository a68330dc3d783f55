/** What the server's thread and the thread of the database say to each other. */
import type { JsonObject } from "wirewalk/wire";

/** Places in the shared words. */
export const ANSWERS = 0;
/** 0 while it opens, then {@link UP} or {@link DOWN}. */
export const STATE = 1;
/** Changes by others. */
export const CHANGES = 2;
export const WORDS = 3;

export const UP = 1;
export const DOWN = 2;

export interface ThreadOptions {
  readonly url: string;
  readonly schema: string;
  readonly words: Int32Array;
}

export type StoreCall =
  | { readonly call: "get"; readonly table: string; readonly key: string }
  | { readonly call: "put"; readonly table: string; readonly key: string; readonly json: string }
  /** `put` unless the key has a record. */
  | { readonly call: "add"; readonly table: string; readonly key: string; readonly json: string }
  /** `put` where the record is still the text that was read. */
  | {
      readonly call: "swap";
      readonly table: string;
      readonly key: string;
      readonly before: string;
      readonly json: string;
    }
  | { readonly call: "delete"; readonly table: string; readonly key: string }
  | { readonly call: "list"; readonly table: string }
  /** Rows of verdicts, each as JSON: over a connection of their own, so that no other call waits for them. */
  | { readonly call: "rows"; readonly json: string }
  | { readonly call: "tables" }
  /** Whether records can be read and written. */
  | { readonly call: "check" };

export type StoreRequest = StoreCall & { readonly id: number };

/** Keys and records are text. `get` gives one record or none, `delete`, `add` and `swap` count what they changed. */
export interface StoreAnswer {
  readonly id: number;
  readonly rows?: readonly { readonly key: string; readonly json: string }[];
  readonly changed?: number;
  readonly problem?: string;
}

/** The first answer: the store is open, or why it is not. */
export const OPENED = 0;

/** A record of a store as it left the database. Throws `Error` that names it where it is no object. */
export function readRecord(table: string, key: string, json: string): JsonObject {
  const record: unknown = JSON.parse(json);
  if (typeof record === "object" && record !== null && !Array.isArray(record)) return record as JsonObject;
  throw new Error(`Cannot read the record ${key} of ${table}: it is no object`);
}

/**
 * Names as PostgreSQL can hold them: it has no U+0000 and no half of a surrogate pair in a text. These, and the backslash, are
 * written as `\uXXXX`.
 */
export function escapeName(name: string): string {
  return name.replace(/[\\\0]|\p{Surrogate}/gu, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function unescapeName(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
