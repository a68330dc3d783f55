/**
 * Where numbers lie within `bits` whose bytes begin with the least significant bit. The bits of such a number that lay in two
 * bytes would have no common order, so a description that allows it is refused when it is made.
 *
 * @module
 */
import { joinPath } from "../wire-error.ts";
import type { ArrayNode, BytesNode, LayoutNode, TextNode } from "./node.ts";

/** Bits of a byte at which something may begin: bit n of the set is bit n of the byte. */
type Starts = number;

const FIRST: Starts = 1;
/** After so many items the set of starts repeats itself every 8 items. */
const ITEMS_UNTIL_REPEAT = 64;

/** Throws `TypeError` when a number may lie in two bytes. The description begins at a byte. */
export function checkWithinBytes(node: LayoutNode): void {
  endsOf(node, FIRST, "");
}

/** Where what follows may begin. */
function endsOf(node: LayoutNode, starts: Starts, path: string): Starts {
  switch (node.kind) {
    case "integer":
    case "float":
    case "unused":
      return after(starts, node.bits, path);
    case "smart":
      return after(starts, 8, path) | after(starts, 16, path);
    case "boolean":
    case "oneOf":
    case "flags":
    case "literal":
    case "limited":
      return endsOf(node.of, starts, path);
    case "prefix":
      return union(Object.values(node.codes).map(({ length }) => after(starts, length, path)));
    case "constant":
      return starts;
    case "array":
    case "bytes":
    case "text":
      return endsOfRun(node, starts, path);
    case "struct":
      return node.fields.reduce((before, { name, node: field, when }) => {
        const ends = endsOf(field, before, joinPath(path, name));
        return when === undefined ? ends : ends | before;
      }, starts);
    case "variant": {
      const tagged = endsOf(node.tag, starts, joinPath(path, node.tagName));
      return union(node.cases.map((each) => endsOf(each.node, tagged, path)));
    }
    case "byLength":
      return union(node.cases.map((each) => endsOf(each.node, starts, path)));
    case "mark": {
      const marked = node.parts.reduce((before, { bits, name }) => after(before, bits, joinPath(path, name)), starts);
      return marked | endsOf(node.of, starts, path);
    }
    case "bits":
    case "sized":
    case "compressed":
      // These begin and end with whole bytes.
      return FIRST;
  }
}

/** After a number of so many bits. */
function after(starts: Starts, width: number, path: string): Starts {
  let ends = 0;
  for (let start = 0; start < 8; start++) {
    if ((starts & (1 << start)) === 0) continue;
    if (start + width > 8) {
      const name = path === "" ? "a number" : path;
      const why = `${name} of ${width} bits may begin at bit ${start} of a byte and end in the next one`;
      throw new TypeError(`Cannot describe bits, least significant first: ${why}`);
    }
    ends |= 1 << ((start + width) % 8);
  }
  return ends;
}

function union(sets: readonly Starts[]): Starts {
  return sets.reduce((all, each) => all | each, 0);
}

function endsOfRun(node: ArrayNode | BytesNode | TextNode, starts: Starts, path: string): Starts {
  const item = (before: Starts): Starts =>
    node.kind === "array" ? endsOf(node.item, before, `${path}[]`) : after(before, 8, path);
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
  if ("count" in length) return any(endsOf(length.count, starts, joinPath(path, "count")));
  if ("rest" in length) return any(starts);
  // A byte ends the run: it is looked at where an item may begin.
  return after(any(starts), 8, path);
}
