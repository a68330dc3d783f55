/**
 * The form of **track snapshots**: the tracks of one room as bytes, for spectators. A full snapshot holds all tracks, a delta
 * what has changed since the snapshot before it. `track-writer.ts` writes them, `track-reader.ts` reads them; `docs/feed.md`
 * describes every byte.
 */

/** Counts the changes of the form: the first byte of every snapshot. */
export const TRACK_SNAPSHOT_VERSION = 1;

/** The second byte. */
export const SnapshotKind = { delta: 0, full: 1 } as const;

/** Positions, velocities and directions are written in steps of 1/4096 of their unit: pixel, tile, metre, turn. */
export const STEPS_PER_UNIT = 4096;

/** The most steps in one number: the difference of two, with its sign and two bits of kind, stays under 2^53. */
export const MAX_STEPS = 2 ** 48;

/** Strings of one stream: stances, sources, names of details. */
export const MAX_STRINGS = 4096;

/** Shapes of one stream. */
export const MAX_SHAPES = 256;

/** How a value is written: the low two bits of its first number. */
export const ValueKind = {
  /** The difference from the number before, in whole units. */
  units: 0,
  /** The difference from the number before, in steps. */
  steps: 1,
  /** A string of the stream's table. */
  string: 2,
  /** JSON text. */
  json: 3,
} as const;

/** Members that only some tracks have, as bits of their shape. */
export const ShapeBit = { z: 1, level: 2, velocityZ: 4, details: 8 } as const;

const ALL_SHAPE_BITS = 15;

/**
 * Which members a track has. Its columns are, in this order: x, y, z?, level?, velocity x, y, z?, facing turns, stance,
 * source, then the details.
 */
export interface TrackShape {
  readonly id: number;
  readonly bits: number;
  /** Names of the details. */
  readonly keys: readonly string[];
  readonly columns: number;
}

/** x, y, velocity x, velocity y, facing turns, stance, source. */
const COLUMNS_OF_ALL = 7;

/** Throws `RangeError` for unknown bits, and for keys without the bit of details. */
export function trackShape(id: number, bits: number, keys: readonly string[]): TrackShape {
  if (bits > ALL_SHAPE_BITS) throw new RangeError(`the bits of a shape are 0..${ALL_SHAPE_BITS}, got ${bits}`);
  if (keys.length > 0 && (bits & ShapeBit.details) === 0) throw new RangeError("keys without details");
  let columns = COLUMNS_OF_ALL + keys.length;
  for (const bit of [ShapeBit.z, ShapeBit.level, ShapeBit.velocityZ]) if ((bits & bit) !== 0) columns += 1;
  return { id, bits, keys, columns };
}
