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
  return copyOf(data, data, 0) as T;
}

/** A copy of a part of `whole`. */
function copyOf(data: unknown, whole: unknown, depth: number): unknown {
  const copyInner = (inner: unknown): unknown => copyOf(inner, whole, depth + 1);
  if (typeof data === "function" || typeof data === "symbol") throw unplainError("copy", whole);
  if (typeof data !== "object" || data === null) return data;
  if (depth > MAX_DEPTH) throw unplainError("copy", whole);
  if (Array.isArray(data)) return data.map(copyInner);
  if (data instanceof Map) return new Map(Array.from(data, ([key, value]) => [copyInner(key), copyInner(value)]));
  if (data instanceof Set) return new Set(Array.from(data, copyInner));
  if (isTypedArray(data)) return data.slice();
  if (!isPlainObject(data)) throw unplainError("copy", whole);
  // Not by assignment: that of a member called __proto__ would set the prototype.
  return Object.fromEntries(Object.keys(data).map((key) => [key, copyInner(data[key])]));
}

/** The error for data that is not plain, with the place inside it. */
export function unplainError(verb: "copy" | "digest", data: unknown): TypeError {
  const found = findUnplain(data) ?? ": not plain data";
  return new TypeError(`Cannot ${verb} ${found.startsWith(":") ? `data${found}` : found}`);
}
