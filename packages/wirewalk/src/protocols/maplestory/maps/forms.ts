/** The kinds of files with maps, in the order in which they are tried. */
import type { MapForm } from "./tree.ts";
import { xmlForm } from "./xml-form.ts";

export const mapForms: readonly MapForm[] = [xmlForm];
