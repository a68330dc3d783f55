/** Writes images as an `.nx` file (PKG4). */
import { LittleEndian } from "./little-endian.ts";
import type { MadeArchive, MadeNode } from "./made-images.ts";

const HEADER_BYTES = 52;
const NODE_BYTES = 20;

export function writeNx(archive: MadeArchive): Uint8Array {
  const strings = new Map<string, number>();
  const texts: Uint8Array[] = [];
  const encoder = new TextEncoder();
  const stringOf = (text: string): number => {
    let number = strings.get(text);
    if (number === undefined) {
      number = texts.length;
      strings.set(text, number);
      texts.push(encoder.encode(text));
    }
    return number;
  };

  // Level by level: children follow one another.
  const nodes: MadeNode[] = [rootOf(archive)];
  const table = new LittleEndian();
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as MadeNode;
    const children = [...childrenOf(node)].sort((a, b) => compareBytes(encoder.encode(a.name), encoder.encode(b.name)));
    table.u32(stringOf(node.name));
    table.u32(children.length === 0 ? 0 : nodes.length);
    table.u16(children.length);
    writeValue(table, node, stringOf);
    for (const child of children) nodes.push(child);
  }

  const file = new LittleEndian();
  const stringsAt = HEADER_BYTES + nodes.length * NODE_BYTES;
  file.raw(encoder.encode("PKG4"));
  for (const [count, at] of [
    [nodes.length, HEADER_BYTES],
    [texts.length, stringsAt],
    [0, 0],
    [0, 0],
  ] as const) {
    file.u32(count);
    file.u64(at);
  }
  file.raw(table.done());
  let at = stringsAt + 8 * texts.length;
  for (const text of texts) {
    file.u64(at);
    at += 2 + text.length;
  }
  for (const text of texts) {
    file.u16(text.length);
    file.raw(text);
  }
  return file.done();
}

/** A folder that images are put into. */
interface Folder {
  readonly name: string;
  readonly kind: "folder";
  readonly children: MadeNode[];
}

function rootOf(archive: MadeArchive): MadeNode {
  const root: Folder = { name: "", kind: "folder", children: [] };
  const folders = new Map<string, Folder>([["", root]]);
  const folderOf = (path: string): Folder => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const cut = path.lastIndexOf("/");
    const made: Folder = { name: path.slice(cut + 1), kind: "folder", children: [] };
    folderOf(path.slice(0, Math.max(cut, 0))).children.push(made);
    folders.set(path, made);
    return made;
  };
  for (const [path, children] of archive) {
    const cut = path.lastIndexOf("/");
    folderOf(path.slice(0, Math.max(cut, 0))).children.push({ name: path.slice(cut + 1), kind: "folder", children });
  }
  return root;
}

function childrenOf(node: MadeNode): readonly MadeNode[] {
  if (node.kind === "convex") {
    return node.corners.map((value, index) => ({ name: String(index), kind: "vector", value }));
  }
  return "children" in node ? node.children : [];
}

/** The type, and 8 bytes. */
function writeValue(table: LittleEndian, node: MadeNode, stringOf: (text: string) => number): void {
  const write = (type: number, low: number, high: number): void => {
    table.u16(type);
    table.u32(low);
    table.u32(high);
  };
  switch (node.kind) {
    case "int":
    case "short":
    case "long":
      table.u16(1);
      table.u64(node.value);
      break;
    case "float":
    case "double":
      table.u16(2);
      table.f64(node.kind === "float" ? Math.fround(node.value) : node.value);
      break;
    case "string":
    case "uol":
      write(3, stringOf(node.value), 0);
      break;
    case "vector":
      write(4, node.value.x, node.value.y);
      break;
    case "canvas":
      write(5, 0, 0x0003_0004);
      break;
    case "sound":
      write(6, 0, 100);
      break;
    default:
      write(0, 0, 0);
      break;
  }
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = (a[index] as number) - (b[index] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
