/** Numbers that lie across bytes, for generated readers and writers. */

// Without floats a codec brings none of these.
const floatBytes = new ArrayBuffer(4);
const float = /* @__PURE__ */ new Float32Array(floatBytes);
const floatWord = /* @__PURE__ */ new Int32Array(floatBytes);

/** The float of 32 bits. */
export function floatOf(word: number): number {
  floatWord[0] = word;
  return float[0] as number;
}

/** The 32 bits of a number, rounded to the nearest float. */
export function floatWordOf(value: number): number {
  float[0] = value;
  return floatWord[0] as number;
}

/** Eight bytes, low byte first. */
export function bigAt(b: Uint8Array, at: number): bigint {
  return (BigInt(wordAt(b, at + 4)) << 32n) | BigInt(wordAt(b, at));
}

function wordAt(b: Uint8Array, at: number): number {
  return (
    ((b[at] as number) |
      ((b[at + 1] as number) << 8) |
      ((b[at + 2] as number) << 16) |
      ((b[at + 3] as number) << 24)) >>>
    0
  );
}

/** Writes eight bytes, low byte first, and says whether the value fits. */
export function putBig(b: Uint8Array, at: number, value: unknown): boolean {
  if (typeof value !== "bigint" || value < 0n || value >= 1n << 64n) return false;
  const low = Number(value & 0xffff_ffffn);
  const high = Number(value >> 32n);
  for (let index = 0; index < 4; index++) {
    b[at + index] = low >>> (8 * index);
    b[at + 4 + index] = high >>> (8 * index);
  }
  return true;
}

/** Up to so many bits are taken out of one word with those before them. */
const WORD_BITS = 25;

/** Bits at any place, the most significant one first. */
export function highBits(b: Uint8Array, bit: number, width: number): number {
  if (width > WORD_BITS) {
    const high = highBits(b, bit, width - 16);
    return high * 65_536 + highBits(b, bit + width - 16, 16);
  }
  const at = bit >> 3;
  // Past the end of the bytes is 0, and none of that is kept.
  const word =
    ((b[at] as number) << 24) | ((b[at + 1] as number) << 16) | ((b[at + 2] as number) << 8) | (b[at + 3] as number);
  return (word << (bit & 7)) >>> (32 - width);
}

/** Writes bits at any place, the most significant one first. What follows in the last byte becomes 0. */
export function putHighBits(b: Uint8Array, bit: number, width: number, value: number): void {
  let at = bit;
  for (let left = width; left > 0; ) {
    const used = at & 7;
    const count = Math.min(8 - used, left);
    const piece = Math.floor(value / 2 ** (left - count)) & (0xff >> (8 - count));
    const moved = piece << (8 - used - count);
    b[at >> 3] = used === 0 ? moved : (b[at >> 3] as number) | moved;
    at += count;
    left -= count;
  }
}
