/**
 * The places of a game: maps, rooms, regions. A user gives files, the game's capability `maps` reads them, and a world judges by them.
 *
 * ```ts
 * const maps = maplestory.capabilities.maps.load(openMapFiles("wz"));
 * maps.summary("100000000"); // { map: 100000000, footholds: 1203, … }
 * maplestory.createWorld({ dialect: "v83", seed: 0, maps });
 * ```
 */
import type { JsonObject } from "../wire/index.ts";
import type { MapFiles } from "./map-files.ts";

/** Why a place of a set is not known: its rules are off. */
export interface MapProblem {
  /** The place, as `places` names it. Empty for what concerns the set. */
  readonly place: string;
  /** File, line or offset, and reason. */
  readonly reason: string;
}

export interface LoadMapsOptions {
  /** Places that are kept ready at the same time. Default: the game's. */
  readonly kept?: number;
  /** Hears of each place that cannot be read, once. */
  readonly onProblem?: (problem: MapProblem) => void;
}

/** A set of places. Each is read when it is first asked for, and again where the bounded cache has let it go. */
export interface WorldMaps {
  /** The protocol whose worlds take it. */
  readonly game: string;
  /** As the user named it. */
  readonly name: string;
  /** The places that it has, in order, by the names that {@link summary} takes. Reads no place. */
  places(): readonly string[];
  /** A place in numbers, for a table. Undefined where it has no such place. Throws {@link MapError} where it cannot be read. */
  summary(place: string): JsonObject | undefined;
  /**
   * 64 bits, as hexadecimal digits, of what rules use of a place: equal for equal places, whatever file they came from. Undefined for a
   * place that it does not have or that cannot be read.
   */
  digest(place: string): string | undefined;
  /**
   * A place as JSON, for pages that draw it: what the game's own maker of places takes. Undefined for a place that it does not have. Throws
   * {@link MapError} where it cannot be read. Missing where no page draws the places of the game.
   */
  parts?(place: string): JsonObject | undefined;
  /**
   * Some places as JSON, whole: `MapReading.ofExcerpt` makes a set of it in which they have the same digests. For files that are judged
   * elsewhere. Places that it does not have are left out. Throws {@link MapError} where one cannot be read. Missing where the game's places are too large for that.
   */
  excerpt?(places: readonly string[]): JsonObject;
}

/** A game's reader of places. */
export interface MapReading {
  /** What it reads, for people: `an XML dump of Map.wz, …`. */
  readonly forms: string;
  /** Heads of the columns of a table, by the member of a summary. */
  readonly columns: Readonly<Record<string, string>>;
  /** Finds the kind of the files by their content. Throws {@link MapError} where there is no place in them. Reads no place yet. */
  load(files: MapFiles, options?: LoadMapsOptions): WorldMaps;
  /** The set of `WorldMaps.excerpt`. Throws {@link MapError} for anything else. */
  ofExcerpt?(excerpt: JsonObject): WorldMaps;
}

/** A place cannot be read. The message names file, line or offset, and reason. */
export class MapError extends Error {
  override readonly name = "MapError";
}
