/**
 * Finds a landing that no message has reported, in two ways: the document's guess, and by the time of a jump.
 *
 * ```ts
 * const state = createMovementState();
 * updateMovementState(state, "upPress", 0);
 * detectAssumedLanding(state, 0, 100); // false: 100 ms is not more than 100 ms
 * detectAssumedLanding(state, 0, 101); // true, though the jump lasts 683 ms
 * ```
 *
 * Source: docs/protocols/slime-online-2.md 8.7.
 */
import { createMovementState, type MovementState, updateMovementState } from "./movement-state.ts";
import { type PhysicsProfile, stepPhysics } from "./physics.ts";
import { type PhysicsConstants, physicsConstants } from "./physics-constants.ts";

/** The document's threshold, milliseconds. */
export const assumedLandingMs = 100;

/** No jump of any version lasts this many frames (a minute); a bound for constants without gravity. */
const maxJumpFrames = 3600;

/**
 * The document's rule: a player in the air that has sent nothing for strictly more than {@link assumedLandingMs} is assumed
 * to have landed. It ends every jump early (standard 8.7), so the caller marks the landing **assumed**: until the next
 * message, ground and air codes are both legal (`judgeTransition`, `assumedLanded`).
 *
 * Lands `state` (`free` false, `vsp` 0) and returns true, or returns false and changes nothing. Times are milliseconds;
 * `lastMoveAt` is when the last movement message was accepted.
 */
export function detectAssumedLanding(
  state: MovementState,
  lastMoveAt: number,
  now: number,
  afterMs: number = assumedLandingMs,
): boolean {
  if (!state.free || now - lastMoveAt <= afterMs) return false;
  land(state);
  return true;
}

/** How many frames a jump takes to come back to its take-off height: 41 (683 ms) with the document's constants. */
export function jumpFrames(
  constants: PhysicsConstants = physicsConstants,
  profile: PhysicsProfile = "documented",
): number {
  const state = createMovementState();
  updateMovementState(state, "upPress", 0, undefined, constants.jumpSpeed);
  let frames = 0;
  do {
    stepPhysics(state, constants, profile);
    frames++;
  } while (state.y < 0 && frames < maxJumpFrames);
  return frames;
}

const documentedJumpFrames = jumpFrames();

/**
 * The ballistic rule: a player that jumped at `jumpedAt` has landed when the simulated y is back at take-off height. It
 * knows flat ground only: false in water, which has no ballistics, and for a fall off an edge (`jumpedAt`
 * undefined), which never comes back.
 *
 * Lands `state` and returns true, or returns false and changes nothing. Times are milliseconds.
 *
 * @param frames of the jump: `jumpFrames` of the player's own constants.
 */
export function detectBallisticLanding(
  state: MovementState,
  jumpedAt: number | undefined,
  now: number,
  frames: number = documentedJumpFrames,
): boolean {
  if (!state.free || state.inWater || jumpedAt === undefined) return false;
  if (now - jumpedAt < (frames * 1000) / physicsConstants.framesPerSecond) return false;
  land(state);
  return true;
}

function land(state: MovementState): void {
  state.free = false;
  state.vsp = 0;
}
