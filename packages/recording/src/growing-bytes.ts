/** Memory that grows at its end. Writers reserve room, write into `bytes` or `view`, and move `length`. */
export class GrowingBytes {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  length = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Another array after each `reserve` that found too little room. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes;
  }

  get view(): DataView {
    return this.#view;
  }

  /** What was written so far; valid until more is written. */
  get written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length);
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Room for so many bytes more. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.written);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}
