import { number, type StateOf, state } from "../../world-kit/index.ts";
import type { NodePath } from "../movement/nodes.ts";

/** A side balance as plain data. */
export const savedSideBalance = state({ left: number, right: number });
type SavedSideBalance = StateOf<typeof savedSideBalance>;

/** How far a controller's monsters have moved to the left and to the right, pixels. */
export class SideBalance {
  readonly #windowPx: number;
  #left: number;
  #right: number;

  /** @param windowPx the distance after which the balance counts. */
  constructor(windowPx: number, { left, right }: SavedSideBalance = { left: 0, right: 0 }) {
    this.#windowPx = windowPx;
    this.#left = left;
    this.#right = right;
  }

  save(): SavedSideBalance {
    return { left: this.#left, right: this.#right };
  }

  add(path: NodePath): void {
    let { x: at } = path.start;
    for (const { x } of path.nodes) {
      if (x < at) this.#left += at - x;
      else this.#right += x - at;
      at = x;
    }
    if (this.#left + this.#right < 2 * this.#windowPx) return;
    // Old movement counts less and less.
    this.#left /= 2;
    this.#right /= 2;
  }

  /** 0 balanced, 1 all to one side; undefined before enough movement. */
  get imbalance(): number | undefined {
    const all = this.#left + this.#right;
    return all < this.#windowPx ? undefined : Math.abs(this.#left - this.#right) / all;
  }
}
