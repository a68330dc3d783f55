/**
 * Revisions of the game: mask blocks by the values of the setting `revision`. Opcodes and sizes are in `tables/`.
 *
 * Source: docs/protocols/osrs-player-info.md 6.8.
 */
import { type MaskRevision, positionsOnly } from "../player-info/wire/masks/mask-revision.ts";
import { namedRevisions } from "../player-info/wire/masks/named-revisions.ts";

/** Mask blocks by revision: all whose name is a number, and 0 for none. */
export const maskRevisions: ReadonlyMap<number, MaskRevision> = new Map(
  Object.entries(namedRevisions).flatMap(([name, masks]): readonly (readonly [number, MaskRevision])[] => {
    if (name === "none") return [[0, masks]];
    return Number.isNaN(Number(name)) ? [] : [[Number(name), masks]];
  }),
);

/** The mask blocks of a revision. Of one whose blocks are not known positions alone are read. */
export function masksOf(revision: number): MaskRevision {
  return maskRevisions.get(revision) ?? positionsOnly(String(revision));
}
