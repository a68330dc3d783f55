/**
 * The places of a game from a path: what every command and server does with `--maps`.
 *
 * ```ts
 * const maps = openMaps(mapleStory, "wz", { onProblem: ({ place, reason }) => console.warn(place, reason) });
 * mapleStory.createWorld({ dialect: "v83", seed: 0, maps });
 * ```
 */
import type { LoadMapsOptions, WorldMaps } from "./maps.ts";
import { openMapFiles } from "./path-files.ts";
import type { Protocol } from "./protocol.ts";

/**
 * Opens a folder, a file or an archive with places of the game. Needs Node's file system. Reads no place yet. Throws `RangeError` for
 * a game without capability `maps`, {@link MapFileError} for a path that cannot be read, and {@link MapError} where there is no place.
 */
export function openMaps(protocol: Protocol, path: string, options: LoadMapsOptions = {}): WorldMaps {
  const reading = protocol.capabilities?.maps;
  if (reading === undefined) throw new RangeError(`${protocol.name} takes no maps`);
  return reading.load(openMapFiles(path), options);
}

/** Throws `RangeError` for a game without capability `maps`, and for maps of another game. */
export function checkMaps({ name, capabilities }: Protocol, maps: WorldMaps | string): void {
  if (capabilities?.maps === undefined) throw new RangeError(`${name} takes no maps`);
  if (typeof maps === "string" || maps.game === name) return;
  throw new RangeError(`The maps of ${name} must be its own, got ${maps.name} of ${maps.game}`);
}
