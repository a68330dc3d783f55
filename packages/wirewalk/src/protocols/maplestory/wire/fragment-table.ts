/**
 * The types of a dialect's fragments as tables, for code that goes by the type alone: all of it follows from the
 * description.
 */
import { type Layout, type LayoutNode, sizeOf } from "../../../wire/index.ts";
import {
  documentedFragment,
  documentedStances,
  type Fragment,
  type FragmentField,
  type FragmentKind,
  stances,
  v62Fragment,
  v83Fragment,
  v95Fragment,
} from "./fragment.ts";

/** What a type means. */
export interface TypeRow {
  /** Bytes with the type; 0 for an unknown type. */
  readonly size: number;
  readonly kind: FragmentKind;
}

/** The fragments of one dialect. */
export interface FragmentTable {
  /** By type, all 256 of them. */
  readonly types: readonly TypeRow[];
  /** The kind of a type; undefined for an unknown type. */
  kindOf(type: number): FragmentKind | undefined;
  /** The fields of a type in wire order. */
  fieldsOf(type: number): readonly FragmentField[];
  /** What the body does, in words: `walk`, `jump`; a state that has no name as `stance 23`. */
  stanceOf(state: number): string;
  /** Whether a path starts with a velocity beside its place (`v95`). */
  readonly startsMoving: boolean;
  /** The description. */
  readonly layout: Layout<Fragment>;
}

interface KnownType extends TypeRow {
  readonly fields: readonly FragmentField[];
}

/** The types of a description: a variant of structs, each with its kind as a constant. */
function typesOf(node: LayoutNode): ReadonlyMap<number, KnownType> {
  if (node.kind !== "variant") throw new TypeError(`fragments are a variant, got ${node.kind}`);
  const known = new Map<number, KnownType>();
  for (const { tags = [], node: body } of node.cases) {
    if (body.kind !== "struct") throw new TypeError(`a fragment is a struct, got ${body.kind}`);
    const fields = body.fields.filter(({ node: field }) => field.kind !== "constant");
    const kind = body.fields.flatMap(({ node: field }) => (field.kind === "constant" ? [field.value] : []))[0];
    const row: KnownType = {
      size: (sizeOf(node.tag).most + sizeOf(body).most) / 8,
      kind: kind as FragmentKind,
      fields: fields.map(({ name }) => name as FragmentField),
    };
    for (const tag of tags) known.set(tag as number, row);
  }
  return known;
}

function tableOf(
  layout: Layout<Fragment>,
  stanceNumbers: Readonly<Record<string, number>>,
  startsMoving = false,
): FragmentTable {
  const known = typesOf(layout.node);
  const names: string[] = ["none"];
  for (const [name, number] of Object.entries(stanceNumbers)) names[number] = name;
  const types = Array.from({ length: 256 }, (_, type): TypeRow => {
    const { size, kind } = known.get(type) ?? { size: 0, kind: "absolute" };
    return { size, kind };
  });
  return {
    types,
    kindOf: (type) => known.get(type)?.kind,
    fieldsOf: (type) => known.get(type)?.fields ?? [],
    stanceOf: (state) => names[state >> 1] ?? `stance ${state >> 1}`,
    startsMoving,
    layout,
  };
}

/** The fragments of `v62` (standard 4.2). */
export const v62Fragments = tableOf(v62Fragment, stances);

/** The fragments of `v83` (standard 4.7). */
export const v83Fragments = tableOf(v83Fragment, stances);

/** The fragments of `v95` (standard 4.8). */
export const v95Fragments = tableOf(v95Fragment, stances, true);

/** The fragments of `documented`, as printed (standard 4.3). */
export const documentedFragments = tableOf(documentedFragment, documentedStances);
