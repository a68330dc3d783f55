/** The message that is looked at: one of the wire log, or the one that a verdict is about. */
import type { FeedVerdict } from "@wirewalk/server/feed";
import type { WireEntry } from "./wire-log.ts";

export type Inspected =
  | { readonly kind: "entry"; readonly entry: WireEntry }
  | { readonly kind: "verdict"; readonly verdict: FeedVerdict };
