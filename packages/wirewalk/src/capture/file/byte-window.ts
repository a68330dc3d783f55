/**
 * The bytes of a file that were read and not yet used, in one piece. The reader of a format looks at them, takes what it needs and
 * waits for more.
 */
export class ByteWindow {
  bytes: Uint8Array = new Uint8Array(0);
  view: DataView = new DataView(new ArrayBuffer(0));
  /** The first byte that was not taken, as an index of `bytes`. */
  at = 0;
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
    const rest = this.length;
    if (rest === 0) this.#set(chunk);
    else {
      const joined = new Uint8Array(rest + chunk.length);
      joined.set(this.bytes.subarray(this.at));
      joined.set(chunk, rest);
      this.#set(joined);
    }
  }

  /** Copies what is left, so that the chunk it came from can be reused. */
  detach(): void {
    this.#set(this.bytes.slice(this.at));
  }

  /** Takes bytes that are there. */
  skip(count: number): void {
    this.at += count;
  }

  #set(bytes: Uint8Array): void {
    this.#base += this.at;
    this.at = 0;
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}
