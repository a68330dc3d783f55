/**
 * Maps in the client's archives: one for the whole client (Data.wz, Data.nx), one for each kind of images (Map.wz, Mob.wz), or many for each
 * kind, as later clients have them (Map001.wz, Map2.wz, and Data/Map/Map/Map1/Map1_000.wz of clients of 64 bits).
 */
import { decodeLatin1 } from "../../../wire/index.ts";
import type { MapFiles } from "../../map-files.ts";
import { MapError } from "../../maps.ts";
import { BlockCache, FileBytes } from "./file-bytes.ts";
import { type ImageSource, type MapForm, type TreeNode, wantedParts } from "./tree.ts";

/** An opened archive. */
export interface ImageArchive {
  /** Paths of its images that have the name of a map. */
  mapPaths(): Iterable<string>;
  /**
   * An image by its path from the root. Of children of its root that are not wanted, nothing below. Undefined where it has none. Throws
   * `MapError` with file, place and reason.
   */
  image(path: string, wanted?: ReadonlySet<string>): TreeNode | undefined;
}

/** The name of a map's image. */
export const mapImageName = /^[0-9]{9}\.img$/;

const MAGIC_BYTES = 4;

/** A kind of archives by the ending of their names and their first four bytes. */
export function archiveForm(ending: string, magic: string, open: (bytes: FileBytes) => ImageArchive): MapForm {
  return {
    name: ending,
    open(files) {
      const source = new ArchiveSource(ending, archivesIn(files, ending, magic, open), missingParts(files, ending));
      return source.maps().length === 0 ? undefined : source;
    },
  };
}

/** A file of a user that may be an archive. */
interface Archive {
  /** Its name in lower case without number and ending: `map` of Map.wz, Map001.wz and Map1_000.wz. */
  readonly stem: string;
  /** Opened when it is first asked for. Throws `MapError` where it cannot be. */
  open(): ImageArchive;
}

/** In the order of their paths. In a folder only files with the ending are looked at, a file alone always. */
function archivesIn(
  files: MapFiles,
  ending: string,
  magic: string,
  open: (bytes: FileBytes) => ImageArchive,
): readonly Archive[] {
  const paths = files.paths();
  const isAlone = paths.length === 1;
  const blocks = new BlockCache();
  return paths.flatMap((path): Archive[] => {
    const isNamed = path.toLowerCase().endsWith(ending);
    const file = isNamed || isAlone ? files.open(path) : undefined;
    if (file === undefined) return [];
    const start = decodeLatin1(file.read(0, MAGIC_BYTES));
    if (start !== magic && !isNamed) return [];
    let opened: ImageArchive | undefined;
    return [
      {
        stem: stemOf(path),
        open() {
          if (start !== magic)
            throw new MapError(`${file.name}: begins with ${JSON.stringify(start)}, not with ${magic}`);
          opened ??= open(new FileBytes(file, blocks));
          return opened;
        },
      },
    ];
  });
}

function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const dot = name.indexOf(".");
  return (dot < 0 ? name : name.slice(0, dot)).replace(/[0-9_]+$/, "");
}

/** Archives whose images are asked for, by their stems. */
const usedStems = new Set(["data", "map", "mob", "skill", "string"]);
/** A file beside parts, `LastWzIndex|3`: the number of the last one. */
const INDEX_ENDING = ".ini";
const indexLine = /^LastWzIndex\|(\d{1,3})\s*$/m;
const MAX_INDEX_BYTES = 256;
const PART_DIGITS = 3;
const MAX_NAMED_PARTS = 5;

/** Why parts are missing that the files beside them name: Map1.ini names Map1_000.wz to Map1_003.wz. */
function missingParts(files: MapFiles, ending: string): readonly string[] {
  const paths = new Set(files.paths().map((path) => path.toLowerCase()));
  return files.paths().flatMap((path) => {
    if (!path.toLowerCase().endsWith(INDEX_ENDING) || !usedStems.has(stemOf(path))) return [];
    const file = files.open(path);
    const last = file && indexLine.exec(decodeLatin1(file.read(0, MAX_INDEX_BYTES)))?.[1];
    if (file === undefined || last === undefined) return [];
    const whole = path.slice(0, -INDEX_ENDING.length);
    const name = whole.slice(whole.lastIndexOf("/") + 1);
    const missing: string[] = [];
    for (let index = 0; index <= Number(last); index++) {
      const part = `_${String(index).padStart(PART_DIGITS, "0")}${ending}`;
      if (!paths.has(`${whole}${part}`.toLowerCase())) missing.push(`${name}${part}`);
    }
    if (missing.length === 0) return [];
    const more = missing.length > MAX_NAMED_PARTS ? ` and ${missing.length - MAX_NAMED_PARTS} more` : "";
    const named = missing.slice(0, MAX_NAMED_PARTS).join(", ");
    return [
      `${file.name}: has LastWzIndex ${last}, but ${named}${more} ${missing.length === 1 ? "is" : "are"} missing`,
    ];
  });
}

/** The archives that may have maps: those with a telling name, or all. */
function archivesWithMaps(archives: readonly Archive[]): readonly Archive[] {
  const telling = archives.filter(({ stem }) => stem === "map" || stem === "data");
  return telling.length > 0 ? telling : archives;
}

/** An image of an archive. */
interface Place {
  readonly archive: ImageArchive;
  readonly path: string;
}

class ArchiveSource implements ImageSource {
  readonly form: string;
  readonly problems: readonly string[];
  readonly #archives: readonly Archive[];
  readonly #withMaps: readonly Archive[];
  readonly #maps = new Map<number, Place>();

  /** Throws `MapError` where none of the archives that may have maps can be read. */
  constructor(form: string, archives: readonly Archive[], missing: readonly string[]) {
    this.form = form;
    this.#archives = archives;
    const readable: Archive[] = [];
    const faults: MapError[] = [];
    for (const each of archivesWithMaps(archives)) {
      try {
        this.#addMaps(each.open());
        readable.push(each);
      } catch (error) {
        if (!(error instanceof MapError)) throw error;
        faults.push(error);
      }
    }
    const [first] = faults;
    if (first !== undefined && readable.length === 0) throw first;
    this.#withMaps = readable;
    this.problems = [...faults.map(({ message }) => message), ...missing];
  }

  #addMaps(archive: ImageArchive): void {
    for (const path of archive.mapPaths()) {
      const id = Number(path.slice(path.lastIndexOf("/") + 1, -".img".length));
      if (!this.#maps.has(id)) this.#maps.set(id, { archive, path });
    }
  }

  maps(): readonly number[] {
    return [...this.#maps.keys()].sort((a, b) => a - b);
  }

  map(id: number): TreeNode | undefined {
    const place = this.#maps.get(id);
    return place?.archive.image(place.path, wantedParts);
  }

  image(path: string, parts?: ReadonlySet<string>): TreeNode | undefined {
    const [, archive = "Map", inner = path] = /^(\w+)\.wz\/(.+)$/.exec(path) ?? [];
    const stem = archive.toLowerCase();
    const own = this.#archives.filter((each) => each.stem === stem);
    return (
      imageOf(own, inner, parts) ??
      imageOf(this.#withMaps, `${archive}/${inner}`, parts) ??
      (stem === "map" ? imageOf(this.#withMaps, inner, parts) : undefined)
    );
  }
}

/** The image of the first archive that has it. One that cannot be read counts where no other has the image. */
function imageOf(archives: readonly Archive[], path: string, parts?: ReadonlySet<string>): TreeNode | undefined {
  let fault: MapError | undefined;
  for (const archive of archives) {
    let opened: ImageArchive;
    try {
      opened = archive.open();
    } catch (error) {
      if (!(error instanceof MapError)) throw error;
      fault ??= error;
      continue;
    }
    const image = opened.image(path, parts);
    if (image !== undefined) return image;
  }
  if (fault !== undefined) throw fault;
  return undefined;
}
