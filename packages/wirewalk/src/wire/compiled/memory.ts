/** Memory of small payloads. They are many, and memory of its own for each costs more than the writing. */

/** Up to so many bytes are reserved without a look at the value. */
export const USUAL_ROOM = 9 * 1024;

/** Payloads are cut from slabs of this size. */
const SLAB_BYTES = 128 * 1024;
// Kept beside its bytes: asking these for their `buffer` took 1 to 3 ns per fragment of a path.
let memory = new ArrayBuffer(0);
let slab = new Uint8Array(memory);
let used = 0;

/** A slab with room for this many bytes from {@link slabUsed} on. */
export function slabFor(size: number): Uint8Array {
  if (used + size > slab.length) {
    memory = new ArrayBuffer(Math.max(size, SLAB_BYTES));
    slab = new Uint8Array(memory);
    used = 0;
  }
  return slab;
}

/** Where the slab's free bytes begin. */
export function slabUsed(): number {
  return used;
}

/** Gives the last bytes back: nobody has kept them. */
export function uncutSlab(size: number): void {
  used -= size;
}

/** The slab's next bytes, which no other caller gets. `subarray` asks for the species first: 60 ns instead of 20. */
export function cutSlab(size: number): Uint8Array<ArrayBuffer> {
  used += size;
  return new Uint8Array(memory, used - size, size);
}
