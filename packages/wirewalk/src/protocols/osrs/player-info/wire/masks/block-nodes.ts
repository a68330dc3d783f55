/** The fields of a mask block out of JSON: those of any struct, without what cannot stand among other blocks. */
import { listAt, refusedJson } from "../../../../../wire/describe/json-checks.ts";
import { parseFields } from "../../../../../wire/describe/parse-node.ts";
import { type FieldNode, type LayoutNode, layoutOf, sizeOf } from "../../../../../wire/index.ts";
import { MAX_FIELDS, MAX_STRING_LENGTH } from "./mask-revision.ts";

const OTHERS_FOLLOW = "it takes all bytes that are left, and other blocks follow";

/** Kinds that no block can have, with the reason. */
const refusedKinds: ReadonlyMap<string, string> = new Map([
  ["limited", OTHERS_FOLLOW],
  ["compressed", OTHERS_FOLLOW],
  ["byLength", "the number of bytes that are left says nothing, since other blocks follow"],
  ["peek", "a client knows by the numbers that it has read what follows"],
  ["sized", "a part of a block has a count of items or bytes, and no size"],
]);

/** Keys that no block can have: they are for readers that blocks do not have. */
const refusedKeys = ["kept", "rows", "members"] as const;

/** Fields out of JSON, checked to the last number. Throws `WireError` (`bad-value`, `limit`) that names the place. */
export function parseBlockFields(json: unknown, path: string): readonly FieldNode[] {
  for (const [at, field] of listAt(json, path, MAX_FIELDS).entries()) refuseType(field, `${path}[${at}]`);
  const fields = parseFields(json, path, checkNode);
  checkNames(fields, path);
  try {
    layoutOf({ kind: "struct", fields });
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    throw refusedJson(path, error.message);
  }
  return fields;
}

/** The form of the node and the nodes within it are checked before. */
function checkNode(node: LayoutNode, path: string): void {
  const reason = refusedKinds.get(node.kind);
  if (reason !== undefined) throw refusedJson(`${path}.kind`, `a block has no ${node.kind}: ${reason}`);
  for (const key of refusedKeys) {
    if (Object.hasOwn(node, key)) throw refusedJson(`${path}.${key}`, "no block has this key");
  }
  if (node.kind === "integer" && node.bits > 32)
    throw refusedJson(`${path}.bits`, "the numbers of blocks have at most 32 bits");
  if (node.kind === "struct") {
    listAt(node.fields, `${path}.fields`, MAX_FIELDS);
    checkNames(node.fields, `${path}.fields`);
  }
  if (node.kind !== "array" && node.kind !== "bytes") return;
  const { length } = node;
  if (typeof length === "object" && "rest" in length) throw refusedJson(`${path}.length`, OTHERS_FOLLOW);
  // Items without bytes could be any number, whatever the packet's size.
  if (node.kind === "array" && sizeOf(node.item).least === 0)
    throw refusedJson(`${path}.item`, "an item must have bytes");
  if (node.kind !== "bytes" || node.inside === undefined) return;
  const { least, most } = sizeOf(node.inside);
  if (least !== most || least / 8 !== length) throw refusedJson(`${path}.inside`, "it must have as many bytes");
}

/** Objects are not put together out of parts. */
function checkNames(fields: readonly FieldNode[], path: string): void {
  const nameless = fields.findIndex(({ name }) => name === "");
  if (nameless >= 0) throw refusedJson(`${path}[${nameless}].name`, "it must be a name in camel case");
}

// --- Files with types --------------------------------------------------------------------------------------------------

const u8 = { kind: "integer", bits: 8, signed: false, order: "be" };
const counted = { count: u8, limit: 255 };

/** The nodes in place of the types that fields of revisions had in files, where these are no numbers of whole bytes. */
const nodesOfTypes: ReadonlyMap<unknown, object> = new Map<unknown, object>([
  ["smart", { kind: "smart" }],
  ["wideSmart", { kind: "smart", wide: true }],
  ["string", { kind: "text", charset: "windows-1252", length: { end: "zero", limit: MAX_STRING_LENGTH } }],
  ["bytes", { kind: "bytes", length: counted }],
]);

function nodeOfType(type: unknown): object {
  const [, sign, bits] = /^([iu])(8|16|32)$/.exec(String(type)) ?? [];
  if (bits !== undefined) return { ...u8, bits: Number(bits), signed: sign === "i" };
  return nodesOfTypes.get(type) ?? { kind: "array", item: { kind: "struct", fields: [] }, length: counted };
}

/** A field of a file that was made for an older version has a type: the refusal says what to write. */
function refuseType(field: unknown, path: string): void {
  if (typeof field !== "object" || field === null || !Object.hasOwn(field, "type")) return;
  const { type } = field as { readonly type: unknown };
  const shown = typeof type === "string" && /^[A-Za-z0-9]{1,20}$/.test(type) ? ` "${type}"` : "";
  const why = `fields have a node and no type${shown}: write "node": ${JSON.stringify(nodeOfType(type))}`;
  throw refusedJson(`${path}.type`, why);
}
