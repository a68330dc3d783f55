/**
 * The ticks that a player saves up: a client that sends nothing for seconds and then all its ticks at once plays them faster than time
 * passes, and no faster than time on average, so no clock is wrong. One stall of a line is no evidence, and stall after stall is (standard
 * 8.2.1). Ticks that wait for our own late ticks are not counted.
 */
import { type AdvantageJudgement, type AdvantageLimits, judgeAdvantage } from "../../../motion/index.ts";
import { flag, number, type StateOf, state } from "../../world-kit/index.ts";
import { TICK_MS } from "../movement/model.ts";
import type { ScrapLimits } from "./limits.ts";

/** Our own stalls are remembered up to this: the input buffer holds no more ticks of a player. */
const MAX_OWN_MS = 12_800;
/** A tick is due to the millionth: times are sums of many small numbers. */
const ROUNDING_MS = 1e-3;

/** The state of `SavedTicks`. */
export const savedTicks = state({
  atMs: number,
  /** Time in which it could not or did not play, and which it may play at once: our own stalls, and a little of its own. */
  readyMs: number,
  heldMs: number,
  /** Once it has reached the ceiling, and until half of that is forgiven, it plays faster than time by no more than what is forgiven. */
  isSlowed: flag,
  /** What it may play now beyond the time while it is slowed: a tick at most. */
  extraMs: number,
});
type State = StateOf<typeof savedTicks>;

/** One player's. Call `pass` and then `played` in each tick of the world. */
export class SavedTicks {
  readonly #limits: Required<AdvantageLimits>;
  readonly #jitterMs: number;
  #state: State;
  #passedMs = 0;
  /** Ticks that it may play in this tick of the world. */
  #most = 0;

  /** @param heldMs what it had played at once over an earlier connection. */
  constructor(nowMs: number, heldMs: number, { savedMs, savedShare, savedJitterMs }: ScrapLimits) {
    this.#limits = { tolerance: savedMs, forgiven: savedShare };
    this.#jitterMs = savedJitterMs;
    this.#state = { atMs: nowMs, readyMs: 0, heldMs, isSlowed: false, extraMs: 0 };
  }

  /** What it has played at once, less what is forgiven, in milliseconds. */
  get heldMs(): number {
    return this.#state.heldMs;
  }

  /** A tick of the world has come. Returns how many of its own the player may play in it. */
  pass(nowMs: number): number {
    this.#passedMs = Math.max(0, nowMs - this.#state.atMs);
    this.#state.atMs = Math.max(this.#state.atMs, nowMs);
    this.#state.extraMs = Math.min(TICK_MS, this.#state.extraMs + this.#passedMs * this.#limits.forgiven);
    const playableMs = this.#state.isSlowed ? this.#passedMs + this.#state.extraMs : this.#judge(0).allowed;
    this.#most = Math.floor((playableMs + this.#state.readyMs + ROUNDING_MS) / TICK_MS);
    return this.#most;
  }

  /** It has played so many ticks in this tick of the world. `waits`: more of them are due. True if those wait for nothing else. */
  played(ticks: number, waits: boolean): boolean {
    const passedMs = this.#passedMs;
    const leftMs = passedMs - ticks * TICK_MS;
    const readyMs = Math.min(this.#state.readyMs, Math.max(0, -leftMs));
    const beyondMs = Math.max(0, -leftMs - readyMs);
    this.#state.heldMs = this.#judge(passedMs + beyondMs).held;
    this.#state.readyMs -= readyMs;
    this.#state.extraMs = Math.max(0, this.#state.extraMs - beyondMs);
    const isHeldBack = waits && ticks >= this.#most;
    this.#state.isSlowed = isHeldBack || (this.#state.isSlowed && this.#state.heldMs > this.#limits.tolerance / 2);
    if (leftMs > 0) this.#left(leftMs);
    return isHeldBack;
  }

  /** Of the time that was not played, our own tick came too late by one part, and the player left out the other. */
  #left(leftMs: number): void {
    const ownMs = Math.min(leftMs, Math.max(0, this.#passedMs - TICK_MS));
    this.#state.readyMs = Math.min(MAX_OWN_MS, this.#state.readyMs + ownMs);
    if (this.#state.readyMs < this.#jitterMs)
      this.#state.readyMs = Math.min(this.#jitterMs, this.#state.readyMs + leftMs - ownMs);
  }

  #judge(claimed: number): AdvantageJudgement {
    return judgeAdvantage(this.#limits, this.#state.heldMs, { claimed, passed: this.#passedMs, credit: 0 });
  }

  save(): State {
    return { ...this.#state };
  }

  restore(saved: State): void {
    this.#state = { ...saved };
  }
}
