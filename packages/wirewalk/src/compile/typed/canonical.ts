/**
 * Values as canonical JSON: one text for each value, which every language writes alike. The proof compares languages by it.
 *
 * Members stand in the order of their keys by code units, absent ones are left out. An integer is decimal; one of 64 bits is a text of
 * decimal digits. A number with fractions is the text of its 64 bits as a double, high byte first, in 16 hexadecimal digits, and `nan`
 * is the one that is none. Bytes are a text of hexadecimal digits. Texts write `"`, `\` and all but printable ASCII as `\u` and four digits.
 *
 * @module
 */
import type { Member, RecordType, ValueType } from "./types.ts";

const double = new DataView(new ArrayBuffer(8));

/** A text as canonical JSON. */
export function canonicalText(text: string): string {
  let whole = '"';
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isPlain = code >= 0x20 && code < 0x7f && code !== 0x22 && code !== 0x5c;
    whole += isPlain ? text[at] : `\\u${code.toString(16).padStart(4, "0")}`;
  }
  return `${whole}"`;
}

/** Members in the order of canonical JSON. */
export function inKeyOrder<T extends { readonly key: string }>(members: readonly T[]): readonly T[] {
  return [...members].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

/** A value of a type as canonical JSON. */
export function canonicalJson(type: ValueType, value: unknown): string {
  switch (type.is) {
    case "integer":
      return String(value);
    case "big":
      return `"${String(value)}"`;
    case "real": {
      const number = Number(value);
      if (Number.isNaN(number)) return '"nan"';
      double.setFloat64(0, number);
      return `"${double.getBigUint64(0).toString(16).padStart(16, "0")}"`;
    }
    case "boolean":
      return String(value);
    case "text":
    case "enum":
      return canonicalText(String(value));
    case "bytes":
      return `"${hexOf(value as Uint8Array)}"`;
    case "list":
      return `[${(value as readonly unknown[]).map((item) => canonicalJson(type.item, item)).join(",")}]`;
    case "constant":
      return constantJson(type.value);
    case "flags": {
      const given = value as Readonly<Record<string, boolean>>;
      const keys = inKeyOrder(Object.keys(type.flags).map((key) => ({ key })));
      return `{${keys.map(({ key }) => `${canonicalText(key)}:${given[key]}`).join(",")}}`;
    }
    case "record":
      return recordJson(type.members, value as Readonly<Record<string, unknown>>);
    case "union":
      return recordJson(recordOf(type.records, value as Readonly<Record<string, unknown>>).members, value as never);
  }
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Bytes as hexadecimal digits: a body may have thousands. */
function hexOf(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += hexOfByte[byte];
  return text;
}

/** A constant as canonical JSON. */
export function constantJson(value: string | number | boolean | bigint): string {
  if (typeof value === "string") return canonicalText(value);
  return typeof value === "bigint" ? `"${value}"` : String(value);
}

/** Members of each record in their order: the proof writes millions of values. */
const ordered = new WeakMap<readonly Member[], readonly Member[]>();

function recordJson(members: readonly Member[], value: Readonly<Record<string, unknown>>): string {
  const inOrder = ordered.get(members) ?? inKeyOrder(members);
  ordered.set(members, inOrder);
  const parts = inOrder.flatMap(({ key, type }) =>
    value[key] === undefined ? [] : [`${canonicalText(key)}:${canonicalJson(type, value[key])}`],
  );
  return `{${parts.join(",")}}`;
}

/** The record of a union that a value is. */
function recordOf(records: readonly RecordType[], value: Readonly<Record<string, unknown>>): RecordType {
  const found = records.find(({ members }) => {
    const has = members.every(({ key, type, isOptional }) => {
      if (value[key] === undefined) return isOptional;
      if (type.is === "integer" && type.values !== undefined) return type.values.includes(Number(value[key]));
      return type.is !== "constant" || type.value === value[key];
    });
    return has && Object.keys(value).every((key) => members.some((each) => each.key === key));
  });
  if (found === undefined) throw new TypeError(`no record has the members ${Object.keys(value).join(", ")}`);
  return found;
}
