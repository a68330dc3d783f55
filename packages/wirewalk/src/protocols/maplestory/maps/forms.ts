/** The kinds of files with maps, in the order in which they are tried. */
import type { MapForm } from "./tree.ts";

export const mapForms: readonly MapForm[] = [];
