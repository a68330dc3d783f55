/** One direction of a connection: bytes in order, later; cut and joined as a stream's are, and held back by faults. */
import type { Random } from "wirewalk/motion";
import { NetworkLink, type VirtualClock } from "wirewalk/net";
import type { Carrier } from "wirewalk/wire";
import { copyOf } from "./copies.ts";
import type { Line } from "./network.ts";

/** One read in so many takes only a part of what has arrived. */
const CUT_CHANCE = 1 / 24;
/** The rest of a cut read follows within this. */
const REST_MS = 3;
/** What was polled is dropped when there is so much. */
const COMPACT = 256;

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
  /** The receiver reads only at multiples of this, in milliseconds. Default 1. */
  readonly turnMs?: number;
  /** The receiver calls `poll`, until it calls `start`: no call is planned for what is sent. Default false. */
  readonly polls?: boolean;
}

/** Bytes on their way to a receiver that polls. */
interface Parcel {
  readonly bytes: Uint8Array;
  readonly sentMs: number;
  readonly arrivesMs: number;
}

export class Pipe {
  /** Bytes that were sent and not read. */
  bytesInside = 0;
  /** The longest that something was under way, until it was read, or will be until it arrives. */
  worstDelayMs = 0;
  /** The receiver has read something. */
  onTaken: () => void = () => {};
  readonly #base: VirtualClock;
  readonly #isStream: boolean;
  readonly #link: NetworkLink;
  readonly #bytesPerMs: number | undefined;
  readonly #cuts: Random;
  readonly #run: (call: () => void) => void;
  readonly #turnMs: number;
  #events: PipeEvents | undefined;
  #started = false;
  /** What is under way to a receiver that polls, from `#polled` on; undefined for one that waits for events. */
  #parcels: Parcel[] | undefined;
  #polled = 0;
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

  constructor({ base, carrier, line, random, run, turnMs = 1, polls = false }: PipeOptions) {
    this.#base = base;
    this.#isStream = carrier === "stream";
    this.#link = new NetworkLink({ conditions: line.conditions, delivery: "ordered", random: random.fork() });
    this.#bytesPerMs = line.bytesPerMs;
    this.#cuts = random.fork();
    this.#run = run;
    this.#turnMs = turnMs;
    if (polls) this.#parcels = [];
  }

  listen(events: PipeEvents): void {
    this.#events = events;
  }

  /** The receiver reads from here on whatever arrives. */
  start(): void {
    this.#started = true;
    for (const { bytes, sentMs, arrivesMs } of this.#parcels?.splice(this.#polled) ?? []) {
      this.#base.after(arrivesMs - this.#base.now(), () => {
        if (!this.#dead) this.#arrive(bytes, sentMs);
      });
    }
    this.#parcels = undefined;
    this.#readSoon();
  }

  /** Gives everything that has arrived to the listener, whole writes in order. */
  poll(): void {
    const nowMs = this.#base.now();
    const parcels = this.#parcels;
    if (parcels === undefined || this.#dead || nowMs < this.#blockedUntilMs) return;
    let taken = false;
    for (
      let next = parcels[this.#polled];
      next !== undefined && next.arrivesMs <= nowMs;
      next = parcels[this.#polled]
    ) {
      this.#polled += 1;
      this.bytesInside -= next.bytes.length;
      this.worstDelayMs = Math.max(this.worstDelayMs, nowMs - next.sentMs);
      taken = true;
      this.#events?.bytes(next.bytes);
    }
    if (this.#polled === parcels.length && this.#polled > 0) {
      parcels.length = 0;
      this.#polled = 0;
    } else if (this.#polled > COMPACT) {
      parcels.splice(0, this.#polled);
      this.#polled = 0;
    }
    if (taken) this.onTaken();
    if (parcels.length === 0) this.#finish();
  }

  /** Takes a copy, as a kernel does. */
  send(sent: Uint8Array): void {
    if (this.#dead || this.#end !== undefined || sent.length === 0) return;
    const bytes = copyOf(sent);
    this.bytesInside += bytes.length;
    const sentMs = this.#base.now();
    if (this.#parcels !== undefined) {
      this.#parcels.push({ bytes, sentMs, arrivesMs: this.#arrivalMs(bytes.length) });
      return;
    }
    this.#carry(bytes.length, () => this.#arrive(bytes, sentMs));
  }

  #arrive(bytes: Uint8Array, sentMs: number): void {
    if (this.#arrived.length === 0) this.#oldestMs = sentMs;
    this.#arrived.push(bytes);
    this.#readSoon();
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

  #carry(bytes: number, arrived: () => void): void {
    this.#base.after(this.#arrivalMs(bytes) - this.#base.now(), () => {
      if (!this.#dead) arrived();
    });
  }

  /** When bytes that are sent now arrive. A turn of the receiver's loop reads all that has arrived since the last one. */
  #arrivalMs(bytes: number): number {
    const nowMs = this.#base.now();
    let leavesMs = nowMs;
    if (this.#bytesPerMs !== undefined) {
      leavesMs = Math.max(nowMs, this.#freeMs) + bytes / this.#bytesPerMs;
      this.#freeMs = leavesMs;
    }
    const arrivesMs = this.#link.send(leavesMs)[0] ?? leavesMs;
    this.#lastMs = Math.max(this.#lastMs, Math.ceil(arrivesMs / this.#turnMs) * this.#turnMs);
    // Also of what never arrives before the end: until then nobody knows of it but the line.
    this.worstDelayMs = Math.max(this.worstDelayMs, this.#lastMs - nowMs);
    return this.#lastMs;
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
    if (this.#arrived.length === 0 && this.#mayRead()) this.#finish();
  }

  /** Everything has been read: the end, if it has arrived. */
  #finish(): void {
    if (this.#end === undefined || this.#end === "") return;
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
