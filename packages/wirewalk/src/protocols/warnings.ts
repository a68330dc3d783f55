/** Sentences of operators to players. */
import type { PlayerId } from "../motion/index.ts";
import type { WireMessage } from "./codec.ts";

/** A game whose server has a message that a player reads. Capability `warnings` of a `Protocol`. */
export interface Warnings<S extends WireMessage = WireMessage> {
  /** The message that shows a player a sentence; undefined in a dialect without one. A sentence that is too long is cut. */
  message(dialect: string, player: PlayerId, text: string): S | undefined;
}
