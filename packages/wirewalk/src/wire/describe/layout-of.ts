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
import type { LayoutNode } from "./node.ts";
import { checkKeys } from "./parse-node.ts";
import { partsOf } from "./parts.ts";

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
