/** What the page and the worker that plays a recording send each other. */

import type { MapBlob } from "../maps/messages.ts";

/** Dropped maps by the name that they had. */
export interface MapFilesOf {
  readonly name: string;
  readonly files: readonly MapBlob[];
}

export type ToPlayer =
  /** `maps`: those of the recorded world. */
  | { readonly type: "open"; readonly file: Blob; readonly name: string; readonly maps?: MapFilesOf }
  /** A request to the feed, as JSON. */
  | { readonly type: "request"; readonly text: string };

export type FromPlayer =
  /** Before the first message of the feed: how much of the file was read, 0 to 1. */
  | { readonly type: "progress"; readonly share: number }
  /** Messages of the feed: texts, and the bytes of tracks. Those of a turn come together: each by itself would cost the page more than reading it. */
  | { readonly type: "feed"; readonly messages: readonly (string | ArrayBuffer)[] }
  /** Why the recording cannot be played, or not any further. Nothing follows. */
  | { readonly type: "failed"; readonly text: string };
