/** Random play on a map, like a person's, for captures of tests and benches. */
import type { Random } from "../../../motion/index.ts";
import type { MapleMap } from "../maps/map.ts";
import { createWalker, type Keys, type Move, sitDown, stepWalker, type Walker } from "../movement/walker.ts";
import { keyBits } from "../wire/path-blocks.ts";

/** The key nibble of a step. */
export function nibbleOf(keys: Keys): number {
  return (
    (keys.down ? keyBits.down : 0) |
    (keys.up ? keyBits.up : 0) |
    (keys.right ? keyBits.right : 0) |
    (keys.left ? keyBits.left : 0)
  );
}

/** One played step. */
export interface PlayedStep {
  readonly moves: readonly Move[];
  readonly keys: number;
  /** Where it truly is after the step. */
  readonly x: number;
  readonly y: number;
}

/** Plays step after step. */
export class Play {
  readonly body: Walker;
  readonly #map: MapleMap;
  readonly #stepMs: number;

  constructor(map: MapleMap, place: { readonly x: number; readonly y: number }, stepMs: number) {
    this.#map = map;
    this.#stepMs = stepMs;
    this.body = createWalker(map, place);
  }

  step(keys: Keys, sits = false): PlayedStep {
    const sat = sits ? sitDown(this.body, this.#map) : undefined;
    const moves = [...(sat === undefined ? [] : [sat]), ...stepWalker(this.body, keys, this.#map, this.#stepMs)];
    return { moves, keys: nibbleOf(keys), x: this.body.x, y: this.body.y };
  }
}

const wishes: readonly Keys[] = [
  {},
  {},
  { left: true },
  { left: true },
  { right: true },
  { right: true },
  { left: true, jump: true },
  { right: true, jump: true },
  { jump: true },
  { up: true },
  { up: true },
  { down: true },
  { down: true, jump: true },
];

/** Random keys, each held for a while. */
export function randomKeys(random: Random): () => { readonly keys: Keys; readonly sits: boolean } {
  let keys: Keys = {};
  let left = 0;
  return () => {
    left -= 1;
    const sits = left === 0 && random.chance(0.02);
    if (left <= 0) {
      keys = sits ? {} : random.pick(wishes);
      left = random.integer(4, 60);
    }
    return { keys, sits };
  };
}
