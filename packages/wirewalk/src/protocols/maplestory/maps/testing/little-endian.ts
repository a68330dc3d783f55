/** Bytes that grow, little endian. */
export class LittleEndian {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  length = 0;

  u8(value: number): void {
    const at = this.#grow(1);
    this.#view.setUint8(at, value);
  }

  u16(value: number): void {
    const at = this.#grow(2);
    this.#view.setUint16(at, value, true);
  }

  u32(value: number): void {
    const at = this.#grow(4);
    this.#view.setUint32(at, value, true);
  }

  u64(value: number): void {
    const at = this.#grow(8);
    this.#view.setBigInt64(at, BigInt(value), true);
  }

  f32(value: number): void {
    const at = this.#grow(4);
    this.#view.setFloat32(at, value, true);
  }

  f64(value: number): void {
    const at = this.#grow(8);
    this.#view.setFloat64(at, value, true);
  }

  raw(bytes: Uint8Array): void {
    const at = this.#grow(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** Changes what was written. */
  setU32(at: number, value: number): void {
    this.#view.setUint32(at, value, true);
  }

  done(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }

  #grow(length: number): number {
    const at = this.length;
    this.length += length;
    if (this.length > this.#bytes.length) {
      const bytes = new Uint8Array(Math.max(this.length, 2 * this.#bytes.length));
      bytes.set(this.#bytes);
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer);
    }
    return at;
  }
}
