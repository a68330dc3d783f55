/** Sets of height grids: a JSON file for each place. */
import { KeptPlaces } from "../../kept-places.ts";
import type { MapFiles } from "../../map-files.ts";
import { type LoadMapsOptions, MapError, type MapReading, type WorldMaps } from "../../maps.ts";
import { openMapFiles } from "../../path-files.ts";
import { digestOfGrid, type HeightGrid, summaryOfGrid } from "./height-grid.ts";
import { readGrid } from "./read-grid.ts";

/** The places of a world of Scrap Mechanic. */
export interface GridMaps extends WorldMaps {
  /** Of a room: the place that is named like it, or else the only one of the set. Undefined where there is none, or where it cannot be read. */
  grid(room: string): HeightGrid | undefined;
  /** The name of that place. */
  placeOf(room: string): string | undefined;
}

/** Whether a set is one of Scrap Mechanic. */
export function isGridMaps(maps: WorldMaps): maps is GridMaps {
  return maps.game === "scrap-mechanic" && "grid" in maps;
}

/** The set of a world's or bot's options. Throws `TypeError` for that of another game. */
export function gridMapsIn({ maps }: { readonly maps?: WorldMaps | undefined }): GridMaps | undefined {
  if (maps !== undefined && !isGridMaps(maps)) {
    throw new TypeError(`maps must be those of scrap-mechanic, got ${maps.game}`);
  }
  return maps;
}

/** Grids that are kept by default: a full one takes 32 MiB. */
const KEPT_GRIDS = 4;
const ENDING = ".json";

/** Reads height grids. */
export const gridReading: MapReading = {
  forms: "height grids: JSON, alone or with raw 32-bit floats beside it",
  columns: {
    place: "place",
    width: "width",
    height: "height",
    cell: "cell",
    lowest: "lowest",
    highest: "highest",
    covered: "covered",
    seats: "seats",
  },
  load: loadGrids,
};

/**
 * Height grids at a path, a folder, a zip archive or a file, or out of files that are in memory. Throws {@link MapError} where there is no
 * JSON file in them, and `MapFileError` where the path cannot be read.
 */
export function loadMaps(from: string | MapFiles, options?: LoadMapsOptions): GridMaps {
  return loadGrids(typeof from === "string" ? openMapFiles(from) : from, options);
}

function loadGrids(files: MapFiles, options: LoadMapsOptions = {}): GridMaps {
  const paths = new Map<string, string>();
  for (const path of files.paths()) {
    if (!path.endsWith(ENDING)) continue;
    const name = path.slice(path.lastIndexOf("/") + 1, -ENDING.length);
    const other = paths.get(name);
    if (other !== undefined) throw new MapError(`${files.name} has place ${name} twice: ${other} and ${path}`);
    paths.set(name, path);
  }
  if (paths.size === 0)
    throw new MapError(`${files.name} has no height grid: a place is a file that ends with ${ENDING}`);
  const grids = new KeptPlaces<string, HeightGrid>({
    kept: KEPT_GRIDS,
    ...options,
    read(place) {
      const path = paths.get(place);
      return path === undefined ? undefined : readGrid(files, path);
    },
  });
  return gridMaps(files.name, [...paths.keys()], grids);
}

/** A set of grids that are in memory, by the names of their places. */
export function gridMapsOf(name: string, grids: Readonly<Record<string, HeightGrid>>): GridMaps {
  const byName = new Map(Object.entries(grids));
  const get = (place: string): HeightGrid | undefined => byName.get(place);
  return gridMaps(name, [...byName.keys()], { get, need: get });
}

function gridMaps(
  name: string,
  places: readonly string[],
  grids: Pick<KeptPlaces<string, HeightGrid>, "get" | "need">,
): GridMaps {
  const names = new Set(places);
  const [first] = places;
  const placeOf = (room: string): string | undefined => {
    if (names.has(room)) return room;
    return names.size === 1 ? first : undefined;
  };
  return {
    game: "scrap-mechanic",
    name,
    places: () => places,
    placeOf,
    grid(room) {
      const place = placeOf(room);
      return place === undefined ? undefined : grids.get(place);
    },
    summary(place) {
      const grid = grids.need(place);
      return grid && summaryOfGrid(place, grid);
    },
    digest(place) {
      const grid = grids.get(place);
      return grid && digestOfGrid(grid);
    },
  };
}
