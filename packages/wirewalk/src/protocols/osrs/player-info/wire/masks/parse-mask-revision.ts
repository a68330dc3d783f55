/**
 * Revisions of mask blocks as JSON, checked, so that no later use of one can fail.
 *
 * ```ts
 * parseMaskRevision({ name: "none", extensions: [0x80], blocks: [] }).name; // => "none"
 * parseMaskRevision([]); // throws bad-value: Cannot read revision: it must be an object
 * parseMaskRevision(maskRevisionJson(revision206)).blocks.length; // => 13
 * ```
 */
import {
  among,
  type Check,
  listAt,
  listOf,
  maybe,
  nameAt,
  name as nameCheck,
  number,
  objectAt,
  refusedJson,
  shape,
  TOP,
  truth,
  whole,
} from "../../../../../wire/describe/json-checks.ts";
import { isNumber } from "../../../../../wire/describe/node-rules.ts";
import { type FieldNode, type JsonObject, WireError } from "../../../../../wire/index.ts";
import { parseBlockFields } from "./block-nodes.ts";
import { ByteArena, maxBlockBytes, writeBlock } from "./mask-codec.ts";
import {
  type ClientNeed,
  MAX_BLOCKS,
  MAX_FIELDS,
  MAX_INDEX_KEPT,
  MAX_PLAYER_MASK_BYTES,
  MAX_SOURCE_LENGTH,
  type MaskBlock,
  type MaskFields,
  type MaskRevision,
  positionsOnly,
} from "./mask-revision.ts";

/** What a known name needs, by the fields' names: numbers. */
const meanings: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["moveSpeed", ["speed"]],
  ["temporaryMoveSpeed", ["speed"]],
  ["exactMove", ["dx1", "dz1", "dx2", "dz2", "start", "end", "angle"]],
  ["faceEntity", ["target"]],
  ["faceAngle", ["angle"]],
  ["facing", ["flags", "entityType", "index", "angle"]],
]);

/** Numbers and ranges of one need: they are listed in one sentence. */
const MAX_ALLOWED = 64;
/** The longest text or run of bytes that a client may need. */
const MAX_NEEDED_LENGTH = 255;

const allowedNumber: Check = (json, path) => {
  const isWhole = (value: unknown): value is number => typeof value === "number" && Number.isInteger(value);
  const [low, high, ...more] = Array.isArray(json) ? (json as unknown[]) : [json, json];
  if (!isWhole(low) || !isWhole(high) || low > high || more.length > 0)
    throw refusedJson(path, "it must be an integer, or [lowest, highest]");
};

const clientNeed = shape<ClientNeed>({
  field: nameCheck,
  allowed: maybe((json, path, place) => {
    listOf(allowedNumber, MAX_ALLOWED)(json, path, place);
    if ((json as readonly unknown[]).length === 0) throw refusedJson(path, "it must allow a number");
  }),
  minLength: maybe(whole(0, MAX_NEEDED_LENGTH)),
});

/** The form of a block; what several keys say together is checked after it. */
const blockForm = shape<Omit<MaskBlock, "node"> & { readonly fields: unknown }>({
  name: (json, path) => void nameAt(json, path),
  flag: number,
  fields: (json, path) => void parseBlockFields(json, path),
  clientNeeds: maybe(listOf(clientNeed, MAX_FIELDS)),
  kept: maybe(among("index", "player", "standing")),
  late: maybe(among("drop")),
  perObserver: maybe(truth),
  needs: maybe((json, path) => {
    if (typeof json !== "string") throw refusedJson(path, "it must be the name of a block");
  }),
  initial: maybe((json, path) => void objectAt(json, path)),
  source: maybe((json, path) => {
    if (typeof json !== "string" || json === "" || json.length > MAX_SOURCE_LENGTH)
      throw refusedJson(path, `it must be a text of 1..${MAX_SOURCE_LENGTH} letters`);
  }),
});

/** A revision out of JSON, checked. Throws `WireError` (`bad-value`, `limit`) that names the place. */
export function parseMaskRevision(json: unknown): MaskRevision {
  const { name, extensions, blocks, unread } = objectAt(
    json,
    "",
    ["name", "extensions", "blocks", "unread"],
    "revision",
  );
  if (typeof name !== "string" || name === "" || name.length > 40)
    throw refusedJson("name", "it must be a text of 1..40 letters");
  const extensionList = listAt(extensions, "extensions", 2);
  if (unread !== undefined) {
    if (unread !== true) throw refusedJson("unread", "it must be true");
    if (extensionList.length > 0) throw refusedJson("extensions", "flags that are unread have no extension bit");
    if (listAt(blocks, "blocks", MAX_BLOCKS).length > 0)
      throw refusedJson("blocks", "masks that are unread have no blocks");
    return positionsOnly(name);
  }
  if (extensionList.length === 0) throw refusedJson("extensions", "at least the first byte needs an extension bit");
  const used = new Set<number>();
  extensionList.forEach((flag, at) => {
    const [low, high] = at === 0 ? [1, 0x80] : [0x100, 0x8000];
    takeFlag(flag, low, high, used, `extensions[${at}]`);
  });
  const highest = extensionList.length === 2 ? 0x80_0000 : 0x8000;
  const names = new Set<string>();
  const checked = listAt(blocks, "blocks", MAX_BLOCKS).map((block, at) => {
    const path = `blocks[${at}]`;
    const parsed = parseBlock(block, path);
    takeFlag(parsed.flag, 1, highest, used, `${path}.flag`);
    if (names.has(parsed.name)) throw refusedJson(`${path}.name`, `there are two of "${parsed.name}"`);
    names.add(parsed.name);
    return parsed;
  });
  for (const [at, { needs }] of checked.entries()) {
    if (needs === undefined || checked.some(({ name: each, kept }) => each === needs && kept === "index")) continue;
    throw refusedJson(`blocks[${at}].needs`, "it must name a block that is kept by index");
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

/** A revision as the JSON that {@link parseMaskRevision} takes: to begin one of your own with a known one. */
export function maskRevisionJson({ blocks, ...revision }: MaskRevision): JsonObject {
  const json = { ...revision, blocks: blocks.map(({ node: { fields }, ...block }) => ({ ...block, fields })) };
  return json as unknown as JsonObject;
}

function parseBlock(json: unknown, path: string): MaskBlock {
  blockForm(json, path, TOP);
  const { fields, ...properties } = json as Omit<MaskBlock, "node"> & { readonly fields: readonly FieldNode[] };
  const block: MaskBlock = { ...properties, node: { kind: "struct", fields } };
  const { name, clientNeeds = [], kept, perObserver, needs, initial, source } = block;
  if (source !== undefined && fields.length > 0)
    throw refusedJson(`${path}.source`, "only a flag without fields has one");
  // A kept block has one value for all observers.
  if (perObserver === true && kept !== undefined)
    throw refusedJson(`${path}.perObserver`, "a block that is kept is the same for all");
  if (needs !== undefined && kept !== undefined)
    throw refusedJson(`${path}.needs`, "a block that is kept needs no other");
  for (const needed of meanings.get(name) ?? []) {
    if (!isNumber(nodeOf(fields, needed))) throw refusedJson(`${path}.fields`, `${name} needs a number "${needed}"`);
  }
  if (name === "appearance" && !(fields.length === 1 && fields[0]?.node.kind === "bytes"))
    throw refusedJson(`${path}.fields`, "appearance needs exactly one field of bytes");
  for (const [at, need] of clientNeeds.entries()) checkNeed(need, fields, `${path}.clientNeeds[${at}]`);
  if (initial !== undefined) checkInitial(block, initial, `${path}.initial`);
  return block;
}

/** The node of a field that the value has. */
function nodeOf(fields: readonly FieldNode[], name: string): FieldNode["node"] | undefined {
  return fields.find((each) => each.name === name && each.hidden === undefined)?.node;
}

function checkNeed({ field, allowed, minLength }: ClientNeed, fields: readonly FieldNode[], path: string): void {
  const node = nodeOf(fields, field);
  if (node === undefined) throw refusedJson(`${path}.field`, "it must name a field of the block");
  if ((allowed === undefined) === (minLength === undefined))
    throw refusedJson(path, "it must have allowed or minLength");
  if (allowed !== undefined && !isNumber(node)) throw refusedJson(`${path}.allowed`, "only a number has such a need");
  if (minLength !== undefined && node.kind !== "text" && node.kind !== "bytes")
    throw refusedJson(`${path}.minLength`, "only text and bytes have such a need");
}

function checkInitial(block: MaskBlock, initial: MaskFields, path: string): void {
  if (block.kept !== "index") throw refusedJson(path, "only a block kept by index has one");
  const names = block.node.fields.map(({ name }) => name);
  objectAt(initial, path, names);
  try {
    writeBlock(block, initial, new ByteArena());
  } catch (error) {
    throw refusedJson(path, error instanceof Error ? error.message : "it does not fit");
  }
}

function takeFlag(flag: unknown, low: number, high: number, used: Set<number>, path: string): void {
  const single = typeof flag === "number" && Number.isInteger(flag) && flag > 0 && (flag & (flag - 1)) === 0;
  if (!single || flag < low || flag > high) throw refusedJson(path, `it must be one bit, ${low}..${high}`);
  if (used.has(flag)) throw refusedJson(path, `the bit ${flag} is taken`);
  used.add(flag);
}
