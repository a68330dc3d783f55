/** Footholds by their place: a map has up to 1,833 of them, and every node of a path asks for those near it. */
import type { Point } from "../wire/messages.ts";
import type { Foothold, MapArea } from "./foothold.ts";

/** A foothold to stand on, and its height at the place that was asked for. */
export interface GroundBelow {
  readonly foothold: Foothold;
  readonly y: number;
}

/** How far above a position a foothold is still at it, pixels: rounding must not be a step down. */
const EDGE_PX = 0.001;
/** Pixels of a column. A foothold of a real map is 90 wide. */
const COLUMN_PX = 64;
/** Columns at most: a wild map gets wider ones. */
const MAX_COLUMNS = 4096;

/** No place: no map has one so far out. */
const nowhere: MapArea = { left: 0, top: 0, right: 0, bottom: 0 };

/** In columns those that are no walls, the highest first; walls by x. */
export class FootholdIndex {
  readonly bounds: MapArea;
  readonly #width: number;
  /** Column `i` has the lines from `starts[i]` to `starts[i + 1]`. */
  readonly #starts: Int32Array;
  readonly #lines: readonly Foothold[];
  /** The upper end of each line, with the same places. */
  readonly #tops: Float64Array;
  readonly #walls: readonly Foothold[];
  readonly #wallX: Float64Array;

  constructor(footholds: readonly Foothold[]) {
    this.bounds = boundsOf(footholds);
    const { left, right } = this.bounds;
    this.#width = Math.max(COLUMN_PX, (right - left) / (MAX_COLUMNS - 1));
    const columns: Foothold[][] = Array.from({ length: this.#columnOf(right) + 1 }, () => []);
    const slopes = footholds.filter(({ x1, x2 }) => x1 !== x2).sort((a, b) => topOf(a) - topOf(b));
    for (const foothold of slopes) {
      const [from, to] = [Math.min(foothold.x1, foothold.x2), Math.max(foothold.x1, foothold.x2)];
      for (let column = this.#columnOf(from); column <= this.#columnOf(to); column++) columns[column]?.push(foothold);
    }
    this.#starts = new Int32Array(columns.length + 1);
    columns.forEach((column, at) => {
      this.#starts[at + 1] = (this.#starts[at] as number) + column.length;
    });
    this.#lines = columns.flat();
    this.#tops = Float64Array.from(this.#lines, topOf);
    this.#walls = footholds.filter(({ x1, x2 }) => x1 === x2).sort((a, b) => a.x1 - b.x1);
    this.#wallX = Float64Array.from(this.#walls, ({ x1 }) => x1);
  }

  below(x: number, y: number): GroundBelow | undefined {
    const { left, right } = this.bounds;
    if (!(x >= left && x <= right)) return undefined;
    const column = this.#columnOf(x);
    const end = this.#starts[column + 1] as number;
    let found: Foothold | undefined;
    let height = Number.POSITIVE_INFINITY;
    for (let at = this.#starts[column] as number; at < end && (this.#tops[at] as number) < height; at++) {
      const line = this.#lines[at] as Foothold;
      if (x < line.x1 || x > line.x2) continue;
      const here = line.y1 + ((line.y2 - line.y1) * (x - line.x1)) / (line.x2 - line.x1);
      if (here < y - EDGE_PX || here >= height) continue;
      found = line;
      height = here;
    }
    return found && { foothold: found, y: height };
  }

  isNear(x: number, y: number, reach: number): boolean {
    for (let column = this.#columnOf(x - reach); column <= this.#columnOf(x + reach); column++) {
      const end = this.#starts[column + 1] as number;
      for (let at = this.#starts[column] as number; at < end && (this.#tops[at] as number) <= y + reach; at++) {
        const line = this.#lines[at] as Foothold;
        if (isBeside(line, x, reach) && Math.abs(clampedHeight(line, x) - y) <= reach) return true;
      }
    }
    return false;
  }

  isBelowAll(x: number, y: number, reach: number): boolean {
    let isAny = false;
    for (let column = this.#columnOf(x - reach); column <= this.#columnOf(x + reach); column++) {
      const end = this.#starts[column + 1] as number;
      for (let at = this.#starts[column] as number; at < end; at++) {
        const line = this.#lines[at] as Foothold;
        if (!isBeside(line, x, reach)) continue;
        if (clampedHeight(line, x) >= y) return false;
        isAny = true;
      }
    }
    return isAny;
  }

  wallBetween(from: Point, to: Point): Foothold | undefined {
    if (from.x === to.x) return undefined;
    const goesRight = to.x > from.x;
    const step = goesRight ? 1 : -1;
    const slope = (to.y - from.y) / (to.x - from.x);
    for (let at = this.#firstWall(from.x, goesRight); ; at += step) {
      const wall = this.#walls[at];
      if (wall === undefined || (goesRight ? wall.x1 >= to.x : wall.x1 <= to.x)) return undefined;
      const y = from.y + slope * (wall.x1 - from.x);
      if (y >= topOf(wall) && y <= Math.max(wall.y1, wall.y2)) return wall;
    }
  }

  within({ left, top, right, bottom }: MapArea): readonly Foothold[] {
    const found: Foothold[] = [];
    const [first, last] = [this.#columnOf(left), this.#columnOf(right)];
    for (let column = first; column <= last; column++) {
      const end = this.#starts[column + 1] as number;
      for (let at = this.#starts[column] as number; at < end && (this.#tops[at] as number) <= bottom; at++) {
        const line = this.#lines[at] as Foothold;
        const [from, to] = line.x1 < line.x2 ? [line.x1, line.x2] : [line.x2, line.x1];
        // Of the columns that it is in, the first that is looked at has it.
        if (Math.max(first, this.#columnOf(from)) !== column || to < left || from > right) continue;
        if (Math.max(line.y1, line.y2) >= top) found.push(line);
      }
    }
    for (let at = this.#firstWall(left, false) + 1; ; at++) {
      const wall = this.#walls[at];
      if (wall === undefined || wall.x1 > right) return found;
      if (topOf(wall) <= bottom && Math.max(wall.y1, wall.y2) >= top) found.push(wall);
    }
  }

  /** The place of the first wall behind x, in the direction of the way. */
  #firstWall(x: number, goesRight: boolean): number {
    let low = 0;
    let high = this.#wallX.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const isBefore = goesRight ? (this.#wallX[middle] as number) <= x : (this.#wallX[middle] as number) < x;
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return goesRight ? low : low - 1;
  }

  #columnOf(x: number): number {
    const { left, right } = this.bounds;
    return Math.floor((Math.min(Math.max(x, left), right) - left) / this.#width);
  }
}

function topOf({ y1, y2 }: Foothold): number {
  return Math.min(y1, y2);
}

function isBeside({ x1, x2 }: Foothold, x: number, reach: number): boolean {
  return x >= Math.min(x1, x2) - reach && x <= Math.max(x1, x2) + reach;
}

/** The height at x, or at the end that is nearer to it. */
function clampedHeight({ x1, y1, x2, y2 }: Foothold, x: number): number {
  const at = Math.min(Math.max(x, Math.min(x1, x2)), Math.max(x1, x2));
  return y1 + ((y2 - y1) * (at - x1)) / (x2 - x1);
}

function boundsOf(footholds: readonly Foothold[]): MapArea {
  if (footholds.length === 0) return nowhere;
  let { left, top, right, bottom } = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x1, y1, x2, y2 } of footholds) {
    left = Math.min(left, x1, x2);
    right = Math.max(right, x1, x2);
    top = Math.min(top, y1, y2);
    bottom = Math.max(bottom, y1, y2);
  }
  return { left, top, right, bottom };
}
