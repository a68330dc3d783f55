/** The client's archives among a user's files: `Map.wz`, `Map001.wz`, `Mob.nx`, `Data.nx`. */
import { decodeLatin1 } from "../../../wire/index.ts";
import type { MapFiles } from "../../map-files.ts";
import { FileBytes } from "./file-bytes.ts";

/** A file that begins as an archive of the wanted kind. */
export interface Archive {
  /** Its name in lower case without number and ending: `map` of Map.wz, Map001.wz and Map0_000.wz. */
  readonly stem: string;
  readonly bytes: FileBytes;
}

const MAGIC_BYTES = 4;

/** The archives of one kind, in the order of their paths. In a folder only files with the ending are opened, a file alone always. */
export function archivesIn(files: MapFiles, ending: string, magic: string): readonly Archive[] {
  const paths = files.paths();
  const named = paths.length === 1 ? paths : paths.filter((path) => path.toLowerCase().endsWith(ending));
  return named.flatMap((path) => {
    const file = files.open(path);
    if (file === undefined || file.size < MAGIC_BYTES) return [];
    if (decodeLatin1(file.read(0, MAGIC_BYTES)) !== magic) return [];
    return [{ stem: stemOf(path), bytes: new FileBytes(file) }];
  });
}

function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const dot = name.indexOf(".");
  return (dot < 0 ? name : name.slice(0, dot)).replace(/[0-9_]+$/, "");
}

/** The archives that may have maps: those with a telling name, or all. */
export function archivesWithMaps(archives: readonly Archive[]): readonly Archive[] {
  const telling = archives.filter(({ stem }) => stem === "map" || stem === "data");
  return telling.length > 0 ? telling : archives;
}

/** The name of a map's image. */
export const mapImageName = /^[0-9]{9}\.img$/;

/** A path of `ImageSource.image` in parts: the archive, `Map` where none is named, and the path in it. */
export function splitImagePath(path: string): { readonly archive: string; readonly inner: string } {
  const [, archive, inner] = /^(\w+)\.wz\/(.+)$/.exec(path) ?? [];
  return archive === undefined || inner === undefined ? { archive: "Map", inner: path } : { archive, inner };
}
