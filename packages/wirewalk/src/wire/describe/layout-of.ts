/**
 * Layouts out of descriptions alone: for protocols whose data comes as JSON, such as a client's revision.
 *
 * ```ts
 * import { decode, layoutOf } from "wirewalk/wire";
 *
 * const angle = layoutOf({ kind: "integer", bits: 16, signed: false, order: "le", transform: "+128" });
 * decode(angle, new Uint8Array([0x80, 0x04])); // => 1024
 * layoutOf({ kind: "struct", fields: [{ name: "x", node: { kind: "unused", bits: 8 } }] }); // throws TypeError: x is unused, so its name must begin with $
 * ```
 *
 * @module
 */
import { joinPath } from "../wire-error.ts";
import { checkNode } from "./check.ts";
import type { Layout } from "./layout.ts";
import type { LayoutNode, RunLength } from "./node.ts";
import { checkKeys } from "./parse-node.ts";

/**
 * The layout of a description. Throws `RangeError` or `TypeError` for one that cannot be, and names the field. A key that no node of
 * its kind has is a `TypeError` too.
 */
export function layoutOf(node: LayoutNode): Layout<unknown> {
  checkWhole(node, "");
  return { node };
}

function checkWhole(node: LayoutNode, path: string): void {
  for (const [name, part] of partsOf(node)) checkWhole(part, joinPath(path, name));
  checkNode(node, path);
  checkKeys(node, path);
}

function countOf(length: RunLength | { readonly end: "zero" }): readonly (readonly [string, LayoutNode])[] {
  return typeof length === "object" && "count" in length ? [["count", length.count]] : [];
}

/** The descriptions that a description is made of, each with the piece of the path of its fields. */
export function partsOf(node: LayoutNode): readonly (readonly [name: string, part: LayoutNode])[] {
  switch (node.kind) {
    case "boolean":
    case "oneOf":
    case "flags":
    case "literal":
    case "bits":
    case "limited":
    case "compressed":
      return [["", node.of]];
    case "sized":
      return [
        ["size", node.size],
        ["", node.of],
      ];
    case "array":
      return [...countOf(node.length), ["[]", node.item]];
    case "bytes": {
      const inside: readonly (readonly [string, LayoutNode])[] = node.inside === undefined ? [] : [["", node.inside]];
      return [
        ...countOf(node.length),
        ...inside,
        ...(node.readings ?? []).map((each) => [each.name, each.node] as const),
      ];
    }
    case "text":
      return countOf(node.length);
    case "struct":
      return node.fields.map((field) => [field.name, field.node] as const);
    case "variant":
      return [[node.tagName, node.tag], ...node.cases.map((each) => ["", each.node] as const)];
    case "byLength":
    case "peek":
      return node.cases.map((each) => ["", each.node] as const);
    case "mark":
      return [
        ["", node.marked],
        ["", node.of],
      ];
    default:
      return [];
  }
}
