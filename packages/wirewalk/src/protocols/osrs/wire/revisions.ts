/**
 * Revisions of the game: mask blocks by the values of the setting `revision`. Opcodes and sizes are in `tables/`.
 *
 * Source: docs/protocols/osrs-player-info.md 6.8.
 */
import { type MaskRevision, noMasks } from "../player-info/wire/masks/mask-revision.ts";
import { namedRevisions } from "../player-info/wire/masks/named-revisions.ts";

/** Mask blocks by revision; 0 for none. */
export const maskRevisions: ReadonlyMap<number, MaskRevision> = new Map(
  Object.entries(namedRevisions).map(([name, masks]) => [name === "none" ? 0 : Number(name), masks]),
);

/** The mask blocks of a revision. Of one whose blocks are not known: none, so that movement can be read as far as masks go. */
export function masksOf(revision: number): MaskRevision {
  return maskRevisions.get(revision) ?? Object.freeze({ ...noMasks, name: String(revision) });
}
