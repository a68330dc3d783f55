/**
 * The checks of a server on a message: its position and its transition. The time that positions take is in `travel.ts`.
 *
 * Everything here is pure: a check returns a result and, for an accepted message, the baseline to keep.
 * A refused message therefore changes nothing (standard 8.1).
 *
 * ```ts
 * const first = validateMovement({ direction: "leftPress", x: 0, y: 0 }, undefined, 0);
 * // first.ok, and first.baseline is what the next position is measured from
 * ```
 *
 * Source: docs/protocols/slime-online-2.md 8.3 to 8.5.
 */

import { maybe, number, type StateOf, state } from "../../world-kit/index.ts";
import type { MovementState } from "../movement/movement-state.ts";
import { physicsConstants } from "../movement/physics-constants.ts";
import { type Direction, directionRow, type Key } from "../wire/direction.ts";
import { type SlimeRuleLimits, slimeRuleDefaults } from "./limits.ts";

/** The judged parts of a message. Positions are u16 pixels. */
export interface Move {
  readonly direction: Direction;
  readonly x?: number | undefined;
  readonly y?: number | undefined;
}

/** The last accepted position: what the next one is measured from. */
export const savedBaseline = state({
  /** Pixels. */
  x: number,
  /** Pixels; undefined while only x has been reported (upPress carries no y). */
  y: maybe(number),
  /** When the last position with x **and** y was accepted, milliseconds. */
  at: number,
  /** Seconds of travel left over, at most 1; below 0 once upPress has spent time that `at` still counts. */
  saved: number,
});
export type PositionBaseline = Readonly<StateOf<typeof savedBaseline>>;

/** Why a position was refused. */
export type PositionError = "missing-position" | "unexpected-position" | "teleport";

/** The result of {@link validateMovement}. `measured` and `allowed` are in `unit`. */
export type PositionResult =
  | {
      readonly ok: true;
      readonly measured: number;
      /** Infinity for a first position. */
      readonly allowed: number;
      readonly unit: "px";
      /** To keep in place of the one given; undefined while no position is known. */
      readonly baseline: PositionBaseline | undefined;
    }
  | {
      readonly ok: false;
      readonly error: PositionError;
      readonly measured: number;
      readonly allowed: number;
      readonly unit: "px" | "coordinates";
    };

/** The least time between two positions, seconds: one frame (standard 8.4). */
const leastSeconds = 1 / physicsConstants.framesPerSecond;

/**
 * Checks the presence of the position and, against `baseline`, that it is not a teleport: the distance may be what
 * `teleportPxPerSecond` covers in the time since the last position (one frame at least, uncapped) plus
 * the time saved.
 *
 * `baseline` undefined: the next position may be anywhere (a first one, or one after a warp, a cannon, a correction).
 *
 * upPress carries x alone and is checked by |dx| (standard E5). It spends time but leaves `at`: y has not been reported,
 * so the time of a fall before it must remain for the next full position. No time counts twice.
 *
 * @param now milliseconds.
 * @param factor a player's own speed factor, 1 without sodas.
 */
export function validateMovement(
  move: Move,
  baseline: PositionBaseline | undefined,
  now: number,
  factor = 1,
  limits: SlimeRuleLimits = slimeRuleDefaults,
): PositionResult {
  const { x, y } = move;
  const { position } = directionRow(move.direction);
  const needed = position === "xy" ? 2 : position === "x" ? 1 : 0;
  const given = (x === undefined ? 0 : 1) + (y === undefined ? 0 : 1);
  if ((needed > 0 && x === undefined) || (needed === 2 && y === undefined)) {
    return { ok: false, error: "missing-position", measured: given, allowed: needed, unit: "coordinates" };
  }
  if (given > needed) {
    return { ok: false, error: "unexpected-position", measured: given, allowed: needed, unit: "coordinates" };
  }
  if (x === undefined) return { ok: true, measured: 0, allowed: 0, unit: "px", baseline };
  if (baseline === undefined) {
    return { ok: true, measured: 0, allowed: Infinity, unit: "px", baseline: { x, y, at: now, saved: 0 } };
  }

  const dx = x - baseline.x;
  const dy = y === undefined || baseline.y === undefined ? 0 : y - baseline.y;
  const distance = Math.sqrt(dx * dx + dy * dy);
  const speed = limits.teleportPxPerSecond * factor;
  const seconds = Math.max((now - baseline.at) / 1000, leastSeconds) + baseline.saved;
  const allowed = speed * seconds;
  if (!(distance <= allowed)) return { ok: false, error: "teleport", measured: distance, allowed, unit: "px" };

  const spent = distance / speed;
  const next: PositionBaseline =
    y === undefined
      ? { x, y: baseline.y, at: baseline.at, saved: baseline.saved - spent }
      : { x, y, at: now, saved: Math.min(limits.savedTravelSeconds, seconds - spent) };
  return { ok: true, measured: distance, allowed, unit: "px", baseline: next };
}

/** The result of {@link validateStateTransition}: `message` as the document prints it, `rule` the one that refused. */
export type TransitionResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly error: "invalid-state-transition";
      readonly rule: "key" | "ground" | "air";
      readonly message: string;
    };

const transitionOk: TransitionResult = { ok: true };

/**
 * The document's rule, as a pure function of what the server believes: first the key (no press of a key held, no
 * release of left or right not held), then the place (1, 2, 3, 5, 6 on the ground, 10..13 in the air), for all codes
 * (standard E3, E4). Releasing up or down twice is legal, and landing always is (standard 8.5).
 *
 * For real clients use {@link judgeTransition}.
 */
export function validateStateTransition(state: Readonly<MovementState>, direction: Direction): TransitionResult {
  const { key, action, where } = directionRow(direction);
  if (key !== undefined) {
    const held = isHeld(state, key);
    if (action === "press" && held) return refused("key", `${capitalised(key)} already pressed`);
    if (action === "release" && !held && (key === "left" || key === "right")) {
      return refused("key", `${capitalised(key)} not pressed`);
    }
  }
  if (where === "ground" && state.free) return refused("ground", "Ground move while in air");
  if (where === "air" && !state.free) return refused("air", "Air move while on ground");
  return transitionOk;
}

function isHeld(state: Readonly<MovementState>, key: Key): boolean {
  if (key === "left") return state.ileft;
  if (key === "right") return state.iright;
  return key === "up" ? state.iup : state.idown;
}

function capitalised(key: Key): string {
  return `${key.charAt(0).toUpperCase()}${key.slice(1)}`;
}

function refused(rule: "key" | "ground" | "air", message: string): TransitionResult {
  return { ok: false, error: "invalid-state-transition", rule, message };
}

/** Why a transition was judged as it was. */
export type TransitionRule =
  /** Legal by the document. */
  | "legal"
  /** An air code while the landing was only assumed: legal, back in the air (standard 8.7). */
  | "assumed-landing"
  /** Up pressed by a swimmer: holds the key, no jump (standard 8.5). */
  | "swim"
  /** An air code on the ground: the player walked off an edge, which sends nothing (standard 8.5). */
  | "walked-off"
  /** A ground code in the air: the player landed without a message, which is optional (standard 8.5). */
  | "landing-missing"
  /** Up or down released while not held (standard E4). */
  | "released-twice"
  /** Refused: the key is, or is not, held already. */
  | "key"
  /** Refused: a ground code in the air. */
  | "ground"
  /** Refused: an air code on the ground. */
  | "air";

/** The result of {@link judgeTransition}. */
export interface TransitionJudgement {
  readonly kind: "accept" | "benign" | "reject";
  readonly rule: TransitionRule;
  /** What `state.free` becomes before the message is applied; absent: it stays. See {@link applyJudgement}. */
  readonly free?: boolean;
  /** The document's message, on a refusal. */
  readonly message?: string;
}

/** How {@link judgeTransition} judges. */
export interface TransitionOptions {
  /** The document's rule as printed, without the leniency of standard 8.5: for tests and for clients known to send everything. */
  readonly strict?: boolean;
  /** The ground under the player is the 100 ms rule's guess (standard 8.7). The server made the guess, so it holds when strict too. */
  readonly assumedLanded?: boolean;
}

/**
 * The handler's rule: {@link validateStateTransition}, lenient where an honest client's silence makes the server's
 * belief wrong (standard 8.5, 8.7). Mutates nothing.
 */
export function judgeTransition(
  state: Readonly<MovementState>,
  direction: Direction,
  options: TransitionOptions = {},
): TransitionJudgement {
  const result = validateStateTransition(state, direction);
  if (result.ok) {
    const twice = (direction === "upRelease" && !state.iup) || (direction === "downRelease" && !state.idown);
    return twice ? { kind: "benign", rule: "released-twice" } : { kind: "accept", rule: "legal" };
  }
  const { rule, message } = result;
  if (rule === "air" && options.assumedLanded === true) return { kind: "accept", rule: "assumed-landing", free: true };
  if (rule === "key" || options.strict === true) return { kind: "reject", rule, message };
  if (rule === "air") return { kind: "benign", rule: "walked-off", free: true };
  if (direction !== "upPress") return { kind: "benign", rule: "landing-missing", free: false };
  if (state.inWater) return { kind: "accept", rule: "swim" };
  return { kind: "reject", rule, message };
}

/** Applies what a judgement found out about the ground. Call it before the message itself is applied. */
export function applyJudgement(state: MovementState, judgement: TransitionJudgement): void {
  if (judgement.free === undefined || judgement.free === state.free) return;
  state.free = judgement.free;
  if (!judgement.free) state.vsp = 0;
}
