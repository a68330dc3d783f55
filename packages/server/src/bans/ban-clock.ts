/**
 * **Ban clock**: how much of a ban is left, by clocks that may be wrong. The wall clock counts while no server runs, and may
 * jump; a clock that never jumps counts while one runs. A ban is over when either says so, but only the second is proof.
 *
 * - Within a run only the steady clock counts.
 * - Between runs the wall clock counts, and never adds to a ban: a clock that was set back a year makes no longer ban.
 * - A ban that is over by the wall clock alone is kept: it is in force again when that clock is set back.
 * - A ban begins at the latest time that the wall clock may have meant: a clock that is set back is taken to be wrong until
 *   servers have run by it for a week. When it is set right again, the ban does not seem to be a year old.
 */
import type { Clock, Store } from "wirewalk/net";

const TABLE = "ban-clock";
const KEY = "running";
/** After a crash, so much time of running may be uncounted: bans then last so much longer. */
const SAVE_EVERY_MS = 60_000;
/** The wall clock is steered by far less between two checks. */
export const JUMP_MS = 2_000;
/** A wall clock that was set back is right after servers have run by it for so long. */
const TRUST_AFTER_MS = 7 * 24 * 3_600_000;

/** Times and lengths that a record may have, in milliseconds: twice as much is still a date (year 128,000). */
const MAX_TIME_MS = 4e15;

/** Whether a record's value is a time: a damaged one would make a date that cannot be shown. */
export function isTime(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= MAX_TIME_MS;
}

/** Start and length of a ban. */
export interface BanTime {
  /** Epoch milliseconds: the latest that the wall clock may have meant. */
  readonly fromMs: number;
  /** Milliseconds for which servers had run on this store when the ban began. */
  readonly fromRunMs: number;
  readonly durationMs: number;
}

export class BanClock {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #epochNow: () => number;
  readonly #startMs: number;
  readonly #ranBeforeMs: number;
  #savedMs: number;
  /** Wall clock less time of running, the greatest of those that are still trusted, and the time of running when it was last seen. */
  #latest: { readonly offsetMs: number; readonly seenRanMs: number };
  /** Wall clock less steady clock at the last check. */
  #offsetMs: number;

  constructor(store: Store, clock: Clock, epochNow: () => number) {
    this.#store = store;
    this.#clock = clock;
    this.#epochNow = epochNow;
    this.#startMs = clock.now();
    const { ranMs, offsetMs, seenRanMs } = store.get(TABLE, KEY) ?? {};
    this.#ranBeforeMs = isTime(ranMs) && ranMs > 0 ? ranMs : 0;
    this.#savedMs = this.#ranBeforeMs;
    this.#offsetMs = epochNow() - this.#startMs;
    const isKept = isTime(offsetMs) && isTime(seenRanMs);
    this.#latest = isKept ? { offsetMs, seenRanMs } : { offsetMs: -Infinity, seenRanMs: 0 };
    this.#look();
  }

  /** Steady milliseconds of this process. */
  now(): number {
    return this.#clock.now();
  }

  /** The wall clock at a steady time, as it is set now. */
  epochAt(steadyMs: number): number {
    return this.#epochNow() + steadyMs - this.#clock.now();
  }

  /** The time of a ban that begins now. */
  begin(durationMs: number): BanTime {
    this.#look();
    const fromRunMs = this.#ranMs();
    // The wall clock has whole milliseconds; between the two looks at the steady clock some microseconds pass.
    return { fromMs: Math.round(fromRunMs + this.#latest.offsetMs), fromRunMs, durationMs };
  }

  /** Milliseconds that are left of a ban, at most its length. Call it once per ban and run: later only `now` counts. */
  leftMs(time: BanTime): number {
    const byWallMs = time.fromMs + time.durationMs - this.#epochNow();
    return Math.max(0, Math.min(byWallMs, this.#unservedMs(time)));
  }

  /** True once servers have run for the whole length of the ban: no clock that is set back brings it into force again. */
  isServed(time: BanTime): boolean {
    return this.#unservedMs(time) <= 0;
  }

  /** Milliseconds by which the wall clock has jumped since the last call; 0 when it has not. */
  takeJump(): number {
    const offsetMs = this.#epochNow() - this.#clock.now();
    const jumpMs = offsetMs - this.#offsetMs;
    this.#offsetMs = offsetMs;
    return Math.abs(jumpMs) > JUMP_MS ? jumpMs : 0;
  }

  /** Saves the time of running when it is due, or now. */
  save(now = false): void {
    const ranMs = this.#ranMs();
    if (!now && ranMs - this.#savedMs < SAVE_EVERY_MS) return;
    // Servers that share a store run at the same time: their times are not added up.
    const othersMs = this.#store.get(TABLE, KEY)?.ranMs;
    this.#look();
    const kept = { ranMs: Math.max(ranMs, isTime(othersMs) ? othersMs : 0), ...this.#latest };
    this.#store.put(TABLE, KEY, kept);
    this.#savedMs = ranMs;
  }

  /** Looks at the wall clock: it is behind by chance, or was set back a short time ago, or has been right all the time. */
  #look(): void {
    const ranMs = this.#ranMs();
    const offsetMs = this.#epochNow() - ranMs;
    const latest = this.#latest;
    if (offsetMs > latest.offsetMs - JUMP_MS || ranMs - latest.seenRanMs > TRUST_AFTER_MS) {
      this.#latest = { offsetMs, seenRanMs: ranMs };
    }
  }

  #ranMs(): number {
    return this.#ranBeforeMs + this.#clock.now() - this.#startMs;
  }

  #unservedMs({ fromRunMs, durationMs }: BanTime): number {
    return durationMs - Math.max(0, this.#ranMs() - fromRunMs);
  }
}
