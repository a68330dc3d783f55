/** Sizes of objects: the part of the sprite that collides, and the object that another one is made from. */
import type { MapFiles } from "../../map-files.ts";
import { MapError } from "../../maps.ts";
import type { Rectangle } from "./geometry.ts";
import { numberOf, readGmx } from "./gmx-file.ts";

/** Of an object or a sprite; code is most of it. */
const MAX_BYTES = 4 * 2 ** 20;
/** Of a name or a number that is kept. */
const MAX_CHARACTERS = 256;
/** Objects that are kept: a game has some hundreds. */
const MAX_KEPT = 10_000;

interface ObjectFile {
  readonly size: Rectangle | undefined;
  readonly parent: string | undefined;
}

export class SpriteSizes {
  readonly #files: MapFiles;
  readonly #pathOf: (name: string) => string | undefined;
  readonly #objects = new Map<string, ObjectFile>();

  /** @param pathOf the path of a file of the project; undefined where it is not there. */
  constructor(files: MapFiles, pathOf: (name: string) => string | undefined) {
    this.#files = files;
    this.#pathOf = pathOf;
  }

  /** What an instance covers at scale 1, from its place on. */
  of(object: string): Rectangle | undefined {
    return this.#object(object).size;
  }

  parentOf(object: string): string | undefined {
    return this.#object(object).parent;
  }

  #object(object: string): ObjectFile {
    const known = this.#objects.get(object);
    if (known !== undefined) return known;
    const read = this.#read(object);
    if (this.#objects.size < MAX_KEPT) this.#objects.set(object, read);
    return read;
  }

  #read(object: string): ObjectFile {
    const { spriteName, maskName, parentName } = this.#members(`objects/${object}.object.gmx`, [
      "spriteName",
      "maskName",
      "parentName",
    ]);
    const mask = nameOf(maskName) ?? nameOf(spriteName);
    return { size: mask === undefined ? undefined : this.#sprite(mask), parent: nameOf(parentName) };
  }

  #sprite(sprite: string): Rectangle | undefined {
    const names = [
      "xorig",
      "yorigin",
      "bbox_left",
      "bbox_right",
      "bbox_top",
      "bbox_bottom",
      "width",
      "height",
    ] as const;
    const texts = this.#members(`sprites/${sprite}.sprite.gmx`, names);
    const at = (name: (typeof names)[number]): number | undefined => numberOf(texts[name]?.trim());
    const [width, height] = [at("width"), at("height")];
    const [left = 0, right = width === undefined ? undefined : width - 1] = [at("bbox_left"), at("bbox_right")];
    const [top = 0, bottom = height === undefined ? undefined : height - 1] = [at("bbox_top"), at("bbox_bottom")];
    if (right === undefined || bottom === undefined || right < left || bottom < top) return undefined;
    return { x: left - (at("xorig") ?? 0), y: top - (at("yorigin") ?? 0), w: right - left + 1, h: bottom - top + 1 };
  }

  /** Texts of the outermost element's members; none where there is no such file, or it is broken. */
  #members<N extends string>(name: string, wanted: readonly N[]): { readonly [name in N]?: string } {
    const path = this.#pathOf(name);
    const found: { [name in N]?: string } = {};
    if (path === undefined) return found;
    try {
      readGmx(this.#files, path, MAX_BYTES, (xml) => {
        for (xml.enter(); xml.next(); ) {
          const member = wanted.find((each) => each === xml.tag);
          if (member !== undefined) found[member] = xml.text().slice(0, MAX_CHARACTERS);
        }
      });
    } catch (error) {
      if (error instanceof MapError) return {};
      throw error;
    }
    return found;
  }
}

/** `<undefined>` and `self` name nothing. */
function nameOf(text: string | undefined): string | undefined {
  const name = text?.trim();
  return name === undefined || name === "" || name.startsWith("<") || name === "self" ? undefined : name;
}
