/** The kinds of files with maps, in the order in which they are tried. */
import { archiveForm } from "./archives.ts";
import { NxFile } from "./nx-file.ts";
import type { MapForm } from "./tree.ts";
import { WzFile } from "./wz-file.ts";
import { xmlForm } from "./xml-form.ts";

/** Data.nx of the whole client, or Map.nx with Mob.nx beside it. */
export const nxForm: MapForm = archiveForm(".nx", "PKG4", (bytes) => new NxFile(bytes));
/** Binary files of the client. */
export const wzForm: MapForm = archiveForm(".wz", "PKG1", (bytes) => new WzFile(bytes));

export const mapForms: readonly MapForm[] = [xmlForm, nxForm, wzForm];
