/**
 * Recording as the document describes it: half a second of fragments, each with position and velocity at its start,
 * without those that can be reconstructed. Its rules ("Fragment optimization"):
 *
 * 1. Fragments with the same position again are removed.
 * 2. When nothing moved since the last packet, none is sent.
 * 3. A fragment that follows from the velocity of the one before it is left out, and the earlier one lasts longer: of a
 *    straight line one fragment of 500 ms is left.
 * 4. A jump follows from position, velocity and gravity: only a few fragments of it are left.
 *
 * Source: docs/protocols/maplestory.md 6.2.
 */

import { documentedStances, Fragment, stances } from "../wire/fragment.ts";
import { fall } from "./playback.ts";
import { round } from "./recorder.ts";
import { type Move, walkConstants } from "./walker.ts";

/** Milliseconds of a packet. */
export const PACKET_MS = 500;
/** The largest error of a reconstructed position, pixels. */
export const TOLERANCE_PX = 1;

/** Stances of v62 with another number in the document, or none. */
const stanceNumbers: Readonly<Record<number, number>> = {
  [stances.ladder]: documentedStances.ladder,
  [stances.rope]: documentedStances.rope,
  [stances.alert]: documentedStances.stand,
  [stances.sit]: documentedStances.stand,
  [stances.swim]: documentedStances.jump,
};

/** A state byte of v62 with the document's number of the stance. */
export function documentedState(state: number): number {
  return ((stanceNumbers[state >> 1] ?? state >> 1) << 1) | (state & 1);
}

/** Whether a body in this state falls. */
export function isFlying(state: number): boolean {
  return state >> 1 === documentedStances.jump;
}

/** Where a fragment leads after `ms`. */
export function extrapolate(
  from: { readonly x: number; readonly y: number; readonly vx: number; readonly vy: number; readonly state: number },
  ms: number,
): { readonly x: number; readonly y: number; readonly vx: number; readonly vy: number } {
  const t = ms / 1000;
  const gravity = isFlying(from.state) ? walkConstants.gravity : 0;
  return { x: from.x + from.vx * t, vx: from.vx, ...fall(from.y, from.vy, gravity, walkConstants.maxFall, t) };
}

/** A fragment that may still last longer, with its unrounded start. */
interface Growing {
  fragment: { -readonly [K in keyof Fragment]: Fragment[K] };
  readonly exact: {
    readonly x: number;
    readonly y: number;
    readonly vx: number;
    readonly vy: number;
    readonly state: number;
  };
}

export interface DocumentRecorderOptions {
  readonly start: Pick<Move, "x" | "y" | "vx" | "vy" | "state">;
  /** False records a fragment for each step, and paths without movement too, to measure the optimisation. Default true. */
  readonly optimise?: boolean;
}

/** Records one entity in `documented`. */
export class DocumentRecorder {
  readonly #optimise: boolean;
  #at: Growing["exact"];
  /** The end of the last packet. */
  #settled: Growing["exact"];
  #fragments: Growing[] = [];
  #durationMs = 0;

  constructor({ start, optimise = true }: DocumentRecorderOptions) {
    this.#optimise = optimise;
    const { x, y, vx, vy } = start;
    this.#at = { x, y, vx, vy, state: documentedState(start.state) };
    this.#settled = this.#at;
  }

  /** Records the moves of one step. Returns fragments when they are due. */
  record(moves: readonly Move[]): readonly Fragment[] | undefined {
    for (const move of moves) this.#add(move);
    return this.#durationMs >= PACKET_MS ? this.flush() : undefined;
  }

  /** The recorded fragments, due or not. Undefined when nothing moved. */
  flush(): readonly Fragment[] | undefined {
    const fragments = this.#fragments.map(({ fragment }) => Fragment.of(fragment.kind, fragment));
    this.#fragments = [];
    this.#durationMs = 0;
    const before = this.#settled;
    this.#settled = this.#at;
    const isSilent = fragments.every(
      ({ kind, x, y, vx, vy, state }) =>
        kind === "absolute" &&
        vx === 0 &&
        vy === 0 &&
        x === round(before.x) &&
        y === round(before.y) &&
        state === before.state,
    );
    return fragments.length === 0 || (this.#optimise && isSilent) ? undefined : fragments;
  }

  /** Starts again elsewhere. */
  restart(start: DocumentRecorderOptions["start"]): void {
    const { x, y, vx, vy } = start;
    this.#at = { x, y, vx, vy, state: documentedState(start.state) };
    this.#settled = this.#at;
    this.#fragments = [];
    this.#durationMs = 0;
  }

  #add(move: Move): void {
    const { kind, type, durationMs, x, y, vx, vy, fallStart } = move;
    const state = documentedState(move.state);
    this.#durationMs += durationMs;
    const exact = { ...this.#at, state };
    if (kind === "impulse") this.#push(Fragment.of("relative", { type, vx: round(vx), vy: round(vy), state }), exact);
    else if (kind === "startFallDown") {
      // "foothold_id: the foothold the player is jumping off of".
      const start = { x: round(exact.x), y: round(exact.y), vx: round(vx), vy: round(vy), state };
      this.#push(Fragment.of("jumpDown", { type: 11, ...start, foothold: fallStart }), exact);
    } else if (kind === "instant") {
      if (type !== 11)
        this.#push(Fragment.of("instant", { type, x: round(x), y: round(y), state }), { ...exact, x, y });
    } else if (!this.#follows(exact, durationMs)) {
      const { vx: vx0, vy: vy0 } = exact;
      const start = { x: round(exact.x), y: round(exact.y), vx: round(vx0), vy: round(vy0), state };
      this.#push(Fragment.of("absolute", { type: 0, ...start, durationMs }), exact);
    }
    this.#at = { x, y, vx, vy, state };
  }

  #push(fragment: Fragment, exact: Growing["exact"]): void {
    this.#fragments.push({ fragment: { ...fragment }, exact });
  }

  /** True when the step needs no fragment: the last one leads here and is extended. */
  #follows(exact: Growing["exact"], durationMs: number): boolean {
    const last = this.#fragments.at(-1);
    if (!this.#optimise || last === undefined || last.fragment.kind !== "absolute") return false;
    const { fragment } = last;
    if (fragment.state !== exact.state) return false;
    const led = extrapolate(fragment, fragment.durationMs);
    if (Math.abs(led.x - exact.x) > TOLERANCE_PX || Math.abs(led.y - exact.y) > TOLERANCE_PX) return false;
    // A stop or a turn gets a fragment at once, however small the error is so far.
    if (Math.sign(round(led.vx)) !== Math.sign(round(exact.vx))) return false;
    fragment.durationMs += durationMs;
    return true;
  }
}
