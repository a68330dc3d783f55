import type { PlayerId } from "../motion/index.ts";

/**
 * A world that can observe one player more closely, for spectators. Following changes nothing of what is observed.
 * Capability `following` of a `World`.
 */
export interface Following {
  /**
   * From here on the world observes more of the player, until `unfollow` or until the player leaves. The first effects
   * hold what a spectator needs to understand the rest; call it again for every further spectator. Nothing happens for an
   * unknown player, or one of which there is no more to observe.
   */
  follow(player: PlayerId, nowMs: number): void;
  /** Ends `follow`. Nothing happens for a player that is not followed. */
  unfollow(player: PlayerId): void;
}
