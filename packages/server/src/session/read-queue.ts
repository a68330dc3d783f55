/**
 * What a relay or a capture reads **beside** the path of bytes: they wait here for a moment, so that a burst passes first, and are then
 * read in slices so short that the path does not wait for them.
 */
import type { Clock } from "wirewalk/net";
import type { Runtime } from "../runtime/runtime.ts";

/** Something that is read beside the path. */
export interface Reading {
  /** Bytes that it holds while it waits. */
  readonly bytes: number;
  /** Reads on, until `isOver` says that the slice is over. True: all is read. */
  read(isOver: () => boolean): boolean;
}

/** Bytes that wait to be read. More of them are not read at all. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** Messages of a burst arrive within this time. */
const REST_MS = 1;
/** Bytes that arrive in the meantime wait that long at most. */
const SLICE_MS = 0.05;
/** Readings that are done are removed together: each alone would cost as much as all that wait. */
const REMOVED_TOGETHER = 1_000;

export class ReadQueue {
  readonly #runtime: Runtime;
  readonly #maxBytes: number;
  readonly #failed: (error: unknown) => void;
  readonly #clock: Clock;
  #waiting: Reading[] = [];
  #read = 0;
  #bytes = 0;
  #isPlanned = false;
  #idle: (() => void)[] = [];

  /** `failed` receives what a reading throws: that reading is over, and the others go on. */
  constructor(runtime: Runtime, clock: Clock, failed: (error: unknown) => void, maxBytes = MAX_WAITING_BYTES) {
    this.#failed = failed;
    this.#runtime = runtime;
    this.#clock = clock;
    this.#maxBytes = maxBytes;
  }

  get waitingBytes(): number {
    return this.#bytes;
  }

  /** False: too much waits, and this is not taken. */
  push(reading: Reading): boolean {
    if (this.#bytes + reading.bytes > this.#maxBytes) return false;
    this.#bytes += reading.bytes;
    this.#waiting.push(reading);
    if (!this.#isPlanned) {
      this.#isPlanned = true;
      this.#clock.after(REST_MS, () => this.#readSlice());
    }
    return true;
  }

  /** Resolves when everything is read. */
  idle(): Promise<void> {
    if (this.#waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => void this.#idle.push(resolve));
  }

  #isRead(reading: Reading, isOver: () => boolean): boolean {
    try {
      return reading.read(isOver);
    } catch (error) {
      this.#failed(error);
      return true;
    }
  }

  #readSlice(): void {
    const startMs = this.#clock.now();
    const isOver = (): boolean => this.#clock.now() - startMs >= SLICE_MS;
    do {
      const reading = this.#waiting[this.#read];
      if (reading === undefined) break;
      if (!this.#isRead(reading, isOver)) continue;
      this.#bytes -= reading.bytes;
      this.#read += 1;
    } while (!isOver());
    if (this.#read < this.#waiting.length) {
      if (this.#read >= REMOVED_TOGETHER) {
        this.#waiting.splice(0, this.#read);
        this.#read = 0;
      }
      this.#runtime.afterReads(() => this.#readSlice());
      return;
    }
    this.#isPlanned = false;
    this.#waiting = [];
    this.#read = 0;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
