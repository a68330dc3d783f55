import type { PlayerId, Verdict } from "../motion/index.ts";
import type { Side, WireMessage } from "./codec.ts";
import type { World } from "./world.ts";

/**
 * A game whose world can stand beside another server and judge its clients: it takes over what that server decides.
 * Capability `shadow` of a `Protocol`. Without it the world knows what clients send, and nothing else.
 */
export interface Shadowing {
  /** Rules that need what only the other server knows: their findings mean nothing. */
  readonly unknownRules: readonly string[];
  /** The other server sent the player this message. Nothing happens for a message that the world cannot follow. */
  observe(world: World, player: PlayerId, message: WireMessage, nowMs: number): void;
  /** What is seen of one player, from its connection on. Throws `RangeError` for an unknown dialect. */
  openSight(dialect: string): Sight;
}

/** What a world beside another server has not seen of a player. */
export interface Gap {
  /** For people. */
  readonly reason: string;
  /** Rules whose findings mean nothing; absent: all of them. None: they judge less than they could. */
  readonly rules?: readonly string[];
}

/**
 * What was seen of one player. A world that has seen a part of a session alone must not find what follows from the rest of it.
 */
export interface Sight {
  /** A message that could be read: before the world receives it. */
  saw(sender: Side, message: WireMessage): void;
  /** A message that could not be read: what it changed is not known, or not all of it. */
  missed(sender: Side, payload: Uint8Array): void;
  /** What is missing to judge a message of the client. */
  gaps(message: WireMessage): readonly Gap[];
  /** Whether a finding follows from what was not seen. */
  silences(verdict: Verdict): boolean;
  /** Whether the server has answered the login, where the game has one: until then a second one takes the place of the first. */
  readonly isAdmitted: boolean;
}
