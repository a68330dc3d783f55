/** Values of nodes, as maps have them. */
import { parseNumber } from "./numbers.ts";
import type { TreeNode } from "./tree.ts";

/** A number, whatever it was written as; undefined where it is none. */
export function numberOf(node: TreeNode | undefined): number | undefined {
  const value = node?.value;
  return typeof value === "string" ? parseNumber(value) : typeof value === "number" ? value : undefined;
}

/** A number of a node's child. */
export function numberAt(node: TreeNode | undefined, name: string): number | undefined {
  return numberOf(node?.child(name));
}

/** A text of a node's child; a number as its digits. Empty where there is none. */
export function textAt(node: TreeNode | undefined, name: string): string {
  const value = node?.child(name)?.value;
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** Whether a node's child is a number other than 0. */
export function flagAt(node: TreeNode | undefined, name: string): boolean {
  return (numberAt(node, name) ?? 0) !== 0;
}
