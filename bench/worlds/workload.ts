/** The worlds that are saved and restored, and what a process says of one. */

/** One world, full of bots that have played for a while. */
export interface Scene {
  readonly protocol: string;
  readonly dialect: string;
  readonly players: number;
  /** Milliseconds of play before it is saved. */
  readonly playMs: number;
  /** Players of a room, in games where a client may ask for any room by its number; else the game's own bot rooms. */
  readonly roomSize?: number;
  /** Rooms by name, in games where a name is more than a number; it starts with the number that bots are given. */
  readonly rooms?: readonly string[];
  /** Whether it is in the chart. */
  readonly isCharted?: boolean;
  /** The most that restoring may take, milliseconds. */
  readonly promisedMs: number;
}

/** Half a minute is enough to fill the windows of most rules. */
const PLAY_MS = 30_000;

const room = { playMs: PLAY_MS, players: 500, promisedMs: 10 } as const;

/** MapleStory's two demo maps on all of its channels: 12 or 13 players and 12 monsters in each room. */
const maps = Array.from({ length: 40 }, (_, index) => `${(index % 2) + 1}-${(index >> 1) + 1}`);

export const scenes: readonly Scene[] = [
  { protocol: "slime-online-2", dialect: "documented", ...room, roomSize: 20 },
  { protocol: "slime-online-2", dialect: "v0106", ...room, isCharted: true, roomSize: 20 },
  { protocol: "maplestory", dialect: "documented", ...room, rooms: maps },
  { protocol: "maplestory", dialect: "v62", ...room, isCharted: true, rooms: maps },
  { protocol: "scrap-mechanic", dialect: "documented", ...room, isCharted: true, roomSize: 20 },
  { protocol: "osrs", dialect: "client", isCharted: true, playMs: 3000, players: 2000, promisedMs: 60 },
];

export interface Task {
  readonly scene: Scene;
  readonly rounds: number;
}

/** Milliseconds of each round, and bytes of a structured clone. The first restore of a process has nothing compiled yet. */
export interface Report {
  readonly saveMs: readonly number[];
  readonly restoreMs: readonly number[];
  readonly digestMs: readonly number[];
  readonly bytes: number;
}
