/**
 * The slime that is played on this page: keys in, messages out. It is predicted with the server's own physics, by the
 * prediction that all games share. A place from the server overrides the prediction: the frames since then are played
 * again from there.
 */
import { ErrorSmoother, Prediction } from "wirewalk/motion";
import type { Direction, Key } from "wirewalk/slime-online-2";
import type { RoomGeometry } from "wirewalk/slime-online-2/maps";
import {
  copyMovementState,
  createMovementState,
  KeyHandler,
  MovementDebouncer,
  type MovementState,
  type Outgoing,
  physicsConstants,
  stepPhysics,
  toWireCoordinate,
  updateMovementState,
} from "wirewalk/slime-online-2/movement";
import type { JsonObject } from "wirewalk/wire";
import { FixedStep } from "../../../draw/fixed-step.ts";
import { stateJson } from "./body.ts";
import { ReportedPlaces } from "./reported-places.ts";

/** The own state before and after a message, for the wire log. */
export interface StateChange {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** A message to send, with the change that it made here. */
export interface OwnMove extends Outgoing, StateChange {}

/** A message that may wait for its turn to be sent. */
interface WaitingMove extends OwnMove {
  /** The frame after which it was made. */
  readonly frame: number;
}

/** The server put the slime elsewhere than predicted. */
export interface Correction {
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
  readonly atMs: number;
  /** Frames that were played again from the server's place. */
  readonly replayed: number;
}

/** Where the server has the slime standing still. */
interface ServerPlace {
  readonly x: number;
  readonly y: number;
  /** All keys are up there, as after a warp. */
  readonly lifted: boolean;
}

/** Frames that are remembered, 4.3 seconds: the longest round trip that is played again. */
const CAPACITY = 256;

/** A background tab draws nothing. Its slime catches up with at most this much. */
const LONGEST_CATCH_UP_MS = 5_000;

/** After this time half of a correction is still visible. Over a distance higher than a jump it is not smoothed. */
const HALF_LIFE_MS = 50;
const SNAP_PX = 64;

const noEdges: readonly Direction[] = [];

export class OwnPlayer {
  readonly #prediction: Prediction<MovementState, readonly Direction[], ServerPlace>;
  readonly #steps = new FixedStep(physicsConstants.framesPerSecond, LONGEST_CATCH_UP_MS);
  readonly #smoother = new ErrorSmoother({ axes: 2, halfLifeMs: HALF_LIFE_MS, snap: SNAP_PX });
  readonly #keys = new KeyHandler();
  readonly #debouncer = new MovementDebouncer<WaitingMove>();
  readonly #reported: ReportedPlaces;
  readonly #send: (move: OwnMove) => void;
  /** The last frame with the edges since then: keys count at once, not with the next frame. */
  readonly #state: MovementState;
  /** Edges since the last frame: the input of the next one. */
  #edges: Direction[] = [];
  #correction: Correction | undefined;

  /** Starts in the air, so that its landing reports its place before any key does. */
  constructor(
    geometry: RoomGeometry,
    start: { readonly x: number; readonly y: number },
    nowMs: number,
    send: (move: OwnMove) => void,
  ) {
    this.#prediction = new Prediction<MovementState, readonly Direction[], ServerPlace>({
      create: () => createMovementState({ ...start, free: true }),
      copy: copyMovementState,
      step(state, edges) {
        applyEdges(state, edges);
        stepPhysics(state, physicsConstants, "documented", geometry);
      },
      distance: (state, place) => Math.hypot(state.x - place.x, state.y - place.y),
      correct: standStill,
      // The server sends a place only when it has refused one: it always counts.
      tolerance: -1,
      capacity: CAPACITY,
      tick: 0,
    });
    this.#state = createMovementState(this.#prediction.state);
    this.#reported = new ReportedPlaces(0, { x: toWireCoordinate(start.x), y: toWireCoordinate(start.y) });
    this.#send = send;
    this.#steps.due(nowMs);
    // Shows the handler that it is in the air: it would miss the landing otherwise.
    this.#keys.afterStep(this.#state);
  }

  /** Where it is and which keys it holds, as far as this page knows. Valid until the next call. */
  get state(): Readonly<MovementState> {
    return this.#state;
  }

  /** The last correction, to be drawn for a while. */
  get correction(): Correction | undefined {
    return this.#correction;
  }

  /** Whether a message waits to be sent: `advance` sends it once 16 ms have passed since the last one. */
  get isWaiting(): boolean {
    return this.#debouncer.isWaiting;
  }

  /** Plays all frames due until `nowMs`, and sends what waits and is due. */
  advance(nowMs: number): void {
    this.#sendAll(this.#debouncer.flush(nowMs));
    for (let steps = this.#steps.due(nowMs); steps > 0; steps--) {
      this.#prediction.predict(this.#edges.length === 0 ? noEdges : this.#edges);
      this.#edges = [];
      this.#refresh();
      const landing = this.#keys.afterStep(this.#state);
      if (landing !== undefined) this.#apply(landing, nowMs);
    }
  }

  key(key: Key, down: boolean, nowMs: number): void {
    this.advance(nowMs);
    const edge = this.#keys.set(key, down, this.#state);
    if (edge === undefined) return;
    // Counts for the next frame.
    this.#edges.push(edge.direction);
    this.#apply(edge, nowMs);
  }

  /** Sends what waits, however early: the session ends. */
  finish(): void {
    this.#sendAll(this.#debouncer.takeAll());
  }

  /** Takes over the server's place. Returns the state before and after. */
  correct(x: number, y: number, nowMs: number): StateChange {
    this.advance(nowMs);
    const frame = this.#reported.corrected(this.#prediction.tick, x, y);
    return this.#take({ x, y, lifted: false }, frame, nowMs);
  }

  /** The server moved it elsewhere, with all keys up. */
  warp(x: number, y: number, nowMs: number): StateChange {
    this.advance(nowMs);
    this.#reported.corrected(this.#prediction.tick, x, y);
    this.#keys.reset();
    this.#debouncer.reset();
    this.#edges = [];
    return this.#take({ x, y, lifted: true }, undefined, nowMs);
  }

  /** Where to draw it: between the last two frames, and on the way there after a correction. */
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

  /** `frame`: the frame in which the slime was there; undefined: now. */
  #take(place: ServerPlace, frame: number | undefined, nowMs: number): StateChange {
    const before = stateJson(this.#state);
    const drawn = this.drawnAt(nowMs);
    const { x: fromX, y: fromY } = this.#state;
    const isRemembered = frame !== undefined && this.#prediction.at(frame) !== undefined;
    const { outcome, replayed } = isRemembered
      ? this.#prediction.reconcile(frame, place)
      : this.#prediction.reset(place);
    this.#refresh();
    const { x: toX, y: toY } = this.#state;
    if (outcome !== "old") this.#correction = { fromX, fromY, toX, toY, atMs: nowMs, replayed };
    this.#glide(drawn, nowMs);
    // It may stand now where it was in the air, or the other way round: that is not a landing.
    this.#keys.afterStep(this.#state);
    return { before, after: stateJson(this.#state) };
  }

  /** Keeps the drawn place, and lets it glide to the new one. */
  #glide(drawn: { readonly x: number; readonly y: number }, nowMs: number): void {
    const now = this.drawnAt(nowMs);
    this.#smoother.corrected([drawn.x, drawn.y], [now.x, now.y], nowMs);
  }

  #refresh(): void {
    copyMovementState(this.#prediction.state, this.#state);
    applyEdges(this.#state, this.#edges);
  }

  /** Applies a message of our own here, and sends it when it is due. */
  #apply(message: Outgoing, nowMs: number): void {
    const before = stateJson(this.#state);
    // Keys and facing only: the own position is finer than the pixels on the wire.
    updateMovementState(this.#state, message.direction);
    const after = stateJson(this.#state);
    const move = { ...message, before, after, frame: this.#prediction.tick };
    this.#sendAll(this.#debouncer.push(move, nowMs));
  }

  #sendAll(moves: readonly WaitingMove[]): void {
    for (const { frame, ...move } of moves) {
      this.#reported.report(frame, move);
      this.#send(move);
    }
  }
}

function applyEdges(state: MovementState, edges: readonly Direction[]): void {
  for (const edge of edges) updateMovementState(state, edge);
}

function standStill(state: MovementState, { x, y, lifted }: ServerPlace): void {
  updateMovementState(state, "landing", x, y);
  state.hsp = 0;
  if (!lifted) return;
  for (const release of ["leftRelease", "rightRelease", "upRelease", "downRelease"] as const) {
    updateMovementState(state, release);
  }
}
