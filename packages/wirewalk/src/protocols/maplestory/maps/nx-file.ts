/**
 * Files of the form PKG4 (`.nx`): a table of nodes and a table of names. Only what is asked for is read.
 *
 * All numbers are little endian. The header has `PKG4`, then count (u32) and place (u64) of nodes, strings, pictures and sounds. A node
 * has 20 bytes: name (u32, a string's number), first child (u32, a node's number), number of children (u16), type (u16), 8 bytes of data.
 * Children follow one another, sorted by the bytes of their names.
 */
import { decodeUtf8 } from "../../../wire/index.ts";
import type { Point } from "../wire/messages.ts";
import { type ImageArchive, mapImageName } from "./archives.ts";
import type { FileBytes } from "./file-bytes.ts";
import { floatValue, ImageBudget, ImageNode, MAX_DEPTH, MAX_TEXT_BYTES } from "./image-node.ts";
import type { TreeNode } from "./tree.ts";

const HEADER_BYTES = 52;
const NODE_BYTES = 20;
const STRING_ENTRY_BYTES = 8;
/** A kept name is short, and some thousand are kept: those of footholds are there a hundred thousand times. */
const KEPT_NAME_LENGTH = 32;
const MAX_KEPT_NAMES = 8192;

/** Folders that lead to maps. */
const mapFolder = /^Map[0-9]?$/;
const MAP_FOLDERS = 3;
const ROOT = 0;

/** Of one name: those of maps have some 15. */
const MAX_NAME_BYTES = 255;

const types = { none: 0, integer: 1, float: 2, text: 3, vector: 4, picture: 5, sound: 6 } as const;

/** A child of a node. */
export interface NxChild {
  readonly name: string;
  readonly node: number;
}

export class NxFile implements ImageArchive {
  readonly #bytes: FileBytes;
  readonly #nodes: number;
  readonly #nodesAt: number;
  readonly #strings: number;
  readonly #stringsAt: number;
  readonly #names = new Map<number, string>();

  /** Throws `MapError` unless the tables are in the file. */
  constructor(bytes: FileBytes) {
    this.#bytes = bytes;
    if (bytes.size < HEADER_BYTES) throw bytes.fault(0, `${HEADER_BYTES} bytes of a header wanted`);
    this.#nodes = bytes.u32(4);
    this.#nodesAt = bytes.u64(8);
    this.#strings = bytes.u32(16);
    this.#stringsAt = bytes.u64(20);
    this.#checkTable(4, "nodes", this.#nodes * NODE_BYTES, this.#nodesAt);
    this.#checkTable(16, "strings", this.#strings * STRING_ENTRY_BYTES, this.#stringsAt);
    if (this.#nodes === 0) throw bytes.fault(4, "no root node");
  }

  #checkTable(at: number, what: string, length: number, place: number): void {
    const { size } = this.#bytes;
    if (place + length > size) {
      throw this.#bytes.fault(at, `a table of ${what} with ${length} bytes from ${place} on, the file has ${size},`);
    }
  }

  /** `Map/Map/Map1/100000000.img` in a file of the whole client, `Map/Map1/…` in Map.nx. */
  *mapPaths(): Generator<string, void, undefined> {
    yield* this.#mapPathsBelow(ROOT, "", 0);
  }

  *#mapPathsBelow(node: number, path: string, depth: number): Generator<string, void, undefined> {
    for (const child of this.list(node)) {
      if (mapImageName.test(child.name)) yield `${path}${child.name}`;
      else if (depth < MAP_FOLDERS && mapFolder.test(child.name)) {
        yield* this.#mapPathsBelow(child.node, `${path}${child.name}/`, depth + 1);
      }
    }
  }

  image(path: string, wanted?: ReadonlySet<string>): TreeNode | undefined {
    const node = this.findPath(ROOT, path.split("/"));
    return node === undefined ? undefined : this.nodeImage(node, wanted);
  }

  /** A child by its name in ASCII. Undefined where there is none. */
  find(parent: number, name: string): number | undefined {
    let { first: low, count } = this.#childrenOf(parent);
    while (count > 0) {
      const half = count >> 1;
      const order = this.#compareName(low + half, name);
      if (order === 0) return low + half;
      if (order < 0) low += half + 1;
      count = order < 0 ? count - half - 1 : half;
    }
    return undefined;
  }

  /** The node at the end of a path of names. */
  findPath(parent: number, path: readonly string[]): number | undefined {
    let node: number | undefined = parent;
    for (const name of path) if (node !== undefined) node = this.find(node, name);
    return node;
  }

  /** All children, in order. Throws `MapError` where they are not sorted: none could be found by its name. */
  list(parent: number): readonly NxChild[] {
    const { first, count } = this.#childrenOf(parent);
    const all: NxChild[] = [];
    for (let node = first; node < first + count; node++) {
      const name = this.#nameOf(node);
      const before = all.at(-1)?.name;
      if (before !== undefined && this.#compareName(node, before) < 0) {
        throw this.#bytes.fault(this.#placeOf(node), `"${name}" after "${before}", out of order,`);
      }
      all.push({ name, node });
    }
    return all;
  }

  /** A node and all below it. Of children of the root that are not wanted, nothing below. */
  nodeImage(root: number, wanted?: ReadonlySet<string>): TreeNode {
    return this.#read(root, [], new ImageBudget(), wanted);
  }

  #read(node: number, above: readonly number[], budget: ImageBudget, wanted?: ReadonlySet<string>): TreeNode {
    const { first, count } = this.#childrenOf(node);
    if (count === 0) return this.#nodeOf(node, budget);
    const path = [...above, node];
    if (path.length > MAX_DEPTH) this.#take(node, `more than ${MAX_DEPTH} levels of nodes`);
    const isAbove = (each: number): boolean => each >= first && each < first + count;
    if (path.some(isAbove)) this.#take(node, `node ${node} is below itself`);
    const children: TreeNode[] = [];
    for (let child = first; child < first + count; child++) {
      const isWanted = wanted === undefined || wanted.has(this.#nameOf(child));
      children.push(isWanted ? this.#read(child, path, budget) : this.#nodeOf(child, budget));
    }
    return this.#nodeOf(node, budget, children);
  }

  #nodeOf(node: number, budget: ImageBudget, children?: readonly TreeNode[]): TreeNode {
    const name = this.#nameOf(node);
    this.#take(node, budget.takeNode() ?? budget.takeText(name.length));
    return new ImageNode(name, this.#valueOf(node, budget), children);
  }

  /** Throws where something of a node is too much. */
  #take(node: number, reason: string | undefined): void {
    if (reason !== undefined) throw this.#bytes.fault(this.#placeOf(node), reason);
  }

  #placeOf(node: number): number {
    return this.#nodesAt + node * NODE_BYTES;
  }

  #childrenOf(node: number): { first: number; count: number } {
    const at = this.#placeOf(node);
    const count = this.#bytes.u16(at + 8);
    const first = count === 0 ? 0 : this.#bytes.u32(at + 4);
    if (first + count > this.#nodes) {
      throw this.#bytes.fault(at + 4, `children ${first} to ${first + count - 1} of ${this.#nodes} nodes`);
    }
    return { first, count };
  }

  #nameOf(node: number): string {
    const at = this.#placeOf(node);
    const number = this.#bytes.u32(at);
    const kept = this.#names.get(number);
    if (kept !== undefined) return kept;
    const name = this.#stringOf(number, at, MAX_NAME_BYTES);
    if (name.length <= KEPT_NAME_LENGTH) {
      if (this.#names.size === MAX_KEPT_NAMES) this.#names.clear();
      this.#names.set(number, name);
    }
    return name;
  }

  #valueOf(node: number, budget: ImageBudget): number | string | Point | undefined {
    const at = this.#placeOf(node);
    const bytes = this.#bytes;
    const type = bytes.u16(at + 10);
    switch (type) {
      case types.integer:
        return bytes.i64(at + 12);
      case types.float:
        return floatValue(bytes.f64(at + 12));
      case types.text: {
        const text = this.#stringOf(bytes.u32(at + 12), at + 12);
        this.#take(node, budget.takeText(text.length));
        return text;
      }
      case types.vector:
        return { x: bytes.i32(at + 12), y: bytes.i32(at + 16) };
      case types.none:
      case types.picture:
      case types.sound:
        return undefined;
      default:
        throw bytes.fault(at + 10, `a value of unknown type ${type}`);
    }
  }

  /** Where a string stands, and its length. `from` is the place of its number. */
  #stringPlace(number: number, from: number, limit: number): { at: number; length: number } {
    const bytes = this.#bytes;
    if (number >= this.#strings) throw bytes.fault(from, `string ${number} of ${this.#strings}`);
    const entry = this.#stringsAt + number * STRING_ENTRY_BYTES;
    const at = bytes.u64(entry);
    if (at + 2 > bytes.size) throw bytes.fault(entry, `string ${number} begins at ${at}, the file has ${bytes.size},`);
    const length = bytes.u16(at);
    if (length > limit) throw bytes.fault(at, `a string of ${length} bytes, at most ${limit},`);
    return { at: at + 2, length };
  }

  #stringOf(number: number, from: number, limit = MAX_TEXT_BYTES): string {
    const { at, length } = this.#stringPlace(number, from, limit);
    return decodeUtf8(this.#bytes.bytes(at, length));
  }

  /** Less than 0 where the node's name comes before. Names that are ASCII are in one order as texts and as bytes. */
  #compareName(node: number, name: string): number {
    const own = this.#nameOf(node);
    return own === name ? 0 : own < name ? -1 : 1;
  }
}
