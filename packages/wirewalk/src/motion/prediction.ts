/**
 * **Prediction and reconciliation**: a client applies its own inputs at once. When the server sends the state of a past tick,
 * the client compares it with its prediction, corrects that tick if they differ, and replays the inputs since then.
 *
 * ```ts
 * import { Prediction } from "wirewalk/motion";
 *
 * const walker = new Prediction({
 *   copy: (from, to) => Object.assign(to, from),
 *   step: (state, dx) => (state.x += dx),
 *   distance: (state, x) => Math.abs(state.x - x),
 *   correct: (state, x) => (state.x = x),
 *   create: () => ({ x: 0 }),
 *   tolerance: 0.001,
 *   capacity: 64,
 *   tick: 100,
 * });
 * walker.predict(1);
 * walker.predict(1);
 * walker.state; // => { x: 2 }
 * walker.reconcile(101, 1); // => { outcome: "agreed", error: 0, replayed: 0 }
 * walker.predict(1);
 * walker.reconcile(102, 1.5); // => { outcome: "corrected", error: 0.5, replayed: 1 }
 * walker.state; // => { x: 2.5 }
 * walker.reconcile(101, 9); // => { outcome: "old", error: 0, replayed: 0 }
 * walker.reset(20); // => { outcome: "corrected", error: 17.5, replayed: 0 }
 * ```
 *
 * An input is what one tick needs: the keys that are held in it, or the presses and releases before it.
 *
 * @module
 */

/** The game's part: `S` is its state, `I` an input, `T` what the server sends of a state. */
export interface PredictionOptions<S, I, T> {
  /** A new state; the first one is the state at the start. */
  create(): S;
  /** Copies `from` to `to`. */
  copy(from: Readonly<S>, to: S): void;
  /** Plays one tick: exactly as the server does. */
  step(state: S, input: I): void;
  /** The distance of a predicted state from the server's. */
  distance(state: Readonly<S>, truth: T): number;
  /** Changes a predicted state to the server's, which may have only a part of it. */
  correct(state: S, truth: T): void;
  /** Distances up to this count as equal: rounding. Below 0 every state of the server is taken over. */
  readonly tolerance: number;
  /** Ticks that are kept: the longest round trip that can be corrected. */
  readonly capacity: number;
  /** The tick of the state at the start; the first input is for the one after it. */
  readonly tick: number;
}

/**
 * The outcome of a reconciliation. `agreed`: the prediction was right. `corrected`: changed and replayed. `old`: from before
 * the last reconciliation or the kept ticks, ignored. `ahead`: of a tick that is not predicted yet; the state is now that one.
 */
export interface Reconciliation {
  readonly outcome: "agreed" | "corrected" | "old" | "ahead";
  /** The error of the prediction, in the unit of `distance`. */
  readonly error: number;
  /** Inputs that were replayed. */
  readonly replayed: number;
}

interface Moment<S, I> {
  readonly state: S;
  input: I | undefined;
}

const old: Reconciliation = Object.freeze({ outcome: "old", error: 0, replayed: 0 });

/** One player's prediction. Ticks are whole numbers that do not wrap. After its start it allocates only results. */
export class Prediction<S extends object, I, T> {
  readonly #options: PredictionOptions<S, I, T>;
  /** The state after each of the last ticks, and the input that led to it, at the tick modulo the capacity. */
  readonly #moments: readonly Moment<S, I>[];
  #tick: number;
  #oldest: number;
  #confirmed: number;

  /** Throws `RangeError` unless `capacity` is a whole number above 1 and `tick` a whole number. */
  constructor(options: PredictionOptions<S, I, T>) {
    const { capacity, tick } = options;
    if (!(Number.isInteger(capacity) && capacity > 1))
      throw new RangeError(`capacity must be above 1, got ${capacity}`);
    if (!Number.isSafeInteger(tick)) throw new RangeError(`tick must be a whole number, got ${tick}`);
    this.#options = options;
    this.#moments = Array.from({ length: capacity }, () => ({ state: options.create(), input: undefined }));
    this.#tick = tick;
    this.#oldest = tick;
    this.#confirmed = tick - 1;
  }

  /** The newest tick that is predicted. */
  get tick(): number {
    return this.#tick;
  }

  /** The newest tick that the server sent; before any, the one before the start. */
  get confirmedTick(): number {
    return this.#confirmed;
  }

  /** The predicted state. Read it, do not keep it. */
  get state(): Readonly<S> {
    return this.#moment(this.#tick).state;
  }

  /** The state after an earlier tick; undefined when it is not kept. Read it, do not keep it. */
  at(tick: number): Readonly<S> | undefined {
    return tick >= this.#oldest && tick <= this.#tick ? this.#moment(tick).state : undefined;
  }

  /** Applies an input for the next tick. */
  predict(input: I): void {
    this.#tick += 1;
    this.#oldest = Math.max(this.#oldest, this.#tick - this.#options.capacity + 1);
    this.#moment(this.#tick).input = input;
    this.#play(this.#tick, input);
  }

  /** Reconciles with the server's state of a tick. */
  reconcile(tick: number, truth: T): Reconciliation {
    if (tick <= this.#confirmed || tick < this.#oldest) return old;
    const { distance, correct, tolerance } = this.#options;
    this.#confirmed = tick;
    if (tick > this.#tick) {
      const { state } = this.#moment(tick);
      this.#options.copy(this.state, state);
      const error = distance(state, truth);
      correct(state, truth);
      this.#tick = tick;
      this.#oldest = tick;
      return { outcome: "ahead", error, replayed: 0 };
    }
    const { state } = this.#moment(tick);
    const error = distance(state, truth);
    if (error <= tolerance) return { outcome: "agreed", error, replayed: 0 };
    correct(state, truth);
    for (let next = tick + 1; next <= this.#tick; next++) this.#play(next, this.#moment(next).input as I);
    return { outcome: "corrected", error, replayed: this.#tick - tick };
  }

  /**
   * Takes over the server's state of now, without a tick: after a warp, or a correction that names none. Earlier ticks are
   * dropped, and nothing is replayed.
   */
  reset(truth: T): Reconciliation {
    const { state } = this.#moment(this.#tick);
    const error = this.#options.distance(state, truth);
    this.#options.correct(state, truth);
    this.#oldest = this.#tick;
    this.#confirmed = this.#tick;
    return { outcome: "corrected", error, replayed: 0 };
  }

  #play(tick: number, input: I): void {
    const { state } = this.#moment(tick);
    this.#options.copy(this.#moment(tick - 1).state, state);
    this.#options.step(state, input);
  }

  #moment(tick: number): Moment<S, I> {
    const { length } = this.#moments;
    return this.#moments[((tick % length) + length) % length] as Moment<S, I>;
  }
}
