/** A slime with a clock: its movement state, played frame by frame. */
import type { RoomGeometry } from "wirewalk/slime-online-2/maps";
import {
  createMovementState,
  type MovementState,
  physicsConstants,
  stepPhysics,
} from "wirewalk/slime-online-2/movement";
import type { JsonObject } from "wirewalk/wire";
import { FixedStep } from "../../../draw/fixed-step.ts";

/** A background tab draws nothing. Its slimes catch up with at most this much. */
const LONGEST_CATCH_UP_MS = 5_000;

/** A slime that is played frame by frame, 60 a second. */
export class Body {
  readonly state: MovementState;
  readonly #geometry: RoomGeometry;
  readonly #steps = new FixedStep(physicsConstants.framesPerSecond, LONGEST_CATCH_UP_MS);
  /** The position one frame ago. */
  #previousX: number;
  #previousY: number;

  constructor(geometry: RoomGeometry, start: Partial<MovementState>, nowMs: number) {
    this.#geometry = geometry;
    this.state = createMovementState(start);
    this.#previousX = this.state.x;
    this.#previousY = this.state.y;
    this.#steps.due(nowMs);
  }

  /** Plays all frames due until `nowMs`. */
  advance(nowMs: number): void {
    for (let steps = this.#steps.due(nowMs); steps > 0; steps--) {
      this.#previousX = this.state.x;
      this.#previousY = this.state.y;
      stepPhysics(this.state, physicsConstants, "documented", this.#geometry);
    }
  }

  /** Draws it at its position from here on, without a way from the previous frame's. */
  settle(): void {
    this.#previousX = this.state.x;
    this.#previousY = this.state.y;
  }

  /** Where to draw it: between the last two frames. */
  drawnAt(nowMs: number): { readonly x: number; readonly y: number } {
    const part = this.#steps.part(nowMs);
    return {
      x: this.#previousX + (this.state.x - this.#previousX) * part,
      y: this.#previousY + (this.state.y - this.#previousY) * part,
    };
  }
}

/** The state in the document's words, for the wire log. */
export function stateJson(state: Readonly<MovementState>): JsonObject {
  return {
    x: state.x,
    y: state.y,
    hsp: state.hsp,
    vsp: state.vsp,
    ileft: state.ileft,
    iright: state.iright,
    iup: state.iup,
    idown: state.idown,
    free: state.free,
    sprDir: state.sprDir,
  };
}
