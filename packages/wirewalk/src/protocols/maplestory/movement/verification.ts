/**
 * "Genuine client verification": what a path says of itself and an honest client's path always says right. In `v62` the
 * bytes around the fragments are no secret: the fieldKey, the start, the key nibbles and the box can all be computed.
 * In `documented` they are a pattern that both sides agree on, which a hook makes and checks.
 *
 * Each check is a **score** with its evidence, from 1 (as an honest client says it) to 0. Nothing is dropped by a score
 * alone, and least of all by a fixed length of the tail: every server that did that disconnected honest players.
 *
 * ```ts
 * const scores = verifyPath(message, { fieldKey: 1, end: { x: 108, y: 31 }, budget: new TimeBudget(0) }, 510);
 * scores.every(({ score }) => score === 1); // an honest path
 * ```
 *
 * Sources: document, "Genuine client verification"; sheet, "Recording and optimisation, client".
 */
import type { JsonObject } from "../../../wire/index.ts";
import type { DocumentedMovePlayer, V62MovePlayer } from "../wire/codec.ts";
import type { FragmentFields } from "../wire/fragment.ts";
import { boxOf, type Path, type Point, type Tail } from "../wire/messages.ts";

/** What is checked. */
export type VerificationCheck = "field-key" | "start" | "box" | "durations" | "wall-clock" | "pattern";

/** One check's word on one path. */
export interface VerificationScore {
  readonly check: VerificationCheck;
  /** 1: as an honest client says it; 0: no honest client says it. */
  readonly score: number;
  readonly measured: number;
  readonly allowed: number;
  readonly unit: string;
  /** What was said and what was expected. */
  readonly evidence: JsonObject;
}

/** Milliseconds of a step of the client: each has a key nibble. */
const STEP_MS = 30;
/** A start that is so far from the last end has a score of 0, pixels. */
const START_ZERO_PX = 150;
/** A box that is so much too large or too small has a score of 0, pixels. */
const BOX_ZERO_PX = 25;
/** So much time that was never there has a score of 0, milliseconds. */
const TIME_ZERO_MS = 1000;

/** Milliseconds that can be saved up: what a connection may hold back and then deliver at once. */
const MAX_CREDIT_MS = 5000;
/** A client's clock may run this much faster than ours: quartz does not, a busy machine's timer does. */
const CLOCK_TOLERANCE = 1.01;

/** The time that somebody may have spent: what is sent may not run ahead of the wall clock. */
export class TimeBudget {
  #creditMs: number;
  #atMs: number;

  /** Begins now, with some time saved up where its owner may have begun earlier. */
  constructor(nowMs: number, creditMs = 0) {
    this.#atMs = nowMs;
    this.#creditMs = creditMs;
  }

  /** What is left to be spent, milliseconds. */
  available(nowMs: number): number {
    return Math.min(MAX_CREDIT_MS, this.#creditMs + Math.max(0, nowMs - this.#atMs) * CLOCK_TOLERANCE);
  }

  /** Spends. What was never there is forgiven, or one excess would be found in every later path again. */
  spend(ms: number, nowMs: number): void {
    this.#creditMs = Math.max(0, this.available(nowMs) - ms);
    this.#atMs = nowMs;
  }
}

/** What is known of a player when a path of it arrives. */
export interface VerificationState {
  /** What CHANGE_MAP said last. */
  readonly fieldKey: number;
  /** Where the last path ended; undefined when it may be anywhere. */
  readonly end: Point | undefined;
  readonly budget: TimeBudget;
}

/** The sum of a path's durations, milliseconds. */
export function durationOf(fragments: readonly FragmentFields[]): number {
  let sum = 0;
  for (const { durationMs = 0 } of fragments) sum += durationMs;
  return sum;
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
export function verifyPath(path: V62MovePlayer, state: VerificationState, nowMs: number): readonly VerificationScore[] {
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
    verifyClock(fragments, state.budget, nowMs),
  ];
}

/** Whether a path starts where the one before it ended; undefined for anywhere. */
function verifyStart({ start }: Path, end: Point | undefined): VerificationScore {
  const gap = end === undefined ? 0 : Math.hypot(start.x - end.x, start.y - end.y);
  const expected = end === undefined ? null : { x: end.x, y: end.y };
  return scoreOf("start", [gap, 0, START_ZERO_PX, "px"], { said: { ...start }, expected });
}

/** Whether the box is that of the path. Pets, summons and monsters have one too. */
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

/** Whether so much time can have passed. */
export function verifyClock(
  fragments: readonly FragmentFields[],
  budget: TimeBudget,
  nowMs: number,
): VerificationScore {
  const available = budget.available(nowMs);
  return scoreOf("wall-clock", [durationOf(fragments), available, TIME_ZERO_MS, "ms"], { availableMs: available });
}

// --- documented ----------------------------------------------------------------------------------------------------------

/** Bytes before and after the fragments of a `documented` move. */
export const HEAD_BYTES = 5;
export const TAIL_BYTES = 18;

/**
 * A pattern that both sides agree on: "bytes that have no noticeable pattern to the outside observer". A function of
 * the fragments as they are written and of how many moves went before; it gives at least 23 bytes.
 */
export type VerificationPattern = (section: Uint8Array, sequence: number) => Uint8Array;

/**
 * A pattern out of a keyed hash, such as HMAC-SHA-256 with the session's key: its first 23 bytes over the number of the
 * move (four bytes, low byte first) and the fragments.
 *
 * ```ts
 * const pattern = hashPattern((bytes) => createHmac("sha256", key).update(bytes).digest());
 * ```
 */
export function hashPattern(hash: (bytes: Uint8Array) => Uint8Array): VerificationPattern {
  return (section, sequence) => {
    const bytes = new Uint8Array(4 + section.length);
    bytes.set([sequence, sequence >>> 8, sequence >>> 16, sequence >>> 24]);
    bytes.set(section, 4);
    return hash(bytes);
  };
}

/** The bytes before and after a section. Throws `RangeError` when the pattern gives too few. */
export function makeVerification(
  pattern: VerificationPattern,
  section: Uint8Array,
  sequence: number,
): Pick<DocumentedMovePlayer, "head" | "tail"> {
  const bytes = pattern(section, sequence);
  if (bytes.length < HEAD_BYTES + TAIL_BYTES) {
    throw new RangeError(`A pattern has at least ${HEAD_BYTES + TAIL_BYTES} bytes, got ${bytes.length}`);
  }
  return { head: bytes.slice(0, HEAD_BYTES), tail: bytes.slice(HEAD_BYTES, HEAD_BYTES + TAIL_BYTES) };
}

/** Whether a move carries the pattern of its fragments: the number of bytes that differ, as a score. */
export function verifyPattern(
  pattern: VerificationPattern,
  move: Pick<DocumentedMovePlayer, "head" | "tail">,
  section: Uint8Array,
  sequence: number,
): VerificationScore {
  const expected = makeVerification(pattern, section, sequence);
  let wrong = 0;
  // All bytes are looked at, whatever the first ones say: how long it takes tells nothing.
  move.head.forEach((byte, index) => {
    if (byte !== expected.head[index]) wrong += 1;
  });
  move.tail.forEach((byte, index) => {
    if (byte !== expected.tail[index]) wrong += 1;
  });
  return scoreOf("pattern", [wrong, 0, 1, "wrong bytes"], { sequence });
}
