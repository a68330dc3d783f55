import type { WireMessage } from "./codec.ts";

/** A game whose worlds are channels: its players ask for the channel of their world. Capability `channels` of a `Protocol`. */
export interface Channels<C extends WireMessage = WireMessage> {
  /** The room that a player of the n-th world asks for, n from 1; undefined for a channel that the game does not have. */
  roomOf(number: number): string | undefined;
  /** The place of `room`, an existing one, in the n-th world; undefined where that has none. */
  sameRoom(room: string, number: number): string | undefined;
  /** Whether a client enters its world with this message: a world that it moves to receives it too. */
  isEntry(message: C): boolean;
}
