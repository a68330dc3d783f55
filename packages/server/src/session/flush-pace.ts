/**
 * **When a world flushes.** A flush waits for everything that the turn of the event loop reads, so that a recipient gets
 * one write for all of it. On a busy machine a turn has no end: Node hands out up to 49,152 reads before it runs a timer or
 * the flush that was planned. So the flush does not wait for the turn: while bytes are read it is never overdue by more than
 * {@link MAX_OVERDUE_MS}, and its parts take as much time as the reading between them. What is not read waits in the kernel,
 * which hands out first what has waited longest; a full kernel makes the senders wait.
 */
import type { Clock } from "wirewalk/net";
import { Worst } from "../health/worst.ts";
import type { Runtime } from "../runtime/runtime.ts";

/**
 * How long a world rests after a flush, for each millisecond that the flush took: a quiet world flushes every turn, a busy
 * one merges more. Every delivery costs a share of a write, which takes 10 µs here and as much at the other end, and only
 * fewer writes cost less (`npm run bench -- broadcast`).
 */
const REST_SHARE = 0.25;
/**
 * After a short flush the rest is as long as the flush was, as far as both stay within this: 200 players of one map take three
 * quarters of a core instead of all of it, with the same p99 (`npm run bench -- broadcast-map`).
 */
const SHORT_ROUND_MS = 4;
/**
 * The part of a flush that is longer than this counts in full. With 500 recipients a flush takes 5 ms, and messages are at most
 * 10 ms late. With 3,000 it takes 30 ms, and a rest of 19 ms saves a quarter of all writes.
 */
const SHORT_FLUSH_MS = 15;
/** The longest rest: after a stall in the middle of a flush a longer one would only delay messages. */
const MAX_REST_MS = 25;
/** Writes before the event loop reads again. A write to a socket takes about 10 µs: this is half a millisecond. */
const WRITES_PER_PART = 50;
/** A flush that is overdue by more runs between two messages that are read. */
const MAX_OVERDUE_MS = 20;
/**
 * The rest in a turn of the event loop that has not ended since the last flush: there is more to read than there was time
 * for. It doubles with every such flush, because fewer writes leave more time to read: 20,000 messages a second to rooms of
 * 50 take 0.34 of a core with flushes every 100 ms, and 0.22 with one every 280 ms.
 */
const LEAST_BEHIND_REST_MS = 25;
const MAX_BEHIND_REST_MS = 200;

export interface FlushPaceOptions {
  readonly clock: Clock;
  readonly runtime: Runtime;
  /** 0: at the end of the event loop's turn, or after a rest that the last flush asks for. */
  readonly flushMs: number;
  readonly hasPending: () => boolean;
  /** At most that many writes; true when all that was pending at the start of the flush has been written. */
  readonly flush: (writes: number) => boolean;
}

export class FlushPace {
  readonly #options: FlushPaceOptions;
  readonly #worst: Worst;
  /** Counts plans: one that was overtaken does nothing. */
  #plan = 0;
  #isPlanned = false;
  #isFlushing = false;
  /** Since when the flush, or its next part, could have run. */
  #dueMs = 0;
  /** When the oldest pending message was added, and the oldest that the current flush may leave. */
  #pendingMs: number | undefined;
  #roundMs: number | undefined;
  /** Milliseconds that the parts of the current flush have taken so far. */
  #flushedMs = 0;
  #restUntilMs = Number.NEGATIVE_INFINITY;
  /** True when the turn of the event loop in which the last flush ended has ended too. */
  #isTurnOver = true;
  #behindRestMs = 0;
  #endedMs = Number.NEGATIVE_INFINITY;

  constructor(options: FlushPaceOptions) {
    this.#options = options;
    this.#worst = new Worst(options.clock.now());
  }

  /** From the oldest message of a flush to the end of it: the longest of the last 15 to 30 s, a flush that runs included. */
  get worstLagMs(): number {
    const nowMs = this.#options.clock.now();
    const waitedMs = this.#pendingMs === undefined ? 0 : nowMs - this.#pendingMs;
    return Math.max(waitedMs, this.#worst.at(nowMs));
  }

  /** Plans a flush if something is pending and none is planned. */
  plan(): void {
    const { clock, flushMs, hasPending } = this.#options;
    if (this.#isPlanned || !hasPending()) return;
    const nowMs = clock.now();
    this.#isPlanned = true;
    this.#pendingMs ??= nowMs;
    const waitMs = flushMs > 0 ? flushMs : Math.round(this.#restUntilMs - nowMs);
    this.#schedule(nowMs, waitMs);
  }

  /** While bytes are read: runs a part of the flush that is overdue. */
  keepUp(): void {
    if (!this.#isPlanned) return;
    const dueMs = this.#isTurnOver ? this.#dueMs : Math.max(this.#dueMs, this.#endedMs + this.#behindRestMs);
    if (this.#options.clock.now() - dueMs > MAX_OVERDUE_MS) this.#flushPart();
  }

  /** Writes everything that is pending. */
  flushNow(): void {
    if (this.#isPlanned) this.#flushPart(Number.POSITIVE_INFINITY);
  }

  #schedule(nowMs: number, waitMs: number): void {
    const { clock, runtime } = this.#options;
    this.#plan += 1;
    const plan = this.#plan;
    const run = (): void => {
      if (plan === this.#plan) this.#flushPart();
    };
    this.#dueMs = nowMs + Math.max(0, waitMs);
    if (waitMs >= 1) clock.after(waitMs, run);
    // After everything that this turn of the event loop reads: one write per recipient for all of it.
    else runtime.afterReads(run);
  }

  /** A part takes as long as what the event loop did since the one before, or 50 writes. */
  #flushPart(leastMs?: number): void {
    if (this.#isFlushing) return;
    const { clock, runtime, flush } = this.#options;
    const startMs = clock.now();
    const forMs = leastMs ?? startMs - this.#dueMs;
    this.#plan += 1;
    if (this.#roundMs === undefined) this.#beginRound(startMs);
    let done = false;
    let nowMs = startMs;
    this.#isFlushing = true;
    try {
      do {
        done = flush(WRITES_PER_PART);
        nowMs = clock.now();
      } while (!done && nowMs - startMs < forMs);
    } finally {
      this.#isFlushing = false;
    }
    this.#flushedMs += nowMs - startMs;
    if (!done) {
      this.#schedule(nowMs, 0);
      return;
    }
    this.#worst.note(nowMs - (this.#pendingMs ?? startMs), nowMs);
    this.#restUntilMs = nowMs + restAfter(this.#flushedMs);
    this.#flushedMs = 0;
    this.#endedMs = nowMs;
    if (this.#isTurnOver) {
      this.#isTurnOver = false;
      runtime.afterReads(() => {
        this.#isTurnOver = true;
      });
    }
    this.#pendingMs = this.#options.hasPending() ? this.#roundMs : undefined;
    this.#roundMs = undefined;
    this.#isPlanned = false;
    this.plan();
  }

  #beginRound(nowMs: number): void {
    this.#roundMs = nowMs;
    if (this.#isTurnOver) this.#behindRestMs = 0;
    else this.#behindRestMs = Math.min(MAX_BEHIND_REST_MS, Math.max(LEAST_BEHIND_REST_MS, this.#behindRestMs * 2));
  }
}

function restAfter(flushMs: number): number {
  const longMs = Math.max(0, flushMs - SHORT_FLUSH_MS);
  const shareMs = (flushMs - longMs) * REST_SHARE + longMs;
  return Math.min(MAX_REST_MS, Math.max(shareMs, Math.min(flushMs, SHORT_ROUND_MS - flushMs)));
}
