/** Rectangles by their place along x: a room may have thousands of blocks, and a question is about a few pixels. */

/** The edges of a rectangle, f32 pixels; all of them belong to it. */
export interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Columns at most, and their width at least, pixels. */
const MOST = 256;
const NARROWEST = 64;
/** Wide rectangles lie in many columns: fewer columns are made when each lies in more than this on average. */
const MOST_SHARED = 8;

const nothing: readonly Edges[] = [];

/** Finds the rectangles that reach into a column. */
export class Columns {
  readonly #left: number;
  readonly #width: number;
  readonly #columns: readonly (readonly Edges[])[];

  constructor(all: readonly Edges[]) {
    let left = Infinity;
    let right = -Infinity;
    for (const each of all) {
      left = Math.min(left, each.left);
      right = Math.max(right, each.right);
    }
    this.#left = left;
    let width = Math.max(NARROWEST, (right - left) / (MOST - 1));
    const shared = (): number =>
      all.reduce((sum, each) => sum + 1 + Math.floor((each.right - each.left) / width), 0) / all.length;
    while (width < right - left && shared() > MOST_SHARED) width *= 2;
    this.#width = width;
    const columns: Edges[][] = Array.from({ length: all.length === 0 ? 0 : this.#at(right) + 1 }, () => []);
    for (const each of all) {
      const last = this.#at(each.right);
      for (let column = this.#at(each.left); column <= last; column++) columns[column]?.push(each);
    }
    this.#columns = columns;
  }

  /** All that may lie at x. */
  at(x: number): readonly Edges[] {
    return this.#columns[this.#at(x)] ?? nothing;
  }

  /** Calls `use` for all that may lie between two places, for some of them several times. */
  between(x1: number, x2: number, use: (edges: Edges) => void): void {
    const first = Math.max(0, this.#at(Math.min(x1, x2)));
    const last = Math.min(this.#columns.length - 1, this.#at(Math.max(x1, x2)));
    for (let column = first; column <= last; column++) for (const each of this.#columns[column] ?? nothing) use(each);
  }

  #at(x: number): number {
    return Math.floor((x - this.#left) / this.#width);
  }
}
