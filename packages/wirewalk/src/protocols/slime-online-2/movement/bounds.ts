/**
 * What the frame step can do at most: how far a run, a slide, a jump and a fall get, and in how many frames. Played out by the frame step
 * itself, so that rules, bots and ghosts have one physics.
 *
 * ```ts
 * const bounds = motionBounds(physicsConstants);
 * bounds.jumpHeight; // 44.955, in frame 20
 * ```
 *
 * Source: docs/protocols/slime-online-2.md 6.3, 8.6.
 */
import { jumpFrames } from "./landing.ts";
import { createMovementState, type MovementState } from "./movement-state.ts";
import { stepPhysics } from "./physics.ts";
import type { PhysicsConstants } from "./physics-constants.ts";

/** Frames at most that are played for one bound: a minute. Constants without friction or gravity would never end. */
const MAX_FRAMES = 3600;

export interface MotionBounds {
  readonly framesPerSecond: number;
  /** The fastest run, px/frame and px/s. */
  readonly runPerFrame: number;
  readonly run: number;
  /** The fastest fall, px/frame. */
  readonly fallPerFrame: number;
  /** The fastest rise in water, px/s. */
  readonly swim: number;
  readonly onGround: SlideBounds;
  readonly onIce: SlideBounds;
  /** How far it flies in a jump that lands where it began, px. */
  readonly flight: number;
  /** The most that a player may have of slide and flight at once, px. */
  readonly mostSlide: number;
  /** The share of the fastest run that is left to one that crouches. */
  readonly crouchShare: number;
  /** The height of a jump after each frame until its highest point, px. */
  readonly rises: readonly number[];
  readonly jumpHeight: number;
  /** The first frame of a jump in which a player can land. */
  readonly apexFrames: number;
  /** The depth of a fall after each frame until it is at its fastest, px. */
  readonly falls: readonly number[];
}

/** What becomes of the fastest run without its key. */
export interface SlideBounds {
  /** How far it slides, px, and in how many frames. */
  readonly px: number;
  readonly frames: number;
}

export function motionBounds(constants: PhysicsConstants): MotionBounds {
  const { framesPerSecond, hspMax, terminalVelocity, waterMaxRise } = constants;
  const rises = heights(constants);
  const falls = depths(constants);
  const onIce = slideOf(constants, true);
  const flight = hspMax * jumpFrames(constants);
  return {
    framesPerSecond,
    runPerFrame: hspMax,
    run: hspMax * framesPerSecond,
    fallPerFrame: terminalVelocity,
    swim: Math.abs(waterMaxRise) * framesPerSecond,
    onGround: slideOf(constants, false),
    onIce,
    flight,
    mostSlide: onIce.px + flight,
    crouchShare: crouchSpeed(constants) / hspMax,
    rises,
    jumpHeight: rises.at(-1) ?? 0,
    apexFrames: rises.length + 1,
    falls,
  };
}

/** Frames until a fall from standing is so deep, px. */
export function fallFrames({ falls, fallPerFrame }: MotionBounds, depth: number): number {
  if (depth <= 0) return 0;
  const deepest = falls.at(-1) ?? 0;
  return depth > deepest ? falls.length + (depth - deepest) / fallPerFrame : frameOf(falls, depth);
}

/**
 * How far a slide gets while it falls so deep, px. Each step down is a fall of its own, with the speed that its slide has left; speeds that
 * decrease evenly get as far by falls that become shallower as the fastest one does by a third as many equal ones.
 */
export function fallSlide(bounds: MotionBounds, { px, frames }: SlideBounds, depth: number): number {
  if (depth <= 0) return 0;
  const steps = Math.max(1, frames / 3);
  return steps * fallFrames(bounds, depth / steps) * bounds.runPerFrame + px;
}

/** The least depth in which a fall lasts so many frames, px. */
export function fallDepth({ falls, fallPerFrame }: MotionBounds, frames: number): number {
  const whole = Math.floor(frames);
  if (whole <= 0) return 0;
  const last = falls[whole - 1];
  return last ?? (falls.at(-1) ?? 0) + (whole - falls.length) * fallPerFrame;
}

/** Frames until a jump is so high, px: at most its height. */
export function riseFrames({ rises }: MotionBounds, height: number): number {
  return frameOf(rises, height);
}

/** The first frame that has reached `least`, by halves. */
function frameOf(table: readonly number[], least: number): number {
  let [low, high] = [0, table.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((table[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}

function jumping(constants: PhysicsConstants): MovementState {
  return createMovementState({ vsp: -constants.jumpSpeed, free: true });
}

/** Plays frames while `goesOn` holds after one, and returns their number. */
function play(state: MovementState, constants: PhysicsConstants, goesOn: () => boolean): number {
  let frames = 0;
  do {
    stepPhysics(state, constants, "documented");
    frames++;
  } while (goesOn() && frames < MAX_FRAMES);
  return frames;
}

function heights(constants: PhysicsConstants): readonly number[] {
  const state = jumping(constants);
  const all: number[] = [];
  play(state, constants, () => {
    if (state.vsp < 0) all.push(-state.y);
    return state.vsp < 0;
  });
  return all;
}

function depths(constants: PhysicsConstants): readonly number[] {
  const state = createMovementState({ free: true });
  const all: number[] = [];
  play(state, constants, () => {
    all.push(state.y);
    return state.vsp < constants.terminalVelocity;
  });
  return all;
}

function slideOf(constants: PhysicsConstants, ice: boolean): SlideBounds {
  const state = createMovementState({ hsp: constants.hspMax, ice });
  const frames = play(state, constants, () => state.hsp !== 0);
  return { px: state.x, frames };
}

/** The speed that a player comes to which crouches with a key held: each frame adds the acceleration and divides. */
function crouchSpeed({ accelGround, frictionCrouch, hspMax }: PhysicsConstants): number {
  if (frictionCrouch <= 1) return hspMax;
  return Math.min(hspMax, accelGround / (frictionCrouch - 1));
}
