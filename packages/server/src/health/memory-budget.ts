/**
 * **The budget of memory**: V8 ends a process whose heap is full at once, with a native stack, and the system one that takes too much. Nothing
 * catches that. So a server measures what it has left, and ends what it does itself before:
 *
 * - **short**: new connections are refused, garbage is collected, and what waits in memory for a file is written.
 * - **used up**: the server ends in order, while there is memory for that.
 *
 * Garbage counts as used until it is collected. So where a line is passed, what is true is measured after a collection: V8's own, or one
 * that is asked for, which takes a small part of the time.
 */
import type { Logger } from "pino";
import type { Cancel, Clock } from "wirewalk/net";
import type { MemoryKind, MemorySources, MemoryUse } from "wirewalk/node";

const MIB = 1024 * 1024;
const LOOK_MS = 250;

/** The parts of a limit from which on memory is short, and used up. */
const LINES: Readonly<Record<MemoryKind, readonly [short: number, usedUp: number]>> = {
  // From 80 % on V8 counts collections that free little, and the fourth of them ends the process.
  heap: [0.66, 0.77],
  // Pages of files count to the group, and are taken back first.
  process: [0.85, 0.93],
  // V8 asks for whole regions, and ends the process when it does not get one.
  "address-space": [0.92, 0.96],
};

/** What must be left at the start below the first line: for the first sessions. */
const START_BYTES: Readonly<Record<MemoryKind, number>> = {
  heap: 8 * MIB,
  process: 32 * MIB,
  "address-space": 128 * MIB,
};

/** A limit is named in whole steps. */
const STEP_BYTES = 8 * MIB;

const NAMES: Readonly<Record<MemoryKind, readonly [what: string, how: string]>> = {
  heap: ["heap", "--max-old-space-size"],
  process: ["memory of its control group", "memory.max"],
  "address-space": ["address space", "ulimit -v"],
};

/** Collections that are asked for take this part of the time at most: where memory is short, and where it seems used up. */
const SHORT_PAUSES = 20;
const USED_UP_PAUSES = 5;

/** 0 enough, 1 short, 2 used up. */
export type MemoryLevel = 0 | 1 | 2;

/** What a server does. */
export interface MemoryHandlers {
  /** Memory is short: gives up what can be made again, and writes what waits. */
  readonly free: () => void;
  /** Memory is used up: the server has to end. Called once. */
  readonly usedUp: (problem: string) => void;
}

export interface MemoryBudgetOptions {
  readonly memory: MemorySources;
  readonly clock: Clock;
  readonly log?: Pick<Logger, "info" | "warn" | "error"> | undefined;
}

export class MemoryBudget {
  readonly #memory: MemorySources;
  readonly #clock: Clock;
  readonly #log: MemoryBudgetOptions["log"];
  #level: MemoryLevel = 0;
  /** As measured at the last look. */
  #uses: readonly MemoryUse[];
  #problem: string | undefined;
  #handlers: MemoryHandlers | undefined;
  /** The last collection: its end, and how long it took. */
  #collectedMs = Number.NEGATIVE_INFINITY;
  #tookMs = 0;

  constructor({ memory, clock, log }: MemoryBudgetOptions) {
    this.#memory = memory;
    this.#clock = clock;
    this.#log = log;
    this.#uses = memory.uses();
  }

  get level(): MemoryLevel {
    return this.#level;
  }

  get uses(): readonly MemoryUse[] {
    return this.#uses;
  }

  /** What is short. Undefined while there is enough. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Throws `Error` when what is there leaves no room for sessions; it names the least limit that does. */
  checkStart(): void {
    // Where there is room beside the garbage, nothing needs to be collected: that takes 0.1 s, and more in a large process.
    if (this.#uses.every(hasRoom)) return;
    // First what a collection does not make less: where it is short, the collection itself may find no memory.
    this.#checkRoom(this.#uses.filter(({ kind }) => kind === "address-space"));
    this.#collect();
    this.#checkRoom(this.#uses);
  }

  #checkRoom(uses: readonly MemoryUse[]): void {
    for (const use of uses) {
      if (hasRoom(use)) continue;
      const { kind, usedBytes, limitBytes } = use;
      const neededBytes = neededAtStart(use);
      const least = (Math.ceil(neededBytes / STEP_BYTES) * STEP_BYTES) / MIB;
      const [what, how] = NAMES[kind];
      const taken = `${mib(usedBytes)} of ${mib(limitBytes)} MB are in use before anyone has connected`;
      throw new Error(`Cannot start with this ${what}: ${taken}; ${how} must be at least ${least} MB`);
    }
  }

  /** Looks from now on. */
  start(handlers: MemoryHandlers): Cancel {
    this.#handlers = handlers;
    const cancel = this.#clock.every(LOOK_MS, () => this.#look());
    const ignore = this.#memory.onCollected((durationMs) => {
      this.#collected(durationMs);
      if (this.#level > 0) this.#enter(levelOf(this.#uses));
    });
    return () => {
      cancel();
      ignore();
    };
  }

  #look(): void {
    this.#uses = this.#memory.uses();
    const level = levelOf(this.#uses);
    if (level === 0) {
      this.#enter(0);
      return;
    }
    const pauses = level === 1 ? SHORT_PAUSES : USED_UP_PAUSES;
    if (this.#clock.now() - this.#collectedMs >= Math.max(LOOK_MS, pauses * this.#tookMs)) {
      this.#handlers?.free();
      this.#collect();
      this.#enter(levelOf(this.#uses));
    } else if (level === 2 && this.#level === 0) {
      // It may be garbage. Until that is known nobody comes in.
      this.#enter(1);
    }
  }

  #collect(): void {
    const sinceMs = this.#clock.now();
    this.#memory.collect();
    this.#collected(this.#clock.now() - sinceMs);
  }

  #collected(durationMs: number): void {
    this.#collectedMs = this.#clock.now();
    this.#tookMs = durationMs;
    this.#uses = this.#memory.uses();
  }

  #enter(level: MemoryLevel): void {
    const before = this.#level;
    if (before === 2) return;
    this.#level = level;
    this.#problem = level === 0 ? undefined : problemOf(this.#uses);
    if (level === before) return;
    const memory = this.#uses.map(({ kind, usedBytes, limitBytes }) => ({ kind, usedBytes, limitBytes }));
    if (level === 0) this.#log?.info({ memory }, "there is memory again: new connections are accepted");
    else if (level === 1) this.#log?.warn({ memory }, "memory is short: new connections are refused");
    else {
      this.#log?.error({ memory }, "memory is used up: the server ends");
      this.#handlers?.usedUp(this.#problem ?? "memory is used up");
    }
  }
}

/** The limit that leaves room for the first sessions. */
function neededAtStart({ kind, usedBytes }: MemoryUse): number {
  return (usedBytes + START_BYTES[kind]) / LINES[kind][0];
}

function hasRoom(use: MemoryUse): boolean {
  return neededAtStart(use) <= use.limitBytes;
}

function levelOf(uses: readonly MemoryUse[]): MemoryLevel {
  const levels = uses.map(({ kind, usedBytes, limitBytes }): MemoryLevel => {
    const [short, usedUp] = LINES[kind];
    return usedBytes >= usedUp * limitBytes ? 2 : usedBytes >= short * limitBytes ? 1 : 0;
  });
  return Math.max(0, ...levels) as MemoryLevel;
}

/** The use that is nearest to its limit. */
function problemOf(uses: readonly MemoryUse[]): string {
  const rest = ({ kind, usedBytes, limitBytes }: MemoryUse): number => usedBytes / limitBytes / LINES[kind][1];
  const [worst] = uses.toSorted((a, b) => rest(b) - rest(a)) as [MemoryUse];
  const [what, how] = NAMES[worst.kind];
  return `${mib(worst.usedBytes)} of ${mib(worst.limitBytes)} MB of the ${what} are in use (${how})`;
}

function mib(bytes: number): number {
  return Math.round(bytes / MIB);
}
