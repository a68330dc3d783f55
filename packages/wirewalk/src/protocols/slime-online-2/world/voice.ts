/**
 * A **voice** is how a dialect informs clients: where players are, which keys they hold, and that a player has joined,
 * changed rooms or left. The world decides what happens; its voice chooses the messages.
 */
import type { PlayerId } from "../../../motion/index.ts";
import type { EffectQueue } from "../../world-kit/index.ts";
import type { SlimeServerMessage } from "../wire/codec.ts";
import type { Place } from "./ghost.ts";
import type { Player } from "./player.ts";

/** What a voice needs of its world. */
export interface VoiceContext {
  readonly effects: EffectQueue<SlimeServerMessage>;
  /** Every player, in the order in which they joined. */
  players(): Iterable<Player>;
  /** The players of a room, in the order in which they entered it. */
  playersIn(room: number): Iterable<Player>;
  /** Where a player is by now. */
  placeOf(player: Player, nowMs: number): Place;
}

export interface Voice {
  /** Whether clients log in. Then an account plays once, and a player that joins has a place, since the login names it. */
  readonly hasLogin: boolean;
  /** A player has joined. It has not entered its room yet. */
  joined(player: Player, nowMs: number): void;
  /** A player that has just joined has entered its first room. */
  started(player: Player, nowMs: number): void;
  /** A player is about to leave the game. It is still in its room. */
  leaving(player: Player, nowMs: number): void;
  /** A player has left the game. */
  left(id: PlayerId): void;
  /** A player is about to leave its room for another one, or to be placed elsewhere in it. */
  leavingRoom(player: Player, nowMs: number): void;
  /** A player has entered another room, or its own again, at a place. */
  enteredRoom(player: Player, at: Place, nowMs: number): void;
  /** Game code moves a player: sends its client the place, in dialects with a message for it. */
  commandWarp(id: PlayerId, room: number, at: Place): void;
  /** The server refused a player's position: sends its client the one that it has. */
  correct(player: Player, at: Place): void;
  /** Sends a player what it needs after it has lost messages. */
  refresh(player: Player, nowMs: number): void;
  /** A player has answered the announcement of a newcomer: it is at this place. */
  introduced(player: Player, newcomer: PlayerId, at: Place): void;
  /** A ping of a player has arrived. */
  pinged(player: Player, nowMs: number): void;
  /** Sends what is due by now. */
  tick(nowMs: number): void;
}
