/** Playing in the watched room: the header begins and ends it, the drawing carries it out. */
import { type Signal, signal } from "@preact/signals";
import { systemClock } from "wirewalk/net";
import { BadLine } from "../games/bad-line.ts";
import type { PlayState } from "../games/game-view.ts";

/** The sockets of the game and of the feed close within this time when their server ends. */
const SAME_LOSS_MS = 5_000;

export class PlayControl {
  /** What a session's messages go through. */
  readonly line = new BadLine(systemClock);
  readonly state: Signal<PlayState | undefined> = signal(undefined);
  /** What begins it; undefined where a room cannot be played. */
  readonly start: Signal<(() => void) | undefined> = signal(undefined);
  readonly leave: Signal<(() => void) | undefined> = signal(undefined);

  /** Makes the network of the drawing bad; undefined where the drawing simulates none. */
  readonly worsen: Signal<(() => void) | undefined> = signal(undefined);

  /** When the connection was lost. Undefined while the session runs, and after the player left it. */
  brokenAtMs: number | undefined;

  /** Whether the session ended with the server that is back now. */
  endedWith(lostAtMs: number | undefined): boolean {
    if (lostAtMs === undefined || this.brokenAtMs === undefined) return false;
    return Math.abs(this.brokenAtMs - lostAtMs) < SAME_LOSS_MS;
  }

  get isOver(): boolean {
    const state = this.state.value;
    return state === undefined || state.state === "over";
  }
}
