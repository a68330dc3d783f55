/** Copies of bytes that nobody keeps for long. They share memory: memory for each costs more than the copy into it. */

const SHARED_BYTES = 256 * 1024;
/** Longer ones have their own. */
const LONG_BYTES = 16 * 1024;

let shared = new Uint8Array(0);
let sharedLength = 0;

/** A copy in bytes that no other copy has. */
export function copyOf(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  if (length > LONG_BYTES) return bytes.slice();
  if (length > shared.length - sharedLength) {
    shared = new Uint8Array(SHARED_BYTES);
    sharedLength = 0;
  }
  const copy = shared.subarray(sharedLength, sharedLength + length);
  sharedLength += length;
  copy.set(bytes);
  return copy;
}
