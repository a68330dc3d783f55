/**
 * How large the tests play. `npm test` plays small, so that all of it takes under three minutes; `npm run soak` plays at full size.
 * A size that costs time (bots, minutes, random cases, sockets) is written as `scaled(full, least)`: its full size, and the
 * least at which its rule is still tested. Loops through all cases go by `stride(step)`: every case at full size.
 *
 * Two variables decide, read here and nowhere else:
 *
 * - `WIREWALK_SCALE`: the share of the full size. 1 is full, 0.01 the default. More than 1 is for long runs of one file:
 *   `npm run soak -- --scale 120 maplestory/simulation` plays ten hours instead of five minutes.
 * - `WIREWALK_SEED`: the seed of fast-check's cases. Without it every run makes other cases, and a failure prints its seed.
 *   Simulations have fixed seeds of their own.
 *
 * @module
 */

/** The share of the full size at which `npm test` plays. */
const SMALL = 0.01;

/** The share of the full size at which this run plays. */
export const scale: number = positive("WIREWALK_SCALE", process.env.WIREWALK_SCALE) ?? SMALL;

/** The seed of fast-check's cases; undefined for another one each run. */
export const caseSeed: number | undefined = positive("WIREWALK_SEED", process.env.WIREWALK_SEED);

/** Random cases of a property that names no number. */
export const propertyRuns: number = scaled(1000, 30);

/** `full` at full size, its share at other scales, never under `least`. A whole number. */
export function scaled(full: number, least: number): number {
  return Math.max(Math.min(least, full), Math.round(full * scale));
}

/**
 * The step of a loop through all cases: 1 at full size, otherwise `step`. The loop begins elsewhere in each turn of the loop around
 * it, and `step` is odd, so that every value of a byte is among the cases.
 */
export function stride(step: number): number {
  return scale < 1 ? step : 1;
}

/**
 * All cases at full size; otherwise so many of them, evenly, with the first and the last: for tables of dialects, revisions and versions
 * that one piece of code goes by.
 */
export function sampled<T>(cases: readonly T[], count: number): readonly T[] {
  if (scale >= 1 || cases.length <= count) return cases;
  const step = (cases.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, index) => cases[Math.round(index * step)] as T);
}

function positive(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new RangeError(`${name} must be a number over 0, got "${text}"`);
  return value;
}
