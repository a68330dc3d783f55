/**
 * ISAAC (Bob Jenkins, 1996), with which the game hides opcodes after the login: each opcode is one byte plus the low byte of the next
 * number. The login gives both sides four words; the server's numbers are seeded with each of them plus 50.
 */

const SIZE = 256;
const GOLDEN = 0x9e37_79b9;
/** What the server's seeds are beyond the client's. */
const SERVER_OFFSET = 50;
export const SEED_WORDS = 4;

/** The state of an {@link Isaac}, as plain data. */
export interface SavedIsaac {
  readonly memory: Uint32Array;
  readonly results: Uint32Array;
  readonly words: readonly [a: number, b: number, c: number];
  readonly left: number;
}

/** A stream of 32-bit numbers from a seed. */
export class Isaac {
  #memory = new Uint32Array(SIZE);
  /** Taken from the end. */
  #results = new Uint32Array(SIZE);
  #left = 0;
  #a = 0;
  #b = 0;
  #c = 0;

  /** At most 256 words; the rest is 0. */
  constructor(seed: readonly number[]) {
    const state = new Uint32Array(8).fill(GOLDEN);
    for (let round = 0; round < 4; round++) mix(state);
    const seeds = new Uint32Array(SIZE);
    seeds.set(seed);
    for (const words of [seeds, this.#memory]) {
      for (let at = 0; at < SIZE; at += 8) {
        for (let word = 0; word < 8; word++) add(state, word, words[at + word] as number);
        mix(state);
        this.#memory.set(state, at);
      }
    }
  }

  /** The next number, 0 <= x < 2^32. */
  next(): number {
    if (this.#left === 0) {
      this.#generate();
      this.#left = SIZE;
    }
    this.#left -= 1;
    return this.#results[this.#left] as number;
  }

  save(): SavedIsaac {
    return {
      memory: this.#memory.slice(),
      results: this.#results.slice(),
      words: [this.#a, this.#b, this.#c],
      left: this.#left,
    };
  }

  restore({ memory, results, words, left }: SavedIsaac): void {
    this.#memory = memory.slice();
    this.#results = results.slice();
    [this.#a, this.#b, this.#c] = words;
    this.#left = left;
  }

  #generate(): void {
    const memory = this.#memory;
    this.#c = (this.#c + 1) >>> 0;
    this.#b = (this.#b + this.#c) >>> 0;
    for (let at = 0; at < SIZE; at++) {
      const x = memory[at] as number;
      this.#a = ((this.#a ^ shifted(this.#a, at)) + (memory[(at + 128) & 255] as number)) >>> 0;
      const y = ((memory[(x >>> 2) & 255] as number) + this.#a + this.#b) >>> 0;
      memory[at] = y;
      this.#b = ((memory[(y >>> 10) & 255] as number) + x) >>> 0;
      this.#results[at] = this.#b;
    }
  }
}

function shifted(a: number, at: number): number {
  switch (at & 3) {
    case 0:
      return a << 13;
    case 1:
      return a >>> 6;
    case 2:
      return a << 2;
    default:
      return a >>> 16;
  }
}

function add(state: Uint32Array, word: number, value: number): void {
  state[word] = (state[word] as number) + value;
}

/** Shifts of `mix` in order: to the left above 0, to the right below. */
const shifts = [11, -2, 8, -16, 10, -4, 8, -9];

function mix(state: Uint32Array): void {
  for (let word = 0; word < 8; word++) {
    const shift = shifts[word] as number;
    const next = state[(word + 1) & 7] as number;
    const own = state[word] as number;
    state[word] = own ^ (shift > 0 ? next << shift : next >>> -shift);
    add(state, (word + 3) & 7, state[word] as number);
    add(state, (word + 1) & 7, state[(word + 2) & 7] as number);
  }
}

/** A plain opcode of a server as it is carried: one byte, or from 128 on two. */
export function smartOpcode(opcode: number): readonly number[] {
  return opcode >= 0x80 ? [(opcode >>> 8) | 0x80, opcode & 0xff] : [opcode];
}

/** Hides the opcodes that one side sends, and the bodies of a few messages. */
export class OpcodeCipher {
  readonly #numbers: Isaac;
  /** Whether opcodes from 128 on are two bytes, both hidden: those of the server (`readSmartByteShortIsaac` of the clients). */
  readonly isSmart: boolean;

  /** The words of the client's seed. */
  constructor(sender: "client" | "server", seed: readonly number[]) {
    this.isSmart = sender === "server";
    this.#numbers = new Isaac(sender === "client" ? seed : seed.map((word) => (word + SERVER_OFFSET) >>> 0));
  }

  reveal(byte: number): number {
    return (byte - this.#numbers.next()) & 0xff;
  }

  /** An opcode as it is carried. */
  hide(opcode: number): readonly number[] {
    const bytes = this.isSmart ? smartOpcode(opcode) : [opcode];
    return bytes.map((byte) => (byte + this.#numbers.next()) & 0xff);
  }

  /** Bytes of a body that is hidden too: each takes a number after those of the opcode. */
  revealBytes(bytes: Uint8Array): Uint8Array {
    return bytes.map((byte) => this.reveal(byte));
  }

  hideBytes(bytes: Uint8Array): Uint8Array {
    return bytes.map((byte) => byte + this.#numbers.next());
  }

  /** Passes over numbers that hid something else than opcodes. */
  skip(count: number): void {
    for (let times = 0; times < count; times++) this.#numbers.next();
  }

  save(): SavedIsaac {
    return this.#numbers.save();
  }

  restore(saved: SavedIsaac): void {
    this.#numbers.restore(saved);
  }
}
