/** The built-in revisions of mask blocks: the one place where revisions are known. */
import { type MaskRevision, noMasks, positionsOnly } from "./mask-revision.ts";
import { revision206 } from "./revision-206.ts";
import { revisions223To231 } from "./revisions-223-231.ts";
import { revisions232To240 } from "./revisions-232-240.ts";

/** Revisions whose mask blocks are known, the oldest first. */
export const knownRevisions: readonly MaskRevision[] = Object.freeze([
  revision206,
  ...revisions223To231,
  ...revisions232To240,
]);

/** Revisions of which only the passes can be read: no public source has their blocks. */
const unreadRevisions: readonly MaskRevision[] = [positionsOnly("241"), positionsOnly("positions")];

/**
 * Revisions by the names that the command line knows: those with blocks, `none`, 241, whose masks are left unread, and `positions`,
 * which leaves them unread in any revision.
 */
export const namedRevisions: Readonly<Record<string, MaskRevision>> = Object.freeze({
  none: noMasks,
  ...Object.fromEntries([...knownRevisions, ...unreadRevisions].map((revision) => [revision.name, revision])),
});
