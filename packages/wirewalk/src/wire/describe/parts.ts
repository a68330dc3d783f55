/** Which members of a description hold descriptions. */
import type { LayoutNode } from "./node.ts";

/** A member of a list of fields, cases or readings. */
interface Listed {
  readonly name?: string;
  readonly node: LayoutNode;
}

/** All members of any kind that hold descriptions, and what has their names. */
interface Holder {
  readonly tagName?: string;
  readonly tag?: LayoutNode;
  readonly size?: LayoutNode;
  readonly length?: number | object;
  readonly item?: LayoutNode;
  readonly marked?: LayoutNode;
  readonly of?: LayoutNode;
  readonly inside?: LayoutNode;
  readonly fields?: readonly Listed[];
  readonly cases?: readonly Listed[];
  readonly readings?: readonly Listed[];
}

/** The descriptions that a description is made of, in wire order, each with the piece of the path of its fields. */
export function partsOf(node: LayoutNode): readonly (readonly [name: string, part: LayoutNode])[] {
  const { tagName = "", tag, size, length, item, marked, of, inside, ...lists } = node as Holder;
  const { count } = (typeof length === "object" ? length : {}) as { readonly count?: LayoutNode };
  const own = [
    [tagName, tag],
    ["size", size],
    ["count", count],
    ["[]", item],
    ["", marked],
    ["", of],
    ["", inside],
  ] as const;
  const listed = [lists.fields, lists.cases, lists.readings].flatMap((list = []) => list);
  return [
    ...own.flatMap(([name, part]) => (part === undefined ? [] : [[name, part] as const])),
    ...listed.map(({ name = "", node: part }) => [name, part] as const),
  ];
}
