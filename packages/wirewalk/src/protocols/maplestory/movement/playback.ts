/**
 * **Playback**: another player's movement arrives late and in batches; a policy decides where to draw it at any time. All
 * policies have one interface, so that they can be compared and switched while they run.
 *
 * ```ts
 * const ghost = linearPlayback();
 * ghost.push({ start: { x: 0, y: 0 }, nodes: [{ ...rest, x: 100, y: 0, durationMs: 500 }] }, 0);
 * ghost.sample(250); // { x: 50, y: 0, vx: 200, vy: 0, state: 4, source: "known" }
 * ```
 */

import {
  ballisticBetween,
  holdBetween,
  type Interpolation,
  linearBetween,
  type PlaybackNode,
  type PlaybackPath,
  type PlaybackPoint,
  PlaybackQueue,
  type SavedPlaybackQueue,
} from "./playback-queue.ts";

/** The state of a policy as plain data. */
export interface SavedPlayback {
  /** The time up to which the nodes are played; undefined before the first path. */
  readonly playedToMs: number | undefined;
  readonly queue: SavedPlaybackQueue;
}

/** A way to draw what arrives late. Times are milliseconds of one clock that never runs backwards. */
export interface PlaybackPolicy {
  /** A path has arrived. */
  push(path: PlaybackPath, nowMs: number): void;
  /** Where to draw now; undefined before the first path. It changes nothing, however often it is sampled. */
  sample(nowMs: number): PlaybackPoint | undefined;
  /** The state, which shares nothing with the policy. */
  save(): SavedPlayback;
  /** Takes over the state of a policy of the same kind. Throws `TypeError` for malformed data; then nothing has changed. */
  restore(saved: SavedPlayback): void;
}

/** A policy as a choice: for tables and switches. */
export interface PlaybackPolicyInfo {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  create(): PlaybackPolicy;
}

/** A longer backlog means that a stall has ended: old nodes are skipped, milliseconds. */
export const MAX_BACKLOG_MS = 6000;

/** What sets one policy apart. */
export interface PlaybackRules {
  readonly interpolate: Interpolation;
  /** Plays the queue from one time to another. Returns the time up to which it was played. Default: at its own pace. */
  readonly play?: (queue: PlaybackQueue, fromMs: number, toMs: number) => number;
  /** The point `idleMs` after the last node, when no node is left. Default: it stands still there. */
  readonly guess?: (last: PlaybackNode, idleMs: number) => PlaybackPoint;
  /** A longer backlog is skipped. Default {@link MAX_BACKLOG_MS}. */
  readonly maxBacklogMs?: number;
}

/** A policy that plays a queue by some rules. */
export class QueuePlayback implements PlaybackPolicy {
  readonly #rules: PlaybackRules;
  readonly #queue: PlaybackQueue;
  #playedToMs: number | undefined;

  constructor(rules: PlaybackRules) {
    this.#rules = rules;
    this.#queue = new PlaybackQueue(rules.interpolate);
  }

  push(path: PlaybackPath, nowMs: number): void {
    this.#playedToMs = this.#play(this.#queue, nowMs);
    this.#queue.add(path);
    if (this.#queue.backlogMs > (this.#rules.maxBacklogMs ?? MAX_BACKLOG_MS)) this.#queue.snap();
  }

  sample(nowMs: number): PlaybackPoint | undefined {
    const queue = this.#queue.copy();
    this.#play(queue, nowMs);
    const { last, idleMs } = queue;
    const { guess } = this.#rules;
    return guess === undefined || last === undefined || idleMs === 0 ? queue.point() : guess(last, idleMs);
  }

  save(): SavedPlayback {
    return { playedToMs: this.#playedToMs, queue: this.#queue.save() };
  }

  restore({ playedToMs, queue }: SavedPlayback): void {
    if (playedToMs !== undefined && typeof playedToMs !== "number") {
      throw new TypeError("Cannot restore: playedToMs must be a number or undefined");
    }
    this.#queue.restore(queue);
    this.#playedToMs = playedToMs;
  }

  #play(queue: PlaybackQueue, nowMs: number): number {
    const fromMs = this.#playedToMs ?? nowMs;
    if (this.#rules.play !== undefined) return this.#rules.play(queue, fromMs, nowMs);
    queue.play(Math.max(0, nowMs - fromMs));
    return nowMs;
  }
}

/** `hold`: stands still between nodes. */
export function holdPlayback(): PlaybackPolicy {
  return new QueuePlayback({ interpolate: holdBetween });
}

/** `linear`: straight from node to node. */
export function linearPlayback(): PlaybackPolicy {
  return new QueuePlayback({ interpolate: linearBetween });
}

/** Options of {@link continueThenLock}. */
export interface ContinueOptions {
  /** How long to extrapolate with the last velocity when no node is left, milliseconds. */
  readonly limitMs: number;
  /** The fastest fall, units per second. */
  readonly maxFall: number;
}

/**
 * Extrapolates with the last velocity (in the air: falling) when no node is left, up to a limit; then stands still until the
 * next path, which is played from its start. Playing it from the extrapolated position was worse: once ahead of what is
 * known, always ahead (57 % of the time in the usual network of the comparison, against 0.5 %).
 */
export function continueThenLock({ limitMs, maxFall }: ContinueOptions): PlaybackPolicy {
  return new QueuePlayback({
    interpolate: ballisticBetween,
    guess(last, idleMs) {
      const guessedMs = Math.min(limitMs, idleMs);
      const t = guessedMs / 1000;
      const isLocked = guessedMs >= limitMs;
      const { y, vy } = fall(last.y, last.vy, last.gravity, maxFall, t);
      const isStill = last.vx === 0 && last.vy === 0 && last.gravity === 0;
      return {
        x: last.x + last.vx * t,
        y,
        vx: isLocked ? 0 : last.vx,
        vy: isLocked ? 0 : vy,
        state: last.state,
        source: isLocked || isStill ? "held" : "guessed",
      };
    },
  });
}

/** Height and speed after `t` seconds of falling that ends at a fastest speed. */
export function fall(
  y: number,
  vy: number,
  gravity: number,
  maxFall: number,
  t: number,
): { readonly y: number; readonly vy: number } {
  if (gravity === 0) return { y: y + vy * t, vy };
  const untilFastest = Math.max(0, (maxFall - vy) / gravity);
  const falling = Math.min(t, untilFastest);
  const speed = vy + gravity * falling;
  return { y: y + vy * falling + (gravity / 2) * falling * falling + speed * (t - falling), vy: speed };
}
