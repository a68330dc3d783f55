/**
 * Where things lie within `bits`. With the least significant bit first, the bits of a number that lay in two bytes would have no
 * common order; and what has bytes of its own must begin at one. A description that allows else is refused when it is made.
 *
 * @module
 */
import { joinPath } from "../wire-error.ts";
import type { ArrayNode, BitsNode, BytesNode, LayoutNode, TextNode } from "./node.ts";

/** Bits of a byte at which something may begin: bit n of the set is bit n of the byte. */
type Starts = number;

const FIRST: Starts = 1;
/** After so many items the set of starts repeats itself every 8 items. */
const ITEMS_UNTIL_REPEAT = 64;

type BitOrder = BitsNode["first"];

/** Throws `TypeError` when a number may lie in two bytes, least significant bit first, or bytes may begin within one. */
export function checkBits({ of, first }: BitsNode): void {
  endsOf(of, FIRST, "", first);
}

/** Where what follows may begin. */
function endsOf(node: LayoutNode, starts: Starts, path: string, first: BitOrder): Starts {
  switch (node.kind) {
    case "integer":
    case "float":
    case "unused":
      return after(starts, node.bits, path, first);
    case "smart":
      return node.wide
        ? after(starts, 16, path, first) | after(starts, 32, path, first)
        : after(starts, 8, path, first) | after(starts, 16, path, first);
    case "boolean":
    case "oneOf":
    case "flags":
    case "literal":
    case "limited":
      return endsOf(node.of, starts, path, first);
    case "prefix":
      return union(Object.values(node.codes).map(({ length }) => after(starts, length, path, first)));
    case "constant":
      return starts;
    case "array":
    case "bytes":
    case "text":
      return endsOfRun(node, starts, path, first);
    case "struct":
      return node.fields.reduce((before, { name, node: field, when }) => {
        const ends = endsOf(field, before, joinPath(path, name), first);
        return when === undefined ? ends : ends | before;
      }, starts);
    case "variant": {
      const tagged = endsOf(node.tag, starts, joinPath(path, node.tagName), first);
      return union(node.cases.map((each) => endsOf(each.node, tagged, path, first)));
    }
    case "byLength":
    case "peek":
      return union(node.cases.map((each) => endsOf(each.node, starts, path, first)));
    case "mark": {
      const marked = node.parts.reduce(
        (before, { bits, name }) => after(before, bits, joinPath(path, name), first),
        starts,
      );
      return marked | endsOf(node.of, starts, path, first);
    }
    case "bits":
    case "sized":
    case "compressed":
      if (starts !== FIRST) {
        const name = path === "" ? "what has bytes of its own" : path;
        refuse(first, `${name} begins at a byte, and may stand within one`);
      }
      return FIRST;
  }
}

/** After a number of so many bits. */
function after(starts: Starts, width: number, path: string, first: BitOrder): Starts {
  let ends = 0;
  for (let start = 0; start < 8; start++) {
    if ((starts & (1 << start)) === 0) continue;
    if (start + width > 8 && first === "lsb") {
      const name = path === "" ? "a number" : path;
      const why = `${name} of ${width} bits may begin at bit ${start} of a byte and end in the next one`;
      refuse(first, why);
    }
    ends |= 1 << ((start + width) % 8);
  }
  return ends;
}

function refuse(first: BitOrder, why: string): never {
  throw new TypeError(`Cannot describe bits, ${first === "lsb" ? "least" : "most"} significant first: ${why}`);
}

function union(sets: readonly Starts[]): Starts {
  return sets.reduce((all, each) => all | each, 0);
}

function endsOfRun(node: ArrayNode | BytesNode | TextNode, starts: Starts, path: string, first: BitOrder): Starts {
  const item = (before: Starts): Starts =>
    node.kind === "array" ? endsOf(node.item, before, `${path}[]`, first) : after(before, 8, path, first);
  const { length } = node;
  if (typeof length === "number") {
    let ends = starts;
    for (let left = Math.min(length, ITEMS_UNTIL_REPEAT + (length % 8)); left > 0; left--) ends = item(ends);
    return ends;
  }
  const any = (before: Starts): Starts => {
    let all = before;
    for (let next = all | item(all); next !== all; next = all | item(all)) all = next;
    return all;
  };
  if ("count" in length) return any(endsOf(length.count, starts, joinPath(path, "count"), first));
  if ("rest" in length) return any(starts);
  // A byte ends the run: it is looked at where an item may begin.
  return after(any(starts), 8, path, first);
}
