/** Values out of JSON. */
import { namesTested, passes } from "../describe/cases.ts";
import { conditionHolds, conditionText } from "../describe/conditions.ts";
import type {
  ArrayNode,
  BytesNode,
  CaseNode,
  FlagsNode,
  LayoutNode,
  MarkNode,
  RunLength,
  StructNode,
  TextNode,
  VariantNode,
} from "../describe/node.ts";
import { type ByKind, ofKind } from "../describe/node-kinds.ts";
import { parseHex } from "../hex.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { countBytes, WireError, withPath } from "../wire-error.ts";
import { firstKeys, isMarked } from "./choose.ts";
import { dropFrom, WriteCursor } from "./cursor.ts";
import { casesOf, flagsOf, jsonKeys } from "./tables.ts";
import { readingToJson } from "./to-json.ts";
import { encodeNode, writeNode } from "./write.ts";

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
  return ofKind(outOfJson, node)(node, json);
}

type Json = JsonValue | undefined;

/** What is written here is only looked at by the writer. */
const scratch = new WriteCursor();

/** What stands for JSON that no writer takes: no text is made of an object. */
const OTHER: unknown = Symbol("other");

/** The value, which is refused as by the writer, in its words: what can be written is said once. What JSON has is named as JSON. */
function writable<T>(node: LayoutNode, value: T, json: Json): T {
  const given = typeof value === "object" && value !== null ? OTHER : value;
  try {
    dropFrom(scratch, 0);
    writeNode(node, scratch, given);
    return value;
  } catch (error) {
    throw inWordsOfWriter(error, String(given), json);
  }
}

/** The refusal of a writer as one of JSON, and any other error itself. */
function inWordsOfWriter(error: unknown, shown: string, json: Json): unknown {
  if (!(error instanceof RangeError || error instanceof TypeError)) return error;
  const [, path, why = ""] = /^(?:Cannot write (.*?): )?(.*)$/s.exec(error.message) ?? [];
  const words = why.endsWith(`got ${shown}`) ? why.slice(0, why.length - shown.length) + nameOf(json) : why;
  return new WireError("bad-value", `Cannot read ${path ?? "value"}: ${words}`, 0, path);
}

const asWritten = (node: LayoutNode, json: Json): unknown => writable(node, json, json);
const asNumber = (node: LayoutNode, json: Json): number =>
  // There is no -0 among integers.
  writable(node, typeof json === "number" ? json : Number.NaN, json) + 0;
const ofInner = ({ of }: { readonly of: LayoutNode }, json: Json): unknown => nodeFromJson(of, json);

const outOfJson: ByKind<[json: Json], unknown> = {
  integer: (node, json) => (node.bits === 64 ? bigintFrom(json) : asNumber(node, json)),
  smart: asNumber,
  float(node, json) {
    const isName = !node.finite && (json === "NaN" || json === "Infinity" || json === "-Infinity");
    const value = Math.fround(writable(node, isName ? Number(json) : json, json) as number);
    return node.finite ? value + 0 : value;
  },
  boolean: asWritten,
  oneOf: asWritten,
  prefix: asWritten,
  flags: flagsFrom,
  literal: (node, json) => writable(node, nodeFromJson(node.of, json), json),
  constant: (node, json) => (json === undefined ? node.value : writable(node, json, json)),
  unused: () => 0,
  array: itemsFrom,
  bytes: bytesFrom,
  text: textFrom,
  struct: structFrom,
  variant: variantFrom,
  byLength(node, json) {
    const given = asObject(json);
    const chosen = node.cases.find(({ when }) => passes(when, given));
    if (chosen !== undefined) return nodeFromJson(chosen.node, given);
    // A description says which field tells its cases apart.
    const { key, names } = namesTested(node.cases) as { key: string; names: string[] };
    return at(key, () => refuse(`value must be one of ${names.join(", ")}, got ${nameOf(given[key])}`));
  },
  peek: ({ cases }, json) => nodeFromJson((cases[0] as { readonly node: LayoutNode }).node, json),
  mark: markFrom,
  bits: ofInner,
  limited({ of, bytes, name }, json) {
    const value = nodeFromJson(of, json);
    const { length } = encodeNode(of, value);
    if (length <= bytes) return value;
    const why = `${countBytes(length)} are over its limit of ${bytes}`;
    throw new WireError("limit", `Cannot read ${name}: ${why}`, 0, name);
  },
  sized: ofInner,
  compressed: ofInner,
};

// --- Fields ----------------------------------------------------------------------------------------------------------------

const U64_DIGITS = 20;

function bigintFrom(json: Json): bigint {
  const isDigits = typeof json === "string" && json.length <= U64_DIGITS && /^\d+$/.test(json);
  if (!isDigits || BigInt(json) >= 1n << 64n) {
    refuse(`it must be a decimal number as text, 0 to 2^64 - 1, got ${nameOf(json)}`);
  }
  return BigInt(json);
}

function markFrom(node: MarkNode, json: Json): unknown {
  let isMark: boolean;
  try {
    isMark = isMarked(node, json);
  } catch (error) {
    throw inWordsOfWriter(error, "", json);
  }
  return nodeFromJson(isMark ? node.marked : node.of, json);
}

const truth: LayoutNode = { kind: "boolean", of: { kind: "integer", bits: 8, signed: false, order: "be" } };

function flagsFrom(node: FlagsNode, json: Json): unknown {
  const given = asObject(json, "value must be an object of true and false");
  refuseOthers(given, new Set(Object.keys(node.flags)));
  const { entries, setOf } = flagsOf(node);
  return setOf(
    entries.reduce((raw, [name, bit]) => raw | (at(name, () => nodeFromJson(truth, given[name])) ? 1 << bit : 0), 0),
  );
}

/** Reads a part by its name in errors. */
function at<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw withPath(error, name);
  }
}

/** Refuses a number of items that may not be, or that the count before them cannot hold, though the limit allows it. */
function checkCount(length: RunLength | TextNode["length"], count: number, what: string): void {
  if (typeof length === "number") {
    if (count !== length) refuse(`it must have ${length} ${what}, got ${count}`);
    return;
  }
  const most = "rest" in length ? length.rest : length.limit;
  if (count > most) refuse(`it must have at most ${most} ${what}, got ${count}`);
  if (!("count" in length)) return;
  try {
    writeNode(length.count, new WriteCursor(), count);
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    refuse(`it must have a number of ${what} that its count can hold, got ${count}`);
  }
}

function bytesFrom({ length }: BytesNode, json: Json): Uint8Array {
  if (typeof json !== "string") refuse(`it must be hex, got ${nameOf(json)}`);
  const value = parseHex(json);
  checkCount(length, value.length, "bytes");
  return value;
}

function textFrom(node: TextNode, json: Json): string {
  if (typeof json !== "string") refuse(`it must be a text, got ${nameOf(json)}`);
  checkCount(node.length, json.length, "characters");
  return writable(node, json, json);
}

function itemsFrom({ item, length }: ArrayNode, json: Json): unknown[] {
  if (!Array.isArray(json)) refuse(`it must be a list, got ${nameOf(json)}`);
  const items = json as readonly JsonValue[];
  checkCount(length, items.length, "items");
  const until = typeof length === "object" && "until" in length ? length.until : undefined;
  return items.map((each, index) =>
    at(`[${index}]`, () => {
      const value = nodeFromJson(item, each);
      if (until !== undefined && encodeNode(item, value)[0] === until) {
        refuse(`it must not begin with the byte ${until}, the end of the list`);
      }
      return value;
    }),
  );
}

// --- Objects ---------------------------------------------------------------------------------------------------------------

function asObject(json: Json, must = "it must be an object"): JsonObject {
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as JsonObject;
  return refuse(`${must}, got ${nameOf(json)}`);
}

function refuseOthers(given: JsonObject, keys: ReadonlySet<string>): void {
  for (const key of Object.keys(given)) if (!keys.has(key)) at(key, () => refuse("no such field"));
}

function structFrom(node: StructNode, json: Json): object {
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
  refuseOthers(given, jsonKeys(node));
  return node.order === undefined ? value : firstKeys(value, node.order);
}

function fieldFrom(field: StructNode["fields"][number], given: JsonObject, value: Record<string, unknown>): void {
  const { name, node, when, default: usual } = field;
  at(name, () => {
    if (when === undefined || conditionHolds(when, value[when.field])) {
      value[name] = nodeFromJson(node, given[name] === undefined ? usual : given[name]);
    } else if (given[name] !== undefined) {
      // As writers say it, who do not know the words of the condition: generated code would carry them.
      refuse(`value must not be there: it is there only if ${conditionText(when)}`);
    }
  });
}

/** Throws when JSON gives a meaning that is not that of the bytes: it would be dropped unseen. */
function checkReadings(node: BytesNode, bytesName: string, value: Record<string, unknown>, given: JsonObject): void {
  if (node.readings === undefined) return;
  const shown = readingToJson(node, value, value[bytesName] as Uint8Array);
  for (const { name } of node.readings) {
    const stated = given[name];
    if (stated === undefined || sameJson(stated, shown[name])) continue;
    at(name, () => refuse(`it is not what ${bytesName} says`));
  }
}

function sameJson(a: JsonValue, b: JsonValue | undefined): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a === b;
  const [given, shown] = [Object.entries(a), b as JsonObject];
  return (
    given.length === Object.keys(shown).length && given.every(([key, each]) => sameJson(each as JsonValue, shown[key]))
  );
}

function variantFrom(node: VariantNode, json: Json): object {
  const { tagName, tag, cases, members, order } = node;
  const { byTag, otherwise, known, constants, constantKeys } = casesOf(node);
  const given = asObject(json);
  const { [tagName]: own, ...rest } = given;
  const inOrder = <V extends object>(value: V): V => (order === undefined ? value : firstKeys(value, order));
  let chosen = cases.find(({ when }) => when !== undefined && passes(when, given));
  if (chosen?.hidden) return inOrder(nodeFromJson(chosen.node, given) as object);
  const found = at(tagName, () => {
    // JSON that is written by hand may name a case by its constant instead of its tag.
    const named = constantKeys.find((key) => typeof rest[key] === "string");
    const byConstant = named === undefined ? undefined : constants.get(`${named} ${String(rest[named])}`);
    const tagged = own === undefined && byConstant !== undefined ? byConstant : nodeFromJson(tag, own);
    chosen = byTag.get(tagged) ?? chosen ?? otherwise;
    if (chosen === undefined || chosen.hidden) refuse(`value must be one of ${known}, got ${nameOf(own)}`);
    return tagged;
  });
  return inOrder({ [tagName]: found, ...members, ...(nodeFromJson((chosen as CaseNode).node, rest) as object) });
}
