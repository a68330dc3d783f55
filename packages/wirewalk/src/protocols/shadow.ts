import type { PlayerId } from "../motion/index.ts";
import type { WireMessage } from "./codec.ts";
import type { World } from "./world.ts";

/**
 * A game whose world can stand beside another server and judge its clients: it takes over what that server decides.
 * Capability `shadow` of a `Protocol`. Without it the world knows what clients send, and nothing else. Such a world is made with the
 * option `shadow`.
 */
export interface Shadowing {
  /** Rules that need what only the other server knows: their findings mean nothing. */
  readonly unknownRules: readonly string[];
  /** The other server sent the player this message. Nothing happens for a message that the world cannot follow. */
  observe(world: World, player: PlayerId, message: WireMessage, nowMs: number): void;
}
