/**
 * A **time budget** limits the time that a peer with its own tick count may claim. It schedules each tick: late enough for
 * the delay of the network, and no faster than our clock. A peer with a fast clock gains half a percent at most, and some
 * slack once.
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

/** The length of a peer's tick, and the limits; in milliseconds, except `maxGain`. */
export interface TimeBudgetOptions {
  readonly tickMs: number;
  /** The share that a fast clock may gain on ours. Default 0.005: crystals are off by 0.0001, and games by ten times that. */
  readonly maxGain?: number;
  /** How much earlier than before ticks may arrive, once: the network path became shorter. Default 400. */
  readonly slackMs?: number;
  /** The same for the first five seconds, in which the very first packet may have been held back. Default 2000. */
  readonly settleSlackMs?: number;
  /** The longest wait for delayed packets; later ones are played when they arrive. Default 300. */
  readonly maxDelayMs?: number;
}

/** Arrivals are grouped by the second. */
const BUCKET_MS = 1000;
/** The rate is that of the last half minute. */
const RATE_BUCKETS = 30;
/** Fewer give no rate. */
const MIN_RATE_BUCKETS = 5;
/** The delay follows the last seconds: long enough to have seen what the network can do. */
const DELAY_BUCKETS = 4;
const SETTLE_MS = 5000;
/** What a peer lost to the network it may catch up, up to this. A longer delay counts as a lost connection. */
const MAX_OWED_MS = 10_000;
/** How fast the schedule moves towards the packets: half as fast again looks hurried, more looks like a leap. */
const MOVE_RATE = 0.5;
/** Ahead of its schedule by this much, with nothing left to spend: what rounding to ticks does is less. */
const OVERDRAWN_MS = 50;

interface Bucket {
  readonly atMs: number;
  /** When the fastest and the slowest packet came, less the time that its tick stands for. */
  fastest: number;
  slowest: number;
}

/** The state of a `TimeBudget`, as plain data. Its options are not part of it. */
export interface SavedTimeBudget {
  /** The arrivals of the last seconds, oldest first; three numbers each: `atMs`, `fastest`, `slowest`. */
  readonly buckets: readonly number[];
  /** When tick 0 is played; NaN before the first arrival. */
  readonly base: number;
  readonly startMs: number;
  readonly lastMs: number;
  readonly creditMs: number;
  readonly owedMs: number;
}

/** The schedule of one peer's ticks. Ticks are whole numbers that do not wrap; times must not run backwards. */
export class TimeBudget {
  readonly #tickMs: number;
  readonly #maxGain: number;
  readonly #slackMs: number;
  readonly #settleSlackMs: number;
  readonly #maxDelayMs: number;
  #buckets: Bucket[] = [];
  /** Tick 0 is played at this time. */
  #base = Number.NaN;
  #startMs = 0;
  #lastMs = 0;
  #creditMs = 0;
  /** By how much the schedule was moved later for packets that were held back: time the peer has not had yet. */
  #owedMs = 0;

  constructor(options: TimeBudgetOptions) {
    this.#tickMs = options.tickMs;
    this.#maxGain = options.maxGain ?? 0.005;
    this.#slackMs = options.slackMs ?? 400;
    this.#settleSlackMs = options.settleSlackMs ?? 2000;
    this.#maxDelayMs = options.maxDelayMs ?? 300;
  }

  /** The state, which shares nothing with the budget. */
  save(): SavedTimeBudget {
    return {
      buckets: this.#buckets.flatMap(({ atMs, fastest, slowest }) => [atMs, fastest, slowest]),
      base: this.#base,
      startMs: this.#startMs,
      lastMs: this.#lastMs,
      creditMs: this.#creditMs,
      owedMs: this.#owedMs,
    };
  }

  /** Takes over the state of a budget with the same options. */
  restore(saved: SavedTimeBudget): void {
    const buckets: Bucket[] = [];
    for (let index = 0; index < saved.buckets.length; index += 3) {
      const [atMs, fastest, slowest] = saved.buckets.slice(index, index + 3);
      if (atMs === undefined || fastest === undefined || slowest === undefined) {
        throw new TypeError(`Cannot restore: ${saved.buckets.length} numbers of buckets, expected three for each`);
      }
      buckets.push({ atMs, fastest, slowest });
    }
    this.#buckets = buckets;
    this.#base = saved.base;
    this.#startMs = saved.startMs;
    this.#lastMs = saved.lastMs;
    this.#creditMs = saved.creditMs;
    this.#owedMs = saved.owedMs;
  }

  /** A tick has come for the first time. */
  arrived(tick: number, nowMs: number): void {
    const offset = nowMs - tick * this.#tickMs;
    if (Number.isNaN(this.#base)) this.#start(offset, nowMs, this.#settleSlackMs);
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
    this.#start(nowMs - (tick - 1) * this.#tickMs, nowMs, 0);
  }

  #start(base: number, nowMs: number, creditMs: number): void {
    this.#base = base;
    this.#startMs = nowMs;
    this.#lastMs = nowMs;
    this.#creditMs = creditMs;
    this.#owedMs = 0;
  }

  /** Moves the schedule on; `dueTick` does so too. */
  advance(nowMs: number): void {
    if (Number.isNaN(this.#base)) return;
    const passedMs = Math.max(0, nowMs - this.#lastMs);
    this.#lastMs = Math.max(this.#lastMs, nowMs);
    const most = nowMs - this.#startMs < SETTLE_MS ? this.#settleSlackMs : this.#slackMs;
    this.#creditMs = Math.min(most, this.#creditMs + passedMs * this.#maxGain);
    const wanted = this.#wantedBase();
    const step = passedMs * MOVE_RATE;
    if (wanted > this.#base) {
      const later = Math.min(wanted - this.#base, step);
      this.#base += later;
      this.#owedMs = Math.min(MAX_OWED_MS, this.#owedMs + later);
    } else {
      const earlier = Math.min(this.#base - wanted, step, this.#owedMs + this.#creditMs);
      this.#base -= earlier;
      this.#creditMs -= Math.max(0, earlier - this.#owedMs);
      this.#owedMs = Math.max(0, this.#owedMs - earlier);
    }
  }

  /** The newest tick that is to be played by now; -Infinity before the first has come. */
  dueTick(nowMs: number): number {
    this.advance(nowMs);
    if (Number.isNaN(this.#base)) return Number.NEGATIVE_INFINITY;
    // Times are sums of many small numbers: a tick that is due to the millionth is due.
    return Math.floor((nowMs - this.#base) / this.#tickMs + 1e-6);
  }

  /** When a tick is to be played; NaN before the first has come. */
  dueMs(tick: number): number {
    return this.#base + tick * this.#tickMs;
  }

  /** When a tick may be played at the earliest, if all that the peer may gain were spent on it; NaN before the first. */
  earliestMs(tick: number): number {
    return this.dueMs(tick) - this.allowanceMs;
  }

  /** Where the schedule would be if time cost nothing: all but the slowest packets come in time. */
  #wantedBase(): number {
    let fastest = Number.POSITIVE_INFINITY;
    let slowest = Number.NEGATIVE_INFINITY;
    for (const bucket of this.#buckets.slice(-DELAY_BUCKETS)) {
      fastest = Math.min(fastest, bucket.fastest);
      slowest = Math.max(slowest, bucket.slowest);
    }
    return fastest === Number.POSITIVE_INFINITY ? this.#base : Math.min(slowest, fastest + this.#maxDelayMs);
  }

  /** How long the fastest packets wait for their turn, in milliseconds. */
  get delayMs(): number {
    const fastest = Math.min(...this.#buckets.slice(-DELAY_BUCKETS).map((bucket) => bucket.fastest));
    return fastest === Number.POSITIVE_INFINITY ? 0 : Math.max(0, this.#base - fastest);
  }

  /** What the peer may still gain on the schedule, in milliseconds: its slack, and what it lost to the network. */
  get allowanceMs(): number {
    return this.#creditMs + this.#owedMs;
  }

  /** How far the peer's ticks are before their schedule, in milliseconds. */
  get aheadMs(): number {
    return Number.isNaN(this.#base) ? 0 : Math.max(0, this.#base - this.#wantedBase());
  }

  /** The peer claims more time than has passed, and has used up what it may gain. */
  get isOverdrawn(): boolean {
    return this.allowanceMs < this.#tickMs && this.aheadMs > OVERDRAWN_MS;
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
