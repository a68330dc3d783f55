/**
 * The maps of the fake protocol: rooms that end. Each is a file `<room>.room` with a line `width 500`. A second line is something
 * that is omitted, and any other text is a broken map.
 */
import type { JsonObject } from "../../wire/index.ts";
import type { MapFiles } from "../map-files.ts";
import { type LoadMapsOptions, MapError, type MapReading, type WorldMaps } from "../maps.ts";

export interface FakeMaps extends WorldMaps {
  /** Undefined for a room that is not in the set, or cannot be read. */
  width(room: string): number | undefined;
}

interface FakeMap {
  readonly room: string;
  readonly width: number;
  readonly omitted: readonly JsonObject[];
}

const ENDING = ".room";

class FakeMapSet implements FakeMaps {
  readonly game = "fake";
  readonly name: string;
  readonly #files: MapFiles;
  readonly #onProblem: LoadMapsOptions["onProblem"];
  readonly #places: readonly string[];
  readonly #reported = new Set<string>();

  constructor(files: MapFiles, { onProblem }: LoadMapsOptions) {
    this.name = files.name;
    this.#files = files;
    this.#onProblem = onProblem;
    this.#places = files.paths().flatMap((path) => (path.endsWith(ENDING) ? [path.slice(0, -ENDING.length)] : []));
    if (this.#places.length === 0) throw new MapError(`${files.name} has no rooms: no file *${ENDING}`);
  }

  places(): readonly string[] {
    return this.#places;
  }

  summary(place: string): JsonObject | undefined {
    const map = this.#read(place);
    return map && { ...map };
  }

  digest(place: string): string | undefined {
    const width = this.width(place);
    return width?.toString(16).padStart(16, "0");
  }

  width(room: string): number | undefined {
    try {
      return this.#read(room)?.width;
    } catch (error) {
      if (!(error instanceof MapError)) throw error;
      if (!this.#reported.has(room)) this.#onProblem?.({ place: room, reason: error.message });
      this.#reported.add(room);
      return undefined;
    }
  }

  #read(room: string): FakeMap | undefined {
    const file = this.#files.open(`${room}${ENDING}`);
    if (file === undefined) return undefined;
    const [first = "", second] = new TextDecoder().decode(file.read(0, file.size)).trim().split("\n");
    const [, width] = /^width (\d+)$/.exec(first) ?? [];
    if (width === undefined) throw new MapError(`${file.name}, line 1: no width`);
    const omitted = second === undefined ? [] : [{ what: "chair", id: 1, line: 2, reason: "no legs" }];
    return { room, width: Number(width), omitted };
  }
}

export const fakeMapReading: MapReading = {
  forms: `a folder of rooms, *${ENDING}`,
  columns: { room: "room", width: "width", omitted: "omitted" },
  load: (files, options = {}) => new FakeMapSet(files, options),
};

export function isFakeMaps(maps: WorldMaps): maps is FakeMaps {
  return maps.game === "fake" && "width" in maps;
}
