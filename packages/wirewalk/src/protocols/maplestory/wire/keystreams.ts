/**
 * The keystreams of the IVs that follow from one IV. A server begins every connection with the same IV and the roll has no
 * secret, so all its connections pass through the same IVs: 25,263 from the IV of our hello on, of which the last rolls to
 * number 5,290. What AES gives for an IV is computed once for all connections: sealing a movement of 31 bytes takes 25 ns
 * instead of 2,300.
 */
import { applyAesOfb, IV_BYTES, rollIv } from "./cipher.ts";

/** Bytes of a keystream that are kept: a movement of three fragments has 58. */
export const KEYSTREAM_BYTES = 64;
/** 32-bit words of a kept keystream. */
export const KEYSTREAM_WORDS = KEYSTREAM_BYTES / 4;
/** IVs of one chain. A chain of random steps through 32 bits comes back to itself after some 80,000. At 72 bytes each: 9 MB. */
const MAX_IVS = 1 << 17;

/** An IV as a number: the first byte is the lowest. */
export function ivWord(iv: Uint8Array): number {
  return (iv[0] as number) | ((iv[1] as number) << 8) | ((iv[2] as number) << 16) | ((iv[3] as number) << 24);
}

export function ivBytes(word: number): Uint8Array {
  return Uint8Array.of(word, word >>> 8, word >>> 16, word >>> 24);
}

/** The IVs that follow from one, by place. */
export class Keystreams {
  /** By place. */
  readonly ivs: Int32Array;
  /** By place {@link KEYSTREAM_WORDS} words, the first byte of the stream in the lowest of the first; valid after `fill`. */
  readonly words: Int32Array;
  readonly #filled: Uint8Array;
  readonly #places = new Map<number, number>();
  /** The place after the last; undefined when the chain was cut off at {@link MAX_IVS}. */
  readonly #afterLast: number | undefined;

  /** Throws `RangeError` unless the IV has four bytes. */
  constructor(first: Uint8Array) {
    if (first.length !== IV_BYTES) throw new RangeError(`iv must have ${IV_BYTES} bytes, got ${first.length}`);
    const ivs: number[] = [];
    for (let word = ivWord(first); !this.#places.has(word) && ivs.length < MAX_IVS; ) {
      this.#places.set(word, ivs.length);
      ivs.push(word);
      word = ivWord(rollIv(ivBytes(word)));
    }
    this.ivs = Int32Array.from(ivs);
    this.#afterLast = this.#places.get(ivWord(rollIv(ivBytes(ivs.at(-1) as number))));
    this.words = new Int32Array(ivs.length * KEYSTREAM_WORDS);
    this.#filled = new Uint8Array(ivs.length);
  }

  /** Where an IV stands in the chain; undefined when it does not. */
  placeOf(iv: Uint8Array): number | undefined {
    return this.#places.get(ivWord(iv));
  }

  /** The place of the IV after this one. */
  next(place: number): number | undefined {
    return place + 1 < this.ivs.length ? place + 1 : this.#afterLast;
  }

  /** Computes the keystream of a place unless it was computed before. */
  fill(place: number): void {
    if (this.#filled[place] === 1) return;
    this.#filled[place] = 1;
    const stream = new Uint8Array(KEYSTREAM_BYTES);
    applyAesOfb(stream, ivBytes(this.ivs[place] as number));
    const view = new DataView(stream.buffer);
    for (let index = 0; index < KEYSTREAM_WORDS; index++) {
      this.words[place * KEYSTREAM_WORDS + index] = view.getInt32(index * 4, true);
    }
  }
}
