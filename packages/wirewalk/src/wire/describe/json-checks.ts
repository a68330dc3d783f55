/**
 * Checks of JSON from outside. Each throws a `WireError` (`bad-value`, `limit`) that names the place. Those whose names end in `At`
 * are called with a value and its path; of the others tables are made.
 */

import type { LayoutNode } from "../describe/node.ts";
import { escapeControls } from "../latin1.ts";
import { joinPath, WireError } from "../wire-error.ts";

/** A name in camel case: safe as a key of an object and in a path. */
const namePattern = /^[a-z][A-Za-z0-9]{0,39}$/;
/** Characters of a text for people: it is read on a line. */
const MAX_TEXT_LENGTH = 200;

/** The error of JSON that is refused. `what` names the whole where the path is empty. */
export function refusedJson(path: string, why: string, what = path): WireError {
  return new WireError("bad-value", `Cannot read ${what}: ${why}`, 0, path);
}

/** An object; with `keys` one that has no others. */
export function objectAt(
  json: unknown,
  path: string,
  keys?: readonly string[],
  what = path,
): Readonly<Record<string, unknown>> {
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw refusedJson(path, "it must be an object", what);
  const extra = keys && Object.keys(json).find((key) => !keys.includes(key));
  if (extra !== undefined) throw refusedJson(joinPath(path, escapeControls(extra)), "there is no such key");
  return json as Readonly<Record<string, unknown>>;
}

/** A list of at most `limit` items. */
export function listAt(json: unknown, path: string, limit: number): readonly unknown[] {
  if (!Array.isArray(json)) throw refusedJson(path, "it must be a list");
  if (json.length > limit) {
    throw new WireError("limit", `Cannot read ${path}: ${json.length} over the limit of ${limit}`, 0, path);
  }
  return json;
}

/** An integer between two others, both included. */
export function wholeAt(json: unknown, path: string, low: number, high: number): number {
  if (typeof json === "number" && Number.isInteger(json) && json >= low && json <= high) return json;
  throw refusedJson(path, `it must be an integer in ${low}..${high}`);
}

/** A name in camel case. */
export function nameAt(json: unknown, path: string): string {
  if (typeof json === "string" && namePattern.test(json)) return json;
  throw refusedJson(path, "it must be a name in camel case");
}

/** A name that no object has before it is given one: the key of a value. */
export function keyAt(json: unknown, path: string): string {
  const key = nameAt(json, path);
  if (key in Object.prototype) throw refusedJson(path, "every object has such a member");
  return key;
}

/** A short text of one line. */
export function textAt(json: unknown, path: string): string {
  if (typeof json === "string" && json.length <= MAX_TEXT_LENGTH && escapeControls(json) === json) return json;
  const why = `it must be a text of at most ${MAX_TEXT_LENGTH} characters, none of them a control character`;
  throw refusedJson(path, why);
}

// --- Checks for tables -------------------------------------------------------------------------------------------------

/** Where the node is to which a value belongs. */
export interface Place {
  readonly depth: number;
  /** Within `bits`, where numbers need no whole bytes. */
  readonly inBits: boolean;
  /** Called with each node that has been checked, those within it before it. */
  readonly visit?: ((node: LayoutNode, path: string) => void) | undefined;
}

/** Where no node is around a value. */
export const TOP: Place = { depth: 0, inBits: false };

export type Check = (json: unknown, path: string, place: Place) => void;
/** The check of a key that may be left out. */
export interface Maybe {
  readonly maybe: Check;
}
/** A check for every key of a type, so that a key that the type gets has to be added where it is checked. */
export type KeysOf<T> = { readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? Maybe : Check };

/** Entries of a list or an object, where nothing says less: fields, cases, names and tags of known messages are at most 24. */
export const MAX_ENTRIES = 1000;

export const maybe = (check: Check): Maybe => ({ maybe: check });
export const text: Check = (json, path) => void textAt(json, path);
export const name: Check = (json, path) => void keyAt(json, path);

export function whole(low: number, high: number): Check {
  return (json, path) => void wholeAt(json, path, low, high);
}

export const number: Check = (json, path) => {
  if (typeof json !== "number" || !Number.isFinite(json)) throw refusedJson(path, "it must be a number");
};

export const truth: Check = (json, path) => {
  if (typeof json !== "boolean") throw refusedJson(path, "it must be true or false");
};

/** A number, a short text, true or false. */
export const scalar: Check = (json, path, place) => {
  if (typeof json === "string") textAt(json, path);
  else if (typeof json !== "boolean") number(json, path, place);
};

export function among(...values: readonly unknown[]): Check {
  return (json, path) => {
    if (!values.includes(json)) throw refusedJson(path, `it is one of ${values.join(", ")}`);
  };
}

export function listOf(item: Check, most = MAX_ENTRIES): Check {
  return (json, path, place) => {
    for (const [at, each] of listAt(json, path, most).entries()) item(each, `${path}[${at}]`, place);
  };
}

/** An object whose keys are names. */
export function recordOf(value: Check): Check {
  return (json, path, place) => {
    const entries = Object.entries(objectAt(json, path));
    listAt(entries, path, MAX_ENTRIES);
    for (const [key, each] of entries) {
      keyAt(key, path);
      value(each, `${path}.${key}`, place);
    }
  };
}

/** An object with these keys and no others. */
export function shapeOf(keys: Readonly<Record<string, Check | Maybe>>): Check {
  const names = Object.keys(keys);
  return (json, path, place) => {
    const given = objectAt(json, path, names);
    for (const [key, check] of Object.entries(keys)) {
      const value = Object.hasOwn(given, key) ? given[key] : undefined;
      const where = `${path}.${key}`;
      if (typeof check !== "function") {
        if (value !== undefined) check.maybe(value, where, place);
      } else if (value === undefined) throw refusedJson(where, "it is missing");
      else check(value, where, place);
    }
  };
}

/** {@link shapeOf} for the keys of a type. */
export const shape: <T>(keys: KeysOf<T>) => Check = shapeOf;

/** One of several forms, told apart by a key that each has alone. */
export function formOf(forms: Readonly<Record<string, Check>>, otherwise: string): Check {
  return (json, path, place) => {
    const isForm = typeof json === "object" && json !== null && !Array.isArray(json);
    const form = isForm ? Object.entries(forms).find(([key]) => Object.hasOwn(json, key)) : undefined;
    if (form === undefined) throw refusedJson(path, otherwise);
    form[1](json, path, place);
  };
}
