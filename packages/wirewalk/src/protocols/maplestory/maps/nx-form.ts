/** Maps in `.nx` files: one Data.nx of the whole client, or Map.nx with Mob.nx beside it. */
import type { MapFiles } from "../../map-files.ts";
import { type Archive, archivesIn, archivesWithMaps, mapImageName, splitImagePath } from "./archives.ts";
import { NxFile } from "./nx-file.ts";
import { type ImageSource, type MapForm, type TreeNode, wantedParts } from "./tree.ts";

/** A node of a file. */
interface Place {
  readonly file: NxFile;
  readonly node: number;
}

const ROOT = 0;

export const nxForm: MapForm = {
  name: ".nx",
  open(files: MapFiles): ImageSource | undefined {
    const archives = archivesIn(files, ".nx", "PKG4");
    const source = new NxSource(archives);
    return source.hasMaps ? source : undefined;
  },
};

class NxSource implements ImageSource {
  readonly form = ".nx";
  readonly #archives: readonly Archive[];
  readonly #opened = new Map<Archive, NxFile>();
  /** The roots of Map.wz in the files. */
  readonly #roots: readonly Place[];
  #maps: ReadonlyMap<number, Place> | undefined;

  constructor(archives: readonly Archive[]) {
    this.#archives = archives;
    this.#roots = archivesWithMaps(archives).flatMap((archive) => this.#rootsIn(archive));
  }

  get hasMaps(): boolean {
    return this.#roots.length > 0;
  }

  maps(): readonly number[] {
    return [...this.#mapPlaces().keys()].sort((a, b) => a - b);
  }

  map(id: number): TreeNode | undefined {
    const place = this.#mapPlaces().get(id);
    return place?.file.image(place.node, wantedParts);
  }

  image(path: string, parts?: ReadonlySet<string>): TreeNode | undefined {
    const { archive, inner } = splitImagePath(path);
    for (const { file, node } of this.#rootsOf(archive)) {
      const found = file.findPath(node, inner.split("/"));
      if (found !== undefined) return file.image(found, parts);
    }
    return undefined;
  }

  #open(archive: Archive): NxFile {
    let file = this.#opened.get(archive);
    if (file === undefined) {
      file = new NxFile(archive.bytes);
      this.#opened.set(archive, file);
    }
    return file;
  }

  /** In Data.nx `Map/Map/Map1` has maps, in Map.nx it is `Map/Map1`. */
  #rootsIn(archive: Archive): readonly Place[] {
    const file = this.#open(archive);
    const inner = file.find(ROOT, "Map");
    if (inner === undefined) return [];
    return [{ file, node: file.find(inner, "Map") === undefined ? ROOT : inner }];
  }

  #rootsOf(archive: string): readonly Place[] {
    if (archive === "Map") return this.#roots;
    const own = this.#archives.filter(({ stem }) => stem === archive.toLowerCase());
    if (own.length > 0) return own.map((each) => ({ file: this.#open(each), node: ROOT }));
    return this.#roots.flatMap(({ file, node }) => {
      const inner = node === ROOT ? undefined : file.find(ROOT, archive);
      return inner === undefined ? [] : [{ file, node: inner }];
    });
  }

  #mapPlaces(): ReadonlyMap<number, Place> {
    if (this.#maps !== undefined) return this.#maps;
    const maps = new Map<number, Place>();
    for (const { file, node } of this.#roots) {
      const inner = file.find(node, "Map");
      for (const folder of inner === undefined ? [] : file.list(inner)) {
        if (!/^Map[0-9]$/.test(folder.name)) continue;
        for (const image of file.list(folder.node)) {
          const id = Number(image.name.slice(0, -".img".length));
          if (mapImageName.test(image.name) && !maps.has(id)) maps.set(id, { file, node: image.node });
        }
      }
    }
    this.#maps = maps;
    return maps;
  }
}
