/**
 * Memory for one write after the other. A socket that takes a write at once has no more use for its bytes, and the next
 * write may overwrite them; a socket that queued them keeps the memory, and the next write gets new memory.
 */

/** Enough for a flush to one member of a room of 500: 8 KiB at 50 ms. */
const START_BYTES = 16 * 1024;
/** Longer writes are rare: their memory is not kept. */
const MAX_KEPT_BYTES = 1024 * 1024;

export class ReusedBuffer {
  #bytes = new Uint8Array(START_BYTES);

  /** Memory for a write of that many bytes. What the last call gave is overwritten unless `giveAway` was called. */
  take(length: number): Uint8Array {
    if (length > MAX_KEPT_BYTES) return new Uint8Array(length);
    if (length > this.#bytes.length) this.#bytes = new Uint8Array(Math.max(length, this.#bytes.length * 2));
    return this.#bytes.subarray(0, length);
  }

  /** What was taken last is still in use. */
  giveAway(): void {
    this.#bytes = new Uint8Array(START_BYTES);
  }
}
