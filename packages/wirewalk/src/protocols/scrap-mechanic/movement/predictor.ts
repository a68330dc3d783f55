/**
 * One player's own character on its client: moves at once with its keys, agrees with the server afterwards, and glides
 * where it had to be corrected.
 *
 * ```ts
 * import { keySets } from "wirewalk/scrap-mechanic";
 * import { ScrapPredictor } from "wirewalk/scrap-mechanic/movement";
 *
 * const position = { x: 0, y: 0, z: Math.fround(0.7) };
 * const me = new ScrapPredictor({ character: 7, tick: 100, position });
 * const walk = (tick) => ({ tick, keys: keySets[4], direction: 64, yaw: 0, pitch: 64 });
 * me.predict(walk(100));
 * me.predict(walk(101));
 * me.state.y; // => Math.fround(0.056)
 * const update = { kind: "character", id: 7, ...walk(100), position: { x: 0, y: Math.fround(0.02), z: position.z } };
 * me.reconcile({ serverTick: 9, currentTick: 100, updates: [update] }, 0); // => { outcome: "agreed", error: 0, replayed: 0 }
 * ```
 */
import { ErrorSmoother, Prediction, type Reconciliation } from "../../../motion/index.ts";
import type { PlayerMovement } from "../wire/player-movement.ts";
import type { Playing } from "../wire/session.ts";
import type { CharacterUpdate, TumblingUpdate, UnreliableUpdate, Vector3 } from "../wire/unreliable-update.ts";
import { fillMovement } from "./input-buffer.ts";
import {
  type Ceiling,
  type CharacterState,
  canStand,
  copyCharacter,
  createCharacter,
  type Ground,
  type MovementModel,
  type MovementModelName,
  modelOf,
  seatCharacter,
  stepCharacter,
  TICK_MS,
} from "./model.ts";
import { type PlaceOptions, placeOf, seatedPosition } from "./place.ts";
import { PredictionErrors } from "./prediction-errors.ts";
import { type Spin, upright } from "./tumbling.ts";

/** How the client's world is, where it is not the default: the same as the server's. */
export interface PredictorOptions extends PlaceOptions {
  readonly model?: MovementModel | MovementModelName;
}

/** Ticks that are remembered: 12.8 s, as many as the server plays after a stall. */
const CAPACITY = 512;
/** Half a percent of the shortest step: what velocities lose by being worked out from places. */
const TOLERANCE = 0.0003;
/** Two truths tell a velocity when they lie no further apart than this many ticks. */
const MAX_VELOCITY_TICKS = 4;
/** Above the ground by no more is on it. */
const ON_GROUND = 0.0001;
/** Half of an error is gone after this time; further than this is a leap. */
const HALF_LIFE_MS = 60;
const SNAP = 4;
/** The errors of the last ten seconds. */
const ERROR_SAMPLES = 400;

/** What is counted as an error where server and prediction differ in more than the place. */
const OTHER_STATE = 2 * TOLERANCE;

/**
 * A character at a tick by the server. The velocity follows from two positions; the server sends none but that of a tumbling
 * character. It is seated where it is exactly on a seat.
 */
interface Truth {
  readonly tick: number;
  readonly position: Vector3;
  readonly velocity: Vector3 | undefined;
  readonly crawling: boolean;
  /** Undefined for a tumbling character. */
  readonly yaw: number | undefined;
  readonly seated: boolean;
  readonly spin: Spin | undefined;
}

/** Predicts one character. */
export class ScrapPredictor {
  /** The number of our own character. */
  readonly character: number;
  /** Truth less prediction. */
  readonly errors = new PredictionErrors({ axes: 3, samples: ERROR_SAMPLES });
  readonly #prediction: Prediction<CharacterState, PlayerMovement, Truth>;
  readonly #smoother = new ErrorSmoother({ axes: 3, halfLifeMs: HALF_LIFE_MS, snap: SNAP });
  #last: PlayerMovement | undefined;
  #truth: Truth | undefined;
  /** Where a body is that sits. */
  readonly #seats: readonly Vector3[];

  constructor({ character, tick, position }: Playing, options: PredictorOptions = {}) {
    const { ground, ceiling, seats } = placeOf(options);
    const model = modelOf(options.model);
    this.character = character;
    this.#seats = seats.map((seat) => seatedPosition(seat, ground));
    this.#prediction = new Prediction<CharacterState, PlayerMovement, Truth>({
      create: () => ({ ...createCharacter(model, position, ground), z: position.z }),
      copy: copyCharacter,
      step: (state, movement) => stepCharacter(state, movement, model, ground, ceiling),
      distance({ x, y, z, seated, tumbling }, { position: at, ...truth }) {
        const isSame = seated === truth.seated && tumbling === (truth.spin !== undefined);
        // Nearly always: `hypot` takes 50 ns.
        const isThere = x === at.x && y === at.y && z === at.z;
        return Math.max(isThere ? 0 : Math.hypot(x - at.x, y - at.y, z - at.z), isSame ? 0 : OTHER_STATE);
      },
      correct: (state, truth) => correct(state, truth, model, ground, ceiling),
      tolerance: TOLERANCE,
      capacity: CAPACITY,
      tick: tick - 1,
    });
  }

  /** Where the character is after the newest tick, as far as we know. */
  get state(): Readonly<CharacterState> {
    return this.#prediction.state;
  }

  /** Whether keys move the character: while it is seated or tumbles all of them are up (standard 3.2). */
  get inControl(): boolean {
    const { seated, tumbling } = this.state;
    return !seated && !tumbling;
  }

  /** The newest tick that is predicted, counted on over 2^32. */
  get tick(): number {
    return this.#prediction.tick;
  }

  /** Ticks between what we see and what the server has confirmed. */
  get unconfirmedTicks(): number {
    return this.#prediction.tick - this.#prediction.confirmedTick;
  }

  /** The predicted state after a tick (counted on over 2^32), while it is remembered. */
  at(tick: number): Readonly<CharacterState> | undefined {
    return this.#prediction.at(tick);
  }

  /** Plays a packet that is being sent, and what the server will play for ticks before it that have none. */
  predict(movement: PlayerMovement): void {
    const prediction = this.#prediction;
    const tick = this.unwrap(movement.tick);
    if (tick <= prediction.tick) return;
    const from = Math.max(prediction.tick + 1, tick - CAPACITY + 1);
    for (let missing = 1; from + missing - 1 < tick; missing++) {
      // Before the first packet there is nothing to repeat: the server begins with it.
      const filled = this.#last ?? { ...movement, keys: stillKeys };
      prediction.predict(fillMovement(filled, from + missing - 1, missing));
    }
    prediction.predict(movement);
    this.#last = movement;
  }

  /** Takes in an update of the server; undefined when our character is not in it. */
  reconcile({ currentTick, updates }: UnreliableUpdate, nowMs: number): Reconciliation | undefined {
    const own = ownOf(updates, this.character);
    if (own === undefined) return undefined;
    const tick = this.unwrap(currentTick);
    const truth = this.#truthOf(tick, own);
    const predicted = this.#prediction.at(tick);
    const error = predicted === undefined ? undefined : difference(own.position, predicted);
    const { x, y, z } = this.state;
    const result = this.#prediction.reconcile(tick, truth);
    if (result.outcome === "old") return result;
    this.#truth = truth;
    if (error !== undefined) this.errors.add(error);
    if (result.outcome !== "agreed") this.#smoother.corrected([x, y, z], axesOf(this.state), nowMs);
    return result;
  }

  /**
   * Where to draw the character: where it is, or on the way there after a correction. `part` is for displays that are
   * faster than ticks: how much of the way from the tick before it has gone, 0 to 1.
   */
  place(nowMs: number, part = 1): Vector3 {
    const [x, y, z] = this.#smoother.offset(nowMs);
    const { state } = this;
    const from = this.#prediction.at(this.tick - 1) ?? state;
    return {
      x: from.x + (state.x - from.x) * part + (x as number),
      y: from.y + (state.y - from.y) * part + (y as number),
      z: from.z + (state.z - from.z) * part + (z as number),
    };
  }

  /** A tick of the wire, counted on over 2^32 from the newest one that is predicted. */
  unwrap(tick: number): number {
    const newest = this.#prediction.tick;
    return newest + ((tick - newest) | 0);
  }

  #truthOf(tick: number, update: CharacterUpdate | TumblingUpdate): Truth {
    const { position } = update;
    if (update.kind === "tumbling") {
      const { velocity, rotation, angularVelocity } = update;
      const spin = { rotation, angularVelocity };
      return { tick, position, velocity, crawling: true, yaw: undefined, seated: false, spin };
    }
    const { keys, yaw } = update;
    const seated = this.#seats.some(({ x, y, z }) => x === position.x && y === position.y && z === position.z);
    const rest = { tick, position, crawling: keys.crawl, yaw, seated, spin: undefined };
    // To and from a seat is no way that a velocity goes.
    if (seated || this.#truth?.seated === true) return { ...rest, velocity: { x: 0, y: 0, z: 0 } };
    const last = this.#truth;
    const ticks = last === undefined ? 0 : tick - last.tick;
    let velocity: Vector3 | undefined;
    if (last !== undefined && ticks > 0 && ticks <= MAX_VELOCITY_TICKS) {
      const perSecond = 1000 / (ticks * TICK_MS);
      const [x, y, z] = difference(position, last.position);
      velocity = { x: x * perSecond, y: y * perSecond, z: z * perSecond };
    }
    return { ...rest, velocity };
  }
}

const stillKeys: PlayerMovement["keys"] = { jump: false, crawl: false, horizontal: false, sprint: false, aim: false };

/** Our own character in an update: a loop, since the list may have 255. */
function ownOf(updates: UnreliableUpdate["updates"], character: number): CharacterUpdate | TumblingUpdate | undefined {
  for (let index = 0; index < updates.length; index += 1) {
    const update = updates[index];
    if (update !== undefined && update.kind !== "opaque" && update.id === character) return update;
  }
  return undefined;
}

function axesOf({ x, y, z }: Readonly<CharacterState>): readonly [number, number, number] {
  return [x, y, z];
}

function difference(to: Vector3, from: Vector3): readonly [number, number, number] {
  return [to.x - from.x, to.y - from.y, to.z - from.z];
}

function correct(state: CharacterState, truth: Truth, model: MovementModel, ground: Ground, ceiling: Ceiling): void {
  const { position, velocity, yaw = state.yaw, spin } = truth;
  state.x = position.x;
  state.y = position.y;
  state.z = position.z;
  state.yaw = yaw;
  state.seated = false;
  state.tumbling = spin !== undefined;
  state.spin = spin ?? upright;
  if (truth.seated) {
    seatCharacter(state, position);
    return;
  }
  // The key says nothing about the body where it cannot stand up.
  const crawling = truth.crawling || !canStand(state, model, ground, ceiling);
  state.crawling = crawling;
  if (velocity !== undefined) {
    state.vx = Math.fround(velocity.x);
    state.vy = Math.fround(velocity.y);
    state.vz = Math.fround(velocity.z);
  }
  const standing = ground(state.x, state.y) + (crawling ? model.crawlHeight : model.height) / 2;
  state.onGround = state.z - standing <= ON_GROUND && !(state.tumbling && state.vz > 0);
  if (state.onGround) state.vz = 0;
}
