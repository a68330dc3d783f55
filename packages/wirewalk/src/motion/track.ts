/**
 * A **track point**: the position of a player in the form that all protocols share, for viewing and comparison.
 *
 * ```ts
 * const point: Track = {
 *   player: 5, room: "1", atMs: 0, position: { x: 448, y: 160 }, velocity: { x: 150, y: 0 },
 *   facingTurns: 0, stance: "walk", source: "claimed",
 * };
 * ```
 */
import type { JsonObject } from "../wire/json.ts";

/** Number of a player within one world; what the protocol puts on the wire when it names a player. */
export type PlayerId = number;

/** A place, in the protocol's own units (pixels, tiles, metres). `z` is up in 3D; `level` is the floor in a tile world. */
export interface Position {
  readonly x: number;
  readonly y: number;
  readonly z?: number;
  readonly level?: number;
}

/** Units of the position per second. */
export interface Velocity {
  readonly x: number;
  readonly y: number;
  readonly z?: number;
}

/**
 * Where a track point comes from: `observed` on the wire, measured by an unknown side; `claimed` by the player's own client;
 * `simulated` by a server that integrates inputs; `guessed` between two known points.
 */
export type TrackSource = "observed" | "claimed" | "simulated" | "guessed";

/** One player at one time. */
export interface Track {
  readonly player: PlayerId;
  /** The room whose players see this movement, as the world names it: a room, a map and channel, a level. */
  readonly room: string;
  /** Milliseconds of the clock that the world was given. */
  readonly atMs: number;
  readonly position: Position;
  readonly velocity: Velocity;
  /** The direction that the player faces: turns (0 to 1), counter-clockwise from the +x axis of the screen. Left is 0.5. */
  readonly facingTurns: number;
  /** The stance, in the game's own word: stand, walk, jump. */
  readonly stance: string;
  readonly source: TrackSource;
  /** What only this game has: held keys, frames in the air. */
  readonly details?: JsonObject;
}
