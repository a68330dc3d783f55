/** Values out of JSON. */
import { namesTested, passes } from "../describe/cases.ts";
import { conditionHolds, conditionText } from "../describe/conditions.ts";
import type {
  ArrayNode,
  BytesNode,
  FlagsNode,
  LayoutNode,
  MarkNode,
  RunLength,
  StructNode,
  TextNode,
  VariantNode,
} from "../describe/node.ts";
import { parseHex } from "../hex.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { countBytes, WireError, withPath } from "../wire-error.ts";
import { firstKeys, isMarked, looksMarked, markText } from "./choose.ts";
import { WriteCursor } from "./cursor.ts";
import { casesOf, flagsOf, jsonKeys } from "./tables.ts";
import { encodeNode, readingToJson } from "./to-json.ts";
import { cp1252Codes, writeNode } from "./write.ts";
import { integerMust, isInRange, isSmart, smartMust } from "./write-numbers.ts";

/** Throws the error of JSON that was refused. What is around it adds the path. */
function refuse(why: string): never {
  throw new WireError("bad-value", `Cannot read value: ${why}`, 0);
}

/** A value for an error message: short, and never the text of a whole object. */
function nameOf(json: unknown): string {
  if (json === undefined) return "nothing";
  if (json === null) return "null";
  if (Array.isArray(json)) return "a list";
  if (typeof json === "object") return "an object";
  const text = JSON.stringify(json);
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
}

/** The value of JSON. Throws {@link WireError} at the path of what does not fit. */
export function nodeFromJson(node: LayoutNode, json: JsonValue | undefined): unknown {
  switch (node.kind) {
    case "integer":
      if (node.bits === 64) return bigintFrom(json);
      if (typeof json !== "number" || !isInRange(node, json)) refuse(`${integerMust(node)} ${nameOf(json)}`);
      return json + 0;
    case "smart":
      if (typeof json !== "number" || !isSmart(node, json)) refuse(`${smartMust(node)} ${nameOf(json)}`);
      return json;
    case "float":
      return floatFrom(node, json);
    case "boolean":
      if (typeof json !== "boolean") refuse(`value must be true or false, got ${nameOf(json)}`);
      return json;
    case "oneOf":
    case "prefix": {
      const names = node.kind === "oneOf" ? node.names : node.codes;
      if (typeof json === "string" && Object.hasOwn(names, json)) return json;
      return refuse(`value must be one of ${Object.keys(names).join(", ")}, got ${nameOf(json)}`);
    }
    case "flags":
      return flagsFrom(node, json);
    case "literal":
      if (nodeFromJson(node.of, json) !== node.value) refuse(`value must be ${node.value}, got ${nameOf(json)}`);
      return node.value;
    case "constant":
      if (json !== undefined && json !== node.value) refuse(`value must be ${node.value}, got ${nameOf(json)}`);
      return node.value;
    case "unused":
      return 0;
    case "array":
      return itemsFrom(node, json);
    case "bytes":
      return bytesFrom(node, json);
    case "text":
      return textFrom(node, json);
    case "struct":
      return structFrom(node, json);
    case "variant":
      return variantFrom(node, json);
    case "byLength": {
      const given = asObject(json);
      const chosen = node.cases.find(({ when }) => passes(when, given));
      if (chosen !== undefined) return nodeFromJson(chosen.node, given);
      // A description says which field tells its cases apart.
      const { key, names } = namesTested(node.cases) as { key: string; names: string[] };
      const why = `value must be one of ${names.join(", ")}, got ${nameOf(given[key])}`;
      throw new WireError("bad-value", `Cannot read ${key}: ${why}`, 0, key);
    }
    case "peek":
      return nodeFromJson((node.cases[0] as { readonly node: LayoutNode }).node, json);
    case "mark":
      return markFrom(node, json);
    case "limited": {
      const value = nodeFromJson(node.of, json);
      const { length } = encodeNode(node.of, value);
      if (length <= node.bytes) return value;
      const why = `${countBytes(length)} are over its limit of ${node.bytes}`;
      throw new WireError("limit", `Cannot read ${node.name}: ${why}`, 0, node.name);
    }
    case "bits":
    case "sized":
    case "compressed":
      return nodeFromJson(node.of, json);
  }
}

// --- Fields ----------------------------------------------------------------------------------------------------------------

const U64_DIGITS = 20;

function bigintFrom(json: JsonValue | undefined): bigint {
  const isDigits = typeof json === "string" && json.length <= U64_DIGITS && /^\d+$/.test(json);
  if (!isDigits || BigInt(json) >= 1n << 64n) {
    refuse(`it must be a decimal number as text, 0 to 2^64 - 1, got ${nameOf(json)}`);
  }
  return BigInt(json);
}

function floatFrom(
  { order, finite = false }: Extract<LayoutNode, { kind: "float" }>,
  json: JsonValue | undefined,
): number {
  if (typeof json === "number") {
    const value = Math.fround(json);
    if (finite && !Number.isFinite(value)) refuse(`value must fit a 32-bit float, got ${json}`);
    return finite ? value + 0 : value;
  }
  if (!finite && (json === "NaN" || json === "Infinity" || json === "-Infinity")) return Number(json);
  return refuse(`f32${order} must be a number, got ${nameOf(json)}`);
}

function flagsFrom(node: FlagsNode, json: JsonValue | undefined): unknown {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    refuse(`value must be an object of true and false, got ${nameOf(json)}`);
  }
  const given = json as JsonObject;
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(node.flags, key)) throw new WireError("bad-value", `Cannot read ${key}: no such field`, 0, key);
  }
  const { entries, setOf } = flagsOf(node);
  let raw = 0;
  for (const [name, bit] of entries) {
    const set = given[name];
    if (typeof set !== "boolean") {
      const why = `value must be true or false, got ${nameOf(set)}`;
      throw new WireError("bad-value", `Cannot read ${name}: ${why}`, 0, name);
    }
    if (set) raw |= 1 << bit;
  }
  return setOf(raw);
}

/** Refuses a number of items that the count before them cannot hold, though the limit allows it. */
function checkCount(length: RunLength | TextNode["length"], count: number, what: string): void {
  if (typeof length === "number" || !("count" in length)) return;
  try {
    writeNode(length.count, new WriteCursor(), count);
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    refuse(`it must have a number of ${what} that its count can hold, got ${count}`);
  }
}

function bytesFrom({ length }: BytesNode, json: JsonValue | undefined): Uint8Array {
  if (typeof json !== "string") refuse(`it must be hex, got ${nameOf(json)}`);
  const value = parseHex(json);
  const count = value.length;
  if (typeof length === "number" && count !== length) refuse(`it must have ${length} bytes, got ${count}`);
  const most = typeof length === "number" ? length : "rest" in length ? length.rest : length.limit;
  if (count > most) refuse(`it must have at most ${most} bytes, got ${count}`);
  checkCount(length, count, "bytes");
  return value;
}

function textFrom({ length, charset }: TextNode, json: JsonValue | undefined): string {
  if (typeof json !== "string") refuse(`it must be a text, got ${nameOf(json)}`);
  const limit = "rest" in length ? length.rest : length.limit;
  if (json.length > limit) refuse(`it must have at most ${limit} characters, got ${json.length}`);
  if (charset === "windows-1252") {
    try {
      cp1252Codes(json, limit);
    } catch (error) {
      refuse((error as Error).message);
    }
    return json;
  }
  const hasEnd = "end" in length;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code > 0xff && !hasEnd) refuse(`it must be latin1, got another character at position ${at}`);
    if ((code < 1 || code > 0xff) && hasEnd) {
      refuse(`cstring must be characters in 1..255, got ${code} at position ${at}`);
    }
  }
  checkCount(length, json.length, "characters");
  return json;
}

function itemsFrom({ item, length }: ArrayNode, json: JsonValue | undefined): unknown[] {
  if (!Array.isArray(json)) refuse(`it must be a list, got ${nameOf(json)}`);
  const items = json as readonly JsonValue[];
  const count = items.length;
  if (typeof length === "number") {
    if (count !== length) refuse(`it must have ${length} items, got ${count}`);
  } else {
    const most = "rest" in length ? length.rest : length.limit;
    if (count > most) refuse(`it must have at most ${most} items, got ${count}`);
  }
  checkCount(length, count, "items");
  return items.map((each, index) => {
    try {
      const value = nodeFromJson(item, each);
      if (typeof length === "object" && "until" in length && encodeNode(item, value)[0] === length.until) {
        refuse(`it must not begin with the byte ${length.until}, the end of the list`);
      }
      return value;
    } catch (error) {
      throw withPath(error, `[${index}]`);
    }
  });
}

// --- Objects ---------------------------------------------------------------------------------------------------------------

function asObject(json: JsonValue | undefined): JsonObject {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    refuse(`it must be an object, got ${nameOf(json)}`);
  }
  return json as JsonObject;
}

function refuseOthers(given: JsonObject, node: LayoutNode): void {
  for (const key of Object.keys(given)) {
    if (!jsonKeys(node).has(key)) throw new WireError("bad-value", `Cannot read ${key}: no such field`, 0, key);
  }
}

function structFrom(node: StructNode, json: JsonValue | undefined): object {
  const given = asObject(json);
  const value: Record<string, unknown> = {};
  for (const field of node.fields) {
    if (field.name === "") {
      const own = jsonKeys(field.node);
      const part = Object.fromEntries(Object.entries(given).filter(([key]) => own.has(key)));
      Object.assign(value, nodeFromJson(field.node, part));
    } else if (!field.hidden) fieldFrom(field, given, value);
  }
  for (const { name, node: field } of node.fields) {
    if (field.kind === "bytes" && name !== "" && Object.hasOwn(value, name)) checkReadings(field, name, value, given);
  }
  refuseOthers(given, node);
  return node.order === undefined ? value : firstKeys(value, node.order);
}

function fieldFrom(field: StructNode["fields"][number], given: JsonObject, value: Record<string, unknown>): void {
  const { name, node, when, default: usual } = field;
  try {
    if (when !== undefined && !conditionHolds(when, value[when.field])) {
      // As writers say it, who do not know the words of the condition: generated code would carry them.
      if (given[name] !== undefined) refuse(`value must not be there: it is there only if ${conditionText(when)}`);
      return;
    }
    value[name] = nodeFromJson(node, given[name] === undefined ? usual : given[name]);
  } catch (error) {
    throw withPath(error, name);
  }
}

/** Throws when JSON gives a meaning that is not that of the bytes: it would be dropped unseen. */
function checkReadings(node: BytesNode, bytesName: string, value: Record<string, unknown>, given: JsonObject): void {
  if (node.readings === undefined) return;
  const shown = readingToJson(node, value, value[bytesName] as Uint8Array);
  for (const { name } of node.readings) {
    const stated = given[name];
    if (stated === undefined || sameJson(stated, shown[name])) continue;
    throw new WireError("bad-value", `Cannot read ${name}: it is not what ${bytesName} says`, 0, name);
  }
}

function sameJson(a: JsonValue, b: JsonValue | undefined): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a === b;
  const [given, shown] = [Object.entries(a), b as JsonObject];
  return (
    given.length === Object.keys(shown).length && given.every(([key, each]) => sameJson(each as JsonValue, shown[key]))
  );
}

function variantFrom(node: VariantNode, json: JsonValue | undefined): object {
  const { tagName, tag, cases, members, order } = node;
  const { byTag, otherwise, known, constants, constantKeys } = casesOf(node);
  const given = asObject(json);
  const { [tagName]: own, ...rest } = given;
  const inOrder = <V extends object>(value: V): V => (order === undefined ? value : firstKeys(value, order));
  let chosen = cases.find(({ when }) => when !== undefined && passes(when, given));
  if (chosen?.hidden) return inOrder(nodeFromJson(chosen.node, given) as object);
  let found: unknown;
  try {
    // JSON that is written by hand may name a case by its constant instead of its tag.
    const named = constantKeys.find((key) => typeof rest[key] === "string");
    const byConstant = named === undefined ? undefined : constants.get(`${named} ${String(rest[named])}`);
    found = own === undefined && byConstant !== undefined ? byConstant : nodeFromJson(tag, own);
    chosen = byTag.get(found) ?? chosen ?? otherwise;
    if (chosen === undefined || chosen.hidden) refuse(`value must be one of ${known}, got ${nameOf(own)}`);
  } catch (error) {
    throw withPath(error, tagName);
  }
  return inOrder({ [tagName]: found, ...members, ...(nodeFromJson(chosen.node, rest) as object) });
}

function markFrom(node: MarkNode, json: JsonValue | undefined): unknown {
  if (isMarked(node, json)) return nodeFromJson(node.marked, json);
  if (!looksMarked(node, json)) return nodeFromJson(node.of, json);
  const error = new WireError("bad-value", `Cannot read value: it must not be ${markText(node)}, the mark`, 0);
  throw withPath(error, node.parts[0]?.name ?? "value");
}
