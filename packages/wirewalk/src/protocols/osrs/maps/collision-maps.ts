/** Sets of regions: a folder or an archive of files that are named after their regions. */
import { asMapError, KeptPlaces } from "../../kept-places.ts";
import type { MapFile, MapFiles } from "../../map-files.ts";
import { type LoadMapsOptions, MapError, type MapReading, type WorldMaps } from "../../maps.ts";
import { openMapFiles } from "../../path-files.ts";
import { MAX_REGION_BYTES, parseRegionName, Region, regionName } from "./region.ts";

/** The collision maps of a world of Old School RuneScape. */
export interface CollisionMaps extends WorldMaps {
  /** By the tiles of the world, shifted right by 6. Undefined where the set has no such region, or where it cannot be read. */
  region(x: number, z: number): Region | undefined;
}

/** Whether a set is one of Old School RuneScape. */
export function isCollisionMaps(maps: WorldMaps): maps is CollisionMaps {
  return maps.game === "osrs" && "region" in maps;
}

/** The set of a world's options. Throws `TypeError` for that of another game. */
export function collisionMapsIn({ maps }: { readonly maps?: WorldMaps }): CollisionMaps | undefined {
  if (maps !== undefined && !isCollisionMaps(maps)) throw new TypeError(`maps must be those of osrs, got ${maps.game}`);
  return maps;
}

/** Regions that are kept by default: 4 MiB. The part of the map that a client has loaded lies in nine at most. */
const KEPT_REGIONS = 1024;

/** Reads collision maps. */
export const collisionMapReading: MapReading = {
  forms: "collision maps: a folder or a zip archive with a file for each region, such as `collision-map.zip`",
  columns: {
    region: "region",
    levels: "levels",
    north: "to north",
    east: "to east",
    closed: "neither",
    left: "west",
    bottom: "south",
  },
  load: loadRegions,
};

function loadRegions(files: MapFiles, options: LoadMapsOptions = {}): CollisionMaps {
  const paths = new Map<string, string>();
  for (const path of files.paths()) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (parseRegionName(name) === undefined) continue;
    const other = paths.get(name);
    if (other !== undefined) throw new MapError(`${files.name} has region ${name} twice: ${other} and ${path}`);
    paths.set(name, path);
  }
  if (paths.size === 0) {
    throw new MapError(`${files.name} has no region: its files have names of regions, such as 50_50`);
  }
  return new FileRegions(files, paths, options);
}

class FileRegions implements CollisionMaps {
  readonly game = "osrs";
  readonly name: string;
  readonly #files: MapFiles;
  /** By the name of the region. */
  readonly #paths: ReadonlyMap<string, string>;
  readonly #places: readonly string[];
  readonly #regions: KeptPlaces<string, Region>;

  constructor(files: MapFiles, paths: ReadonlyMap<string, string>, options: LoadMapsOptions) {
    this.name = files.name;
    this.#files = files;
    this.#paths = paths;
    this.#places = [...paths.keys()].sort(byNumbers);
    this.#regions = new KeptPlaces({ kept: KEPT_REGIONS, ...options, read: (name) => this.#read(name) });
  }

  places(): readonly string[] {
    return this.#places;
  }

  region(x: number, z: number): Region | undefined {
    return this.#regions.get(regionName(x, z));
  }

  summary(place: string) {
    return this.#regions.need(place)?.summary();
  }

  digest(place: string): string | undefined {
    return this.#regions.get(place)?.digest();
  }

  #read(name: string): Region | undefined {
    const path = this.#paths.get(name);
    if (path === undefined) return undefined;
    const { x, z } = parseRegionName(name) as { x: number; z: number };
    try {
      return new Region(x, z, bytesOf(this.#files.open(path)));
    } catch (error) {
      throw new MapError(`${path}: ${asMapError(error).message}`);
    }
  }
}

function bytesOf(file: MapFile | undefined): Uint8Array {
  if (file === undefined) throw new MapError("the file is gone");
  if (file.size > MAX_REGION_BYTES) {
    throw new MapError(`A region has at most ${MAX_REGION_BYTES} bytes, the file has ${file.size}`);
  }
  return file.read(0, file.size);
}

/** From west to east, and from south to north. */
function byNumbers(a: string, b: string): number {
  const [first, second] = [parseRegionName(a), parseRegionName(b)];
  if (first === undefined || second === undefined) return 0;
  return first.x - second.x || first.z - second.z;
}

/**
 * Collision maps at a path, a folder, a zip archive or a file, or out of files that are in memory. Throws {@link MapError} where there is no
 * region in them, and `MapFileError` where the path cannot be read.
 */
export function loadMaps(from: string | MapFiles, options?: LoadMapsOptions): CollisionMaps {
  return loadRegions(typeof from === "string" ? openMapFiles(from) : from, options);
}

/** A set of regions that are in memory. */
export function collisionMapsOf(name: string, regions: readonly Region[]): CollisionMaps {
  const byName = new Map(regions.map((region) => [regionName(region.x, region.z), region]));
  return {
    game: "osrs",
    name,
    places: () => [...byName.keys()],
    region: (x, z) => byName.get(regionName(x, z)),
    summary: (place) => byName.get(place)?.summary(),
    digest: (place) => byName.get(place)?.digest(),
  };
}
