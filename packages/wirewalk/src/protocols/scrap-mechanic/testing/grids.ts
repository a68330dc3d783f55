/** Height grids for tests. */
import { type HeightGrid, makeGrid, type Seat } from "../maps/height-grid.ts";

/** A point in each unit, from -64 to 64 along both axes. */
export function gridOf(
  ground: (x: number, y: number) => number,
  more: { readonly ceiling?: (x: number, y: number) => number; readonly seats?: readonly Seat[] } = {},
): HeightGrid {
  const [from, points] = [-64, 129];
  const values = (of: (x: number, y: number) => number): Float32Array =>
    Float32Array.from({ length: points * points }, (_, at) => of(from + (at % points), from + Math.floor(at / points)));
  const { ceiling, seats } = more;
  return makeGrid({
    origin: { x: from, y: from },
    cell: 1,
    width: points,
    height: points,
    heights: values(ground),
    ceiling: ceiling && values(ceiling),
    seats,
  });
}

/** Flat ground at a height. */
export function flatGrid(height: number, seats: readonly Seat[] = []): HeightGrid {
  return gridOf(() => height, { seats });
}
