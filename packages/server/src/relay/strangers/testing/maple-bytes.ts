/** Bytes of a MapleStory message: little-endian. */
export class MapleWriter {
  readonly #bytes: number[] = [];

  u8(value: number): this {
    this.#bytes.push(value & 255);
    return this;
  }

  u16(value: number): this {
    return this.u8(value).u8(value >> 8);
  }

  u32(value: number): this {
    return this.u16(value).u16(value >> 16);
  }

  bytes(values: Iterable<number>): this {
    for (const value of values) this.#bytes.push(value);
    return this;
  }

  zeros(count: number): this {
    return this.bytes(new Array<number>(count).fill(0));
  }

  /** Its length in two bytes before it. */
  text(value: string): this {
    return this.u16(value.length).bytes(Buffer.from(value, "latin1"));
  }

  done(): Buffer {
    return Buffer.from(this.#bytes);
  }
}

/** Throws a RangeError past the end. */
export class MapleReader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  u8(): number {
    this.#at += 1;
    return this.#bytes.readUInt8(this.#at - 1);
  }

  i16(): number {
    this.#at += 2;
    return this.#bytes.readInt16LE(this.#at - 2);
  }

  u16(): number {
    return this.i16() & 0xffff;
  }

  u32(): number {
    this.#at += 4;
    return this.#bytes.readUInt32LE(this.#at - 4);
  }

  take(count: number): Buffer {
    if (count > this.left) throw new RangeError(`${count} bytes needed, ${this.left} left`);
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  text(): string {
    return this.take(this.u16()).toString("latin1");
  }
}
