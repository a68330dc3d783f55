/** Which rows of a long list are made: those in sight and some on either side, so that scrolling shows no gap. Pure. */

/** A list this short is made whole. */
const MAX_WHOLE = 150;

/** Rows made beyond each edge. */
const SPARE_ROWS = 30;

/** Visible rows before the height of the list is known. */
const FIRST_ROWS = 60;

/** Rows `from` to `to` (not included) of `count`; `top` and `height` are what is in sight, in rows. */
export function rowsShown(count: number, top: number, height: number): { readonly from: number; readonly to: number } {
  if (count <= MAX_WHOLE) return { from: 0, to: count };
  const seen = Math.ceil(height) || FIRST_ROWS;
  const first = Math.min(Math.max(0, Math.floor(top)), Math.max(0, count - seen));
  return { from: Math.max(0, first - SPARE_ROWS), to: Math.min(count, first + seen + SPARE_ROWS) };
}
