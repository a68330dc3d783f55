/** The port of spectators of the wire: the payloads that pass between players and their world. */
import type { PlayerId } from "../motion/index.ts";

/** Must not throw, must not call back into the host, and copies the bytes that it keeps. */
export interface HostTap {
  /** A payload of a player, before the world judges it. */
  received(player: PlayerId, payload: Uint8Array): void;
  /** A payload for one player. */
  sent(player: PlayerId, payload: Uint8Array): void;
  /** A payload for the players of a room, without `except`. One that reads too slowly does not receive it. */
  broadcast(room: string, except: PlayerId | undefined, payload: Uint8Array): void;
}
