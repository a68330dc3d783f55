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
import { applyMovement, type RoomGeometry } from "./geometry.ts";
import type { MovementState } from "./movement-state.ts";

/**
 * `documented`: the document's test and its word "maximum" are kept: no ground friction in a frame in which exactly one
 * of left and right is held, speed clamped to the maximum (on the ground and in the air), fall clamped to the terminal
 * speed, a press of up consumed by its jump. `listing`: the code as printed, which overshoots all of these (standard E14, E16, E10).
 */
export type PhysicsProfile = "documented" | "listing";

/** The numbers of one version of the game: pixels per frame, pixels per frame per frame, or plain divisors. f32 values. */
export interface PhysicsConstants {
  readonly framesPerSecond: number;
  /** Maximum horizontal speed. */
  readonly hspMax: number;
  /** Upward speed a jump starts with, positive. */
  readonly jumpSpeed: number;
  readonly gravity: number;
  /** Maximum speed of a fall. */
  readonly terminalVelocity: number;
  readonly accelGround: number;
  readonly accelIce: number;
  readonly frictionGround: number;
  readonly frictionIce: number;
  /** Divisor, applied every frame: crouching compounds (standard E15). */
  readonly frictionCrouch: number;
  /** Divisor, applied every frame: water compounds (standard E15). */
  readonly waterResistance: number;
  readonly waterBuoyancy: number;
  readonly waterSwimUp: number;
  readonly waterSwimDown: number;
  readonly waterMaxFall: number;
  /** Negative: upwards. */
  readonly waterMaxRise: number;
}

/** The document's constants. Other versions differ: derive with `{ ...physicsConstants, hspMax: Math.fround(3) }`. */
export const physicsConstants: PhysicsConstants = {
  framesPerSecond: 60,
  hspMax: 2.5,
  jumpSpeed: 4.5,
  gravity: Math.fround(0.2145),
  terminalVelocity: 9,
  accelGround: Math.fround(0.33),
  accelIce: Math.fround(0.033),
  frictionGround: Math.fround(0.165),
  frictionIce: Math.fround(0.0066),
  frictionCrouch: Math.fround(1.7),
  waterResistance: 2,
  waterBuoyancy: Math.fround(0.165),
  waterSwimUp: Math.fround(0.099),
  waterSwimDown: Math.fround(0.099),
  waterMaxFall: 0.75,
  waterMaxRise: -1,
};

/** What a player's sodas multiply; 1 is a player without any. */
export interface PlayerFactors {
  readonly speed: number;
  readonly jump: number;
}

/**
 * The constants of one player: `speed` multiplies the maximum horizontal speed, `jump` the speed a jump starts with.
 * Acceleration, friction and gravity stay: the document says nothing of sodas, and this is the least that makes one.
 *
 * @throws RangeError for a factor that is not a positive finite number.
 */
export function withFactors(constants: PhysicsConstants, factors: PlayerFactors): PhysicsConstants {
  for (const factor of [factors.speed, factors.jump]) {
    if (!(factor > 0 && factor < Infinity)) throw new RangeError(`Cannot scale physics: factor ${factor}`);
  }
  return {
    ...constants,
    hspMax: Math.fround(constants.hspMax * factors.speed),
    jumpSpeed: Math.fround(constants.jumpSpeed * factors.jump),
  };
}

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
