/** Footholds by their place: a map has up to 1,833 of them, and every node of a path asks for those near it. */
import type { Point } from "../wire/messages.ts";
import { distanceTo, type Foothold, type MapArea } from "./foothold.ts";

/** A foothold to stand on, and its height at the place that was asked for. */
export interface GroundBelow {
  readonly foothold: Foothold;
  readonly y: number;
}

/** The foothold at a place. */
export interface NearGround {
  readonly foothold: Foothold;
  /** Whether another that does not go on in it is as near as was asked for. */
  readonly isVague: boolean;
}

/** How far above a position a foothold is still at it, pixels: rounding must not be a step down. */
const EDGE_PX = 0.001;
/** How far above a foothold a rising body has left it, pixels. */
const LEFT_PX = 0.01;
/** Pixels of a column. A foothold of a real map is 90 wide. */
const COLUMN_PX = 64;
/** Columns at most: a wild map gets wider ones. */
const MAX_COLUMNS = 4096;

/** In how many columns a foothold is in the mean, at most. In real maps it is in two. */
const LINES_PER_FOOTHOLD = 16;
const noWalls: readonly Foothold[] = [];

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
  /** How far down the lines of a column reach from their upper ends at most. */
  readonly #reach: Float64Array;
  readonly #walls: readonly Foothold[];
  /** Floors that cannot be passed from below: a few in some maps. */
  readonly #blocking: readonly Foothold[];
  readonly #wallX: Float64Array;

  constructor(footholds: readonly Foothold[]) {
    this.bounds = boundsOf(footholds);
    const { left, right } = this.bounds;
    this.#width = columnWidth(footholds, right - left);
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
    this.#reach = Float64Array.from(columns, (column) =>
      column.reduce((most, { y1, y2 }) => Math.max(most, Math.abs(y2 - y1)), 0),
    );
    this.#blocking = footholds.filter(({ x1, x2, blocksRise }) => blocksRise === true && x1 < x2);
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
    for (let at = this.#firstReaching(column, y - EDGE_PX); at < end && (this.#tops[at] as number) < height; at++) {
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
      for (let at = this.#firstReaching(column, y - reach); at < end && (this.#tops[at] as number) <= y + reach; at++) {
        const line = this.#lines[at] as Foothold;
        if (isBeside(line, x, reach) && Math.abs(clampedHeight(line, x) - y) <= reach) return true;
      }
    }
    return false;
  }

  isBelowAll(x: number, y: number, reach: number): boolean {
    let isAny = false;
    for (let column = this.#columnOf(x - reach); column <= this.#columnOf(x + reach); column++) {
      const start = this.#starts[column] as number;
      // The lowest first: of most places one is below.
      for (let at = (this.#starts[column + 1] as number) - 1; at >= start; at--) {
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

  /** Walls from one x to another, both included, from left to right. */
  wallsFrom(left: number, right: number): readonly Foothold[] {
    const from = this.#firstWall(left, false) + 1;
    const to = this.#firstWall(right, true);
    return from >= to ? noWalls : this.#walls.slice(from, to);
  }

  hasWalls(left: number, right: number): boolean {
    const at = this.#firstWall(left, false) + 1;
    return at < this.#wallX.length && (this.#wallX[at] as number) <= right;
  }

  nearest(x: number, y: number, reach: number, besides: number): NearGround | undefined {
    const first = this.#columnOf(x - reach);
    const last = this.#columnOf(x + reach);
    let nearest: Foothold | undefined;
    let nearestPx = reach;
    let other = false;
    for (let column = first; column <= last; column++) {
      const end = this.#starts[column + 1] as number;
      for (let at = this.#firstReaching(column, y - reach); at < end && (this.#tops[at] as number) <= y + reach; at++) {
        const line = this.#lines[at] as Foothold;
        const px = distanceTo(line, x, y);
        if (line === nearest || px > reach) continue;
        if (px > nearestPx || (px === nearestPx && nearest !== undefined && line.id > nearest.id)) {
          other ||= px <= besides;
          continue;
        }
        other ||= nearest !== undefined && nearestPx <= besides;
        nearest = line;
        nearestPx = px;
      }
    }
    if (nearest === undefined) return undefined;
    return { foothold: nearest, isVague: other && this.#hasOther(nearest, x, y, besides) };
  }

  /** Whether a line that does not go on in another is near a place, too. */
  #hasOther(ground: Foothold, x: number, y: number, reach: number): boolean {
    for (let column = this.#columnOf(x - reach); column <= this.#columnOf(x + reach); column++) {
      const end = this.#starts[column + 1] as number;
      for (let at = this.#firstReaching(column, y - reach); at < end && (this.#tops[at] as number) <= y + reach; at++) {
        const line = this.#lines[at] as Foothold;
        if (line !== ground && !joins(ground, line) && distanceTo(line, x, y) <= reach) return true;
      }
    }
    return false;
  }

  landing(from: Point, to: Point, except: number): GroundBelow | undefined {
    const { left, right } = this.bounds;
    if (!(to.x >= left && to.x <= right)) return undefined;
    const rises = to.y < from.y;
    const column = this.#columnOf(to.x);
    const end = this.#starts[column + 1] as number;
    let found: Foothold | undefined;
    let height = Number.POSITIVE_INFINITY;
    for (let at = this.#starts[column] as number; at < end && (this.#tops[at] as number) <= to.y; at++) {
      const line = this.#lines[at] as Foothold;
      if (to.x < line.x1 || to.x > line.x2 || line.id === except) continue;
      const slope = (line.y2 - line.y1) / (line.x2 - line.x1);
      const here = line.y1 + slope * (to.x - line.x1);
      if (to.y < here || here >= height) continue;
      const before = line.y1 + slope * (Math.min(Math.max(from.x, line.x1), line.x2) - line.x1);
      // One that jumps up from a slope is on it still.
      if (rises ? from.y >= before - LEFT_PX : from.y > before + EDGE_PX) continue;
      found = line;
      height = here;
    }
    return found && { foothold: found, y: height };
  }

  ceiling(from: Point, to: Point): GroundBelow | undefined {
    if (to.y >= from.y || this.#blocking.length === 0) return undefined;
    for (const line of this.#blocking) {
      if (to.x < line.x1 || to.x > line.x2) continue;
      const y = line.y1 + ((line.y2 - line.y1) * (to.x - line.x1)) / (line.x2 - line.x1);
      if (from.y > y + EDGE_PX && to.y <= y) return { foothold: line, y };
    }
    return undefined;
  }

  within({ left, top, right, bottom }: MapArea): readonly Foothold[] {
    const found: Foothold[] = [];
    const first = this.#columnOf(left);
    const last = this.#columnOf(right);
    for (let column = first; column <= last; column++) {
      const end = this.#starts[column + 1] as number;
      for (let at = this.#firstReaching(column, top); at < end && (this.#tops[at] as number) <= bottom; at++) {
        const line = this.#lines[at] as Foothold;
        const from = Math.min(line.x1, line.x2);
        const to = Math.max(line.x1, line.x2);
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

  /** The place of the first line of a column that may reach down to y. */
  #firstReaching(column: number, y: number): number {
    let low = this.#starts[column] as number;
    let high = this.#starts[column + 1] as number;
    const top = y - (this.#reach[column] as number);
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#tops[middle] as number) < top) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #columnOf(x: number): number {
    const { left, right } = this.bounds;
    return Math.floor((Math.min(Math.max(x, left), right) - left) / this.#width);
  }
}

/** Columns so wide that all of them together have a bounded number of lines: a wild map has many that go from end to end. */
function columnWidth(footholds: readonly Foothold[], extent: number): number {
  let width = Math.max(COLUMN_PX, extent / (MAX_COLUMNS - 1));
  const most = MAX_COLUMNS + LINES_PER_FOOTHOLD * footholds.length;
  const lines = (): number => footholds.reduce((sum, { x1, x2 }) => sum + 1 + Math.abs(x2 - x1) / width, 0);
  while (width < extent && lines() > most) width *= 2;
  return width;
}

/** Whether one goes on in the other, as both say. */
function joins(a: Foothold, b: Foothold): boolean {
  return (a.next === b.id && b.previous === a.id) || (b.next === a.id && a.previous === b.id);
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
