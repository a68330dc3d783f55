/**
 * A **process** on the virtual clock: its timers, what it reads, its stalls and its death. A turn of its event loop is one
 * virtual millisecond: everything that arrives within it is read before the calls of `afterReads`.
 */
import { createHash } from "node:crypto";
import type { Random } from "wirewalk/motion";
import type { Cancel, Clock, VirtualClock } from "wirewalk/net";
import type { Runtime } from "../../runtime/runtime.ts";

/** How long a password's hash takes; the real one takes 50 ms of a thread. */
const HASH_MS = 50;

/** Thrown by whatever a process calls in the moment of its death. */
export class ProcessKilled extends Error {
  constructor() {
    super("the simulated process was killed");
  }
}

export class SimulatedProcess {
  readonly clock: Clock;
  readonly runtime: Runtime;
  /** Timers that are planned: none are left after a clean end. */
  timers = 0;
  /** Set when promises may have been settled: the driver of the clock then runs their continuations. */
  settled = true;
  readonly #base: VirtualClock;
  readonly #readsFirst: boolean;
  #alive = true;
  /** What happened during a stall; undefined while the process runs. */
  #late: { readonly reads: (() => void)[]; readonly timers: (() => void)[]; untilMs: number } | undefined;

  /** `rate` is how fast the process's clock runs: 1.0001 gains a tenth of a millisecond each second. */
  constructor(base: VirtualClock, random: Random, rate: number) {
    this.#base = base;
    this.#readsFirst = random.chance(0.5);
    const startMs = base.now();
    this.clock = {
      now: () => startMs + (base.now() - startMs) * rate,
      after: (delayMs, call) => this.#plan(call, (timer) => base.after(Math.ceil(delayMs / rate), timer), true),
      every: (periodMs, call) => this.#plan(call, (timer) => base.every(periodMs / rate, timer), false),
    };
    this.runtime = {
      afterReads: (call) => void base.after(0, () => this.read(call)),
      soon: (call) => void base.after(0, () => this.read(call)),
      randomBytes: (count) => Buffer.from(Array.from({ length: count }, () => random.integer(0, 255))),
      // Any function of password and salt serves: what is simulated is the time that the hash takes.
      deriveKey: (password, salt, bytes) =>
        new Promise((resolve) => {
          this.clock.after(HASH_MS, () => {
            this.settled = true;
            resolve(createHash("sha256").update(salt).update(password).digest().subarray(0, bytes));
          });
        }),
    };
  }

  get isAlive(): boolean {
    return this.#alive;
  }

  get isStalled(): boolean {
    return this.#late !== undefined;
  }

  /** Something from outside reaches the process: now, or after its stall; never when it is dead. */
  read(call: () => void): void {
    if (!this.#alive) return;
    if (this.#late === undefined) call();
    else this.#late.reads.push(call);
  }

  /** The process does not run for this long: what arrives waits, timers come late. */
  stall(durationMs: number): void {
    if (!this.#alive) return;
    const untilMs = this.#base.now() + durationMs;
    const late = this.#late ?? { reads: [], timers: [], untilMs };
    late.untilMs = Math.max(late.untilMs, untilMs);
    this.#late = late;
    this.#base.after(durationMs, () => this.#wake());
  }

  /** The end, without a last word: no timer and no read reaches the process any more. */
  kill(): void {
    this.#alive = false;
    this.#late = undefined;
  }

  #wake(): void {
    const late = this.#late;
    if (late === undefined || this.#base.now() < late.untilMs) return;
    this.#late = undefined;
    const [first, second] = this.#readsFirst ? [late.reads, late.timers] : [late.timers, late.reads];
    for (const call of first) this.read(call);
    for (const call of second) this.read(call);
  }

  #plan(call: () => void, plan: (timer: () => void) => Cancel, once: boolean): Cancel {
    let planned = true;
    let isLate = false;
    this.timers += 1;
    const end = (): void => {
      if (planned) this.timers -= 1;
      planned = false;
    };
    const run = (): void => {
      isLate = false;
      if (!planned || !this.#alive) return;
      if (once) end();
      call();
    };
    const cancel = plan(() => {
      if (!this.#alive) return;
      if (this.#late === undefined) {
        run();
      } else if (!isLate) {
        // A periodic timer that is late is called once.
        isLate = true;
        this.#late.timers.push(run);
      }
    });
    return () => {
      end();
      cancel();
    };
  }
}
