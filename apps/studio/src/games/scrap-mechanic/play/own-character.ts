/**
 * The character that is played here: keys and mouse in, one packet per tick out, predicted at once and corrected by what
 * the server says. The library's sampler and predictor do it; here is what of it the page shows.
 */

import {
  angleTurns,
  keySets,
  LEVEL_PITCH,
  type PlayerMovement,
  type Playing,
  type UnreliableUpdate,
} from "wirewalk/scrap-mechanic";
import type { PredictionErrors } from "wirewalk/scrap-mechanic/movement";
import {
  type CharacterState,
  copyCharacter,
  type MovementModelName,
  MovementSampler,
  movementModels,
  type Place,
  type PlaceName,
  places,
  ScrapPredictor,
  SEAT_REACH,
  seatedPosition,
  stepCharacter,
  TICK_MS,
} from "wirewalk/scrap-mechanic/movement";
import type { JsonObject } from "wirewalk/wire";
import { Agreement } from "./agreement.ts";
import { type BodyState, distance, type Figure, liftOf, stateJson } from "./figure.ts";

/** How long a correction stays on the drawing. */
export const CORRECTION_MS = 4_000;

/** More are not drawn: a line that is this bad says it with fewer. */
const MAX_CORRECTIONS = 160;

/** Two characters this slow together stand, in metres per second. */
const STANDING = 0.01;

/** A reconciliation that moved the prediction. Places are of the newest tick. */
export interface Correction {
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
  readonly atMs: number;
  /** Ticks that were played again. */
  readonly replayed: number;
}

/** What a message did to the prediction. */
export interface StateEffect {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

export class OwnCharacter {
  readonly sampler: MovementSampler;
  readonly agreement = new Agreement();
  readonly #predictor: ScrapPredictor;
  readonly #startMs: number;
  readonly model: MovementModelName;
  readonly #otherModel: MovementModelName;
  /** The same keys by the other model, from the last stand on. */
  readonly #other: CharacterState;
  #corrections: Correction[] = [];
  #last: PlayerMovement | undefined;

  readonly #place: Place;

  /** `model` and `place` are those of the server. */
  constructor(playing: Playing, nowMs: number, model: MovementModelName = "smServer", place: PlaceName = "plain") {
    this.#predictor = new ScrapPredictor(playing, { model, place });
    this.#place = places[place];
    this.model = model;
    this.#otherModel = model === "smServer" ? "documented" : "smServer";
    this.#other = { ...this.#predictor.state };
    // The first packet is of the tick that the server named.
    this.sampler = new MovementSampler({ tick: playing.tick - 1, nowMs });
    this.#startMs = nowMs;
  }

  get character(): number {
    return this.#predictor.character;
  }

  /** Drift and jitter of the last ten seconds. */
  get errors(): PredictionErrors {
    return this.#predictor.errors;
  }

  /** Ticks between what is drawn and what the server has confirmed. */
  get unconfirmedTicks(): number {
    return this.#predictor.unconfirmedTicks;
  }

  /** Corrections of the last seconds, oldest first. */
  corrections(nowMs: number): readonly Correction[] {
    this.#corrections = this.#corrections.filter(({ atMs }) => nowMs - atMs <= CORRECTION_MS);
    return this.#corrections;
  }

  /** A frame is drawn: the packet of this tick, predicted already, and what it did. Undefined before the next tick. */
  frame(nowMs: number): { readonly movement: PlayerMovement; readonly effect: StateEffect } | undefined {
    this.sampler.control(this.#predictor.inControl);
    const movement = this.sampler.frame(nowMs);
    if (movement === undefined) return undefined;
    const before = stateJson(this.#predictor.state);
    this.#predictor.predict(movement);
    this.#stepOther(movement);
    this.#last = movement;
    return { movement, effect: { before, after: stateJson(this.#predictor.state) } };
  }

  #stepOther(movement: PlayerMovement): void {
    stepCharacter(this.#other, movement, movementModels[this.#otherModel], this.#place.ground, this.#place.ceiling);
    // Who stands is where it is in both.
    const { state } = this.#predictor;
    const isMoved = state.seated || state.tumbling;
    if (isMoved || Math.hypot(state.vx, state.vy) + Math.hypot(this.#other.vx, this.#other.vy) < STANDING) {
      copyCharacter(state, this.#other);
    }
  }

  /** Where the other model has the character, and how far that is from the prediction, in metres. */
  get byOtherModel(): { readonly model: MovementModelName; readonly apart: number; readonly figure: Figure } {
    const { x, y, z, crawling, yaw } = this.#other;
    const { keys = noKeys, direction = 0, pitch = LEVEL_PITCH } = this.#last ?? {};
    const look = { yawTurns: angleTurns(yaw), pitch, keys, direction };
    const lift = liftOf(z, crawling, this.#place.ground(x, y));
    const figure = { player: this.character, x, y, lift, ...look, body: undefined };
    const { state } = this.#predictor;
    return { model: this.#otherModel, apart: Math.hypot(x - state.x, y - state.y), figure };
  }

  /** Applies an update of the server. Undefined when the update lacks the own character. */
  receive(update: UnreliableUpdate, nowMs: number): StateEffect | undefined {
    const predictor = this.#predictor;
    const before = { ...predictor.state };
    const result = predictor.reconcile(update, nowMs);
    if (result === undefined) return undefined;
    const { outcome, replayed } = result;
    this.agreement.add(result, this.#left(update), nowMs);
    if (outcome === "corrected" || outcome === "ahead") this.#moved(before, replayed, nowMs);
    const [error, unconfirmed] = [result.error, predictor.unconfirmedTicks];
    const after = { ...stateJson(predictor.state), outcome, error, replayed, unconfirmed };
    return { before: stateJson(before), after };
  }

  /** Where it is drawn, and which way it looks: the mouse turns it at once. */
  figure(nowMs: number): Figure {
    const ticks = (nowMs - this.#startMs) / TICK_MS;
    const part = Math.min(1, Math.max(0, ticks - Math.floor(ticks)));
    const { x, y, z } = this.#predictor.place(nowMs, part);
    const { yawTurns, pitchTurns } = this.sampler.look;
    const { keys = noKeys, direction = 0 } = this.#last ?? {};
    const { body } = this;
    const { crawling } = this.#predictor.state;
    const lift = body === "seated" ? 0 : liftOf(z, crawling, this.#place.ground(x, y));
    return { player: this.character, x, y, lift, yawTurns, pitch: pitchTurns * 256, keys, direction, body };
  }

  /** How the own body is, where it is not on its feet. */
  get body(): BodyState | undefined {
    const { seated, tumbling, crawling } = this.#predictor.state;
    if (seated) return "seated";
    return tumbling ? "tumbling" : crawling ? "lying" : undefined;
  }

  /** What to do here, in a line; undefined where there is nothing special. */
  get hint(): string | undefined {
    const { body } = this;
    if (body === "seated") return "Seated: E stands up.";
    if (body === "tumbling") return "Tumbling: no key moves you until you get up.";
    const keys = this.#last?.keys ?? noKeys;
    if (body === "lying" && !keys.crawl) return "The ceiling is too low to stand up: crawl on.";
    const { state } = this.#predictor;
    const { seats, ground } = this.#place;
    const isNear = seats.some((seat) => distance(seatedPosition(seat, ground), state) <= SEAT_REACH);
    return isNear ? "E sits down." : undefined;
  }

  /** How far the prediction is from the truth that it has just taken in. */
  #left({ currentTick, updates }: UnreliableUpdate): number {
    const own = updates.find((each) => each.kind === "character" && each.id === this.character);
    const predicted = this.#predictor.at(this.#predictor.unwrap(currentTick));
    return own?.kind !== "character" || predicted === undefined ? 0 : distance(own.position, predicted);
  }

  #moved(before: Readonly<CharacterState>, replayed: number, atMs: number): void {
    const { x, y } = this.#predictor.state;
    this.#corrections.push({ fromX: before.x, fromY: before.y, toX: x, toY: y, atMs, replayed });
    if (this.#corrections.length > MAX_CORRECTIONS) this.#corrections.shift();
  }
}

const noKeys = keySets[0] as PlayerMovement["keys"];
