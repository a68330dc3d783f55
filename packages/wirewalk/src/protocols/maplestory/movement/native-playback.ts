/**
 * Playback as the client of v62 does it: nodes queue on arrival without a seam between packets; steps of 30 ms, each of
 * which plays 32 ms while too much waits; a cubic between nodes; an empty queue holds; too long a queue snaps to its
 * newest end. Source: docs/protocols/maplestory.md 11. `documented` continues, then locks: `motion/playback.ts`.
 */
import {
  continueThenLock,
  hermiteBetween,
  holdPlayback,
  linearPlayback,
  type PlaybackPath,
  type PlaybackPoint,
  type PlaybackPolicy,
  type PlaybackPolicyInfo,
  PlaybackQueue,
} from "../../../motion/index.ts";
import { walkConstants } from "./walker.ts";

/** Milliseconds of one step of the clock, and how much it plays while too much waits. */
const STEP_MS = 30;
const CATCH_UP_MS = 32;

/** Whose movement is played. */
export type PlayedKind = "player" | "other";

/** From how much on the play hurries, and from how much on it snaps, milliseconds. */
const limits: Readonly<Record<PlayedKind, { readonly hurryMs: number; readonly snapMs: number }>> = {
  player: { hurryMs: 550, snapMs: 5550 },
  other: { hurryMs: 1100, snapMs: 6100 },
};

/** The client's own playback. Where it is changes every 30 ms, counted from the first path. */
export class NativePlayback implements PlaybackPolicy {
  readonly #queue = new PlaybackQueue(hermiteBetween);
  readonly #limits: (typeof limits)[PlayedKind];
  #steppedToMs: number | undefined;

  constructor(kind: PlayedKind = "player") {
    this.#limits = limits[kind];
  }

  push(path: PlaybackPath, nowMs: number): void {
    this.#stepTo(nowMs);
    this.#steppedToMs ??= nowMs;
    this.#queue.add(path);
    if (this.#queue.backlogMs > this.#limits.snapMs) this.#queue.snap();
  }

  sample(nowMs: number): PlaybackPoint | undefined {
    this.#stepTo(nowMs);
    return this.#queue.point();
  }

  #stepTo(nowMs: number): void {
    if (this.#steppedToMs === undefined) return;
    while (nowMs - this.#steppedToMs >= STEP_MS) {
      if (this.#queue.isEmpty) {
        // Nothing changes however long nothing waits: no need to count the steps.
        this.#steppedToMs += Math.floor((nowMs - this.#steppedToMs) / STEP_MS) * STEP_MS;
        return;
      }
      this.#steppedToMs += STEP_MS;
      this.#queue.play(this.#queue.backlogMs >= this.#limits.hurryMs ? CATCH_UP_MS : STEP_MS);
    }
  }
}

/** How long `documented` goes on, unless said otherwise, milliseconds; the document names no time (standard 11.2). */
export const CONTINUE_MS = 500;

/** All policies of the game by name, the client's own first. */
export function maplePlayback(kind: PlayedKind, continueMs = CONTINUE_MS): readonly PlaybackPolicyInfo[] {
  return [
    {
      name: "native",
      summary: "The client's: a cubic between nodes, hurrying when behind, holding when nothing is left.",
      create: () => new NativePlayback(kind),
    },
    {
      name: "documented",
      summary: "The document's: by the last velocity, going on for a while when nothing is left, then locked.",
      create: () => continueThenLock({ limitMs: continueMs, maxFall: walkConstants.maxFall }),
    },
    { name: "linear", summary: "Straight from node to node.", create: linearPlayback },
    { name: "hold", summary: "From node to node in leaps.", create: holdPlayback },
  ];
}
