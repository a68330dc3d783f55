/**
 * The ground of a place as heights on a grid, perhaps with a ceiling and seats.
 *
 * ```ts
 * const grid = makeGrid({ origin: { x: 0, y: 0 }, cell: 2, width: 2, height: 2, heights: Float32Array.of(0, 4, 0, 4) });
 * grid.ground(1, 1); // => 2
 * grid.ground(9, 0); // => 4
 * grid.ceiling(1, 1); // => Infinity
 * ```
 */
import { MapError } from "../../maps.ts";
import { digestOf } from "../../world-kit/index.ts";

/** A seat on the ground, and the point to which a character stands up from it. In units. */
export interface Seat {
  readonly x: number;
  readonly y: number;
  readonly exit: { readonly x: number; readonly y: number };
}

/** What a grid is made of. Lengths in units. */
export interface GridParts {
  /** The point of the first height. */
  readonly origin: { readonly x: number; readonly y: number };
  /** From one point of the grid to the next. */
  readonly cell: number;
  /** Points along x, and along y. */
  readonly width: number;
  readonly height: number;
  /** Row by row along +X, from the lowest y up. */
  readonly heights: Float32Array;
  /** The same of a ceiling; infinite in the open. Default: none anywhere. */
  readonly ceiling?: Float32Array | undefined;
  readonly seats?: readonly Seat[] | undefined;
}

export interface HeightGrid {
  readonly parts: GridParts;
  readonly seats: readonly Seat[];
  /** Between four points the height follows from all of them (bilinear). Beyond the edge it is that of the nearest point of the edge. */
  ground(x: number, y: number): number;
  /** Infinite where one of the four points has none, and beyond the edge. */
  ceiling(x: number, y: number): number;
}

/** Points of a grid at most: 16 MiB of heights. */
export const MAX_POINTS = 4 * 1024 * 1024;
/** Bounds of all lengths, in units. */
export const MOST_UNITS = 1_000_000;
export const MAX_SEATS = 10_000;

/** Throws {@link MapError} that names the wrong part. */
export function makeGrid(parts: GridParts): HeightGrid {
  checkParts(parts);
  const { origin, cell, width, height, heights, ceiling, seats = [] } = parts;
  const heightAt = (column: number, row: number): number => heights[row * width + column] as number;
  /** Of a grid of values, at a point within it. */
  const between = (values: Float32Array, column: number, row: number): number => {
    const left = Math.min(Math.floor(column), width - 2);
    const low = Math.min(Math.floor(row), height - 2);
    const at = low * width + left;
    const [across, up] = [column - left, row - low];
    const lower = mix(values[at] as number, values[at + 1] as number, across);
    const upper = mix(values[at + width] as number, values[at + width + 1] as number, across);
    return mix(lower, upper, up);
  };
  return {
    parts,
    seats,
    ground(x, y) {
      const column = Math.min(Math.max((x - origin.x) / cell, 0), width - 1);
      const row = Math.min(Math.max((y - origin.y) / cell, 0), height - 1);
      // A place that is no number has some height too.
      return Number.isNaN(column + row) ? heightAt(0, 0) : between(heights, column, row);
    },
    ceiling(x, y) {
      const [column, row] = [(x - origin.x) / cell, (y - origin.y) / cell];
      const isInside = column >= 0 && row >= 0 && column <= width - 1 && row <= height - 1;
      if (ceiling === undefined || !isInside) return Number.POSITIVE_INFINITY;
      const found = between(ceiling, column, row);
      // Of an infinite one and another with no part in it.
      return Number.isNaN(found) ? Number.POSITIVE_INFINITY : found;
    },
  };
}

/** Exactly `a` at 0 and `b` at 1, which `a + (b - a) * part` is not. */
function mix(a: number, b: number, part: number): number {
  return a * (1 - part) + b * part;
}

function checkParts({ origin, cell, width, height, heights, ceiling, seats = [] }: GridParts): void {
  checkLength("origin[0]", origin.x);
  checkLength("origin[1]", origin.y);
  if (!(cell > 0 && cell <= MOST_UNITS))
    throw new MapError(`cell must be over 0 and at most ${MOST_UNITS}, got ${cell}`);
  for (const [name, value] of Object.entries({ width, height })) {
    if (!(Number.isInteger(value) && value >= 2 && value <= MAX_POINTS)) {
      throw new MapError(`${name} must be an integer from 2 on, got ${value}`);
    }
  }
  if (width * height > MAX_POINTS)
    throw new MapError(`width x height must be at most ${MAX_POINTS}, got ${width * height}`);
  checkHeights("heights", heights, width * height, false);
  if (ceiling !== undefined) checkHeights("ceiling", ceiling, width * height, true);
  if (seats.length > MAX_SEATS) throw new MapError(`seats must be at most ${MAX_SEATS}, got ${seats.length}`);
  for (const [at, { x, y, exit }] of seats.entries()) {
    for (const [name, value] of Object.entries({ x, y, "exit.x": exit.x, "exit.y": exit.y })) {
      checkLength(`seats[${at}].${name}`, value);
    }
  }
}

function checkHeights(name: string, values: Float32Array, points: number, mayBeOpen: boolean): void {
  if (values.length !== points) throw new MapError(`${name} must have ${points} heights, got ${values.length}`);
  for (const [at, value] of values.entries()) {
    if (!(mayBeOpen && value === Number.POSITIVE_INFINITY)) checkLength(`${name}[${at}]`, value);
  }
}

function checkLength(name: string, value: number): void {
  if (!(Math.abs(value) <= MOST_UNITS)) {
    throw new MapError(`${name} must be a number from -${MOST_UNITS} to ${MOST_UNITS}, got ${value}`);
  }
}

/** 64 bits, as hexadecimal digits, of all parts. */
export function digestOfGrid({ parts, seats }: HeightGrid): string {
  const { origin, cell, width, height, heights, ceiling } = parts;
  const all = { x: origin.x, y: origin.y, cell, width, height, heights, ceiling, seats: [...seats] };
  return digestOf(all).toString(16).padStart(16, "0");
}

/** A grid in numbers. */
export function summaryOfGrid(place: string, { parts, seats }: HeightGrid) {
  const { origin, cell, width, height, heights, ceiling } = parts;
  let [lowest, highest, covered] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const value of heights) {
    lowest = Math.min(lowest, value);
    highest = Math.max(highest, value);
  }
  for (const value of ceiling ?? []) if (value !== Number.POSITIVE_INFINITY) covered += 1;
  const extent = {
    left: origin.x,
    top: origin.y + (height - 1) * cell,
    right: origin.x + (width - 1) * cell,
    bottom: origin.y,
  };
  return { place, width, height, cell, lowest, highest, covered, seats: seats.length, ...extent, omitted: [] };
}
