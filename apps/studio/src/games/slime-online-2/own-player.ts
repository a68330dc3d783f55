/**
 * The slime that is played here: keys in, messages out, predicted with the server's own physics by the prediction that
 * all games share. What the server says of it is the truth: the frames since then are played again from there.
 */
import { ErrorSmoother, Prediction } from "wirewalk/motion";
import {
  copyMovementState,
  createMovementState,
  type Direction,
  type Key,
  KeyHandler,
  type MovementState,
  type Outgoing,
  physicsConstants,
  type RoomGeometry,
  stepPhysics,
  toWireCoordinate,
  updateMovementState,
} from "wirewalk/slime-online-2";
import type { JsonObject } from "wirewalk/wire";
import { FixedStep } from "../../fixed-step.ts";
import { stateJson } from "./body.ts";
import { ToldPlaces } from "./told-places.ts";

/** A message to send, with what it did here. */
export interface Said extends Outgoing {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** The server put the slime somewhere else than predicted. */
export interface Correction {
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
  readonly atMs: number;
  /** Frames that were played again from the place that the server named. */
  readonly replayed: number;
}

/** What a message of the server did here. */
export interface CorrectionEffect {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** Where the server has the slime standing still. */
interface Truth {
  readonly x: number;
  readonly y: number;
  /** All keys are up there, as after a warp. */
  readonly lifted: boolean;
}

/** Frames that are remembered, 4.3 seconds: the longest way to the server and back that is played again. */
const CAPACITY = 256;

/** A tab in the background draws nothing: its slime catches up with this much of what it missed. */
const LONGEST_CATCH_UP_MS = 5_000;

/** Half of a correction is left to see after this time; farther than a jump is high is a leap. */
const HALF_LIFE_MS = 50;
const SNAP_PX = 64;

const noEdges: readonly Direction[] = [];

export class OwnPlayer {
  readonly #prediction: Prediction<MovementState, readonly Direction[], Truth>;
  readonly #steps = new FixedStep(physicsConstants.framesPerSecond, LONGEST_CATCH_UP_MS);
  readonly #smoother = new ErrorSmoother({ axes: 2, halfLifeMs: HALF_LIFE_MS, snap: SNAP_PX });
  readonly #keys = new KeyHandler();
  readonly #told: ToldPlaces;
  readonly #say: (said: Said) => void;
  /** The last frame with the edges since then: keys count at once, not with the next frame. */
  readonly #state: MovementState;
  /** Edges since the last frame: the input of the next one. */
  #edges: Direction[] = [];
  /** The last key told of: what is said again after a word about a place that we never told. */
  #lastKey: Key | undefined;
  /** The key that the server last refused to hear of. */
  #refusedKey: Key | undefined;
  #correction: Correction | undefined;

  /** Starts in the air, so that its landing tells everybody where it is before any key does. */
  constructor(
    geometry: RoomGeometry,
    start: { readonly x: number; readonly y: number },
    nowMs: number,
    say: (said: Said) => void,
  ) {
    this.#prediction = new Prediction<MovementState, readonly Direction[], Truth>({
      create: () => createMovementState({ ...start, free: true }),
      copy: copyMovementState,
      step(state, edges) {
        applyEdges(state, edges);
        stepPhysics(state, physicsConstants, "documented", geometry);
      },
      distance: (state, truth) => Math.hypot(state.x - truth.x, state.y - truth.y),
      correct: standStill,
      // The server speaks only when it has refused something: its word always counts.
      tolerance: -1,
      capacity: CAPACITY,
      tick: 0,
    });
    this.#state = createMovementState(this.#prediction.state);
    this.#told = new ToldPlaces(0, { x: toWireCoordinate(start.x), y: toWireCoordinate(start.y) });
    this.#say = say;
    this.#steps.due(nowMs);
    // Lets the handler see that it is in the air, or it would not notice the landing.
    this.#keys.afterStep(this.#state);
  }

  /** Where it is and which keys it holds, as far as this page knows. Read it, do not keep it. */
  get state(): Readonly<MovementState> {
    return this.#state;
  }

  /** The last correction, to be shown for a while. */
  get correction(): Correction | undefined {
    return this.#correction;
  }

  /** Plays all frames due until `nowMs`. */
  advance(nowMs: number): void {
    for (let steps = this.#steps.due(nowMs); steps > 0; steps--) {
      this.#prediction.predict(this.#edges.length === 0 ? noEdges : this.#edges);
      this.#edges = [];
      this.#refresh();
      const landing = this.#keys.afterStep(this.#state);
      if (landing !== undefined) this.#tell(landing);
    }
  }

  key(key: Key, down: boolean, nowMs: number): void {
    this.advance(nowMs);
    if (this.#press(key, down, key)) this.#lastKey = key;
  }

  /** Takes the server's place for its own. Answers with the state before and after. */
  correct(x: number, y: number, nowMs: number): CorrectionEffect {
    this.advance(nowMs);
    const answered = this.#told.corrected(this.#prediction.tick, x, y);
    this.#refusedKey = answered === undefined ? this.#lastKey : answered.key;
    this.#lastKey = undefined;
    return this.#take({ x, y, lifted: false }, answered?.frame, nowMs);
  }

  /** The server took it elsewhere, with all keys up. */
  warp(x: number, y: number, nowMs: number): CorrectionEffect {
    this.advance(nowMs);
    this.#told.corrected(this.#prediction.tick, x, y);
    this.#keys.reset();
    this.#lastKey = undefined;
    this.#refusedKey = undefined;
    this.#edges = [];
    return this.#take({ x, y, lifted: true }, undefined, nowMs);
  }

  /**
   * After a correction: says a left or right again that was refused, since the server still believes the opposite.
   * A jump is not said again: the moment for it has passed.
   */
  repeatRefusedKey(nowMs: number): void {
    const key = this.#refusedKey;
    this.#refusedKey = undefined;
    if (key !== "left" && key !== "right") return;
    this.advance(nowMs);
    const down = this.#keys.isDown(key);
    // Through the handler, which would swallow a state that it has told already.
    this.#keys.set(key, !down, this.#state);
    // Once: what is refused again is not meant to be.
    this.#press(key, down, undefined);
  }

  /** Where it is drawn: between the last two frames, and on the way there after a correction. */
  drawnAt(nowMs: number): { readonly x: number; readonly y: number } {
    const { tick, state } = this.#prediction;
    const from = this.#prediction.at(tick - 1) ?? state;
    const part = this.#steps.part(nowMs);
    const [offsetX = 0, offsetY = 0] = this.#smoother.offset(nowMs);
    return {
      x: from.x + (state.x - from.x) * part + offsetX,
      y: from.y + (state.y - from.y) * part + offsetY,
    };
  }

  /** Says an edge, and counts it for the next frame; `repeated` is to be said again if it is refused. */
  #press(key: Key, down: boolean, repeated: Key | undefined): boolean {
    const edge = this.#keys.set(key, down, this.#state);
    if (edge === undefined) return false;
    this.#edges.push(edge.direction);
    this.#tell(edge, repeated);
    return true;
  }

  /** `frame`: the one of which the truth is; undefined: now. */
  #take(truth: Truth, frame: number | undefined, nowMs: number): CorrectionEffect {
    const before = stateJson(this.#state);
    const drawn = this.drawnAt(nowMs);
    const { x: fromX, y: fromY } = this.#state;
    const isRemembered = frame !== undefined && this.#prediction.at(frame) !== undefined;
    const { outcome, replayed } = isRemembered
      ? this.#prediction.reconcile(frame, truth)
      : this.#prediction.reset(truth);
    this.#refresh();
    const { x: toX, y: toY } = this.#state;
    if (outcome !== "old") this.#correction = { fromX, fromY, toX, toY, atMs: nowMs, replayed };
    this.#glide(drawn, nowMs);
    // Standing now where it was in the air, or the other way round: nothing to be told.
    this.#keys.afterStep(this.#state);
    return { before, after: stateJson(this.#state) };
  }

  /** Goes on being drawn where it was, and glides over to where it is. */
  #glide(drawn: { readonly x: number; readonly y: number }, nowMs: number): void {
    const now = this.drawnAt(nowMs);
    this.#smoother.corrected([drawn.x, drawn.y], [now.x, now.y], nowMs);
  }

  #refresh(): void {
    copyMovementState(this.#prediction.state, this.#state);
    applyEdges(this.#state, this.#edges);
  }

  #tell(message: Outgoing, key?: Key): void {
    const before = stateJson(this.#state);
    // Keys and facing only: the own position is finer than the pixels on the wire.
    updateMovementState(this.#state, message.direction);
    this.#told.tell(this.#prediction.tick, key, message);
    this.#say({ ...message, before, after: stateJson(this.#state) });
  }
}

function applyEdges(state: MovementState, edges: readonly Direction[]): void {
  for (const edge of edges) updateMovementState(state, edge);
}

function standStill(state: MovementState, { x, y, lifted }: Truth): void {
  updateMovementState(state, "landing", x, y);
  state.hsp = 0;
  if (!lifted) return;
  for (const release of ["leftRelease", "rightRelease", "upRelease", "downRelease"] as const) {
    updateMovementState(state, release);
  }
}
