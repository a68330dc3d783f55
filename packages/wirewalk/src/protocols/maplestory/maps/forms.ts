/** The kinds of files with maps, in the order in which they are tried. */
import { nxForm } from "./nx-form.ts";
import type { MapForm } from "./tree.ts";
import { wzForm } from "./wz-form.ts";
import { xmlForm } from "./xml-form.ts";

export const mapForms: readonly MapForm[] = [xmlForm, nxForm, wzForm];
