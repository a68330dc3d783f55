/**
 * A **time budget** limits the time that a peer with its own tick count may claim. It schedules each tick: late enough for
 * the delay of the network, and no faster than our clock. A peer with a fast clock gains half a percent at most, and some
 * slack once; one that is found to be faster gains nothing more.
 *
 * The fastest packets separate delay from clock: delay varies and is never negative, while a wrong clock shifts the fastest
 * packets too, steadily and in one direction.
 *
 * ```ts
 * import { TimeBudget } from "wirewalk/scrap-mechanic/movement";
 *
 * const budget = new TimeBudget({ tickMs: 25 });
 * budget.arrived(100, 1000);
 * budget.dueTick(1000); // => 100
 * budget.dueTick(1060); // => 102
 * const claims = new TimeBudget({ tickMs: 25 });
 * for (let ms = 0; ms <= 60_000; ms += 25) {
 *   claims.arrived(Math.floor((ms * 1.1) / 25), ms); // a clock that is ten percent fast
 *   claims.advance(ms);
 * }
 * claims.isOverdrawn; // => true
 * claims.rate?.toFixed(2); // => "1.10"
 * ```
 *
 * @module
 */

import { type AdvantageLimits, judgeAdvantage } from "../../../motion/index.ts";
import { number, plainData, type StateOf, state } from "../../world-kit/index.ts";

/** The length of a peer's tick, and the limits; in milliseconds, except `maxGain`. */
export interface TimeBudgetOptions {
  readonly tickMs: number;
  /** The share that a fast clock may gain on ours. Default 0.005: crystals are off by 0.0001, and games by ten times that. */
  readonly maxGain?: number;
  /** How much earlier than before ticks may arrive, once: the network path became shorter. Default 400. */
  readonly slackMs?: number;
  /**
   * What is added for the first five seconds, in which the very first packet may have been held back. Default 2000. After
   * `begin` it is not needed: the budget then knows how late the first packet can be.
   */
  readonly settleSlackMs?: number;
  /** The longest wait for delayed packets; later ones are played when they arrive. Default 300. */
  readonly maxDelayMs?: number;
  /** What a peer lost to the network it may catch up, up to this. A longer delay counts as a lost connection. Default 10,000. */
  readonly maxOwedMs?: number;
  /** The latest that a first packet may be after `begin`. Default 6,000: a stall of 5 s, and a second for the way there and back. */
  readonly maxLateStartMs?: number;
  /** Ahead of its schedule by more than this, with nothing left to spend, a peer is overdrawn. Default 50: rounding to ticks is less. */
  readonly overdrawnMs?: number;
}

/** Arrivals are grouped by the second. */
const BUCKET_MS = 1000;
/** The rate is that of the last half minute. */
const RATE_BUCKETS = 30;
/** Fewer give no rate. */
const MIN_RATE_BUCKETS = 5;
/** The delay follows the last seconds: long enough to have seen what the network can do. */
const DELAY_BUCKETS = 4;
/**
 * For so long the schedule may still turn out to be late by the first packet: five seconds in which the rest of what was held back comes, and
 * those over which the delay is measured, or the last of it would count as a fast clock.
 */
const SETTLE_MS = 5000 + DELAY_BUCKETS * BUCKET_MS;
/** A second of which our own process stood for more than this does not count as settling: what it reads then is late by more than the network. */
const STALLED_MS = 100;
/** How fast the schedule moves towards the packets: half as fast again looks hurried, more looks like a leap. */
const MOVE_RATE = 0.5;
/**
 * How fast a schedule comes back that was moved later for packets that were held back. Who holds ticks back again and again is played
 * evenly in between: at once it would stand and leap for ever.
 */
const RETURN_RATE = 0.01;

interface Bucket {
  readonly atMs: number;
  /** When the fastest and the slowest packet came, less the time that its tick stands for. */
  fastest: number;
  slowest: number;
}

/** The state of a `TimeBudget`, as plain data. Its options are not part of it. */
export const savedTimeBudget = state({
  /** The arrivals of the last seconds, oldest first; three numbers each: `atMs`, `fastest`, `slowest`. */
  // Checked when they are taken over: half of what a world saves.
  buckets: plainData<readonly number[]>(),
  /** When tick 0 is played; NaN before the first arrival. */
  base: number,
  startMs: number,
  lastMs: number,
  /**
   * The time that the peer has gained: at most the slack. Below 0 the schedule was moved later for packets that were held
   * back, and the peer may have that time again.
   */
  heldMs: number,
  /** By how much the first packet may have been late; lost when the first seconds are over in which our own process ran well. */
  lateStartMs: number,
  /** The tick to begin with, and when the peer was sent it; NaN without `begin`. */
  beginTick: number,
  beginMs: number,
  /** Our own stalls, in all: then, at the last call, and at the beginning of the present second; and the time that counts as settling. */
  beginStalledMs: number,
  stalledMs: number,
  secondMs: number,
  secondStalledMs: number,
  settledMs: number,
});
export type SavedTimeBudget = StateOf<typeof savedTimeBudget>;

/** The schedule of one peer's ticks. Ticks are whole numbers that do not wrap; times must not run backwards. */
export class TimeBudget {
  readonly #tickMs: number;
  readonly #limits: AdvantageLimits;
  /** The same for a clock that is overdrawn. */
  readonly #unforgiving: AdvantageLimits;
  readonly #settleSlackMs: number;
  readonly #maxDelayMs: number;
  readonly #maxOwedMs: number;
  readonly #maxLateStartMs: number;
  readonly #overdrawnMs: number;
  #buckets: Bucket[] = [];
  /** Without buckets. */
  #state: SavedTimeBudget = {
    buckets: [],
    base: Number.NaN,
    startMs: 0,
    lastMs: 0,
    heldMs: 0,
    lateStartMs: 0,
    beginTick: Number.NaN,
    beginMs: Number.NaN,
    beginStalledMs: 0,
    stalledMs: 0,
    secondMs: 0,
    secondStalledMs: 0,
    settledMs: 0,
  };

  constructor(options: TimeBudgetOptions) {
    this.#tickMs = options.tickMs;
    this.#limits = { tolerance: options.slackMs ?? 400, forgiven: options.maxGain ?? 0.005 };
    this.#unforgiving = { tolerance: this.#limits.tolerance };
    this.#settleSlackMs = options.settleSlackMs ?? 2000;
    this.#maxDelayMs = options.maxDelayMs ?? 300;
    this.#maxOwedMs = options.maxOwedMs ?? 10_000;
    this.#maxLateStartMs = options.maxLateStartMs ?? 6000;
    this.#overdrawnMs = options.overdrawnMs ?? 50;
  }

  /** The state, which shares nothing with the budget. */
  save(): SavedTimeBudget {
    return {
      ...this.#state,
      buckets: this.#buckets.flatMap(({ atMs, fastest, slowest }) => [atMs, fastest, slowest]),
    };
  }

  /** Takes over the state of a budget with the same options. */
  restore(saved: SavedTimeBudget): void {
    const { buckets: numbers } = saved;
    const buckets: Bucket[] = [];
    for (let index = 0; index < numbers.length; index += 3) {
      const [atMs, fastest, slowest] = numbers.slice(index, index + 3);
      if (typeof atMs !== "number" || typeof fastest !== "number" || typeof slowest !== "number") {
        throw new TypeError(`Cannot restore: ${numbers.length} numbers of buckets, expected three for each`);
      }
      buckets.push({ atMs, fastest, slowest });
    }
    this.#buckets = buckets;
    this.#state = { ...saved, buckets: [] };
  }

  /**
   * The peer is sent the tick to begin with. It cannot play it sooner, so its first packet is late by no more than the time
   * since then, however long the network held back either of the two.
   *
   * @param heldMs the time that it had gained over an earlier connection: see `gainedMs`.
   * @param stalledMs all stalls of our own process until now (`FairClock`), here and in the other calls.
   */
  begin(tick: number, nowMs: number, heldMs = 0, stalledMs = 0): void {
    this.#state.beginTick = tick;
    this.#state.beginMs = nowMs;
    this.#state.heldMs = heldMs;
    this.#state.beginStalledMs = stalledMs;
    this.#state.stalledMs = stalledMs;
  }

  /** A tick has come for the first time. */
  arrived(tick: number, nowMs: number, stalledMs = this.#state.stalledMs): void {
    this.#state.stalledMs = stalledMs;
    const offset = nowMs - tick * this.#tickMs;
    if (Number.isNaN(this.#state.base)) this.#start(offset, nowMs, this.#state.heldMs, this.#latenessOf(tick, nowMs));
    const last = this.#buckets.at(-1);
    if (last === undefined || nowMs - last.atMs >= BUCKET_MS) {
      this.#buckets.push({ atMs: nowMs, fastest: offset, slowest: offset });
      if (this.#buckets.length > RATE_BUCKETS) this.#buckets.shift();
    } else {
      last.fastest = Math.min(last.fastest, offset);
      last.slowest = Math.max(last.slowest, offset);
    }
  }

  /** Begins anew with a tick that is due next, as for a peer whose ticks have leapt; nothing is granted for it. */
  restart(tick: number, nowMs: number): void {
    this.#buckets = [];
    // Not now: a peer that leaps again and again would gain a part of a tick each time.
    this.#start(nowMs - (tick - 1) * this.#tickMs, nowMs, this.#limits.tolerance, 0);
  }

  #start(base: number, nowMs: number, heldMs: number, lateStartMs: number): void {
    this.#state.base = base;
    this.#state.startMs = nowMs;
    this.#state.lastMs = nowMs;
    this.#state.heldMs = heldMs;
    this.#state.lateStartMs = lateStartMs;
    this.#state.secondMs = nowMs;
    this.#state.secondStalledMs = this.#state.stalledMs;
    this.#state.settledMs = 0;
  }

  /** The most by which a first packet with this tick can be late. A peer that counts on its own is granted nothing. */
  #latenessOf(tick: number, nowMs: number): number {
    if (Number.isNaN(this.#state.beginTick)) return this.#settleSlackMs;
    const playedMs = (tick - this.#state.beginTick) * this.#tickMs;
    const ownMs = Math.min(this.#maxLateStartMs, this.#state.stalledMs - this.#state.beginStalledMs);
    return playedMs < 0
      ? 0
      : Math.min(this.#maxLateStartMs + ownMs, Math.max(0, nowMs - this.#state.beginMs - playedMs));
  }

  /** Counts the seconds in which our own process ran well. */
  #settle(nowMs: number): void {
    if (nowMs - this.#state.secondMs < BUCKET_MS) return;
    if (this.#state.stalledMs - this.#state.secondStalledMs < STALLED_MS)
      this.#state.settledMs += nowMs - this.#state.secondMs;
    this.#state.secondMs = nowMs;
    this.#state.secondStalledMs = this.#state.stalledMs;
    if (this.#state.settledMs >= SETTLE_MS) this.#state.lateStartMs = 0;
  }

  /** Moves the schedule on; `dueTick` does so too. */
  advance(nowMs: number, stalledMs = this.#state.stalledMs): void {
    this.#state.stalledMs = stalledMs;
    if (Number.isNaN(this.#state.base)) return;
    const passedMs = Math.max(0, nowMs - this.#state.lastMs);
    this.#state.lastMs = Math.max(this.#state.lastMs, nowMs);
    if (this.#state.lateStartMs > 0) this.#settle(nowMs);
    const wanted = this.#wantedBase();
    // Most ticks: the schedule stays, and there is no gain that could be forgiven.
    if (wanted === this.#state.base && this.#state.heldMs <= 0) return;
    const step = passedMs * MOVE_RATE;
    if (wanted > this.#state.base) {
      const laterMs = Math.min(wanted - this.#state.base, step);
      this.#state.base += laterMs;
      this.#play(passedMs, passedMs - laterMs);
      return;
    }
    // Nothing has been played yet by the schedule of a first packet that was late: it moves at once.
    const againMs = Math.min(this.#state.base - wanted, this.#state.lateStartMs);
    this.#state.base -= againMs;
    this.#state.lateStartMs -= againMs;
    // A clock that is found to be fast is forgiven nothing more: what it has gained grows no further.
    const limits = this.#isSpent && this.#state.base - wanted > this.#overdrawnMs ? this.#unforgiving : this.#limits;
    const most = this.#returnsSlowly(this.#state.base - wanted) ? passedMs * RETURN_RATE : step;
    this.#state.base -= this.#play(passedMs, passedMs + Math.min(this.#state.base - wanted, most), limits) - passedMs;
  }

  /**
   * Whether the schedule, which is later than it has to be by so much, keeps most of that for the next packets that are held back. What is
   * longer than any wait is caught up, and a clock that is faster than the return is followed, so that it is found.
   */
  #returnsSlowly(laterMs: number): boolean {
    if (this.#state.heldMs >= 0 || laterMs > this.#maxDelayMs) return false;
    return (this.rate ?? 1) <= 1 + RETURN_RATE;
  }

  /** The peer plays as much of `playedMs` in `passedMs` as its budget allows. Returns how much. */
  #play(passedMs: number, playedMs: number, limits = this.#limits): number {
    const claim = { claimed: playedMs, passed: passedMs, credit: this.#maxOwedMs };
    const judgement = judgeAdvantage(limits, this.#state.heldMs, claim);
    this.#state.heldMs = Math.min(judgement.held, limits.tolerance);
    return Math.min(playedMs, judgement.allowed);
  }

  /** The newest tick that is to be played by now; -Infinity before the first has come. */
  dueTick(nowMs: number, stalledMs = this.#state.stalledMs): number {
    this.advance(nowMs, stalledMs);
    if (Number.isNaN(this.#state.base)) return Number.NEGATIVE_INFINITY;
    // Times are sums of many small numbers: a tick that is due to the millionth is due.
    return Math.floor((nowMs - this.#state.base) / this.#tickMs + 1e-6);
  }

  /** When a tick is to be played; NaN before the first has come. */
  dueMs(tick: number): number {
    return this.#state.base + tick * this.#tickMs;
  }

  /** The newest tick that an honest peer can have reached by now; -Infinity before `begin` and the first arrival. */
  reachedTick(nowMs: number): number {
    const begunMs = Number.isNaN(this.#state.beginMs)
      ? Number.POSITIVE_INFINITY
      : this.#state.beginMs - this.#state.beginTick * this.#tickMs;
    const base = Number.isNaN(this.#state.base) ? begunMs : this.#state.base - this.delayMs - this.#state.lateStartMs;
    return Math.floor((nowMs - base) / this.#tickMs);
  }

  /** When a tick may be played at the earliest, if all that the peer may gain were spent on it; NaN before the first. */
  earliestMs(tick: number): number {
    return this.dueMs(tick) - this.allowanceMs;
  }

  /** Where the schedule would be if time cost nothing: all but the slowest packets come in time. */
  #wantedBase(): number {
    let slowest = Number.NEGATIVE_INFINITY;
    const buckets = this.#buckets;
    for (let index = Math.max(0, buckets.length - DELAY_BUCKETS); index < buckets.length; index += 1) {
      slowest = Math.max(slowest, (buckets[index] as Bucket).slowest);
    }
    const fastest = this.#fastest();
    return fastest === Number.POSITIVE_INFINITY ? this.#state.base : Math.min(slowest, fastest + this.#maxDelayMs);
  }

  /** Of the last seconds; infinite before the first arrival. */
  #fastest(): number {
    let fastest = Number.POSITIVE_INFINITY;
    const buckets = this.#buckets;
    for (let index = Math.max(0, buckets.length - DELAY_BUCKETS); index < buckets.length; index += 1) {
      fastest = Math.min(fastest, (buckets[index] as Bucket).fastest);
    }
    return fastest;
  }

  /** How long the fastest packets wait for their turn, in milliseconds. */
  get delayMs(): number {
    const fastest = this.#fastest();
    return fastest === Number.POSITIVE_INFINITY ? 0 : Math.max(0, this.#state.base - fastest);
  }

  /** What the peer may still gain on the schedule, in milliseconds: its slack, and the time that the network held back. */
  get allowanceMs(): number {
    return this.#limits.tolerance - this.#state.heldMs + this.#state.lateStartMs;
  }

  /** The time that the peer has gained, in milliseconds; what it may catch up is none. */
  get gainedMs(): number {
    return Math.max(0, this.#state.heldMs);
  }

  /** How far the peer's ticks are before their schedule, in milliseconds. */
  get aheadMs(): number {
    return Number.isNaN(this.#state.base) ? 0 : Math.max(0, this.#state.base - this.#wantedBase());
  }

  /** The peer claims more time than has passed, and has used up what it may gain. */
  get isOverdrawn(): boolean {
    return this.#isSpent && this.aheadMs > this.#overdrawnMs;
  }

  get #isSpent(): boolean {
    return this.allowanceMs < this.#tickMs;
  }

  /** The peer's seconds per second of ours over the last half minute; undefined while too little is known. */
  get rate(): number | undefined {
    const buckets = this.#buckets;
    const count = buckets.length;
    if (count < MIN_RATE_BUCKETS) return undefined;
    const mean = (of: (bucket: Bucket) => number): number => buckets.reduce((sum, each) => sum + of(each), 0) / count;
    const meanMs = mean(({ atMs }) => atMs);
    const meanFastest = mean(({ fastest }) => fastest);
    const slope =
      mean(({ atMs, fastest }) => (atMs - meanMs) * (fastest - meanFastest)) / mean(({ atMs }) => (atMs - meanMs) ** 2);
    // The fastest packets of a fast clock come earlier and earlier than the ticks they stand for.
    return 1 - slope;
  }
}
