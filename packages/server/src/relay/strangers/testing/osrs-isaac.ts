/**
 * ISAAC as Bob Jenkins published it (rand.c), with the results given from the last to the first, as the game takes them
 * (`crypto/src/main/kotlin/net/rsprot/crypto/cipher/IsaacRandom.kt` of blurite/rsprot).
 */
const SIZE = 256;

/** Shifts of the mixing steps: negative to the right. */
const MIXING = [11, -2, 8, -16, 10, -4, 8, -9] as const;
const STIRRING = [13, -6, 2, -16] as const;

const shifted = (word: number, by: number): number => (by > 0 ? word << by : word >>> -by);

export class Isaac {
  readonly #results = new Int32Array(SIZE);
  readonly #memory = new Int32Array(SIZE);
  #a = 0;
  #b = 0;
  #c = 0;
  #left = SIZE;

  constructor(seed: readonly number[]) {
    this.#results.set(seed);
    const mix = new Int32Array(8).fill(0x9e3779b9);
    for (let round = 0; round < 4; round++) stir(mix);
    for (const source of [this.#results, this.#memory]) {
      for (let at = 0; at < SIZE; at += 8) {
        for (let k = 0; k < 8; k++) mix[k] = word(mix, k) + word(source, at + k);
        stir(mix);
        this.#memory.set(mix, at);
      }
    }
    this.#generate();
  }

  /** A number of 32 bits, signed. */
  next(): number {
    if (this.#left === 0) {
      this.#generate();
      this.#left = SIZE;
    }
    this.#left -= 1;
    return word(this.#results, this.#left);
  }

  #generate(): void {
    const memory = this.#memory;
    this.#c = (this.#c + 1) | 0;
    let [a, b] = [this.#a, (this.#b + this.#c) | 0];
    for (let i = 0; i < SIZE; i++) {
      const x = word(memory, i);
      a = ((a ^ shifted(a, STIRRING[(i & 3) as 0 | 1 | 2 | 3])) + word(memory, (i + SIZE / 2) % SIZE)) | 0;
      const y = (word(memory, (x >>> 2) & 255) + a + b) | 0;
      memory[i] = y;
      b = (word(memory, (y >>> 10) & 255) + x) | 0;
      this.#results[i] = b;
    }
    this.#a = a;
    this.#b = b;
  }
}

const word = (words: Int32Array, at: number): number => words[at] ?? 0;

function stir(mix: Int32Array): void {
  for (const [k, shift] of MIXING.entries()) {
    const [next, second, third] = [(k + 1) & 7, (k + 2) & 7, (k + 3) & 7];
    mix[k] = word(mix, k) ^ shifted(word(mix, next), shift);
    mix[third] = word(mix, third) + word(mix, k);
    mix[next] = word(mix, next) + word(mix, second);
  }
}
