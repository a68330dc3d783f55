/** The built-in revisions of mask blocks: the one place where revisions are known. */
import { type MaskRevision, noMasks, positionsOnly } from "./mask-revision.ts";
import { revision206 } from "./revision-206.ts";
import { revisions223To231 } from "./revisions-223-231.ts";
import { revisions232To241 } from "./revisions-232-241.ts";

/** Revisions whose mask blocks are known, the oldest first. */
export const knownRevisions: readonly MaskRevision[] = Object.freeze([
  revision206,
  ...revisions223To231,
  ...revisions232To241,
]);

/**
 * Revisions by the names that the command line knows: those with blocks, `none`, and `positions`, which leaves masks unread, of
 * whatever revision they are.
 */
export const namedRevisions: Readonly<Record<string, MaskRevision>> = Object.freeze({
  none: noMasks,
  ...Object.fromEntries([...knownRevisions, positionsOnly("positions")].map((revision) => [revision.name, revision])),
});
