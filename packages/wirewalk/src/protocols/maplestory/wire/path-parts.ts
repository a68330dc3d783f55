/** What is read and written apart from whole messages: `generated/fragments.ts` is made from these descriptions. */
import { array, type LayoutNode, u8 } from "../../../wire/index.ts";
import { documentedFragment, v62Fragment, v83Fragment, v95Fragment } from "./fragment.ts";
import { MAX_FRAGMENTS } from "./fragment-io.ts";
import { placeFields } from "./messages-v95.ts";
import { point } from "./path-blocks.ts";

const listOf = (layout: typeof v62Fragment): LayoutNode => array(layout, { count: u8, limit: MAX_FRAGMENTS }).node;

/** A fragment of each dialect, a count with its fragments, and where a path starts: without and with a velocity. */
export const pathParts: Readonly<Record<string, LayoutNode>> = {
  v62Fragment: v62Fragment.node,
  v83Fragment: v83Fragment.node,
  v95Fragment: v95Fragment.node,
  documentedFragment: documentedFragment.node,
  v62Fragments: listOf(v62Fragment),
  v83Fragments: listOf(v83Fragment),
  v95Fragments: listOf(v95Fragment),
  documentedFragments: listOf(documentedFragment),
  place: point.node,
  movingPlace: placeFields.start.node,
};
