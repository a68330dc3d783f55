/**
 * "Genuine client verification", as a server checks it. An honest client's path is consistent with itself: in `v62` the
 * fieldKey, the start, the key nibbles and the box around the fragments can all be computed. In `documented` those bytes
 * are a pattern that client and server agree on (`movement/verification-pattern.ts`).
 *
 * Each check is a **score** with its evidence, from 1 (what an honest client sends) to 0. A score alone never drops a
 * message, and no check requires a fixed length of the tail: every server that did so disconnected honest players.
 *
 * ```ts
 * const scores = verifyPath(message, { fieldKey: 1, end: { x: 108, y: 31 }, budget: new DurationBudget(0) }, 510);
 * scores.every(({ score }) => score === 1); // an honest path
 * ```
 *
 * Source: docs/protocols/maplestory.md 7.
 */
import type { JsonObject } from "../../../wire/index.ts";
import { choice, number, plainData, type StateOf, state, text } from "../../world-kit/index.ts";
import { durationOf } from "../movement/nodes.ts";
import { makeVerification, type VerificationPattern } from "../movement/verification-pattern.ts";
import type { DocumentedMovePlayer, V62MovePlayer } from "../wire/codec.ts";
import type { FragmentFields } from "../wire/fragment.ts";
import { boxOf, type Path, type Point, type Tail } from "../wire/messages.ts";
import type { DurationBudget } from "./duration-budget.ts";

/** The result of one check of one path. */
export const savedScore = state({
  /** What is checked. */
  check: choice("field-key", "start", "box", "durations", "wall-clock", "pattern"),
  /** 1: what an honest client sends; 0: what no honest client sends. */
  score: number,
  measured: number,
  allowed: number,
  unit: text,
  /** What the client sent and what was expected. */
  evidence: plainData<JsonObject>(),
});
export type VerificationScore = Readonly<StateOf<typeof savedScore>>;
export type VerificationCheck = VerificationScore["check"];

/** Milliseconds of a step of the client: each has a key nibble. */
const STEP_MS = 30;
/** A start this far from the last end has a score of 0, pixels. */
const START_ZERO_PX = 150;
/** A box this much too large or too small has a score of 0, pixels. */
const BOX_ZERO_PX = 25;
/** Durations this far over the budget have a score of 0, milliseconds. */
const TIME_ZERO_MS = 1000;

/** What the server knows of a player when a path of it arrives. */
export interface VerificationState {
  /** The key in the last CHANGE_MAP. */
  readonly fieldKey: number;
  /** Where the last path ended; undefined when the next one may start anywhere. */
  readonly end: Point | undefined;
  readonly budget: DurationBudget;
  /** The most time that the client may not have reported yet, milliseconds. Default 5,000. */
  readonly ceilingMs?: number;
}

function scoreOf(
  check: VerificationCheck,
  [measured, allowed, zeroAt, unit]: readonly [number, number, number, string],
  evidence: JsonObject,
): VerificationScore {
  const excess = Math.max(0, measured - allowed);
  return { check, score: Math.max(0, 1 - excess / zeroAt), measured, allowed, unit, evidence };
}

/** All checks of a player's path in `v62`. Spends nothing. */
export function verifyPath(path: V62MovePlayer, state: VerificationState, nowMs: number): VerificationScore[] {
  const { fieldKey, fragments, keypad } = path;
  const keyEvidence = { said: fieldKey, expected: state.fieldKey };
  return [
    scoreOf("field-key", [fieldKey === state.fieldKey ? 0 : 1, 0, 1, "wrong keys"], keyEvidence),
    verifyStart(path, state.end),
    verifyBox(path),
    scoreOf("durations", [Math.abs(durationOf(fragments) - STEP_MS * keypad.length), 0, STEP_MS * 2, "ms"], {
      durationMs: durationOf(fragments),
      steps: keypad.length,
      stepMs: STEP_MS,
    }),
    verifyClock(fragments, state.budget, nowMs, state.ceilingMs),
  ];
}

/** Compares a path's start with the end of the path before it; undefined allows any start. */
function verifyStart({ start }: Path, end: Point | undefined): VerificationScore {
  const gap = end === undefined ? 0 : Math.hypot(start.x - end.x, start.y - end.y);
  const expected = end === undefined ? null : { x: end.x, y: end.y };
  return scoreOf("start", [gap, 0, START_ZERO_PX, "px"], { said: { ...start }, expected });
}

/** Compares the box with that of the path. Pets, summons and monsters have one too. */
export function verifyBox({ start, fragments, box }: Path & Pick<Tail, "box">): VerificationScore {
  const expected = boxOf(start, fragments);
  const off = Math.max(
    Math.abs(box.left - expected.left),
    Math.abs(box.top - expected.top),
    Math.abs(box.right - expected.right),
    Math.abs(box.bottom - expected.bottom),
  );
  return scoreOf("box", [off, 0, BOX_ZERO_PX, "px"], { said: { ...box }, expected: { ...expected } });
}

/** Compares the sum of the durations with the time that has passed. */
export function verifyClock(
  fragments: readonly FragmentFields[],
  budget: DurationBudget,
  nowMs: number,
  ceilingMs?: number,
): VerificationScore {
  const available = budget.available(nowMs, ceilingMs);
  return scoreOf("wall-clock", [durationOf(fragments), available, TIME_ZERO_MS, "ms"], { availableMs: available });
}

/** Compares the 23 opaque bytes of a `documented` move with the pattern of its fragments: the number of wrong bytes. */
export function verifyPattern(
  pattern: VerificationPattern,
  move: Pick<DocumentedMovePlayer, "head" | "tail">,
  section: Uint8Array,
  sequence: number,
): VerificationScore {
  const expected = makeVerification(pattern, section, sequence);
  let wrong = 0;
  // All bytes are compared, whatever the first ones are: the time this takes must not show which byte is wrong.
  move.head.forEach((byte, index) => {
    if (byte !== expected.head[index]) wrong += 1;
  });
  move.tail.forEach((byte, index) => {
    if (byte !== expected.tail[index]) wrong += 1;
  });
  return scoreOf("pattern", [wrong, 0, 1, "wrong bytes"], { sequence });
}
