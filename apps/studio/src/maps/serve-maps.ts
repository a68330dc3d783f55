/** The worker's side: finds out whose maps the files are, and reads a place when the page asks for it. */
import { MapError, MapFileError, type MapFiles, type MapReading, type WorldMaps } from "wirewalk/protocol";
import type { Port } from "../inspect/source/worker-messages.ts";
import { blobFiles } from "./blob-files.ts";
import type { FromMaps, ToMaps } from "./messages.ts";

export interface ServeMapsOptions {
  readonly port: Port<FromMaps, ToMaps>;
  readonly readings: readonly MapReading[];
  /** Reads a blob at once. */
  readonly read: (blob: Blob) => Uint8Array;
}

/** Reads the files that the page opens; one set for each worker. */
export function serveMaps({ port, readings, read }: ServeMapsOptions): void {
  let maps: WorldMaps | undefined;
  port.onmessage = ({ data: message }) => {
    if (message.type === "place") {
      port.postMessage({ type: "place", id: message.id, ...placeOf(maps, message.place) });
      return;
    }
    try {
      maps = openMaps(blobFiles(message.name, message.files, read), readings);
      port.postMessage({ type: "opened", game: maps.game, places: maps.places() });
    } catch (error) {
      port.postMessage({ type: "failed", text: messageOf(error) });
    }
  };
}

/** The maps of the first game that knows the files. Throws `MapError` with the reasons of all where none does. */
export function openMaps(files: MapFiles, readings: readonly MapReading[]): WorldMaps {
  const reasons: string[] = [];
  for (const reading of readings) {
    try {
      const maps = reading.load(files);
      // A page can draw no others.
      if (maps.parts !== undefined) return maps;
    } catch (error) {
      reasons.push(messageOf(error));
    }
  }
  throw new MapError(reasons.length === 0 ? "No game of this page has maps" : reasons.join(". "));
}

function placeOf(maps: WorldMaps | undefined, place: string): Pick<FromMaps & { type: "place" }, "parts" | "reason"> {
  try {
    const parts = maps?.parts?.(place);
    return parts === undefined ? {} : { parts };
  } catch (error) {
    return { reason: messageOf(error) };
  }
}

/** Other errors are errors of the page. */
function messageOf(error: unknown): string {
  if (error instanceof MapError || error instanceof MapFileError || error instanceof RangeError) return error.message;
  throw error;
}
