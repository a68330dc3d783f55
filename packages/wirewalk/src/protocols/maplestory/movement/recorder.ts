/**
 * Recording, as the client of v62 does it: a node per step, merged while nothing but the position changes, sent every
 * 510 ms (monsters every 1080 ms), and not at all when nothing changed.
 *
 * ```ts
 * const recorder = new PathRecorder({ ...playerRecording, start: stepWalker(body, {}, map, 30)[0] });
 * recorder.record(stepWalker(body, keys, map, 30), keyBits.right); // a path every 17th time
 * ```
 *
 * Source: docs/protocols/maplestory.md 6.1.
 */
import { Fragment } from "../wire/fragment.ts";
import { MAX_FRAGMENTS } from "../wire/fragment-io.ts";
import { boxOf, type Path, type Point, type Tail } from "../wire/messages.ts";
import type { Move } from "./walker.ts";

/** Recording of one kind of entity. */
export interface Recording {
  /** Milliseconds of a step. */
  readonly stepMs: number;
  /** A path is due once it is this long, milliseconds. */
  readonly flushMs: number;
  /** Whether each step has a key nibble. */
  readonly keys: boolean;
  /** A path ends on the ground: nodes in the air at its end wait for the next one. */
  readonly endsOnGround: boolean;
}

/** A player: 17 steps make 510 ms. */
export const playerRecording: Recording = { stepMs: 30, flushMs: 500, keys: true, endsOnGround: false };
/** A pet or a summon: like its owner, without keys. */
export const petRecording: Recording = { ...playerRecording, keys: false };
/** A monster that walks: 12 steps make 1080 ms. */
export const monsterRecording: Recording = { stepMs: 90, flushMs: 1000, keys: false, endsOnGround: true };
/** A monster that flies. */
export const flyingMonsterRecording: Recording = { ...monsterRecording, endsOnGround: false };

/** Where a recording starts. Any move will do. */
export type RecordedState = Pick<Move, "x" | "y" | "vx" | "vy" | "foothold" | "state">;

/** Where a recorded path starts; with the velocity there when `startsMoving`. */
export interface RecordedStart extends Point {
  readonly vx?: number;
  readonly vy?: number;
}

export interface RecorderOptions extends Recording {
  readonly start: RecordedState;
  /** False records a node per step, and paths without changes too, to measure the client's optimisation. Default true. */
  readonly optimise?: boolean;
  /** Paths start with a velocity too, as `v95` writes it. Default false. */
  readonly startsMoving?: boolean;
}

/** The type of the fragments of a drop through a platform. */
const FALL_TYPE = 15;
/** Nodes that wait for the ground at most: the count on the wire is one byte. */
const MAX_WAITING_NODES = MAX_FRAGMENTS - 32;

/** A fragment to which steps are still added. */
type Growing = { -readonly [K in keyof Fragment]: Fragment[K] };

/** Records one entity. */
export class PathRecorder {
  readonly #options: RecorderOptions;
  #start: RecordedStart;
  /** The end of the last path, sent or not. */
  #settled: RecordedState;
  #nodes: Growing[] = [];
  #keypad: number[] = [];
  #durationMs = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#settled = rounded(options.start);
    this.#start = this.#startHere();
  }

  /** Records the moves of one step. Returns a path when one is due. */
  record(moves: readonly Move[], keys: number): (Path & Tail) | undefined {
    for (const move of moves) this.#add(move);
    if (this.#options.keys) this.#keypad.push(keys);
    return this.#durationMs >= this.#options.flushMs ? this.#flush(false) : undefined;
  }

  /** The recorded path, due or not: portals, corrections and teleports require it. Undefined when nothing changed. */
  flush(): (Path & Tail) | undefined {
    return this.#flush(true);
  }

  /** Starts again elsewhere. The unsent recording is dropped. */
  restart(start: RecordedState): void {
    this.#settled = rounded(start);
    this.#start = this.#startHere();
    this.#nodes = [];
    this.#keypad = [];
    this.#durationMs = 0;
  }

  #startHere(): RecordedStart {
    const { x, y, vx, vy } = this.#settled;
    const start: RecordedStart = this.#options.startsMoving === true ? { x, y, vx, vy } : { x, y };
    return start;
  }

  #add(move: Move): void {
    this.#durationMs += move.durationMs;
    const last = this.#nodes.at(-1);
    // Most steps merge: only the others are made fragments of.
    if (last !== undefined && this.#options.optimise !== false && merges(last, move)) {
      last.x = round(move.x);
      last.y = round(move.y);
      last.vx = round(move.vx);
      last.vy = round(move.vy);
      last.durationMs += move.durationMs;
    } else {
      this.#nodes.push({ ...nodeOf(move) });
    }
  }

  #flush(forced: boolean): (Path & Tail) | undefined {
    const sent = this.#options.endsOnGround && !forced ? groundedLength(this.#nodes) : this.#nodes.length;
    if (sent === 0 && this.#nodes.length < MAX_WAITING_NODES) return undefined;
    // What is more than a path can have is left for the next one.
    const nodes = this.#nodes.slice(0, Math.min(sent === 0 ? this.#nodes.length : sent, MAX_FRAGMENTS));
    this.#nodes = this.#nodes.slice(nodes.length);
    const keypad = this.#keypad;
    this.#keypad = [];
    this.#durationMs = this.#nodes.reduce((sum, { durationMs }) => sum + durationMs, 0);
    const isSilent = this.#options.optimise !== false && nodes.every((node) => isSame(node, this.#settled));
    if (nodes.length === 0 || isSilent) return undefined;

    const start = this.#start;
    // `Fragment.of` again: the copy that grew is a plain object.
    const fragments = nodes.map((node) => Fragment.of(node.kind, node));
    for (const { kind, x, y, vx, vy, foothold, state } of fragments) {
      // Fragments that set only the velocity keep the position.
      const place = kind === "relative" || kind === "startFallDown" ? this.#settled : { x, y };
      this.#settled = { x: place.x, y: place.y, vx, vy, foothold, state };
    }
    this.#start = this.#startHere();
    return { start, fragments, keypad, box: boxOf(start, fragments) };
  }
}

function rounded({ x, y, vx, vy, foothold, state }: RecordedState): RecordedState {
  return { x: round(x), y: round(y), vx: round(vx), vy: round(vy), foothold, state };
}

/** To the nearest whole number, never -0: a reader returns 0 for it. */
export function round(value: number): number {
  return Math.round(value) + 0;
}

function nodeOf(move: Move): Fragment {
  const { kind, type, durationMs, foothold, fallStart, state } = move;
  const { x, y, vx, vy } = rounded(move);
  switch (kind) {
    case "impulse":
      return Fragment.of("relative", { type, vx, vy, state, durationMs });
    case "startFallDown":
      return Fragment.of("startFallDown", { type, vx, vy, fallStart, state, durationMs });
    case "instant":
      return Fragment.of("instant", { type, x, y, foothold, state, durationMs });
    case "step":
      return type === FALL_TYPE
        ? Fragment.of("fallDown", { type, x, y, vx, vy, foothold, fallStart, state, durationMs })
        : Fragment.of("absolute", { type, x, y, vx, vy, foothold, state, durationMs });
  }
}

/** Impulses, teleports and equipment never merge. */
function merges(last: Readonly<Growing>, { kind, type, foothold, fallStart, state, vx, vy }: Move): boolean {
  return (
    kind === "step" &&
    last.type === type &&
    last.foothold === foothold &&
    last.fallStart === (type === FALL_TYPE ? fallStart : 0) &&
    last.state === state &&
    Math.sign(last.vx) === Math.sign(round(vx)) &&
    Math.sign(last.vy) === Math.sign(round(vy))
  );
}

function isSame(node: Fragment, settled: RecordedState): boolean {
  return (
    node.kind === "absolute" &&
    node.vx === 0 &&
    node.vy === 0 &&
    node.x === settled.x &&
    node.y === settled.y &&
    node.foothold === settled.foothold &&
    node.state === settled.state
  );
}

/** The number of nodes up to the last one on the ground. */
function groundedLength(nodes: readonly Fragment[]): number {
  return nodes.findLastIndex(({ kind, foothold }) => kind === "absolute" && foothold !== 0) + 1;
}
