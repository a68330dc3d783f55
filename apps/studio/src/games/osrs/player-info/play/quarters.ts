/** The players out of a client's view, by map quarter: that is all the client knows of them. Pure. */
import type { PlayerInfoDecoder } from "wirewalk/osrs/player-info";

/** Quarters of the world along each axis: 16,384 tiles in parts of 8,192. */
export const WORLD_QUARTERS = 2;

/** The players of one level. */
export interface LevelQuarters {
  readonly level: number;
  /** By quarter, row by row from south-west. */
  readonly counts: readonly number[];
}

export interface QuarterCounts {
  /** Levels with players, ascending. */
  readonly levels: readonly LevelQuarters[];
  /** Players in quarters outside of the world. */
  readonly outside: number;
  /** All players out of view. */
  readonly players: number;
}

export const noQuarters: QuarterCounts = { levels: [], outside: 0, players: 0 };

/** Counts the externals among `indices`. Slots without a player have a quarter too: only the server knows which have one. */
export function countQuarters({ quarters, local }: PlayerInfoDecoder, indices: Iterable<number>): QuarterCounts {
  const levels = new Map<number, number[]>();
  let outside = 0;
  let players = 0;
  for (const index of indices) {
    if (local[index] === 1) continue;
    players += 1;
    const quarter = quarters[index] ?? 0;
    const [level, x, z] = [(quarter >> 28) & 3, (quarter >> 14) & 0xff, quarter & 0xff];
    if (x >= WORLD_QUARTERS || z >= WORLD_QUARTERS) {
      outside += 1;
      continue;
    }
    const counts = levels.get(level) ?? new Array<number>(WORLD_QUARTERS ** 2).fill(0);
    const at = z * WORLD_QUARTERS + x;
    counts[at] = (counts[at] ?? 0) + 1;
    levels.set(level, counts);
  }
  const sorted = [...levels].sort(([a], [b]) => a - b).map(([level, counts]) => ({ level, counts }));
  return { levels: sorted, outside, players };
}
