/** Playing in the watched room: the header begins and ends it, the drawing carries it out. */
import { type Signal, signal } from "@preact/signals";
import { systemClock } from "wirewalk/net";
import { BadLine } from "../games/bad-line.ts";
import type { PlayState } from "../games/game-view.ts";

export class PlayControl {
  /** What a session's messages go through. */
  readonly line = new BadLine(systemClock);
  readonly state: Signal<PlayState | undefined> = signal(undefined);
  /** What begins it; undefined where a room cannot be played. */
  readonly start: Signal<(() => void) | undefined> = signal(undefined);
  readonly leave: Signal<(() => void) | undefined> = signal(undefined);

  get isOver(): boolean {
    const state = this.state.value;
    return state === undefined || state.state === "over";
  }
}
