/** What a server and the thread that cuts a slice send each other. */
import type { PlayerId } from "wirewalk/motion";

/** Seconds of play around a time, of one player. */
export interface SliceRequest {
  readonly player: PlayerId;
  /** Of the world's clock. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly about: Readonly<Record<string, string>>;
  /** The id of a verdict that must be in it. Default: none. */
  readonly verdict?: string;
}

/** What the thread begins with. */
export interface SliceTask extends SliceRequest {
  /** Files of one recording, in order: the last seconds of the world. */
  readonly recent: readonly Uint8Array[];
}

/** The slice, or what of it is not in memory. */
export type FromSliceThread = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly missing: string };
