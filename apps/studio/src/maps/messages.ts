/** What the page and the worker that reads dropped maps send each other. */
import type { JsonObject } from "wirewalk/wire";

/** A file with its path in what was dropped. */
export interface MapBlob {
  readonly path: string;
  readonly file: Blob;
}

export type ToMaps =
  | { readonly type: "open"; readonly name: string; readonly files: readonly MapBlob[] }
  | { readonly type: "place"; readonly id: number; readonly place: string };

export type FromMaps =
  /** The game whose maps these are, and which places there are. */
  | { readonly type: "opened"; readonly game: string; readonly places: readonly string[] }
  /** The maps cannot be opened, for this reason. It is the last message. */
  | { readonly type: "failed"; readonly text: string }
  /** `reason`: the place cannot be read. Neither: there is no such place. */
  | { readonly type: "place"; readonly id: number; readonly parts?: JsonObject; readonly reason?: string };
