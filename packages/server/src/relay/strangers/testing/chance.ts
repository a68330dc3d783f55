/** Seeded numbers: xorshift of 32 bits. Equal seeds give equal runs. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 0x9e3779b1) | 1;
  }

  /** 0 to limit - 1. */
  below(limit: number): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return (x >>> 0) % limit;
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  word(): number {
    return this.below(0x1_0000_0000);
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)));
  }
}
