/** The page's end of the worker that reads dropped maps. */
import type { JsonObject } from "wirewalk/wire";
import type { DroppedPlaces } from "../app/places.ts";
import type { FromMaps, MapBlob, ToMaps } from "./messages.ts";

/** What of a worker is used. */
export interface MapsWorker {
  onmessage: ((event: { readonly data: FromMaps }) => void) | null;
  onerror: ((event: { readonly message?: string }) => void) | null;
  postMessage(message: ToMaps): void;
  terminate(): void;
}

/** Maps of a game that were dropped, read by their worker. */
export interface DroppedMaps extends DroppedPlaces {
  /** As the person at the page named them. */
  readonly name: string;
  readonly places: readonly string[];
  close(): void;
}

interface Waiting {
  readonly resolve: (parts: JsonObject | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** Rejects with the reason where the files have no maps of any game. */
export function openDroppedMaps(name: string, files: readonly MapBlob[], worker: MapsWorker): Promise<DroppedMaps> {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  const fail = (text: string): Error => {
    const error = new Error(text);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    worker.terminate();
    return error;
  };
  return new Promise((resolve, reject) => {
    worker.onerror = ({ message = "the reader could not be loaded" }) =>
      reject(fail(`Cannot read the maps: ${message}`));
    worker.onmessage = ({ data }) => {
      if (data.type === "failed") reject(fail(data.text));
      else if (data.type === "opened") resolve({ name, game: data.game, places: data.places, parts, close });
      else answer(data);
    };
    worker.postMessage({ type: "open", name, files });
  });

  function parts(place: string): Promise<JsonObject | undefined> {
    last += 1;
    const id = last;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.postMessage({ type: "place", id, place });
    });
  }

  function answer({ id, parts: found, reason }: FromMaps & { type: "place" }): void {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (reason === undefined) asked?.resolve(found);
    else asked?.reject(new Error(reason));
  }

  function close(): void {
    fail("The maps were closed");
  }
}
