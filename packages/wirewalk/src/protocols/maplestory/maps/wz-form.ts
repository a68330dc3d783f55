/** Maps in binary `.wz` files: Map.wz, alone or with the files that later clients split it into, Mob.wz beside it, or one Data.wz. */
import type { MapFiles } from "../../map-files.ts";
import { type Archive, archivesIn, archivesWithMaps, mapImageName, splitImagePath } from "./archives.ts";
import { type ImageSource, type MapForm, type TreeNode, wantedParts } from "./tree.ts";
import { WzFile, type WzImageEntry } from "./wz-file.ts";

/** An image of a file. */
interface Place {
  readonly file: WzFile;
  readonly image: WzImageEntry;
}

export const wzForm: MapForm = {
  name: ".wz",
  open(files: MapFiles): ImageSource | undefined {
    const archives = archivesIn(files, ".wz", "PKG1");
    return archives.length === 0 ? undefined : new WzSource(archives);
  },
};

class WzSource implements ImageSource {
  readonly form = ".wz";
  readonly #archives: readonly Archive[];
  readonly #withMaps: readonly Archive[];
  readonly #opened = new Map<Archive, WzFile>();
  #maps: ReadonlyMap<number, Place> | undefined;

  constructor(archives: readonly Archive[]) {
    this.#archives = archives;
    this.#withMaps = archivesWithMaps(archives);
    for (const archive of this.#withMaps) this.#open(archive);
  }

  maps(): readonly number[] {
    return [...this.#mapPlaces().keys()].sort((a, b) => a - b);
  }

  map(id: number): TreeNode | undefined {
    const place = this.#mapPlaces().get(id);
    return place?.file.read(place.image, wantedParts);
  }

  image(path: string, parts?: ReadonlySet<string>): TreeNode | undefined {
    const { archive, inner } = splitImagePath(path);
    const stem = archive.toLowerCase();
    const place =
      this.#find(
        this.#archives.filter((each) => each.stem === stem),
        inner,
      ) ??
      this.#find(this.#withMaps, `${archive}/${inner}`) ??
      (archive === "Map" ? this.#find(this.#withMaps, inner) : undefined);
    return place?.file.read(place.image, parts);
  }

  #find(archives: readonly Archive[], path: string): Place | undefined {
    for (const archive of archives) {
      const file = this.#open(archive);
      const image = file.images().get(path);
      if (image !== undefined) return { file, image };
    }
    return undefined;
  }

  #open(archive: Archive): WzFile {
    let file = this.#opened.get(archive);
    if (file === undefined) {
      file = new WzFile(archive.bytes);
      this.#opened.set(archive, file);
    }
    return file;
  }

  /** No other image has a name of nine digits, in whatever folder it is. */
  #mapPlaces(): ReadonlyMap<number, Place> {
    if (this.#maps !== undefined) return this.#maps;
    const maps = new Map<number, Place>();
    for (const archive of this.#withMaps) {
      const file = this.#open(archive);
      for (const image of file.images().values()) {
        const id = Number(image.name.slice(0, -".img".length));
        if (mapImageName.test(image.name) && !maps.has(id)) maps.set(id, { file, image });
      }
    }
    this.#maps = maps;
    return maps;
  }
}
