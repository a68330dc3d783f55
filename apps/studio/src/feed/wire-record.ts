/** What a view of a game gives the wire log. */
import type { PlayerId } from "wirewalk/motion";
import type { PayloadTrace } from "wirewalk/protocol";
import type { JsonObject } from "wirewalk/wire";

/** A message on the game's own socket, as the wire log keeps it. */
export interface WireRecord {
  readonly sender: "client" | "server";
  /** Without frame and cipher. */
  readonly payload: Uint8Array;
  /** Whom it is about, where the view knows. */
  readonly player?: PlayerId;
  /** The view's state of that player, before and after the message: what it did. */
  readonly before?: JsonObject;
  readonly after?: JsonObject;
  /** What the view read in it, where the bytes do not say it by themselves: they hang on those before them. */
  readonly reading?: WireReading;
}

/** A message as its view understood it. */
export interface WireReading {
  /** In a few words, for the list. */
  readonly words: string;
  /** Asked for when somebody looks. */
  trace(): PayloadTrace;
}
