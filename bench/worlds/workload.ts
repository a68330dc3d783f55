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
  /** The most that restoring may take, milliseconds. */
  readonly promisedMs: number;
}

/** Half a minute is enough to fill the windows of most rules. */
const PLAY_MS = 30_000;

const room = { playMs: PLAY_MS, players: 500, promisedMs: 10 } as const;

export const scenes: readonly Scene[] = [
  { protocol: "slime-online-2", dialect: "documented", ...room, roomSize: 20 },
  { protocol: "slime-online-2", dialect: "v0106", ...room, roomSize: 20 },
  { protocol: "maplestory", dialect: "documented", ...room },
  { protocol: "maplestory", dialect: "v62", ...room },
  { protocol: "scrap-mechanic", dialect: "documented", ...room, roomSize: 20 },
  { protocol: "osrs", dialect: "client", playMs: 3000, players: 2000, promisedMs: 60 },
];

export interface Task {
  readonly scene: Scene;
  readonly rounds: number;
}

/** Milliseconds, and bytes of a structured clone. */
export interface Report {
  readonly saveMs: number;
  readonly restoreMs: number;
  /** The first restore of the process, when nothing has been compiled yet. */
  readonly coldRestoreMs: number;
  readonly digestMs: number;
  readonly bytes: number;
}

/** A world that cannot be saved. */
export interface Unsaved {
  readonly unsaved: string;
}
