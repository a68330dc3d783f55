/** Sets of maps out of files. */
import { type LoadMapsOptions, MapError, type MapFiles, openMapFiles } from "../../index.ts";
import { asMapError, KeptPlaces } from "../../kept-places.ts";
import { mapForms } from "./forms.ts";
import type { MapleMap } from "./map.ts";
import { namesOfMaps } from "./map-names.ts";
import { mapOf, unknownMonster } from "./map-of.ts";
import { digestOfMap, excerptOf, type MapleMaps, partsOf, summaryOf } from "./maple-maps.ts";
import { type MonsterKind, monsterKindOf, monsterParts, type SkillCost, skillCosts } from "./monster-kind.ts";
import { type MaplePhysics, physicsOf } from "./physics.ts";
import type { ImageSource } from "./tree.ts";
import { textAt } from "./tree-values.ts";

/** A town has 1,800 footholds and takes 1 MB; the mean of all maps is 100 kB. */
const DEFAULT_KEPT = 256;
/** Maps that link to one that links to another. No real one does. */
const MAX_LINKS = 8;
/** Kinds of monsters that are kept. The client has 1,600. */
const MAX_KINDS = 4096;

/**
 * Loads maps: an XML dump, `.nx` or `.wz` files, by a path in Node or by files in memory. A map is read when it is first asked for.
 * Throws {@link MapError} where no maps are in the files, and `MapFileError` where the path cannot be read.
 *
 * ```ts
 * const maps = loadMaps("server/wz");
 * maps.map(100000000)?.below(0, 0)?.foothold.id;
 * ```
 */
export function loadMaps(pathOrFiles: string | MapFiles, options: LoadMapsOptions = {}): MapleMaps {
  const files = typeof pathOrFiles === "string" ? openMapFiles(pathOrFiles) : pathOrFiles;
  for (const form of mapForms) {
    const source = form.open(files);
    if (source !== undefined) return new LoadedMaps(files.name, source, options);
  }
  const known = mapForms.map(({ name }) => name).join(", ");
  throw new MapError(
    `Cannot read maps of ${files.name}: none of its ${files.paths().length} files has one (read are ${known})`,
  );
}

/** Maps of one source, each read when it is asked for. */
class LoadedMaps implements MapleMaps {
  readonly game = "maplestory";
  readonly name: string;
  readonly #source: ImageSource;
  readonly #ids: ReadonlySet<number>;
  readonly #maps: KeptPlaces<number, MapleMap>;
  readonly #onProblem: LoadMapsOptions["onProblem"];
  /** Those that are being read: a map and those to which it links. */
  readonly #reading: number[] = [];
  readonly #kinds = new Map<number, MonsterKind>();
  #physics: { readonly value: MaplePhysics | undefined } | undefined;
  #skillCosts: SkillCost | undefined;
  #names: ReadonlyMap<number, string> | undefined;

  constructor(name: string, source: ImageSource, options: LoadMapsOptions) {
    this.name = name;
    this.#source = source;
    this.#ids = new Set(source.maps());
    this.#maps = new KeptPlaces({ kept: DEFAULT_KEPT, ...options, read: (id) => this.#read(id) });
    this.#onProblem = options.onProblem;
    for (const reason of source.problems) this.#onProblem?.({ place: "", reason });
  }

  get physics(): MaplePhysics | undefined {
    if (this.#physics === undefined) {
      const value = this.#beside("Physics.img", () => {
        const image = this.#source.image("Physics.img");
        return image && physicsOf(image);
      });
      this.#physics = { value };
    }
    return this.#physics.value;
  }

  places(): readonly string[] {
    return [...this.#ids].map(String);
  }

  map(id: number): MapleMap | undefined {
    return this.#maps.get(id);
  }

  summary(place: string) {
    return summaryOf(this.#maps.need(idOf(place)));
  }

  digest(place: string): string | undefined {
    return digestOfMap(this.map(idOf(place)), this.physics);
  }

  parts(place: string) {
    return partsOf(this.#maps.need(idOf(place)));
  }

  excerpt(places: readonly string[]) {
    return excerptOf(
      places.map((place) => this.#maps.need(idOf(place))),
      this.physics,
    );
  }

  #read(id: number): MapleMap | undefined {
    if (!this.#ids.has(id)) return undefined;
    this.#reading.push(id);
    try {
      const tree = this.#source.map(id);
      if (tree === undefined) throw new MapError(`Cannot read map ${id} of ${this.name}: it is not there any more`);
      return mapOf(tree, id, {
        linked: (target) => this.#linked(target),
        monster: (template) => this.#monster(template),
        title: (map) => this.#title(map),
      });
    } finally {
      this.#reading.pop();
    }
  }

  #linked(target: number): MapleMap | undefined {
    const way = [...this.#reading, target].join(" -> ");
    if (this.#reading.includes(target)) throw new MapError(`Maps link in a circle: ${way}`);
    if (this.#reading.length > MAX_LINKS) throw new MapError(`More than ${MAX_LINKS} links from map to map: ${way}`);
    return this.#maps.need(target);
  }

  #monster(template: number): MonsterKind {
    const known = this.#kinds.get(template);
    if (known !== undefined) return known;
    const path = mobPath(String(template));
    const kind = this.#beside(path, () => {
      const image = this.#source.image(path, monsterParts);
      if (image === undefined) return undefined;
      const link = textAt(image.child("info"), "link");
      const linked = link === "" ? undefined : this.#source.image(mobPath(link), monsterParts);
      const costs = (id: number, level: number) => this.#costOfSkill(id, level);
      return monsterKindOf(image, linked, costs, this.physics);
    });
    // A hostile file may name any number of kinds.
    if (this.#kinds.size >= MAX_KINDS) this.#kinds.clear();
    this.#kinds.set(template, kind ?? unknownMonster);
    return kind ?? unknownMonster;
  }

  #costOfSkill(id: number, level: number) {
    this.#skillCosts ??= skillCosts(this.#beside("MobSkill.img", () => this.#source.image("Skill.wz/MobSkill.img")));
    return this.#skillCosts(id, level);
  }

  #title(id: number): string | undefined {
    this.#names ??= namesOfMaps(this.#beside("names of maps", () => this.#source.image("String.wz/Map.img")));
    return this.#names.get(id);
  }

  /** What stands beside the maps. Where it cannot be read, that is told, and the maps go without it. */
  #beside<T>(what: string, read: () => T | undefined): T | undefined {
    try {
      return read();
    } catch (error) {
      const { message } = asMapError(error);
      this.#onProblem?.({ place: "", reason: `${what} is left out: ${message}` });
      return undefined;
    }
  }
}

function mobPath(id: string): string {
  return `Mob.wz/${id.padStart(7, "0")}.img`;
}

/** `100000000`, also with zeros before it. Another place is no map. */
function idOf(place: string): number {
  return /^\d{1,10}$/.test(place) ? Number(place) : -1;
}
