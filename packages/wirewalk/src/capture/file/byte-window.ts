/**
 * The bytes of a file that were read and not yet used, in one piece. The reader of a format looks at them, takes what it needs and
 * waits for more.
 */
export class ByteWindow {
  bytes: Uint8Array = new Uint8Array(0);
  view: DataView = new DataView(new ArrayBuffer(0));
  /** The first byte that was not taken, as an index of `bytes`. */
  at = 0;
  /** What is left between two chunks. */
  #memory = new Uint8Array(0);
  /** The place of `bytes[0]` in the file. */
  #base = 0;

  /** Bytes that can be looked at. */
  get length(): number {
    return this.bytes.length - this.at;
  }

  /** The place of the next byte in the file. */
  get offset(): number {
    return this.#base + this.at;
  }

  /** Adds the next bytes of the file. They may be reused after {@link detach}. */
  push(chunk: Uint8Array): void {
    const { length } = this;
    if (length === 0) {
      this.#set(chunk);
      return;
    }
    const end = this.bytes.length;
    if (this.bytes.buffer !== this.#memory.buffer || end + chunk.length > this.#memory.length) {
      this.#keep(Math.max(length + chunk.length, length * 2));
    }
    const from = this.bytes.length;
    this.#memory.set(chunk, from);
    this.#view(this.#memory.subarray(0, from + chunk.length));
  }

  /** Keeps what is left, so that the chunk it came from can be reused. */
  detach(): void {
    if (this.length > 0 && this.bytes.buffer === this.#memory.buffer) return;
    if (this.length === 0) this.#set(new Uint8Array(0));
    else this.#keep(this.length * 2);
  }

  /** Takes bytes that are there. */
  skip(count: number): void {
    this.at += count;
  }

  /** Copies what is left to memory of its own, which has room for more: a long block is not copied with each chunk. */
  #keep(capacity: number): void {
    const memory = new Uint8Array(capacity);
    memory.set(this.bytes.subarray(this.at));
    const { length } = this;
    this.#memory = memory;
    this.#set(memory.subarray(0, length));
  }

  #set(bytes: Uint8Array): void {
    this.#base += this.at;
    this.at = 0;
    this.#view(bytes);
  }

  #view(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}
