/**
 * The slime that is played here: keys in, messages out, predicted with the server's own physics. What the server says
 * of it is the truth.
 */
import { type Key, KeyHandler, type Outgoing, type RoomGeometry, updateMovementState } from "wirewalk/slime-online-2";
import type { JsonObject } from "wirewalk/wire";
import { Body, stateJson } from "./body.ts";

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
}

export class OwnPlayer {
  readonly body: Body;
  readonly #keys = new KeyHandler();
  readonly #say: (said: Said) => void;
  /** The last key edge told: a correction means that it, or something before it, was refused. */
  #lastKey: Key | undefined;
  #correction: Correction | undefined;

  /** Starts in the air, so that its landing tells everybody where it is before any key does. */
  constructor(
    geometry: RoomGeometry,
    start: { readonly x: number; readonly y: number },
    nowMs: number,
    say: (said: Said) => void,
  ) {
    this.body = new Body(geometry, { ...start, free: true }, nowMs);
    this.#say = say;
    // Lets the handler see that it is in the air, or it would not notice the landing.
    this.#keys.afterStep(this.body.state);
  }

  /** The last correction, to be shown for a while. */
  get correction(): Correction | undefined {
    return this.#correction;
  }

  advance(nowMs: number): void {
    this.body.advance(nowMs, (state) => {
      const landing = this.#keys.afterStep(state);
      if (landing !== undefined) this.#tell(landing);
    });
  }

  key(key: Key, down: boolean, nowMs: number): void {
    this.advance(nowMs);
    const edge = this.#keys.set(key, down, this.body.state);
    if (edge === undefined) return;
    this.#lastKey = key;
    this.#tell(edge);
  }

  /** Takes the server's place for its own. Answers with the state before and after. */
  correct(x: number, y: number, nowMs: number): { readonly before: JsonObject; readonly after: JsonObject } {
    this.advance(nowMs);
    const { state } = this.body;
    const before = stateJson(state);
    this.#correction = { fromX: state.x, fromY: state.y, toX: x, toY: y, atMs: nowMs };
    updateMovementState(state, "landing", x, y);
    state.hsp = 0;
    this.body.settle();
    this.#keys.afterStep(state);
    return { before, after: stateJson(state) };
  }

  /**
   * After a correction: says the last left or right again, since the server refused it and still believes the opposite.
   * A jump is not said again: the moment for it has passed.
   */
  repeatLastKey(nowMs: number): void {
    const key = this.#lastKey;
    this.#lastKey = undefined;
    if (key !== "left" && key !== "right") return;
    const down = this.#keys.isDown(key);
    // Through the handler, which would swallow a state that it has told already.
    this.#keys.set(key, !down, this.body.state);
    this.key(key, down, nowMs);
    this.#lastKey = undefined;
  }

  #tell(message: Outgoing): void {
    const { state } = this.body;
    const before = stateJson(state);
    // Keys and facing only: the own position is finer than the pixels on the wire.
    updateMovementState(state, message.direction);
    this.#say({ ...message, before, after: stateJson(state) });
  }
}
