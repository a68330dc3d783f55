/**
 * What a type of Kaitai read beside what our codec read, field by field. It knows how the export lays out a description
 * (docs/export.md) and nothing of how it makes the specification.
 */
import type { JsonObject, JsonValue, LayoutNode } from "../../wire/index.ts";
import type { KaitaiObject } from "./kaitai-reader.ts";

/** Throws for the first difference. */
export function compareKaitai(node: LayoutNode, found: unknown, wanted: JsonValue | undefined, path = "value"): void {
  const differ = (): void => {
    throw new Error(`${path}: Kaitai has ${String(found)}, the codec ${JSON.stringify(wanted)}`);
  };
  const same = (value: unknown): void => {
    if (!Object.is(value, wanted) && value !== wanted) differ();
  };
  switch (node.kind) {
    case "struct":
      for (const { name, node: field, hidden } of node.fields) {
        if (hidden) continue;
        if (name === "") compareKaitai(field, found, wanted, path);
        else compareField(field, name, found, wanted, path);
      }
      return;
    case "variant": {
      const object = wanted as JsonObject;
      const each = node.cases.find(({ tags = [], when = {}, hidden }) =>
        hidden
          ? Object.entries(when).every(
              ([name, values]) => Array.isArray(values) && values.includes(object[name] as string),
            )
          : tags.includes(object[node.tagName] as string),
      );
      const chosen = each ?? node.cases.find(({ tags }) => tags === undefined);
      if (chosen === undefined) throw new Error(`${path}: the value belongs to no case`);
      if (!chosen.hidden) compareField(node.tag, node.tagName, found, wanted, path);
      compareKaitai(chosen.node, found, wanted, path);
      return;
    }
    case "byLength": {
      const object = wanted as JsonObject;
      const chosen = node.cases.find(({ when }) =>
        Object.entries(when).every(
          ([name, values]) => Array.isArray(values) && values.includes(object[name] as string),
        ),
      );
      if (chosen === undefined) throw new Error(`${path}: the value belongs to no case`);
      compareKaitai(chosen.node, found, wanted, path);
      return;
    }
    case "mark":
      for (const each of [node.marked, node.of]) {
        if (each.kind !== "struct") continue;
        for (const { name } of each.fields) {
          if (fieldOf(found, name) !== (wanted as JsonObject)[name]) differ();
        }
      }
      return;
    case "bits":
    case "limited":
    case "sized":
    case "compressed":
      compareKaitai(node.of, found, wanted, path);
      return;
    case "array": {
      // A list that may be absent where nothing of it can be read is undefined when it is empty.
      const hasEnd = typeof node.length === "object" && "until" in node.length;
      const items = ((found ?? []) as readonly unknown[]).slice(0, hasEnd ? -1 : undefined);
      const list = wanted as readonly JsonValue[];
      if (items.length !== list.length) differ();
      list.forEach((each, at) => {
        const item = hasEnd ? (items[at] as KaitaiObject).item : items[at];
        compareKaitai(node.item, unboxed(node.item, item), each, `${path}[${at}]`);
      });
      return;
    }
    case "flags":
      for (const [name, set] of Object.entries(wanted as JsonObject))
        if ((found as KaitaiObject)[name] !== set) differ();
      return;
    case "bytes": {
      const bytes = found instanceof Uint8Array ? found : (found as { readonly bytes: Uint8Array }).bytes;
      if (Buffer.from(bytes).toString("hex") !== wanted) differ();
      return;
    }
    case "text":
      // Kaitai's runtime for JavaScript decodes ISO-8859-1 as browsers do, which is Windows-1252.
      if (node.charset === "latin1") same(latin1(String(found)));
      else same(found);
      return;
    case "oneOf":
      same(Object.keys(node.names).find((name) => node.names[name] === found));
      return;
    case "prefix":
      same(Object.keys(node.codes)[Number(found)]);
      return;
    case "literal":
      return;
    case "integer":
      // Numbers of 64 bits are doubles in its runtime for JavaScript.
      if (node.bits === 64) {
        if (found !== Number(BigInt(String(wanted)))) differ();
      } else same(found);
      return;
    case "smart":
      same((found as { readonly value: number }).value);
      return;
    case "float":
      if (typeof wanted === "string") same(String(found));
      else if (Number(found) !== wanted) differ();
      return;
    case "constant":
    case "boolean":
    case "unused":
      same(found);
  }
}

/** An item that is not as it is read stands in a type of its own. */
function unboxed(node: LayoutNode, item: unknown): unknown {
  const isObject = ["struct", "variant", "byLength", "mark", "sized", "limited", "compressed"].includes(node.kind);
  const isBoxed = !isObject && typeof item === "object" && item !== null && "value" in item;
  return isBoxed ? item.value : item;
}

function compareField(
  node: LayoutNode,
  name: string,
  found: unknown,
  wanted: JsonValue | undefined,
  path: string,
): void {
  const value = (wanted as JsonObject)[name];
  const other = fieldOf(found, name);
  const inner = `${path}.${name}`;
  if (value !== undefined && other === undefined && (node.kind === "struct" || node.kind === "flags")) {
    compareInBits(node, name, found, value as JsonObject, inner);
    return;
  }
  if (value === undefined) {
    if (other !== undefined && other !== null)
      throw new Error(`${inner}: Kaitai has ${String(other)}, the codec nothing`);
    return;
  }
  compareKaitai(node, other, value, inner);
  if (node.kind !== "bytes") return;
  for (const reading of node.readings ?? []) compareField(reading.node, reading.name, other, wanted, path);
}

/** An object within bits: its fields stand in the type of the bits, under its name and theirs. */
function compareInBits(node: LayoutNode, name: string, found: unknown, wanted: JsonObject, path: string): void {
  const joined = (field: string): string => name + field.charAt(0).toUpperCase() + field.slice(1);
  if (node.kind === "flags") {
    for (const flag of Object.keys(node.flags)) {
      if (fieldOf(found, joined(flag)) !== wanted[flag]) throw new Error(`${path}.${flag} differs`);
    }
  }
  for (const { name: field, node: inner } of node.kind === "struct" ? node.fields : []) {
    compareKaitai(inner, fieldOf(found, joined(field)), wanted[field], `${path}.${field}`);
  }
}

/** The field of a type, or of what stands in its parts: `body`, `content`, `block`. */
function fieldOf(object: unknown, name: string): unknown {
  if (typeof object !== "object" || object === null) return undefined;
  const fields = object as KaitaiObject;
  if (name in fields) return fields[name];
  for (const part of Object.keys(fields)) {
    if (!/^(?:\w+Body|bodyBySize|content|block)$/.test(part)) continue;
    const value = fieldOf(fields[part], name);
    if (value !== undefined) return value;
  }
  return undefined;
}

const windows1252 = new TextDecoder("windows-1252");
const byteOf = new Map(Array.from({ length: 256 }, (_, byte) => [windows1252.decode(Uint8Array.of(byte)), byte]));

function latin1(text: string): string {
  return String.fromCharCode(...[...text].map((character) => byteOf.get(character) ?? 0));
}
