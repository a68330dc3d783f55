/** The port of recordings: what a host says of its calls. */
import type { PlayerId } from "../motion/index.ts";
import type { WireMessage } from "../protocols/codec.ts";
import type { Effect, Joining } from "../protocols/world.ts";

/**
 * Receives every call that a host makes to its world, before the call, and every effect in order. It must not throw, must not
 * call back into the host, and copies the bytes that it keeps. What other code does to the world it does not see.
 */
export interface HostRecorder<S extends WireMessage = WireMessage> {
  join(player: PlayerId, joining: Joining, nowMs: number): void;
  leave(player: PlayerId, nowMs: number): void;
  receive(player: PlayerId, payload: Uint8Array, nowMs: number): void;
  refresh(player: PlayerId, nowMs: number): void;
  follow(player: PlayerId, nowMs: number): void;
  unfollow(player: PlayerId): void;
  tick(nowMs: number): void;
  /** `payload` is the message of a `send` or a `broadcast`, also of one that a slow reader does not receive. */
  effect(effect: Effect<S>, payload: Uint8Array | undefined): void;
}
