/** Changes inputs at random, in memory of its own: one run must cost little more than what is fuzzed. */
import type { Random } from "wirewalk/motion";

/** Numbers that readers compare with. */
const edges = Uint8Array.of(0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 100, 127, 128, 129, 192, 254, 255);
const MAX_CHANGES = 6;
/** The most that one change adds. */
const MAX_ADDED = 1_024;

export class Mutator {
  readonly #random: Random;
  readonly #maxBytes: number;
  readonly #words: readonly Uint8Array[];
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(random: Random, maxBytes: number, words: readonly Uint8Array[]) {
    this.#random = random;
    this.#maxBytes = maxBytes;
    this.#words = words;
    this.#bytes = new Uint8Array(maxBytes + MAX_ADDED);
  }

  /** `base` after a few changes. The bytes are valid until the next call. */
  changed(base: Uint8Array, corpus: readonly Uint8Array[]): Uint8Array {
    this.#length = Math.min(base.length, this.#maxBytes);
    this.#bytes.set(this.#length === base.length ? base : base.subarray(0, this.#length));
    for (let count = this.#below(MAX_CHANGES); count >= 0; count--) {
      this.#change(corpus);
      if (this.#length > this.#maxBytes) this.#length = this.#maxBytes;
    }
    return this.#bytes.subarray(0, this.#length);
  }

  #change(corpus: readonly Uint8Array[]): void {
    const bytes = this.#bytes;
    const length = this.#length;
    const at = this.#below(length);
    switch (this.#below(length === 0 ? 3 : 10)) {
      case 0: {
        const count = 1 + this.#below(6);
        this.#replace(at, 0, count);
        for (let index = at; index < at + count; index++) bytes[index] = this.#byte();
        break;
      }
      case 1: {
        const word = this.#words[this.#below(this.#words.length)];
        this.#replace(at, word !== undefined && this.#below(2) === 0 ? word.length : 0, word?.length ?? 1);
        if (word === undefined) bytes[at] = this.#byte();
        else bytes.set(word, at);
        break;
      }
      case 2: {
        // From here on it is another input.
        const other = corpus[this.#below(corpus.length)];
        if (other === undefined) break;
        const from = this.#below(other.length + 1);
        const count = Math.min(other.length - from, this.#maxBytes - at);
        bytes.set(other.subarray(from, from + count), at);
        this.#length = at + count;
        break;
      }
      case 3:
        bytes[at] = (bytes[at] as number) ^ (1 << this.#below(8));
        break;
      case 4:
        bytes[at] = this.#byte();
        break;
      case 5:
        bytes[at] = (bytes[at] as number) + this.#below(9) - 4;
        break;
      case 6:
        this.#replace(at, 1 + this.#below(8), 0);
        break;
      case 7: {
        // Some bytes come twice.
        const count = Math.min(1 + this.#below(16), length - at);
        this.#replace(at, 0, count);
        break;
      }
      case 8:
        this.#length = at;
        break;
      default: {
        // A length, in two bytes of either order.
        const number = this.#below(2) === 0 ? length - at - 2 : (edges[this.#below(edges.length)] as number) * 64;
        const isLow = this.#below(2) === 0;
        bytes[at] = isLow ? number : number >> 8;
        if (at + 1 < length) bytes[at + 1] = isLow ? number >> 8 : number;
      }
    }
  }

  /** Makes room for `added` bytes in place of `removed`. What stands there is what was there before. */
  #replace(at: number, removed: number, added: number): void {
    const rest = Math.min(this.#length, at + removed);
    this.#bytes.copyWithin(at + added, rest, this.#length);
    this.#length += at + added - rest;
  }

  /** 0 to `count` - 1; 0 if `count` is 0. */
  #below(count: number): number {
    return Math.floor(this.#random.next() * count);
  }

  #byte(): number {
    return this.#below(2) === 0 ? (edges[this.#below(edges.length)] as number) : this.#below(256);
  }
}
