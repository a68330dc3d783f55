/**
 * A ghost: where a player is by now. It plays on from the player's known state by the physics, in whole frames counted
 * from one moment, so its place follows from messages and time alone, however often it is asked for.
 *
 * Source: docs/protocols/slime-online-2.md (standard 9.9).
 */
import { number, type StateOf, state } from "../../world-kit/index.ts";
import { flatGeometry, type RoomGeometry } from "../maps/geometry.ts";
import { toWireCoordinate } from "../movement/keys.ts";
import {
  copyMovementState,
  createMovementState,
  type MovementState,
  savedMovementState,
} from "../movement/movement-state.ts";
import { stepPhysics } from "../movement/physics.ts";
import { type PhysicsConstants, physicsConstants } from "../movement/physics-constants.ts";
import { type Direction, directionRow } from "../wire/direction.ts";

/** A place on the wire: u16 pixels. */
export const savedPlace = state({ x: number, y: number });
export type Place = Readonly<StateOf<typeof savedPlace>>;

export const FRAME_MS = 1000 / physicsConstants.framesPerSecond;
/** Frames that a ghost plays on after a message (a minute): after that only a stuck key still moves it. */
const MAX_GHOST_FRAMES = 3600;

/** What a ghost starts from. Its later states follow from this, the player's physics and the room. */
export const savedGhost = state({
  state: savedMovementState,
  /** The time of frame 0. */
  sinceMs: number,
  /** The frame of `state`. */
  frame: number,
  /** The ghost stops after this frame and waits for a message. */
  lastFrame: number,
  /** The height of the floor where the room's shape is unknown. */
  floorY: number,
});
type GhostStart = Readonly<StateOf<typeof savedGhost>>;

/** The ghost of one player. */
export class Ghost {
  /** The state in the frame that was played last. */
  readonly state: MovementState;
  /** The state in frame `#startFrame`: what is saved, since playing on changes the other one. */
  readonly #start: MovementState;
  #sinceMs: number;
  #startFrame: number;
  #frame: number;
  #lastFrame: number;
  #floorY: number;
  #floor: RoomGeometry;

  constructor({ state, sinceMs, frame, lastFrame, floorY }: GhostStart) {
    this.state = createMovementState(state);
    this.#start = createMovementState(state);
    this.#sinceMs = sinceMs;
    this.#startFrame = frame;
    this.#frame = frame;
    this.#lastFrame = lastFrame;
    this.#floorY = floorY;
    this.#floor = flatGeometry(floorY);
  }

  /** Standing at a place since now. */
  static standing(at: Place, nowMs: number): Ghost {
    const state = createMovementState(at);
    return new Ghost({ state, sinceMs: nowMs, frame: 0, lastFrame: MAX_GHOST_FRAMES, floorY: state.y });
  }

  /** Whether a frame has begun since the one that was played last. */
  isDue(nowMs: number): boolean {
    return Math.floor((nowMs - this.#sinceMs) / FRAME_MS) > this.#frame;
  }

  /** Plays all frames until now. `geometry` is undefined where the room's shape is unknown. */
  play(constants: PhysicsConstants, geometry: RoomGeometry | undefined, nowMs: number): void {
    const frame = Math.floor((nowMs - this.#sinceMs) / FRAME_MS);
    if (frame <= this.#frame) return;
    const frames = Math.min(frame, this.#lastFrame) - this.#frame;
    this.#frame = frame;
    for (let left = frames; left > 0; left--) {
      stepPhysics(this.state, constants, "documented", geometry ?? this.#floor);
      // Most players stand still most of the time.
      if (isAtRest(this.state)) return;
    }
  }

  /**
   * Goes on from what a move has changed in the known state. The ghost has been played until now.
   *
   * @param standsY where a jump begins, which says no height: the ghost's own, or higher where that is in a solid.
   */
  follow(known: Readonly<MovementState>, direction: Direction, standsY = this.state.y): void {
    const { state } = this;
    const { x, y, hsp, vsp, free, ice, inWater } = state;
    copyMovementState(known, state);
    state.hsp = hsp;
    state.ice = ice;
    state.inWater = inWater;
    const { position } = directionRow(direction);
    if (position === "none") {
      state.x = x;
      state.y = y;
      // In the air the flight goes on: a message counts for the ground only if it carries a position.
      state.free = free || known.free;
      state.vsp = vsp;
    } else if (position === "x") {
      state.y = standsY;
      if (standsY !== y) state.inWater = false;
      else if (free) {
        state.vsp = vsp;
        state.free = true;
      }
    } else this.#setFloor(state.y);
    this.#startFrom(this.#frame);
    this.#lastFrame = this.#frame + MAX_GHOST_FRAMES;
  }

  /** Stands still at the known position, with the known keys. The ghost has been played until now. */
  stand(known: Readonly<MovementState>, nowMs: number): void {
    const { state } = this;
    const { ice, inWater } = state;
    copyMovementState(known, state);
    state.hsp = 0;
    state.vsp = 0;
    state.ice = ice;
    state.inWater = inWater;
    this.#setFloor(state.y);
    this.#sinceMs = nowMs;
    this.#startFrom(0);
    this.#lastFrame = MAX_GHOST_FRAMES;
  }

  /** Goes on with other physics: what was played so far was played with the old ones. */
  rebase(): void {
    this.#startFrom(this.#frame);
  }

  save(): GhostStart {
    return {
      state: createMovementState(this.#start),
      sinceMs: this.#sinceMs,
      frame: this.#startFrame,
      lastFrame: this.#lastFrame,
      floorY: this.#floorY,
    };
  }

  #startFrom(frame: number): void {
    copyMovementState(this.state, this.#start);
    this.#frame = frame;
    this.#startFrame = frame;
  }

  #setFloor(y: number): void {
    if (y === this.#floorY) return;
    this.#floorY = y;
    this.#floor = flatGeometry(y);
  }
}

/** True where another frame would change nothing. */
function isAtRest(state: Readonly<MovementState>): boolean {
  return !state.free && state.hsp === 0 && state.vsp === 0 && state.ileft === state.iright && !state.iupPress;
}

/** A state's place as it goes on the wire. */
export function wirePlace(state: Place): Place {
  return { x: toWireCoordinate(state.x), y: toWireCoordinate(state.y) };
}
