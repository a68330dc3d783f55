/** The two ways in which Zstandard (RFC 8878) packs bits: forwards in tables, and backwards in streams. */

/** Low bits first. Bits behind the end are zero; `check` refuses to have used them. */
export class ForwardBits {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  read(count: number): number {
    const value = bitsAt(this.#bytes, this.#at, count);
    this.#at += count;
    return value;
  }

  /** Gives a bit back. */
  unread(): void {
    this.#at -= 1;
  }

  /** Bytes that were begun. Throws when there were not so many. */
  get usedBytes(): number {
    const used = (this.#at + 7) >> 3;
    if (used > this.#bytes.length) throw new RangeError("a table of zstd ends early");
    return used;
  }
}

/** From the end to the start: the highest bit that is set in the last byte ends the stream. */
export class BackwardBits {
  readonly #bytes: Uint8Array;
  /** Bits that are left; below zero when more were read than there are. */
  left: number;

  constructor(bytes: Uint8Array) {
    const last = bytes.at(-1) ?? 0;
    if (last === 0) throw new RangeError("a stream of zstd has no end mark");
    this.#bytes = bytes;
    this.left = (bytes.length - 1) * 8 + highestBit(last);
  }

  read(count: number): number {
    this.left -= count;
    return this.#at(this.left, count);
  }

  /** The next bits, which are not taken. */
  peek(count: number): number {
    return this.#at(this.left - count, count);
  }

  /** Bits before the start are zero. */
  #at(place: number, count: number): number {
    if (place >= 0) return bitsAt(this.#bytes, place, count);
    const there = count + place;
    return there <= 0 ? 0 : bitsAt(this.#bytes, 0, there) * 2 ** -place;
  }
}

/** At most 25 bits from a place on. */
function bitsAt(bytes: Uint8Array, place: number, count: number): number {
  const at = place >> 3;
  const word =
    (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
  return (word >>> (place & 7)) & ((1 << count) - 1);
}

/** The number of the highest bit that is set: 0 for 1, 3 for 8. */
export function highestBit(value: number): number {
  return 31 - Math.clz32(value);
}
