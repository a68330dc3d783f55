import type { WireMessage } from "./codec.ts";
import type { Refusal } from "./world.ts";

/** How a session becomes a player, in a dialect that has a login message. */
export interface Admission<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage> {
  /** The name and password in a login message; undefined when the message is not a login. */
  credentials(message: C): { readonly name: string; readonly password: string } | undefined;
  /** The message to send before closing; undefined when the dialect has none for this reason. */
  refusal(reason: Refusal): S | undefined;
}

/** A game with a login message in some of its dialects. Capability `login` of a `Protocol`. */
export interface Login<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage> {
  /** Undefined in a dialect without a login: there a session joins at once. Throws `RangeError` for an unknown dialect. */
  admission(dialect: string): Admission<C, S> | undefined;
}
