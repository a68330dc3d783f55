/** One direction of a connection: bytes in order, later; cut and joined as a stream's are, and held back by faults. */
import type { Random } from "wirewalk/motion";
import { NetworkLink, type VirtualClock } from "wirewalk/net";
import type { Carrier } from "wirewalk/wire";
import type { Line } from "./network.ts";

/** One read in so many takes only a part of what has arrived. */
const CUT_CHANCE = 1 / 24;
/** The rest of a cut read follows within this. */
const REST_MS = 3;

export interface PipeEvents {
  /** What has arrived: a part of the stream, or one whole write. The receiver may change it. */
  bytes(bytes: Uint8Array): void;
  ended(reason: string): void;
  reset(): void;
}

export interface PipeOptions {
  readonly base: VirtualClock;
  readonly carrier: Carrier;
  readonly line: Line;
  readonly random: Random;
  /** Makes a call when the receiver runs. */
  readonly run: (call: () => void) => void;
}

export class Pipe {
  /** Bytes that were sent and not read. */
  bytesInside = 0;
  /** The longest that something was under way, until it was read. */
  worstDelayMs = 0;
  /** The receiver has read something. */
  onTaken: () => void = () => {};
  readonly #base: VirtualClock;
  readonly #isStream: boolean;
  readonly #link: NetworkLink;
  readonly #bytesPerMs: number | undefined;
  readonly #cuts: Random;
  readonly #run: (call: () => void) => void;
  #events: PipeEvents | undefined;
  #started = false;
  #arrived: Uint8Array[] = [];
  /** When the first of what has arrived was sent. */
  #oldestMs = 0;
  #end: string | undefined;
  #paused = false;
  #blockedUntilMs = 0;
  /** Nothing arrives any more. */
  #dead = false;
  #reading = false;
  /** When the line has carried everything that was given to it. */
  #freeMs = 0;
  #lastMs = 0;

  constructor({ base, carrier, line, random, run }: PipeOptions) {
    this.#base = base;
    this.#isStream = carrier === "stream";
    this.#link = new NetworkLink({ conditions: line.conditions, delivery: "ordered", random: random.fork() });
    this.#bytesPerMs = line.bytesPerMs;
    this.#cuts = random.fork();
    this.#run = run;
  }

  listen(events: PipeEvents): void {
    this.#events = events;
  }

  /** The receiver reads from here on. */
  start(): void {
    this.#started = true;
    this.#readSoon();
  }

  /** Takes a copy, as a kernel does. */
  send(sent: Uint8Array): void {
    if (this.#dead || this.#end !== undefined || sent.length === 0) return;
    const bytes = sent.slice();
    this.bytesInside += bytes.length;
    const sentMs = this.#base.now();
    this.#carry(bytes.length, () => {
      if (this.#arrived.length === 0) this.#oldestMs = sentMs;
      this.#arrived.push(bytes);
      this.#readSoon();
    });
  }

  /** The end, after everything that was sent. */
  end(reason: string): void {
    if (this.#dead || this.#end !== undefined) return;
    this.#end = "";
    this.#carry(1, () => {
      this.#end = reason === "" ? "closed" : reason;
      this.#readSoon();
    });
  }

  /** The receiver learns after one trip that the connection broke; what is inside is lost. */
  reset(): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#arrived = [];
    this.#base.after(Math.ceil(this.#link.latencyMs), () => this.#run(() => this.#events?.reset()));
  }

  /** Nothing arrives any more, not even an end. */
  cut(): void {
    this.#dead = true;
    this.#arrived = [];
  }

  block(untilMs: number): void {
    this.#blockedUntilMs = Math.max(this.#blockedUntilMs, untilMs);
    this.#base.after(untilMs - this.#base.now(), () => this.#readSoon());
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#readSoon();
  }

  /** Arrivals are on whole milliseconds, so that a turn of the receiver's loop reads all of one. */
  #carry(bytes: number, arrived: () => void): void {
    const nowMs = this.#base.now();
    let leavesMs = nowMs;
    if (this.#bytesPerMs !== undefined) {
      leavesMs = Math.max(nowMs, this.#freeMs) + bytes / this.#bytesPerMs;
      this.#freeMs = leavesMs;
    }
    const arrivesMs = Math.max(this.#lastMs, Math.ceil(this.#link.send(leavesMs)[0] ?? leavesMs));
    this.#lastMs = arrivesMs;
    this.#base.after(arrivesMs - nowMs, () => {
      if (!this.#dead) arrived();
    });
  }

  #readSoon(): void {
    if (this.#reading || !this.#mayRead()) return;
    this.#reading = true;
    this.#run(() => {
      this.#reading = false;
      this.#read();
    });
  }

  #mayRead(): boolean {
    return this.#started && !this.#paused && !this.#dead && this.#base.now() >= this.#blockedUntilMs;
  }

  #read(): void {
    while (this.#arrived.length > 0 && this.#mayRead()) {
      this.worstDelayMs = Math.max(this.worstDelayMs, this.#base.now() - this.#oldestMs);
      const bytes = this.#take();
      this.bytesInside -= bytes.length;
      this.#events?.bytes(bytes);
      this.onTaken();
      if (this.#isStream && this.#arrived.length > 0) {
        this.#base.after(this.#cuts.integer(0, REST_MS), () => this.#readSoon());
        return;
      }
    }
    if (this.#arrived.length > 0 || this.#end === undefined || this.#end === "" || !this.#mayRead()) return;
    this.#dead = true;
    this.#events?.ended(this.#end);
  }

  /** The next write, or a part of what a stream holds. */
  #take(): Uint8Array {
    const first = this.#arrived[0] as Uint8Array;
    if (!this.#isStream) {
      this.#arrived.shift();
      return first;
    }
    const isCut = this.#cuts.chance(CUT_CHANCE);
    if (this.#arrived.length === 1 && !isCut) {
      this.#arrived = [];
      return first;
    }
    const joined = Buffer.concat(this.#arrived);
    const length = isCut ? this.#cuts.integer(1, joined.length) : joined.length;
    this.#arrived = length < joined.length ? [joined.subarray(length)] : [];
    // A plain array: `slice` of a Buffer would be a view, where the receiver expects a copy.
    return new Uint8Array(joined.buffer.slice(joined.byteOffset, joined.byteOffset + length));
  }
}
