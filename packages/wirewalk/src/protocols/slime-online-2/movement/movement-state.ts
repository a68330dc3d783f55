/**
 * What is known of one player: the keys held, the speeds, the position; and the change each message makes to it.
 *
 * ```ts
 * const state = createMovementState({ x: 448, y: 160 });
 * updateMovementState(state, "upPress", 450);
 * state.vsp; // -4.5, and state.free is true: the jump is already applied
 * ```
 *
 * Source: docs/protocols/slime-online-2.md 5.
 */
import { choice, flag, number, type StateOf, state } from "../../world-kit/index.ts";
import type { Direction } from "../wire/direction.ts";
import { physicsConstants } from "./physics-constants.ts";

/** The state of one player. Positions are pixels, y grows downwards; speeds are pixels per frame at 60 frames a second. */
export const savedMovementState = state({
  /** Left key held. */
  ileft: flag,
  /** Right key held. */
  iright: flag,
  /** Up key held. */
  iup: flag,
  /** A press of up that no jump has consumed yet (standard E10). */
  iupPress: flag,
  /** Down key held: crouching. */
  idown: flag,
  /** Not touching the ground. */
  free: flag,
  /** Horizontal speed, positive to the right. An f32 value. */
  hsp: number,
  /** Vertical speed, positive downwards. An f32 value. */
  vsp: number,
  /** Standing on ice. */
  ice: flag,
  inWater: flag,
  /** The player's feet. An f32 value. */
  x: number,
  /** The player's feet. An f32 value. */
  y: number,
  /** Facing: 1 right, -1 left. */
  sprDir: choice(1, -1),
});
export type MovementState = StateOf<typeof savedMovementState>;

/** A state with every field set: standing still on the ground at (0, 0), no key held, facing right (standard E11). */
export function createMovementState(partial: Partial<MovementState> = {}): MovementState {
  return {
    ileft: partial.ileft ?? false,
    iright: partial.iright ?? false,
    iup: partial.iup ?? false,
    iupPress: partial.iupPress ?? false,
    idown: partial.idown ?? false,
    free: partial.free ?? false,
    hsp: Math.fround(partial.hsp ?? 0),
    vsp: Math.fround(partial.vsp ?? 0),
    ice: partial.ice ?? false,
    inWater: partial.inWater ?? false,
    x: Math.fround(partial.x ?? 0),
    y: Math.fround(partial.y ?? 0),
    sprDir: partial.sprDir ?? 1,
  };
}

/** Copies every field of `from` into `to`. */
export function copyMovementState(from: Readonly<MovementState>, to: MovementState): void {
  to.ileft = from.ileft;
  to.iright = from.iright;
  to.iup = from.iup;
  to.iupPress = from.iupPress;
  to.idown = from.idown;
  to.free = from.free;
  to.hsp = from.hsp;
  to.vsp = from.vsp;
  to.ice = from.ice;
  to.inWater = from.inWater;
  to.x = from.x;
  to.y = from.y;
  to.sprDir = from.sprDir;
}

/**
 * Applies an accepted message to `state`: position where given (pixels), keys, jump, landing, facing.
 *
 * Up pressed on the ground jumps here and now and consumes the press (standard E9, E10); up pressed while free, which only
 * a swimmer may do, holds the key and nothing else (standard 8.5). Landing stops the fall (standard E9), or the next jump
 * would find `vsp != 0` and never happen. Nothing is judged here: see `judgeTransition` and `validateMovement`.
 *
 * @param jumpSpeed pixels per frame; a player's own where sodas change it.
 */
export function updateMovementState(
  state: MovementState,
  direction: Direction,
  x?: number,
  y?: number,
  jumpSpeed: number = physicsConstants.jumpSpeed,
): void {
  if (x !== undefined) state.x = Math.fround(x);
  if (y !== undefined) state.y = Math.fround(y);
  switch (direction) {
    case "leftPress":
    case "leftPressAir":
      state.ileft = true;
      state.sprDir = -1;
      return;
    case "rightPress":
    case "rightPressAir":
      state.iright = true;
      state.sprDir = 1;
      return;
    case "upPress":
      state.iup = true;
      if (state.free) return;
      state.iupPress = true;
      tryJump(state, jumpSpeed);
      return;
    case "downPress":
      state.idown = true;
      return;
    case "leftRelease":
    case "leftReleaseAir":
      state.ileft = false;
      if (state.iright) state.sprDir = 1;
      return;
    case "rightRelease":
    case "rightReleaseAir":
      state.iright = false;
      if (state.ileft) state.sprDir = -1;
      return;
    case "upRelease":
      state.iup = false;
      state.iupPress = false;
      return;
    case "downRelease":
      state.idown = false;
      return;
    case "landing":
      state.free = false;
      state.vsp = 0;
      return;
  }
}

/** The document's jump condition, with the press consumed. */
function tryJump(state: MovementState, jumpSpeed: number): void {
  if (state.vsp !== 0) return;
  state.vsp = Math.fround(-jumpSpeed);
  state.free = true;
  state.iupPress = false;
}
