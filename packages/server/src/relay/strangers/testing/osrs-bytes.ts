/**
 * Bytes as the game writes them. The names of the three changed orders are those of blurite/rsprot,
 * `buffer/src/main/kotlin/net/rsprot/buffer/extensions/`.
 */
export class ByteWriter {
  readonly #bytes: number[] = [];

  get length(): number {
    return this.#bytes.length;
  }

  u8(value: number): this {
    this.#bytes.push(value & 255);
    return this;
  }

  u8Alt1(value: number): this {
    return this.u8(value + 128);
  }

  u8Alt2(value: number): this {
    return this.u8(-value);
  }

  u8Alt3(value: number): this {
    return this.u8(128 - value);
  }

  u16(value: number): this {
    return this.u8(value >> 8).u8(value);
  }

  u16Alt1(value: number): this {
    return this.u8(value).u8(value >> 8);
  }

  u16Alt2(value: number): this {
    return this.u8(value >> 8).u8Alt1(value);
  }

  u16Alt3(value: number): this {
    return this.u8Alt1(value).u8(value >> 8);
  }

  u24Alt1(value: number): this {
    return this.u8(value)
      .u8(value >> 8)
      .u8(value >> 16);
  }

  u32(value: number): this {
    return this.u16(value >>> 16).u16(value);
  }

  u32Alt1(value: number): this {
    return this.u16Alt1(value).u16Alt1(value >>> 16);
  }

  u32Alt2(value: number): this {
    return this.u16(value).u16(value >>> 16);
  }

  u32Alt3(value: number): this {
    return this.u16Alt1(value >>> 16).u16Alt1(value);
  }

  /** Ends with a zero byte. */
  text(value: string): this {
    return this.bytes(Buffer.from(value, "latin1")).u8(0);
  }

  bytes(values: Iterable<number>): this {
    for (const value of values) this.#bytes.push(value);
    return this;
  }

  done(): Buffer {
    return Buffer.from(this.#bytes);
  }
}

/** Bits, most significant first. */
export class BitWriter {
  readonly #bytes: number[] = [];
  #bit = 0;

  put(bits: number, value: number): void {
    for (let bit = bits - 1; bit >= 0; bit--) {
      if (this.#bit === 0) this.#bytes.push(0);
      const last = this.#bytes.length - 1;
      this.#bytes[last] = (this.#bytes[last] ?? 0) | (((value >>> bit) & 1) << (7 - this.#bit));
      this.#bit = (this.#bit + 1) & 7;
    }
  }

  /** The next bit begins a byte. */
  align(): void {
    this.#bit = 0;
  }

  done(): Buffer {
    return Buffer.from(this.#bytes);
  }
}

/** Bits and bytes of one body. Throws a RangeError past its end. */
export class BitReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get leftBytes(): number {
    return this.#bytes.length - Math.ceil(this.#at / 8);
  }

  take(bits: number): number {
    let value = 0;
    for (let bit = 0; bit < bits; bit++) {
      value = (value << 1) | ((this.#bytes.readUInt8(this.#at >> 3) >> (7 - (this.#at & 7))) & 1);
      this.#at += 1;
    }
    return value;
  }

  align(): void {
    this.#at = (this.#at + 7) & ~7;
  }

  u8(): number {
    return this.take(8);
  }

  u16(): number {
    return this.take(16);
  }

  text(): string {
    const read: number[] = [];
    for (let code = this.u8(); code !== 0; code = this.u8()) read.push(code);
    return Buffer.from(read).toString("latin1");
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.u8()));
  }
}
