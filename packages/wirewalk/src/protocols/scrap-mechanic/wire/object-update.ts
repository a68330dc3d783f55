/** What 0x18 says of objects: see `unreliable-update.ts`. */
import type { MovementKeys } from "./player-movement.ts";

/** The type of a character's update. */
export const CHARACTER_TYPE = 6;

/** A place or a velocity, in the game's units (a block is a quarter). Z is up. */
export interface Vector3 {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** A turn in space. Which number comes first is our reading: no source says so. */
export interface Quaternion extends Vector3 {
  readonly w: number;
}

/** A character on its feet. */
export interface CharacterUpdate {
  readonly kind: "character";
  readonly id: number;
  readonly keys: MovementKeys;
  readonly direction: number;
  readonly yaw: number;
  readonly pitch: number;
  readonly position: Vector3;
}

/** A character that tumbles: physics moves it, no keys. */
export interface TumblingUpdate {
  readonly kind: "tumbling";
  readonly id: number;
  readonly rotation: Quaternion;
  readonly position: Vector3;
  readonly velocity: Vector3;
  readonly angularVelocity: Vector3;
}

/** Another object than a character: the document does not describe its bytes after size and type. */
export interface OpaqueUpdate {
  readonly kind: "opaque";
  readonly type: number;
  readonly data: Uint8Array;
}

/** One object's news. */
export type ObjectUpdate = CharacterUpdate | TumblingUpdate | OpaqueUpdate;

/**
 * What the server says of a tick. A frozen list of updates stands for updates that do not change either: a packet with it is
 * compressed once, for many receivers, each with a tick of its own.
 */
export interface UnreliableUpdate {
  /** The server's own tick, modulo 2^32. */
  readonly serverTick: number;
  /** The newest tick of the receiver's that is in this. */
  readonly currentTick: number;
  readonly updates: readonly ObjectUpdate[];
}
