/**
 * Randomness as an argument: a small generator whose whole run follows from its seed, equal on every machine.
 *
 * ```ts
 * const random = createRandom(7);
 * random.next(); // 0 <= x < 1
 * random.integer(1, 6); // a die
 * ```
 */
export interface Random {
  /** A number, 0 <= x < 1, with 32 bits of it random. */
  next(): number;
  /** A whole number, `low` <= x <= `high`. */
  integer(low: number, high: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  /** One of the items. Throws `RangeError` for an empty list. */
  pick<T>(items: readonly T[]): T;
  /** A second generator with its own state: its draws do not change the draws of this one. */
  fork(): Random;
  /** The whole state, an integer: `createRandom(random.save())` draws what this one would draw next. */
  save(): number;
  /** Takes over a state that `save` returned. */
  restore(state: number): void;
}

/**
 * A generator (mulberry32: 32 bits of state, passes gjrand's small tests) that starts from an integer seed. The seed is
 * the state before the first draw.
 */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const next32 = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const random: Random = {
    next: () => next32() / 0x1_0000_0000,
    integer: (low, high) => low + Math.floor(random.next() * (high - low + 1)),
    chance: (probability) => random.next() < probability,
    pick: (items) => {
      if (items.length === 0) throw new RangeError("Cannot pick: no items");
      return items[random.integer(0, items.length - 1)] as (typeof items)[number];
    },
    fork: () => createRandom(next32()),
    save: () => state,
    restore: (saved) => {
      state = saved | 0;
    },
  };
  return random;
}
