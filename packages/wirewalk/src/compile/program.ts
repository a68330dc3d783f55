/**
 * What the functions of one generated module share: the table of checks, names, and which descriptions become functions of their
 * own.
 *
 * @module
 */

import type { LayoutNode } from "../wire/describe/node.ts";
import { partsOf as partsWithNames } from "../wire/describe/parts.ts";
import type { Check } from "./steps.ts";

/** Keys of descriptions that are for people alone: they change no byte. */
const words: ReadonlySet<string> = new Set([
  "doc",
  "section",
  "unit",
  "words",
  "opaque",
  "inside",
  "flat",
  "readings",
  "fold",
  "default",
]);

const isNode = (data: object): boolean => "kind" in data && typeof data.kind === "string";

function withoutWords(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(withoutWords);
  if (typeof data !== "object" || data === null) return typeof data === "bigint" ? `${data}n` : data;
  const entries = Object.entries(data).filter(([key]) => !(words.has(key) && (isNode(data) || key === "default")));
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutWords(each)]));
}

const keys = new WeakMap<LayoutNode, string>();

/** Equal for descriptions of the same bytes. */
export function keyOf(node: LayoutNode): string {
  let key = keys.get(node);
  if (key === undefined) {
    key = JSON.stringify(withoutWords(node));
    keys.set(node, key);
  }
  return key;
}

/** The descriptions directly within a description, but for what bytes mean to people, which changes no byte. */
export function partsOf(node: LayoutNode): readonly LayoutNode[] {
  return partsWithNames(node.kind === "bytes" ? { kind: "bytes", length: node.length } : node).map(([, part]) => part);
}

/** Those of them whose fields stand beside others in one object: they are never values of their own. */
function flatPartsOf(node: LayoutNode): readonly LayoutNode[] {
  switch (node.kind) {
    case "struct":
      return node.fields.flatMap(({ name, node: field }) => (name === "" ? [field] : []));
    case "variant":
      return node.cases.map((each) => each.node);
    case "byLength":
    case "peek":
    case "mark":
    case "bits":
    case "limited":
      return partsOf(node);
    default:
      return [];
  }
}

/** How much code a description becomes, about: its fields of bytes. */
export function weightOf(node: LayoutNode): number {
  switch (node.kind) {
    case "constant":
    case "unused":
      return 0;
    case "array":
    case "text":
      return 3 + partsOf(node).reduce((sum, part) => sum + weightOf(part), 0);
    case "oneOf":
    case "flags":
      return 2;
    default:
      return partsOf(node).reduce((sum, part) => sum + weightOf(part), 1);
  }
}

/** Descriptions that occur at least twice and are larger than this become functions. */
const LEAST_WEIGHT = 4;

/** Names that generated code uses itself, and words of the languages that are generated. */
const reserved: ReadonlySet<string> = new Set(
  (
    "b at end bit claimed v after break case catch class const continue debugger default delete do else enum export extends " +
    "false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with " +
    "let static yield await async of undefined arguments eval package private protected public interface implements type " +
    "Array Infinity Int32Array NaN Number Object Uint8Array " +
    // What generated modules import and declare.
    "isObject flagOf allZero bad badField badKey badObject bigAt blockRoom bytesAt bytesOfBits changedBytes checks contentRoom cut cutBit cutSlab decodeLatin1 " +
    "decodeWindows1252 deflate floatOf floatWordOf highBits inBlock inSized inflate inflated keptFrom keptTo lengthOf memberOf " +
    "no noBit noMessage notRead notSize on putBig putBytes putChanged putHighBits putText putWindows1252 refusal slabFor slabUsed trailing " +
    "under unknownId unknownName wrong zeroAt"
  ).split(" "),
);

/** Types that generated code names. */
const typeNames: ReadonlySet<string> = new Set(
  "Array ArrayBuffer Checks CompiledBody CompiledDialect CompiledLayout Error Function Int32Array Map Members Number Object Record Set String Uint8Array".split(
    " ",
  ),
);

/** Functions of a module that read and write numbers, and what it imports of words. */
const numberFunctions = /^(?:put|set)?[UuIiFf]\d+(?:le|be|from\d)?$|Words$/;

/** Tables of a module, which no local may hide. */
const tables = /^(?:names|numbers|sets)\d*$/;

/** Names that are unique within a function or a module. */
export class Names {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  /** A name of a table. */
  takeTable(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#taken.has(name); count++) name = `${wanted}${count}`;
    this.#taken.add(name);
    return name;
  }

  /** The name, or the name with the next free number. */
  take(wanted: string): string {
    const plain = wanted.replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?=\d)/, "_");
    let name = plain === "" ? "value" : tables.test(plain) || numberFunctions.test(plain) ? `${plain}Value` : plain;
    for (let count = 2; this.#taken.has(name) || reserved.has(name); count++) name = `${plain}${count}`;
    this.#taken.add(name);
    return name;
  }
}

/** The tables of one generated module. */
export class Program {
  readonly #tables = new Map<string, CheckTable>();
  readonly #uses = new Map<string, number>();
  readonly #roots = new Set<string>();
  readonly #names = new Names();
  readonly #nameOf = new Map<string, string>();
  /** The descriptions that have functions of their own, by name. */
  readonly nodes = new Map<string, LayoutNode>();
  readonly #isOwn: (node: LayoutNode) => boolean;

  /** `isOwn`: descriptions that become functions of their own even where they occur once. */
  constructor(isOwn: (node: LayoutNode) => boolean = () => false) {
    this.#isOwn = isOwn;
  }

  /**
   * Counts the descriptions within a root. Call it for all roots before anything is lowered. That the root has functions of its own is
   * no reason to call them from the one other place that has it: a list of fragments took a half more time so.
   */
  countRoot(node: LayoutNode): void {
    if (this.#roots.has(keyOf(node))) return;
    this.#roots.add(keyOf(node));
    this.#countParts(node);
  }

  #count(node: LayoutNode, isFlat: boolean): void {
    if (!isFlat) {
      const key = keyOf(node);
      const known = this.#uses.get(key) ?? 0;
      this.#uses.set(key, known + 1);
      // What lies within a description that is shared is there once.
      if (known > 0 && weightOf(node) >= LEAST_WEIGHT) return;
    }
    this.#countParts(node);
  }

  #countParts(node: LayoutNode): void {
    const flat = new Set(flatPartsOf(node));
    for (const part of partsOf(node)) this.#count(part, flat.has(part));
  }

  /** Whether a description becomes a function of its own. */
  isShared(node: LayoutNode): boolean {
    if (this.#isOwn(node)) return true;
    return (this.#uses.get(keyOf(node)) ?? 0) > 1 && weightOf(node) >= LEAST_WEIGHT;
  }

  /** No description gets this name. */
  reserve(name: string): void {
    this.#names.take(name);
  }

  /** The name of a description with functions of its own: of its reader, its writer and its type. */
  nameOf(node: LayoutNode, wanted: string): string {
    const key = keyOf(node);
    const known = this.#nameOf.get(key);
    if (known !== undefined) return known;
    // Its type begins with a capital letter, and must not hide one of the language or of the runtime.
    const plain = wanted.charAt(0).toLowerCase() + wanted.slice(1);
    const type = wanted.charAt(0).toUpperCase() + wanted.slice(1);
    const name = this.#names.take(typeNames.has(type) ? `${plain}Value` : plain);
    this.#nameOf.set(key, name);
    this.nodes.set(name, node);
    return name;
  }

  /** The name that a description has, where it has one. */
  knownName(node: LayoutNode): string | undefined {
    return this.#nameOf.get(keyOf(node));
  }

  /** The checks of a description's functions. */
  tableOf(name: string): CheckTable {
    let table = this.#tables.get(name);
    if (table === undefined) {
      table = new CheckTable(`${name}Checks`);
      this.#tables.set(name, table);
    }
    return table;
  }

  /** The tables that have checks. */
  get tables(): readonly CheckTable[] {
    return [...this.#tables.values()].filter(({ checks }) => checks.length > 0);
  }
}

/** The path of an integer and its type. */
export type Piece = readonly [path: string, type: string];

/** The checks of one description: those of its reader and its writer. */
export class CheckTable {
  readonly name: string;
  readonly checks: Check[] = [];
  readonly #ids = new Map<string, number>();

  constructor(name: string) {
    this.name = name;
  }

  /** The number of a check. */
  add(check: Check): number {
    const key = JSON.stringify(check);
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.checks.push(check) - 1;
      this.#ids.set(key, id);
    }
    return id;
  }

  /**
   * The number of a check of fields that has all of these, by path and type. A writer takes the first integer of the object that does
   * not fit for the one that it could not write: before these, the check has no other integers of the object than those that `known`
   * says were written before.
   */
  fieldsWith(pieces: readonly Piece[], known: readonly Piece[]): number {
    const own = new Map(pieces);
    const objects = new Set(pieces.map(([path]) => objectOf(path)));
    const written = new Map(known);
    const found = this.checks.findIndex(([kind, ...parts]) => {
      if (kind !== "fields") return false;
      const fields = parts.flatMap((part, at) =>
        at % 2 === 0 ? [[String(part), String(parts[at + 1])] as const] : [],
      );
      const isOwn = ([path, type]: Piece): boolean => own.get(path) === type;
      const isOther = ([path, type]: Piece): boolean =>
        !isOwn([path, type]) && written.get(path) !== type && /^[iu]\d/.test(type) && objects.has(objectOf(path));
      const before = fields.slice(0, fields.findLastIndex(isOwn) + 1);
      return before.filter(isOwn).length === pieces.length && !before.some(isOther);
    });
    return found >= 0 ? found : this.add(["fields", ...pieces.flat()]);
  }

  /** The number of a check that grows: it is never another's. */
  addOwn(check: (string | number)[]): number {
    return this.checks.push(check) - 1;
  }
}

/** The path of the object that a field is in. */
const objectOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf(".")));
