/** The built-in revisions of mask blocks. */
import { type MaskRevision, noMasks } from "./mask-revision.ts";
import { revision206 } from "./revision-206.ts";
import { revision223 } from "./revision-223.ts";
import { revision226 } from "./revision-226.ts";
import { revision230 } from "./revision-230.ts";
import { revision234 } from "./revision-234.ts";
import { revision237 } from "./revision-237.ts";
import { revision238 } from "./revision-238.ts";
import { revision239 } from "./revision-239.ts";
import { revision240 } from "./revision-240.ts";

/** Revisions by the names that the command line knows. */
export const namedRevisions: Readonly<Record<string, MaskRevision>> = Object.freeze({
  none: noMasks,
  206: revision206,
  223: revision223,
  226: revision226,
  230: revision230,
  234: revision234,
  237: revision237,
  238: revision238,
  239: revision239,
  240: revision240,
});
