/**
 * Plain data: what effects and saved worlds are made of. Numbers, bigints, strings, booleans, null and undefined; arrays,
 * plain objects, maps, sets and typed arrays of them. No class instances, functions, symbols or getters.
 */

/** Data that is nested deeper has a cycle, or is no state of a world. */
export const MAX_DEPTH = 64;

export type TypedArray =
  | Uint8Array
  | Int8Array
  | Uint8ClampedArray
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

export function isTypedArray(value: object): value is TypedArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

/** True for an object literal, one of another realm included. */
export function isPlainObject(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * The first place in the data that is not plain, with what is wrong there: `.players[3].move: a function`. Undefined for
 * plain data. It looks at every property, for tests and for the words of an error.
 */
export function findUnplain(data: unknown, path = "", depth = 0): string | undefined {
  if (typeof data === "function" || typeof data === "symbol") return `${path}: a ${typeof data}`;
  if (typeof data !== "object" || data === null) return undefined;
  if (depth > MAX_DEPTH) return `${path}: nested deeper than ${MAX_DEPTH}`;
  if (data instanceof Map) {
    let index = 0;
    for (const [key, value] of data) {
      const entry = `${path}<${index++}>`;
      const found = findUnplain(key, `${entry}.key`, depth + 1) ?? findUnplain(value, entry, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (data instanceof Set) {
    let index = 0;
    for (const value of data) {
      const found = findUnplain(value, `${path}<${index++}>`, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isTypedArray(data)) return undefined;
  if (!Array.isArray(data) && !isPlainObject(data)) return `${path}: an instance of ${data.constructor?.name}`;
  for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(data))) {
    if (Array.isArray(data) && key === "length") continue;
    const member = Array.isArray(data) ? `${path}[${key}]` : `${path}.${key}`;
    if (property.get !== undefined || property.set !== undefined) return `${member}: a getter or setter`;
    const found = findUnplain(property.value, member, depth + 1);
    if (found !== undefined) return found;
  }
  if (Object.getOwnPropertySymbols(data).length > 0) return `${path}: a symbol as a key`;
  return undefined;
}

/** A deep copy, which shares nothing mutable with the data. Throws `TypeError` for data that is not plain. */
export function copyPlain<T>(data: T): T {
  const copy = copyOf(data, 0);
  if (copy === notPlain) throw unplainError("copy", data);
  return copy as T;
}

/** The copy of data that is not plain. */
const notPlain = Symbol("not plain");

/** Loops and assignments: with a function for each value and `Object.fromEntries` it took three times as long. */
function copyOf(data: unknown, depth: number): unknown {
  if (typeof data === "function" || typeof data === "symbol") return notPlain;
  if (typeof data !== "object" || data === null) return data;
  if (depth > MAX_DEPTH) return notPlain;
  if (Array.isArray(data)) return copyArray(data, depth + 1);
  if (isPlainObject(data)) {
    const copy: Record<string, unknown> = {};
    for (const key of Object.keys(data)) {
      const value = copyOf(data[key], depth + 1);
      if (value === notPlain) return notPlain;
      // Assignment of a member called __proto__ would set the prototype.
      if (key === "__proto__") Object.defineProperty(copy, key, { ...asData, value });
      else copy[key] = value;
    }
    return copy;
  }
  if (isTypedArray(data)) return data.slice();
  if (data instanceof Set) {
    const members = copyArray([...data], depth + 1);
    return members === notPlain ? notPlain : new Set(members as unknown[]);
  }
  if (!(data instanceof Map)) return notPlain;
  const copy = new Map<unknown, unknown>();
  for (const [key, value] of data) {
    const [ofKey, ofValue] = [copyOf(key, depth + 1), copyOf(value, depth + 1)];
    if (ofKey === notPlain || ofValue === notPlain) return notPlain;
    copy.set(ofKey, ofValue);
  }
  return copy;
}

const asData = { enumerable: true, configurable: true, writable: true } as const;

function copyArray(data: readonly unknown[], depth: number): unknown {
  const copy: unknown[] = [];
  for (let index = 0; index < data.length; index++) {
    const value = copyOf(data[index], depth);
    if (value === notPlain) return notPlain;
    copy.push(value);
  }
  return copy;
}

/** The error for data that is not plain, with the place inside it. */
export function unplainError(verb: "copy" | "digest", data: unknown): TypeError {
  const found = findUnplain(data) ?? ": not plain data";
  return new TypeError(`Cannot ${verb} ${found.startsWith(":") ? `data${found}` : found}`);
}
