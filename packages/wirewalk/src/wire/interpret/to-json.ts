/** Values as JSON: bytes become hex, integers of 64 bits decimal digits. */
import { conditionHolds } from "../describe/conditions.ts";
import type { BytesNode, LayoutNode, StructNode } from "../describe/node.ts";
import { type ByKind, ofKind } from "../describe/node-kinds.ts";
import { formatHex } from "../hex.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { caseOf, type Fields, firstKeys, isMarked, lengthCaseOf } from "./choose.ts";
import { cursorOf, expectEnd } from "./cursor.ts";
import { readNode } from "./read.ts";
import { flagsOf, readingOf } from "./tables.ts";
import { encodeNode, keptBytes } from "./write.ts";

/** The JSON of a value that can be written. */
export function nodeToJson(node: LayoutNode, value: unknown): JsonValue {
  return ofKind(inJson, node)(node, value);
}

const asItIs = (_: LayoutNode, value: unknown): JsonValue => value as JsonValue;
const ofInner = ({ of }: { readonly of: LayoutNode }, value: unknown): JsonValue => nodeToJson(of, value);

const inJson: ByKind<[value: unknown], JsonValue> = {
  integer: ({ bits }, value) => (bits === 64 ? String(value) : (value as number)),
  smart: asItIs,
  // JSON has no NaN and no infinities: they become strings.
  float: (_, value) => (Number.isFinite(value) ? (value as number) : String(value)),
  boolean: asItIs,
  oneOf: asItIs,
  prefix: asItIs,
  flags: (node, value) =>
    Object.fromEntries(flagsOf(node).entries.map(([name]) => [name, (value as Fields)[name] as boolean])),
  literal: (node) => nodeToJson(node.of, node.value),
  constant: ({ value }) => value,
  unused: () => 0,
  array: ({ item }, value) => (value as readonly unknown[]).map((each) => nodeToJson(item, each)),
  bytes: (_, value) => formatHex(value as Uint8Array, { separator: "" }),
  text: asItIs,
  struct: (node, value) => structToJson(node, value as Fields),
  variant(node, value) {
    const [chosen, tag] = caseOf(node, value as Fields);
    const body = nodeToJson(chosen.node, value) as JsonObject;
    return ordered(chosen.hidden ? body : { [node.tagName]: nodeToJson(node.tag, tag), ...body }, node.order);
  },
  byLength: (node, value) => nodeToJson(lengthCaseOf(node, value).node, value),
  peek: ({ cases }, value) => nodeToJson((cases[0] as { readonly node: LayoutNode }).node, value),
  mark: (node, value) => nodeToJson(isMarked(node, value) ? node.marked : node.of, value),
  bits: ofInner,
  limited: ofInner,
  sized: ofInner,
  compressed: ofInner,
};

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
