/** Work that each kind of node has done in its own way is a table with an entry for each. */
import type { LayoutNode } from "./node.ts";

/** The description of a kind. */
export type NodeOf<K> = Extract<LayoutNode, { readonly kind: K }>;

/** What is done with a node of each kind, and with what else is given. */
export type ByKind<More extends readonly unknown[], Result> = {
  readonly [K in LayoutNode["kind"]]: (node: NodeOf<K>, ...more: More) => Result;
};

/** What a table does with the node. A description out of a file may have a kind that there is not: then it is undefined. */
export function ofKind<More extends readonly unknown[], Result>(
  table: Partial<ByKind<More, Result>>,
  { kind }: LayoutNode,
): (node: LayoutNode, ...more: More) => Result {
  return table[kind] as (node: LayoutNode, ...more: More) => Result;
}
