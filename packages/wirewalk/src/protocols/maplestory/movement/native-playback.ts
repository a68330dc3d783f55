/**
 * Playback as the client of v62 does it: nodes queue on arrival without a seam between packets; it plays in steps of 30 ms,
 * of 32 ms while too much waits; a cubic between nodes; it stands still when no node is left, and skips a long backlog.
 * Source: docs/protocols/maplestory.md 11. `documented` continues, then locks: `motion/playback.ts`.
 */
import {
  continueThenLock,
  holdPlayback,
  linearPlayback,
  type PlaybackPolicy,
  type PlaybackPolicyInfo,
  QueuePlayback,
} from "./playback.ts";
import { hermiteBetween, type PlaybackQueue } from "./playback-queue.ts";
import { walkConstants } from "./walker.ts";

/** Milliseconds of one step of the clock, and how much it plays while too much waits. */
const STEP_MS = 30;
const CATCH_UP_MS = 32;

/** Whose movement is played. */
export type PlayedKind = "player" | "other";

/** The backlog from which on the play hurries, and beyond which it is skipped, milliseconds. */
const limits: Readonly<Record<PlayedKind, { readonly hurryMs: number; readonly maxBacklogMs: number }>> = {
  player: { hurryMs: 550, maxBacklogMs: 5550 },
  other: { hurryMs: 1100, maxBacklogMs: 6100 },
};

/** The client's own playback. Its point changes every 30 ms, counted from the first path. */
export function nativePlayback(kind: PlayedKind = "player"): PlaybackPolicy {
  const { hurryMs, maxBacklogMs } = limits[kind];
  const play = (queue: PlaybackQueue, fromMs: number, toMs: number): number => {
    let playedToMs = fromMs;
    while (toMs - playedToMs >= STEP_MS) {
      // An empty queue stays as it is: there is no need to count its steps.
      if (queue.isEmpty) return playedToMs + Math.floor((toMs - playedToMs) / STEP_MS) * STEP_MS;
      playedToMs += STEP_MS;
      queue.play(queue.backlogMs >= hurryMs ? CATCH_UP_MS : STEP_MS);
    }
    return playedToMs;
  };
  return new QueuePlayback({ interpolate: hermiteBetween, play, maxBacklogMs });
}

/** How long `documented` extrapolates by default, milliseconds; the document names no time (standard 11.2). */
export const CONTINUE_MS = 500;

/** All policies of the game by name, the client's own first. */
export function maplePlayback(kind: PlayedKind, continueMs = CONTINUE_MS): readonly PlaybackPolicyInfo[] {
  return [
    {
      name: "native",
      summary: "The client's: a cubic between nodes, hurrying when behind, standing still when no node is left.",
      create: () => nativePlayback(kind),
    },
    {
      name: "documented",
      summary: "The document's: extrapolates for a while with the last velocity when no node is left, then locks.",
      create: () => continueThenLock({ limitMs: continueMs, maxFall: walkConstants.maxFall }),
    },
    { name: "linear", summary: "Straight from node to node.", create: linearPlayback },
    { name: "hold", summary: "Stands still between nodes.", create: holdPlayback },
  ];
}
