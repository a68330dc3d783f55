/**
 * Memory for one write after the other. A socket that takes a write at once has no more use for its bytes, and the next
 * write may overwrite them; a socket that queued them keeps the memory, and the next write gets new memory.
 */

/** Enough for a flush to one member of a room of 500: 8 KiB at 50 ms. */
const START_BYTES = 16 * 1024;
/** Longer writes are rare: their memory is not kept. */
const MAX_KEPT_BYTES = 1024 * 1024;

/** Where writes begin in memory of which other writes keep a part. */
const ALIGN_BYTES = 8;

export class ReusedBuffer {
  #bytes = new Uint8Array(START_BYTES);
  /** Everything before this was given away. */
  #from = 0;
  #taken = 0;

  /** Memory for a write of that many bytes. What the last call gave is overwritten unless `giveAway` was called. */
  take(length: number): Uint8Array {
    if (length > MAX_KEPT_BYTES) {
      this.#taken = 0;
      return new Uint8Array(length);
    }
    if (length > this.#bytes.length - this.#from) {
      const least = this.#from === 0 ? this.#bytes.length * 2 : START_BYTES;
      this.#bytes = new Uint8Array(Math.max(length, least));
      this.#from = 0;
    }
    this.#taken = length;
    return this.#bytes.subarray(this.#from, this.#from + length);
  }

  /** What was taken last is still in use. The rest of the memory is not: new memory costs more than the copy into it. */
  giveAway(): void {
    this.#from += (this.#taken + ALIGN_BYTES - 1) & ~(ALIGN_BYTES - 1);
    this.#taken = 0;
  }
}
