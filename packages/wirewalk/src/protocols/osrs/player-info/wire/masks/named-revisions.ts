/** The built-in revisions of mask blocks. */
import { type MaskRevision, noMasks } from "./mask-revision.ts";
import { revision206 } from "./revision-206.ts";

/** Revisions by the names that the command line knows. */
export const namedRevisions: Readonly<Record<string, MaskRevision>> = Object.freeze({
  none: noMasks,
  206: revision206,
});
