/** XML dumps of the client's data: a file `<image>.xml` for each image, in folders named as in the client. */
import { MapError, type MapFile, MapFileError, type MapFiles } from "../../index.ts";
import type { ImageSource, MapForm, TreeNode } from "./tree.ts";
import { wantedParts } from "./tree.ts";
import { readXmlImage } from "./xml-image.ts";

/** The number of a map in its file's name. A dump made by hand may leave zeros out. */
const mapName = /^(\d{1,9})(?:\.img)?\.xml$/i;
/** Folders of maps: `Map0` to `Map9`. */
const mapFolder = /^map\d$/i;
/** Files that are looked into, to know whether those of a folder are maps. */
const SAMPLES = 4;
/** What only maps have. */
const mapMarks = ["foothold", "ladderRope", "portal", "miniMap", "returnMap", "forcedReturn", "fieldLimit"];

/** Files of maps of one folder, which holds `Map1`, `Map2` … or the files themselves. */
interface MapFolder {
  readonly path: string;
  readonly maps: Map<number, string>;
}

/** An XML dump. */
export const xmlForm: MapForm = {
  name: "XML",
  open(files) {
    const folders = findMaps(files);
    if (folders.length === 0) return undefined;
    const maps = new Map<number, string>();
    // Where two folders have a map of one number, the one with more maps counts: another is an addition to it, or an old copy.
    for (const folder of folders) for (const [id, path] of folder.maps) if (!maps.has(id)) maps.set(id, path);
    return new XmlSource(files, maps, folders[0]?.path ?? "");
  },
};

class XmlSource implements ImageSource {
  readonly form = "XML";
  readonly problems = [];
  readonly #files: MapFiles;
  readonly #maps: ReadonlyMap<number, string>;
  /** Of the folder with most maps. */
  readonly #root: string;
  #images: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(files: MapFiles, maps: ReadonlyMap<number, string>, root: string) {
    this.#files = files;
    this.#maps = maps;
    this.#root = root;
  }

  maps(): readonly number[] {
    return [...this.#maps.keys()].sort((a, b) => a - b);
  }

  map(id: number): TreeNode | undefined {
    const path = this.#maps.get(id);
    return path === undefined ? undefined : this.#read(path, wantedParts);
  }

  image(path: string, parts?: ReadonlySet<string>): TreeNode | undefined {
    const wanted = path.toLowerCase();
    this.#images ??= imagesOf(this.#files.paths());
    const found = this.#images.get(wanted.slice(wanted.lastIndexOf("/") + 1)) ?? [];
    const fitting = found.filter((each) => `/${each.toLowerCase()}`.endsWith(`/${wanted}.xml`));
    // That of the same dump, where there are several.
    const [first] = fitting.sort((a, b) => commonLength(b, this.#root) - commonLength(a, this.#root));
    return first === undefined ? undefined : this.#read(first, parts);
  }

  #read(path: string, parts: ReadonlySet<string> | undefined): TreeNode | undefined {
    const file = this.#files.open(path);
    if (file === undefined) throw new MapError(`Cannot read ${this.#files.name}/${path}: it is not there any more`);
    return readFile(file, parts);
  }
}

function readFile(file: MapFile, parts: ReadonlySet<string> | undefined): TreeNode {
  try {
    return readXmlImage(file, parts);
  } catch (error) {
    if (error instanceof MapFileError) throw new MapError(error.message, { cause: error });
    throw error;
  }
}

/** Paths of images by their names in lower case: `physics.img`. */
function imagesOf(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const images = new Map<string, string[]>();
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
    if (!name.endsWith(".img.xml")) continue;
    const key = name.slice(0, -".xml".length);
    const known = images.get(key);
    if (known === undefined) images.set(key, [path]);
    else known.push(path);
  }
  return images;
}

/** Characters that two paths have in common from their beginning. */
function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/** The folders that have maps, that with most maps first. */
function findMaps(files: MapFiles): readonly MapFolder[] {
  const paths = files.paths();
  const single = paths.length === 1 && paths[0] !== undefined ? singleMap(files, paths[0]) : undefined;
  if (single !== undefined) return [single];
  const folders = new Map<string, MapFolder>();
  for (const path of paths) {
    const names = path.split("/");
    const id = mapName.exec(names.at(-1) ?? "")?.[1];
    if (id === undefined) continue;
    const [parent, grandParent] = [names.at(-2), names.at(-3)];
    const isMapFolder = parent !== undefined && mapFolder.test(parent);
    // Others have numbers for names as well: monsters, items.
    if (!isMapFolder && parent !== undefined && /\.wz$/i.test(parent) && !/^map\d*\.wz$/i.test(parent)) continue;
    if (isMapFolder && grandParent !== undefined && /^(?:obj|tile|back|worldmap)$/i.test(grandParent)) continue;
    const root = names.slice(0, isMapFolder ? -2 : -1).join("/");
    const folder = folders.get(root) ?? { path: root, maps: new Map<number, string>() };
    folders.set(root, folder);
    if (!folder.maps.has(Number(id))) folder.maps.set(Number(id), path);
  }
  return [...folders.values()]
    .filter(({ maps }) => hasMaps(files, [...maps.values()]))
    .sort((a, b) => b.maps.size - a.maps.size);
}

/** One file may have any name: its root says which map it is. */
function singleMap(files: MapFiles, path: string): MapFolder | undefined {
  if (mapName.test(path.slice(path.lastIndexOf("/") + 1))) return undefined;
  const root = namesOf(files, path);
  const id = root === undefined ? undefined : /^(\d{1,9})(?:\.img)?$/.exec(root.name)?.[1];
  return id === undefined ? undefined : { path: "", maps: new Map([[Number(id), path]]) };
}

/** Whether one of the first files is a map. */
function hasMaps(files: MapFiles, paths: readonly string[]): boolean {
  let broken: MapError | undefined;
  for (const path of paths.slice(0, SAMPLES)) {
    try {
      if (isMap(namesOf(files, path), path)) return true;
    } catch (error) {
      if (!(error instanceof MapError)) throw error;
      broken ??= error;
    }
  }
  // A folder of broken maps is one of maps: each is named when it is asked for.
  return broken !== undefined;
}

function isMap(root: TreeNode | undefined, path: string): boolean {
  const info = root?.child("info");
  // Monsters and NPCs have links, too, but shorter names.
  if (info?.child("link") !== undefined && /(?:^|\/)\d{9}\./.test(path)) return true;
  return mapMarks.some((name) => root?.child(name) !== undefined || info?.child(name) !== undefined);
}

const infoAlone: ReadonlySet<string> = new Set(["info"]);

/** What a file's root has: undefined where it is no XML. Throws `MapError` where it is XML and broken. */
function namesOf(files: MapFiles, path: string): TreeNode | undefined {
  const file = files.open(path);
  return file === undefined || !isXml(file) ? undefined : readFile(file, infoAlone);
}

/** Whether a file begins as XML does. */
function isXml(file: MapFile): boolean {
  const head = file.read(0, 256);
  let at = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  while (at < head.length && (head[at] as number) <= 0x20) at += 1;
  return head[at] === 0x3c;
}
