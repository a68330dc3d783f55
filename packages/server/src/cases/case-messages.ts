/** What a server and the thread that makes a case send each other. */
import type { CaseAction } from "@wirewalk/recording";
import type { JsonObject } from "wirewalk/wire";

/** What the thread begins with. */
export interface CaseTask {
  /** Files of one recording, in order: the last seconds of the world. */
  readonly recent: readonly Uint8Array[];
  /** Paths of the whole recording, in order; undefined where it is in memory alone. */
  readonly files: readonly string[] | undefined;
  readonly player: number;
  /** Of the world's clock, in whole milliseconds. */
  readonly atMs: number;
  readonly rule: string | undefined;
  /** For the page of this server: everybody keeps their names, and the script that shows cases is left out. */
  readonly isForPage: boolean;
  /** Where the scripts of cases lie. */
  readonly casesFolder: string | undefined;
}

export type FromCaseThread =
  /** It needs the places of the world's maps, and what was done about the verdict with the id. */
  | { readonly type: "asks"; readonly places: readonly string[]; readonly id: string }
  | { readonly type: "made"; readonly html: string; readonly id: string }
  /** It cannot be made, with the reason in a sentence. */
  | { readonly type: "refused"; readonly status: 404 | 422; readonly reason: string };

export interface ToCaseThread {
  /** The places that were asked for; undefined where the server has none. */
  readonly excerpt: JsonObject | undefined;
  readonly actions: readonly CaseAction[];
}
