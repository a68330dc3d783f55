/** Values as JSON: bytes become hex, integers of 64 bits decimal digits. */
import { conditionHolds } from "../describe/conditions.ts";
import type { BytesNode, LayoutNode, StructNode } from "../describe/node.ts";
import { formatHex } from "../hex.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { caseOf, type Fields, firstKeys, isMarked, lengthCaseOf } from "./choose.ts";
import { cursorOf, expectEnd, WriteCursor, written } from "./cursor.ts";
import { readNode } from "./read.ts";
import { flagsOf, readingOf } from "./tables.ts";
import { keptBytes, writeNode } from "./write.ts";

/** The JSON of a value that can be written. */
export function nodeToJson(node: LayoutNode, value: unknown): JsonValue {
  switch (node.kind) {
    case "integer":
      return node.bits === 64 ? String(value) : (value as number);
    case "smart":
    case "boolean":
    case "oneOf":
    case "prefix":
    case "text":
      return value as string;
    case "float":
      // JSON has no NaN and no infinities: they become strings.
      return Number.isFinite(value) ? (value as number) : String(value);
    case "flags":
      return Object.fromEntries(flagsOf(node).entries.map(([name]) => [name, (value as Fields)[name] as boolean]));
    case "literal":
      return nodeToJson(node.of, node.value);
    case "constant":
      return node.value;
    case "unused":
      return 0;
    case "array":
      return (value as readonly unknown[]).map((each) => nodeToJson(node.item, each));
    case "bytes":
      return formatHex(value as Uint8Array, { separator: "" });
    case "struct":
      return structToJson(node, value as Fields);
    case "variant": {
      const [chosen, tag] = caseOf(node, value as Fields);
      const body = nodeToJson(chosen.node, value) as JsonObject;
      return ordered(chosen.hidden ? body : { [node.tagName]: nodeToJson(node.tag, tag), ...body }, node.order);
    }
    case "byLength": {
      const chosen = lengthCaseOf(node, value) ?? (node.cases.at(-1) as { readonly node: LayoutNode });
      return nodeToJson(chosen.node, value);
    }
    case "peek":
      return nodeToJson((node.cases[0] as { readonly node: LayoutNode }).node, value);
    case "mark":
      return nodeToJson(isMarked(node, value) ? node.marked : node.of, value);
    case "bits":
    case "limited":
    case "sized":
    case "compressed":
      return nodeToJson(node.of, value);
  }
}

function ordered(json: JsonObject, order: readonly string[] | undefined): JsonObject {
  return order === undefined ? json : firstKeys(json, order);
}

/** The whole value of bytes. Throws `WireError`. */
export function decodeNode(node: LayoutNode, bytes: Uint8Array): unknown {
  const cursor = cursorOf(bytes);
  const value = readNode(node, cursor);
  expectEnd(cursor);
  return value;
}

/** The bytes of a value. */
export function encodeNode(node: LayoutNode, value: unknown): Uint8Array<ArrayBuffer> {
  const cursor = new WriteCursor();
  writeNode(node, cursor, value);
  return written(cursor);
}

function structToJson(node: StructNode, value: Fields): JsonObject {
  // Of fields that a value has as bytes, JSON has what the bytes hold.
  if (keptBytes(node, value) !== undefined)
    return structToJson(node, decodeNode(node, encodeNode(node, value)) as Fields);
  const json: Record<string, JsonValue> = {};
  const { order, fields } = node;
  const inOrder = order === undefined ? fields : fields.toSorted((a, b) => rank(order, a.name) - rank(order, b.name));
  for (const { name, node: field, hidden, when } of inOrder) {
    if (name === "") Object.assign(json, nodeToJson(field, value));
    if (name === "" || hidden || (when !== undefined && !conditionHolds(when, value[when.field]))) continue;
    json[name] = nodeToJson(field, value[name]);
    if (field.kind === "bytes") Object.assign(json, readingToJson(field, value, value[name] as Uint8Array));
  }
  return fields.some(({ name }) => name === "") ? ordered(json, order) : json;
}

/** Where a key stands that comes first by `order`, or after all of these. */
function rank(order: readonly string[], key: string): number {
  const at = order.indexOf(key);
  return at < 0 ? order.length : at;
}

/** What stands beside the bytes in JSON. */
export function readingToJson(node: BytesNode, fields: Fields, value: Uint8Array): JsonObject {
  const reading = readingOf(node, fields);
  if (reading === undefined) return {};
  return { [reading.name]: nodeToJson(reading.node, decodeNode(reading.node, value)) };
}
