/**
 * The client's frame step, 60 times a second, exact in f32: every operation rounds through `Math.fround`, so the same
 * keys give the same bits on every machine.
 *
 * ```ts
 * const state = createMovementState({ iright: true });
 * stepPhysics(state, physicsConstants, "documented");
 * state.hsp === Math.fround(0.33); // true
 * ```
 *
 * Conventions that give the golden values of standard 6.5: gravity is added in the frame of the jump itself, before the
 * position moves (semi-implicit Euler: -4.5 + 0.2145 after frame 1, apex in frame 20, back in frame 41); speeds are
 * settled first and the position moves by them last; friction that would overshoot stops at exactly zero.
 *
 * Source: docs/protocols/slime-online-2.md 6, E10, E14 to E17.
 */
import type { RoomGeometry } from "../maps/geometry.ts";
import { applyMovement } from "./collision.ts";
import type { MovementState } from "./movement-state.ts";
import type { PhysicsConstants } from "./physics-constants.ts";

/**
 * `documented`: the document's test and its word "maximum" are kept: no ground friction in a frame in which exactly one
 * of left and right is held, speed clamped to the maximum (on the ground and in the air), fall clamped to the terminal
 * speed, a press of up consumed by its jump. `listing`: the code as printed, which overshoots all of these (standard E14, E16, E10).
 */
export type PhysicsProfile = "documented" | "listing";

/** Takes `friction` off a speed, never past zero. (standard 6.3) */
export function decel(speed: number, friction: number): number {
  const absolute = Math.abs(speed);
  if (absolute < friction) return 0;
  const slower = Math.fround(absolute - friction);
  return speed < 0 ? 0 - slower : slower;
}

/**
 * Plays one frame (1/60 s) of `state`, in the document's order: drive, jump, gravity, friction, crouch, water, move.
 *
 * Without `geometry` the player flies through an empty world: the position moves by the speeds and nothing ever lands.
 * With it, `applyMovement` collides, and also sets `free`, `ice` and `inWater` for the next frame.
 */
export function stepPhysics(
  state: MovementState,
  constants: PhysicsConstants,
  profile: PhysicsProfile,
  geometry?: RoomGeometry,
): void {
  const documented = profile === "documented";
  const drives = state.iright !== state.ileft;
  let hsp = state.hsp;
  let vsp = state.vsp;

  if (drives) {
    const accel = state.ice ? constants.accelIce : constants.accelGround;
    if (state.iright && hsp < constants.hspMax) hsp = Math.fround(hsp + accel);
    else if (state.ileft && hsp > -constants.hspMax) hsp = Math.fround(hsp - accel);
  }
  if (documented) hsp = clamp(hsp, -constants.hspMax, constants.hspMax);

  if (state.iupPress && vsp === 0 && !state.free) {
    vsp = -constants.jumpSpeed;
    state.free = true;
    // QUIRK: the listing leaves the press, so its player jumps again on every landing until up is released (standard E10).
    if (documented) state.iupPress = false;
  }

  if (state.free && vsp < constants.terminalVelocity) vsp = Math.fround(vsp + constants.gravity);
  if (documented && vsp > constants.terminalVelocity) vsp = constants.terminalVelocity;

  if (!state.free && !(documented && drives)) {
    hsp = decel(hsp, state.ice ? constants.frictionIce : constants.frictionGround);
  }

  if (state.idown && !state.free && hsp !== 0) hsp = Math.fround(hsp / constants.frictionCrouch);

  if (state.inWater && state.free) {
    hsp = Math.fround(hsp / constants.waterResistance);
    vsp = Math.fround(vsp - constants.waterBuoyancy);
    if (state.iup) vsp = Math.fround(vsp - constants.waterSwimUp);
    if (state.idown) vsp = Math.fround(vsp + constants.waterSwimDown);
    vsp = clamp(vsp, constants.waterMaxRise, constants.waterMaxFall);
  }

  // Adding zero turns -0 into 0 and changes nothing else (standard E17).
  state.hsp = hsp + 0;
  state.vsp = vsp + 0;
  if (geometry !== undefined) {
    applyMovement(state, geometry);
    return;
  }
  state.x = Math.fround(state.x + state.hsp);
  state.y = Math.fround(state.y + state.vsp);
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}
