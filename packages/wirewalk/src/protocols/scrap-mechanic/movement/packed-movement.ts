/** Movements in two integers each: what buffers remember and saved worlds hold. */
import { number, type StateOf, state } from "../../world-kit/index.ts";
import { keySets, keysByte, type PlayerMovement } from "../wire/player-movement.ts";

/** A movement in two integers. */
export const packedMovement = state({ tick: number, bits: number });
export type PackedMovement = Readonly<StateOf<typeof packedMovement>>;

/** Set in every packed movement, so that none is 0. The byte of the keys has three bits to spare. */
const HEARD = 0x80;

/** Keys, direction, yaw and pitch in one u32, the keys in its lowest byte; never 0. */
export function packBits({ keys, direction, yaw, pitch }: PlayerMovement): number {
  return (keysByte(keys) | HEARD | (direction << 8) | (yaw << 16) | (pitch << 24)) >>> 0;
}

export function packMovement(movement: PlayerMovement): PackedMovement {
  return { tick: movement.tick, bits: packBits(movement) };
}

/** The reverse of `packMovement`. Throws `RangeError` for bits that are not a movement. */
export function unpackMovement({ tick, bits }: PackedMovement): PlayerMovement {
  const keys = (bits & HEARD) === 0 ? undefined : keySets[bits & 0xff & ~HEARD];
  if (keys === undefined) throw new RangeError(`Cannot restore: ${bits} are not the bits of a movement`);
  return { tick, keys, direction: (bits >>> 8) & 0xff, yaw: (bits >>> 16) & 0xff, pitch: bits >>> 24 };
}
