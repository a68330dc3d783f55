/**
 * How a character moves: the server's model, 40 steps a second, which a client plays too. Speeds and blend are those that
 * moved real clients (standard 7); gravity, jump, steps and what a ceiling does are not known, so these are ours.
 *
 * Every number is rounded to 32 bits after each step, so that what is sent is the state itself.
 *
 * ```ts
 * import { createCharacter, movementModel, stepCharacter } from "wirewalk/scrap-mechanic/movement";
 * import { keySets } from "wirewalk/scrap-mechanic";
 *
 * const character = createCharacter(movementModel, { x: 0, y: 0 });
 * const walking = { keys: keySets[4], direction: 64, yaw: 0 }; // horizontal, forward, along +Y
 * for (let tick = 0; tick < 40; tick++) stepCharacter(character, walking, movementModel);
 * character.vy.toFixed(2); // => "4.00"
 * character.z; // => Math.fround(0.7)
 * ```
 */
import { flag, number, type StateOf, state } from "../../world-kit/index.ts";
import { cosine, sine, walkVector } from "../wire/angle.ts";
import { keySets, keysByte, type PlayerMovement } from "../wire/player-movement.ts";
import type { Vector3 } from "../wire/unreliable-update.ts";
import { isSlow, rollingSpin, SLIDE, savedSpin, spunOn, upright } from "./tumbling.ts";

/** Milliseconds of a tick. */
export const TICK_MS = 25;
const TICK_SECONDS = TICK_MS / 1000;

/** The numbers of the model: units and seconds. */
export interface MovementModel {
  readonly walkSpeed: number;
  readonly aimSpeed: number;
  readonly crawlSpeed: number;
  readonly sprintSpeed: number;
  /** What share of the wanted velocity each step takes on; the rest stays as it was. */
  readonly blend: number;
  /** What the rest is as it was: in the world, or for the body, which turns with the yaw of each step (standard 7.3). */
  readonly blendIn: "world" | "body";
  /** Downward, units/s². Ours: the game's own default for loose things. */
  readonly gravity: number;
  /** Upward at the start of a jump, units/s. Ours: a jump of a unit and a quarter, five blocks. */
  readonly jumpSpeed: number;
  /** Of the body, standing and crawling. Its middle is what the wire calls the position: our reading. */
  readonly height: number;
  readonly crawlHeight: number;
  /** Ground that rises by no more is walked up and down; ours: a block. */
  readonly stepHeight: number;
  /** A character that lands faster than this, downward in units/s, tumbles. Ours: a fall of more than 3.2 units. */
  readonly tumbleSpeed: number;
}

const numbers: Omit<MovementModel, "blendIn"> = {
  walkSpeed: 4,
  aimSpeed: 2.5,
  crawlSpeed: 3,
  sprintSpeed: 8,
  blend: 0.2,
  gravity: 10,
  jumpSpeed: 5,
  height: 1.4,
  crawlHeight: 0.8,
  stepHeight: 0.25,
  tumbleSpeed: 8,
};

/** The models that are known, by name. */
export type MovementModelName = "smServer" | "documented";

/**
 * `smServer` blends for the body, as the server does that moved real clients: the default, since no other model has moved any.
 * `documented` blends in the world, as 7.2 of the standard reads without 7.3. They differ after a turn alone.
 */
export const movementModels: Readonly<Record<MovementModelName, MovementModel>> = {
  smServer: { ...numbers, blendIn: "body" },
  documented: { ...numbers, blendIn: "world" },
};

/** The default model. */
export const movementModel: MovementModel = movementModels.smServer;

/** A model by its name; numbers of your own as they are. */
export function modelOf(model: MovementModel | MovementModelName = movementModel): MovementModel {
  return typeof model === "string" ? movementModels[model] : model;
}

/** The height of the ground at a place. Must give the same for the same place on both ends. */
export type Ground = (x: number, y: number) => number;

/** Nothing but a plain at height 0. */
export const flatGround: Ground = () => 0;

/** The height of the ceiling at a place; infinite in the open. Must give the same for the same place on both ends. */
export type Ceiling = (x: number, y: number) => number;

/** No ceiling anywhere. */
export const openSky: Ceiling = () => Number.POSITIVE_INFINITY;

/** A character's whole state. The place is the middle of its body. */
export const savedCharacterState = state({
  x: number,
  y: number,
  z: number,
  vx: number,
  vy: number,
  vz: number,
  onGround: flag,
  /** Whether the body lies: also without the crawl key, where the ceiling is too low to stand up. */
  crawling: flag,
  /** Of the last step, in 1/256 turns. */
  yaw: number,
  /** Whether it sits: then no step moves it. */
  seated: flag,
  /** Whether it tumbles: then no key moves it. */
  tumbling: flag,
  /** Of a tumbling body; `upright` otherwise. */
  spin: savedSpin,
});
export type CharacterState = StateOf<typeof savedCharacterState>;

/** What a step looks at. */
export type StepInput = Pick<PlayerMovement, "keys" | "direction" | "yaw">;

const { fround } = Math;

/** A character that stands on the ground. */
export function createCharacter(
  model: MovementModel,
  { x, y }: { readonly x: number; readonly y: number },
  ground: Ground = flatGround,
): CharacterState {
  const [atX, atY] = [fround(x), fround(y)];
  // A literal: a step of a state made by spreads takes 29.4 ns instead of 28.0.
  return {
    x: atX,
    y: atY,
    z: fround(ground(atX, atY) + model.height / 2),
    vx: 0,
    vy: 0,
    vz: 0,
    onGround: true,
    crawling: false,
    yaw: 0,
    seated: false,
    tumbling: false,
    spin: upright,
  };
}

const onFeet = { seated: false, tumbling: false, spin: upright };

/** Makes `to` the same as `from`. */
export function copyCharacter(from: Readonly<CharacterState>, to: CharacterState): void {
  to.x = from.x;
  to.y = from.y;
  to.z = from.z;
  to.vx = from.vx;
  to.vy = from.vy;
  to.vz = from.vz;
  to.onGround = from.onGround;
  to.crawling = from.crawling;
  to.yaw = from.yaw;
  to.seated = from.seated;
  to.tumbling = from.tumbling;
  to.spin = from.spin;
}

/** The speed that keys ask for: sprint over aim over crawl over walk. */
export function keysSpeed({ horizontal, sprint, aim, crawl }: PlayerMovement["keys"], model: MovementModel): number {
  if (!horizontal) return 0;
  if (sprint) return model.sprintSpeed;
  if (aim) return model.aimSpeed;
  return crawl ? model.crawlSpeed : model.walkSpeed;
}

/** Moves a character on by one tick. */
export function stepCharacter(
  state: CharacterState,
  { keys, direction, yaw }: StepInput,
  model: MovementModel,
  ground: Ground = flatGround,
  ceiling: Ceiling = openSky,
): void {
  if (state.seated || state.tumbling) {
    state.yaw = yaw;
    if (state.tumbling) tumble(state, model, ground, ceiling);
    return;
  }
  const mustCrawl = state.crawling && !keys.crawl && ceiling !== openSky && !canStand(state, model, ground, ceiling);
  state.crawling = keys.crawl || mustCrawl;
  const speed = keysSpeed(mustCrawl ? crawlKeys(keys) : keys, model);
  const way = walkVector(yaw, direction);
  if (model.blendIn === "body") turn(state, yaw);
  state.yaw = yaw;
  state.vx = fround((1 - model.blend) * state.vx + model.blend * speed * way.x);
  state.vy = fround((1 - model.blend) * state.vy + model.blend * speed * way.y);
  if (state.onGround && keys.jump) {
    state.vz = fround(model.jumpSpeed);
    state.onGround = false;
  }
  walk(state, model, ground, ceiling);
  rise(state, model, ground, ceiling);
}

/** Puts a character on a seat, where no step moves it. */
export function seatCharacter(state: CharacterState, { x, y, z }: Vector3): void {
  Object.assign(state, { x, y, z, vx: 0, vy: 0, vz: 0, onGround: true, crawling: false, ...onFeet, seated: true });
}

/** Lets a character fall over, with a push in units/s that is added to its velocity. It gets up when it is slow. */
export function startTumbling(state: CharacterState, model: MovementModel, push: Vector3 = noPush): void {
  if (!state.crawling) state.z = fround(state.z - (model.height - model.crawlHeight) / 2);
  state.crawling = true;
  state.seated = false;
  state.vx = fround(state.vx + push.x);
  state.vy = fround(state.vy + push.y);
  state.vz = fround(state.vz + push.z);
  if (state.vz > 0) state.onGround = false;
  state.tumbling = true;
  state.spin = rollingSpin(state.vx, state.vy);
}

const noPush: Vector3 = { x: 0, y: 0, z: 0 };

/** A tick of a tumbling body: it slides along the ground or falls, and gets up when it is slow. */
function tumble(state: CharacterState, model: MovementModel, ground: Ground, ceiling: Ceiling): void {
  if (state.onGround) {
    state.vx = fround(state.vx * SLIDE);
    state.vy = fround(state.vy * SLIDE);
  }
  state.spin = spunOn(state.spin, state.onGround);
  walk(state, model, ground, ceiling);
  rise(state, model, ground, ceiling);
  if (!state.onGround || !isSlow(state.vx, state.vy, state.spin)) return;
  // It lies: the next step stands it up where there is room.
  state.tumbling = false;
  state.spin = upright;
}

/** The same keys with crawl. */
function crawlKeys(keys: PlayerMovement["keys"]): PlayerMovement["keys"] {
  return keySets[keysByte(keys) | CRAWL] as PlayerMovement["keys"];
}

const CRAWL = 2;

/** Turns the velocity with the body: by as much as the yaw has changed since the last step. */
function turn(state: CharacterState, yaw: number): void {
  const turned = (yaw - state.yaw) & 255;
  if (turned === 0) return;
  const cos = cosine(turned);
  const sin = sine(turned);
  const { vx, vy } = state;
  state.vx = fround(cos * vx - sin * vy);
  state.vy = fround(sin * vx + cos * vy);
}

/** Whether there is room to stand over the feet. */
export function canStand(
  state: Readonly<CharacterState>,
  model: MovementModel,
  ground: Ground,
  ceiling: Ceiling,
): boolean {
  const { x, y, z, onGround } = state;
  const feet = onGround ? ground(x, y) : Math.max(ground(x, y), z - model.crawlHeight / 2);
  return ceiling(x, y) - feet >= model.height - ROOM_TOLERANCE;
}

/** What 32 bits lose of a height. */
const ROOM_TOLERANCE = 0.0001;

function halfHeight(state: CharacterState, model: MovementModel): number {
  return (state.crawling ? model.crawlHeight : model.height) / 2;
}

/** Along the ground, unless it rises like a wall, or the ceiling comes down below the head. */
function walk(state: CharacterState, model: MovementModel, ground: Ground, ceiling: Ceiling): void {
  const x = fround(state.x + state.vx * TICK_SECONDS);
  const y = fround(state.y + state.vy * TICK_SECONDS);
  // Who stretches just above the ground would reach below it: the ground here is not a wall.
  const feet = Math.max(ground(state.x, state.y), state.onGround ? -Infinity : state.z - halfHeight(state, model));
  const there = ground(x, y);
  const isWall = there - feet > model.stepHeight;
  if (isWall || (ceiling !== openSky && comesDown({ x, y }, there, feet, state, model, ceiling))) {
    state.vx = 0;
    state.vy = 0;
    return;
  }
  state.x = x;
  state.y = y;
}

/** Whether the ceiling of a place comes down below the head. Under one that is too low already every way is open: a way out. */
function comesDown(
  { x, y }: { readonly x: number; readonly y: number },
  there: number,
  feet: number,
  state: Readonly<CharacterState>,
  model: MovementModel,
  ceiling: Ceiling,
): boolean {
  const needed = 2 * halfHeight(state, model) - ROOM_TOLERANCE;
  const floor = state.onGround ? there : Math.max(there, feet);
  return ceiling(x, y) - floor < needed && ceiling(state.x, state.y) - feet >= needed;
}

/** Up and down: with the ground, or through the air. */
function rise(state: CharacterState, model: MovementModel, ground: Ground, ceiling: Ceiling): void {
  const standing = fround(ground(state.x, state.y) + halfHeight(state, model));
  if (state.onGround) {
    // Who gets up or lies down moves its middle by itself: only a drop of the ground is a fall.
    const drop = state.z - standing - (model.height - model.crawlHeight) / 2;
    if (drop <= model.stepHeight) {
      state.z = standing;
      state.vz = 0;
      return;
    }
    state.onGround = false;
  }
  state.vz = fround(state.vz - model.gravity * TICK_SECONDS);
  state.z = fround(state.z + state.vz * TICK_SECONDS);
  if (state.vz > 0 && ceiling !== openSky) {
    const under = ceiling(state.x, state.y) - halfHeight(state, model);
    if (state.z > under) {
      state.z = fround(Math.max(under, standing));
      state.vz = 0;
    }
  }
  if (state.z > standing) return;
  const isFall = state.vz < -model.tumbleSpeed;
  state.z = standing;
  state.vz = 0;
  state.onGround = true;
  if (isFall && !state.tumbling) startTumbling(state, model);
}
