/**
 * The types of a dialect's fragments as tables, for code that goes by the type alone: all of it follows from the
 * description.
 */
import type { CompiledLayout } from "../../../wire/compiled/index.ts";
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
import * as generated from "./generated/fragments.ts";
import * as generatedMessages from "./generated/messages.ts";

/** What a type means. */
export interface TypeRow {
  /** Bytes with the type; 0 for an unknown type. */
  readonly size: number;
  readonly kind: FragmentKind;
}

/** What was generated from the description of a dialect's fragments. */
export interface FragmentCode {
  readonly fragment: CompiledLayout<Fragment>;
  /** A count and its fragments. */
  readonly list: CompiledLayout<readonly Fragment[]>;
  /** Where a path starts. */
  readonly place: CompiledLayout<object>;
  /** Reads lists into rows of numbers. */
  readonly rows: typeof generatedMessages.v62Rows;
  /** Where the last of these has ended. */
  readonly rowsEnd: () => number;
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
  readonly compiled: FragmentCode;
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
  compiled: FragmentCode,
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
    compiled,
  };
}

/** The fragments of `v62` (standard 4.2). */
export const v62Fragments = tableOf(v62Fragment, stances, {
  fragment: generated.v62Fragment,
  list: generated.v62Fragments,
  place: generated.place,
  rows: generatedMessages.v62Rows,
  rowsEnd: generatedMessages.lastEnd,
});

/** The fragments of `v83` (standard 4.7). */
export const v83Fragments = tableOf(v83Fragment, stances, {
  fragment: generated.v83Fragment,
  list: generated.v83Fragments,
  place: generated.place,
  rows: generatedMessages.v83Rows,
  rowsEnd: generatedMessages.lastEnd,
});

/** The fragments of `v95` (standard 4.8). */
export const v95Fragments = tableOf(
  v95Fragment,
  stances,
  {
    fragment: generated.v95Fragment,
    list: generated.v95Fragments,
    place: generated.movingPlace,
    rows: generatedMessages.v95Rows,
    rowsEnd: generatedMessages.lastEnd,
  },
  true,
);

/** The fragments of `documented`, as printed (standard 4.3). */
export const documentedFragments = tableOf(documentedFragment, documentedStances, {
  fragment: generated.documentedFragment,
  list: generated.documentedFragments,
  place: generated.place,
  rows: generatedMessages.documentedRows,
  rowsEnd: generatedMessages.lastEnd,
});
