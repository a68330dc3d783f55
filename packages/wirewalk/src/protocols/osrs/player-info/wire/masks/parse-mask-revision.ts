/**
 * Revisions of mask blocks as JSON, checked, so that no later use of one can fail.
 *
 * ```ts
 * parseMaskRevision({ name: "none", extensions: [0x80], blocks: [] }).name; // => "none"
 * parseMaskRevision([]); // throws bad-value: Cannot read revision: it must be an object
 * ```
 */
import { escapeControls, joinPath, WireError } from "../../../../../wire/index.ts";
import { maxBlockBytes } from "./block-layout.ts";
import { ByteArena, writeBlock } from "./mask-codec.ts";
import {
  MAX_BLOCKS,
  MAX_FIELDS,
  MAX_INDEX_KEPT,
  MAX_PLAYER_MASK_BYTES,
  type MaskBlock,
  type MaskField,
  type MaskFields,
  type MaskRevision,
} from "./mask-revision.ts";

const numberTypes: ReadonlySet<string> = new Set(["u8", "i8", "u16", "i16", "i32", "smart", "wideSmart"]);
const transforms: ReadonlySet<string> = new Set(["+128", "neg", "sub"]);
const orders: ReadonlySet<string> = new Set(["BE", "LE", "BE+", "LE+"]);
const wordOrders: ReadonlySet<string> = new Set(["BE", "LE", "2301", "1032"]);
const yes: ReadonlySet<unknown> = new Set([true]);
const keepings: ReadonlySet<string> = new Set(["index", "player", "standing"]);

/** Which other keys a field of a type may have, with their values. */
const fieldKeys: Readonly<Record<MaskField["type"], Readonly<Record<string, ReadonlySet<unknown>>>>> = {
  u8: { transform: transforms },
  i8: { transform: transforms },
  u16: { order: orders, transform: transforms },
  i16: { order: orders, transform: transforms },
  i32: { order: wordOrders, transform: transforms },
  string: {},
  bytes: { count: transforms, transform: transforms, reversed: yes },
  hits: { count: transforms },
  headBars: { count: transforms, fill: transforms },
  smart: {},
  wideSmart: {},
  list: { count: transforms },
};

/** What a known name needs, by the fields' names: numbers, or bytes. */
const meanings: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["moveSpeed", ["speed"]],
  ["temporaryMoveSpeed", ["speed"]],
  ["exactMove", ["dx1", "dz1", "dx2", "dz2", "start", "end", "angle"]],
  ["faceEntity", ["target"]],
  ["faceAngle", ["angle"]],
  ["facing", ["flags", "entityType", "index", "angle"]],
]);

/** Rules of words of one field, and the lengths of what they say: for people to read on a line. */
const MAX_WORDS = 64;
const MAX_TEXT_LENGTH = 200;
const MAX_DIGITS = 9;

const namePattern = /^[a-z][A-Za-z0-9]{0,39}$/;

/** A revision out of JSON, checked. Throws `WireError` (`bad-value`, `limit`) that names the place. */
export function parseMaskRevision(json: unknown): MaskRevision {
  const { name, extensions, blocks } = object(json, "", ["name", "extensions", "blocks"]);
  if (typeof name !== "string" || name === "" || name.length > 40)
    throw bad("name", "it must be a text of 1..40 letters");
  const extensionList = list(extensions, "extensions", 2);
  if (extensionList.length === 0) throw bad("extensions", "at least the first byte needs an extension bit");
  const used = new Set<number>();
  extensionList.forEach((flag, at) => {
    const [low, high] = at === 0 ? [1, 0x80] : [0x100, 0x8000];
    takeFlag(flag, low, high, used, `extensions[${at}]`);
  });
  const highest = extensionList.length === 2 ? 0x80_0000 : 0x8000;
  const names = new Set<string>();
  const checked = list(blocks, "blocks", MAX_BLOCKS).map((block, at) => {
    const path = `blocks[${at}]`;
    const parsed = parseBlock(block, path);
    takeFlag(parsed.flag, 1, highest, used, `${path}.flag`);
    takeName(parsed.name, names, path);
    return parsed;
  });
  for (const [at, { needs }] of checked.entries()) {
    if (needs === undefined || checked.some(({ name: each, kept }) => each === needs && kept === "index")) continue;
    throw bad(`blocks[${at}].needs`, "it must name a block that is kept by index");
  }
  if (checked.filter(({ kept }) => kept === "index").length > MAX_INDEX_KEPT) {
    throw new WireError("limit", `Cannot read blocks: more than ${MAX_INDEX_KEPT} are kept by index`, 0, "blocks");
  }
  const bytes = checked.reduce((sum, block) => sum + maxBlockBytes(block), 3);
  if (bytes > MAX_PLAYER_MASK_BYTES) {
    const why = `a player's blocks could take ${bytes} bytes, over the limit of ${MAX_PLAYER_MASK_BYTES}`;
    throw new WireError("limit", `Cannot read blocks: ${why}`, 0, "blocks");
  }
  return Object.freeze({ name, extensions: extensionList as number[], blocks: checked });
}

function parseBlock(json: unknown, path: string): MaskBlock {
  const keys = ["name", "flag", "fields", "kept", "late", "perObserver", "needs", "initial"];
  const { name, flag, fields, kept, late, perObserver, needs, initial } = object(json, path, keys);
  const checked = parseFields(fields, `${path}.fields`);
  const names = checked.map((field) => field.name);
  if (kept !== undefined && !keepings.has(kept as string)) throw bad(`${path}.kept`, "it is index, player or standing");
  if (late !== undefined && late !== "drop") throw bad(`${path}.late`, "it can only be drop");
  if (perObserver !== undefined && typeof perObserver !== "boolean")
    throw bad(`${path}.perObserver`, "it is true or false");
  // A kept block has one value for all observers.
  if (perObserver === true && kept !== undefined)
    throw bad(`${path}.perObserver`, "a block that is kept is the same for all");
  if (needs !== undefined && typeof needs !== "string") throw bad(`${path}.needs`, "it must be the name of a block");
  if (needs !== undefined && kept !== undefined) throw bad(`${path}.needs`, "a block that is kept needs no other");
  if (initial !== undefined && kept !== "index") throw bad(`${path}.initial`, "only a block kept by index has one");
  if (initial !== undefined) object(initial, `${path}.initial`, names);
  const block = { ...(json as MaskBlock), fields: checked };
  const kindOf = (field: string): string | undefined => checked.find((each) => each.name === field)?.type;
  for (const needed of meanings.get(name) ?? []) {
    if (!numberTypes.has(kindOf(needed) ?? ""))
      throw bad(`${path}.fields`, `${String(name)} needs a number "${needed}"`);
  }
  if (name === "appearance" && !(checked.length === 1 && checked[0]?.type === "bytes")) {
    throw bad(`${path}.fields`, "appearance needs exactly one field of bytes");
  }
  if (typeof flag !== "number") throw bad(`${path}.flag`, "it must be a number");
  if (initial !== undefined) {
    try {
      writeBlock(block, initial as MaskFields, new ByteArena());
    } catch (error) {
      throw bad(`${path}.initial`, error instanceof Error ? error.message : "it does not fit");
    }
  }
  return block;
}

/** Fields one after another. A condition is about a number before it that is always there. */
function parseFields(json: unknown, path: string, inList = false): MaskField[] {
  const names = new Set<string>();
  const numbers = new Set<unknown>();
  return list(json, path, MAX_FIELDS).map((each, at) => {
    const where = `${path}[${at}]`;
    const field = parseField(each, where, inList);
    takeName(field.name, names, where);
    if (field.when !== undefined) checkWhen(field.when, numbers, `${where}.when`);
    else if (numberTypes.has(field.type)) numbers.add(field.name);
    return field;
  });
}

function checkWhen(json: unknown, numbers: ReadonlySet<unknown>, path: string): void {
  const { field, ...limits } = object(json, path, ["field", "from", "to", "not", "mask"]);
  if (!numbers.has(field)) throw bad(`${path}.field`, "it must name a number before it that is always there");
  for (const [key, value] of Object.entries(limits)) {
    if (!Number.isInteger(value)) throw bad(`${path}.${key}`, "it must be an integer");
  }
  const { mask } = limits;
  const isMask = mask === undefined || (Number(mask) > 0 && Number(mask) <= 0xffff_ffff);
  if (!isMask) throw bad(`${path}.mask`, "it must have bits, at most 32");
}

function parseField(json: unknown, path: string, inList: boolean): MaskField {
  const { type, ...rest } = object(json, path, undefined);
  const isType = typeof type === "string" && Object.hasOwn(fieldKeys, type);
  const keys = isType ? fieldKeys[type as MaskField["type"]] : undefined;
  if (keys === undefined) throw bad(`${path}.type`, `it is one of ${Object.keys(fieldKeys).join(", ")}`);
  for (const [key, value] of Object.entries(rest)) {
    if (key === "name" || key === "when") continue;
    if (key === "fields" && type === "list") continue;
    if (key === "doc" || key === "unit") {
      checkText(value, `${path}.${key}`);
      continue;
    }
    if (key === "allowed" && numberTypes.has(String(type))) {
      checkAllowed(value, `${path}.allowed`);
      continue;
    }
    if (key === "minLength" && (type === "string" || type === "bytes")) {
      const isLength = typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
      if (!isLength) throw bad(`${path}.minLength`, "it must be an integer in 0..255");
      continue;
    }
    if (key === "words") {
      for (const [at, rule] of list(value, `${path}.words`, MAX_WORDS).entries()) {
        checkWords(rule, `${path}.words[${at}]`);
      }
      continue;
    }
    const allowed = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (allowed === undefined) throw bad(`${path}.${key}`, `a field of type ${String(type)} has no such key`);
    if (!allowed.has(value)) throw bad(`${path}.${key}`, `it is one of ${[...allowed].join(", ")}`);
  }
  if (rest.transform !== undefined && String(rest.order).endsWith("+")) {
    throw bad(`${path}.transform`, `the order ${String(rest.order)} is a transform already`);
  }
  if (type !== "list") return json as MaskField;
  if (inList) throw bad(`${path}.type`, "an item of a list has no lists of items");
  return { ...(json as MaskField & { type: "list" }), fields: parseFields(rest.fields, `${path}.fields`, true) };
}

function checkText(text: unknown, path: string): void {
  if (typeof text !== "string" || text.length > MAX_TEXT_LENGTH || escapeControls(text) !== text) {
    throw bad(path, `it must be a text of at most ${MAX_TEXT_LENGTH} characters, none of them a control character`);
  }
}

function checkAllowed(json: unknown, path: string): void {
  const isWhole = (value: unknown): value is number => typeof value === "number" && Number.isInteger(value);
  const values = list(json, path, MAX_WORDS);
  if (values.length === 0) throw bad(path, "it must allow a number");
  for (const [at, value] of values.entries()) {
    const [low, high, ...more] = Array.isArray(value) ? (value as unknown[]) : [];
    const isRange = isWhole(low) && isWhole(high) && low <= high && more.length === 0;
    if (!isWhole(value) && !isRange) throw bad(`${path}[${at}]`, "it must be an integer, or [lowest, highest]");
  }
}

/** One rule of words for a number: see `WordRule`. */
function checkWords(json: unknown, path: string): void {
  const { text, ...numbers } = object(json, path, ["from", "to", "every", "text", "offset", "factor", "digits"]);
  checkText(text, `${path}.text`);
  for (const [key, value] of Object.entries(numbers)) {
    if (typeof value !== "number" || !Number.isFinite(value)) throw bad(`${path}.${key}`, "it must be a number");
  }
  const { digits = 0 } = numbers;
  if (!(Number.isInteger(digits) && (digits as number) >= 0 && (digits as number) <= MAX_DIGITS)) {
    throw bad(`${path}.digits`, `it must be an integer in 0..${MAX_DIGITS}`);
  }
}

function takeFlag(flag: unknown, low: number, high: number, used: Set<number>, path: string): void {
  const single = typeof flag === "number" && Number.isInteger(flag) && flag > 0 && (flag & (flag - 1)) === 0;
  if (!single || flag < low || flag > high) throw bad(path, `it must be one bit, ${low}..${high}`);
  if (used.has(flag)) throw bad(path, `the bit ${flag} is taken`);
  used.add(flag);
}

function takeName(name: unknown, names: Set<string>, path: string): void {
  if (typeof name !== "string" || !namePattern.test(name)) throw bad(`${path}.name`, "it must be a name in camel case");
  if (names.has(name)) throw bad(`${path}.name`, `there are two of "${name}"`);
  names.add(name);
}

function object(json: unknown, path: string, keys: readonly string[] | undefined): Record<string, unknown> {
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw bad(path, "it must be an object");
  const extra = keys && Object.keys(json).find((key) => !keys.includes(key));
  if (extra !== undefined) throw bad(joinPath(path, escapeControls(extra)), "there is no such key");
  return json as Record<string, unknown>;
}

function list(json: unknown, path: string, limit: number): readonly unknown[] {
  if (!Array.isArray(json)) throw bad(path, "it must be a list");
  if (json.length > limit) {
    throw new WireError("limit", `Cannot read ${path}: ${json.length} over the limit of ${limit}`, 0, path);
  }
  return json;
}

function bad(path: string, why: string): WireError {
  return new WireError("bad-value", `Cannot read ${path === "" ? "revision" : path}: ${why}`, 0, path);
}
