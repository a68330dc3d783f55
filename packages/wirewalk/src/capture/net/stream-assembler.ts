/**
 * One direction of a TCP connection: its bytes in order, out of segments that come out of order, twice, overlapping, or never. The
 * first copy of a byte counts, as it does for most receivers. Sequence numbers wrap around after 4 GiB; places in the stream do not.
 */
import type { CaptureTime } from "../file/packet.ts";
import type { TcpSegment } from "./tcp-segment.ts";

/** Which packet of the capture something came with. */
export interface Stamp {
  /** Its place in the file. */
  readonly number: number;
  readonly time: CaptureTime;
}

/** Receives the bytes of a direction in order. */
export interface StreamSink {
  /** The next bytes: a view. `stamp` is of the packet that made them readable. */
  data(bytes: Uint8Array, stamp: Stamp): void;
  /** Bytes that the capture does not have. */
  gap(bytes: number, stamp: Stamp): void;
}

interface Held {
  /** Place in the stream. */
  start: number;
  bytes: Uint8Array;
  stamp: Stamp;
}

/** Where a stream was when its connection closed, as sequence numbers. */
export interface StreamPlace {
  readonly first: number;
  readonly next: number;
}

/** Memory of what waits behind gaps, in all streams of a capture. */
export interface HeldTotal {
  bytes: number;
}

/** What a piece that waits takes beside its bytes. */
const PIECE_BYTES = 200;

/**
 * A segment this far from the place where the stream is belongs to another connection with the same ports. No window is larger than
 * 1 GiB; what a game sends while a recorder pauses is less than this.
 */
const MAX_DISTANCE = 256 * 1024 * 1024;

export class StreamAssembler {
  readonly #sink: StreamSink;
  readonly #total: HeldTotal;
  /** Sequence number at place `offset`; undefined before the first segment. */
  #next: number | undefined;
  /** Places in the stream that were passed on, with those of gaps. */
  offset = 0;
  /** Sorted by place, without overlaps, all behind `offset`. */
  #held: Held[] = [];
  /** The memory that they take. */
  heldBytes = 0;
  /** False while earlier segments of a stream whose start is unknown may still come. */
  #begun = false;
  /** Where the stream ends. */
  #end: number | undefined;
  /** The furthest place that the receiver has confirmed. */
  #acknowledged = 0;
  #lastStamp: Stamp | undefined;
  /** The latest packet of what was passed on. */
  #passed: Stamp | undefined;

  constructor(sink: StreamSink, total: HeldTotal) {
    this.#sink = sink;
    this.#total = total;
  }

  /** True when it is known where the stream is. */
  get isPlaced(): boolean {
    return this.#next !== undefined;
  }

  /** True while the first bytes of a stream with an unknown start are kept back. */
  get isBeginning(): boolean {
    return !this.#begun && this.#held.length > 0;
  }

  /** True when the sender has ended the stream. */
  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Undefined before the first segment. */
  get place(): StreamPlace | undefined {
    const next = this.#next;
    return next === undefined ? undefined : { first: (next - (this.offset % 0x1_0000_0000)) >>> 0, next };
  }

  /** True when the sender has ended the stream and all of it was passed on. */
  get isComplete(): boolean {
    return this.#end !== undefined && this.offset >= this.#end;
  }

  /** True when bytes are missing that the receiver has. */
  get isMissingConfirmed(): boolean {
    return this.#begun && this.#held.length > 0 && this.#acknowledged > this.offset;
  }

  /** The first packet whose bytes wait. */
  get oldestHeld(): Stamp | undefined {
    return this.#held[0]?.stamp;
  }

  /** The stream begins with this sequence number. Has no effect once it has begun. */
  startAt(sequence: number): void {
    if (this.#begun) return;
    this.#place(sequence);
    this.#begun = true;
    this.#deliver(undefined);
  }

  /** Whether the stream began with this sequence number. */
  startsAt(sequence: number): boolean {
    return this.place?.first === sequence;
  }

  /** How far a sequence number is from where the stream is; 0 when that is unknown. */
  distance(sequence: number): number {
    return this.#next === undefined ? 0 : (sequence - this.#next) | 0;
  }

  /** False when the sequence number cannot be of this stream. */
  fits(sequence: number): boolean {
    return Math.abs(this.distance(sequence)) <= MAX_DISTANCE;
  }

  /** Takes the bytes of a segment that fits. */
  receive({ sequence, payload, length, fin }: TcpSegment, stamp: Stamp): void {
    if (length === 0 && !fin) return;
    if (this.#next === undefined) this.#place(sequence);
    const start = this.offset + this.distance(sequence);
    if (fin) this.#end ??= start + length;
    this.#lastStamp = stamp;
    if (payload.length === 0) return;
    if (this.#begun && start <= this.offset) this.#append(payload, start, stamp);
    else this.#hold(payload, start, stamp);
  }

  /** The receiver expects this sequence number next. */
  acknowledge(sequence: number): void {
    if (this.#next === undefined || !this.fits(sequence)) return;
    this.#acknowledged = Math.max(this.#acknowledged, this.offset + this.distance(sequence));
  }

  /** Begins a stream with an unknown start at the first byte that is there. */
  begin(): void {
    const [first] = this.#held;
    if (this.#begun || first === undefined) return;
    const { start } = first;
    for (const held of this.#held) held.start -= start;
    this.#next = ((this.#next as number) + start) >>> 0;
    if (this.#end !== undefined) this.#end -= start;
    this.#acknowledged -= start;
    this.#begun = true;
    this.#deliver(undefined);
  }

  /** Gives up what is missing before the bytes that wait. */
  giveUp(): void {
    if (!this.#begun) {
      this.begin();
      return;
    }
    const [first] = this.#held;
    if (first === undefined) return;
    this.#skipTo(first.start, first.stamp);
    this.#deliver(undefined);
  }

  /** The connection is over: everything that waits is passed on, and what is missing at the end is a gap. */
  finish(): void {
    this.begin();
    while (this.#held.length > 0) this.giveUp();
    const end = Math.max(this.#end ?? 0, this.#confirmedEnd());
    if (this.#begun && end > this.offset && this.#lastStamp !== undefined) this.#skipTo(end, this.#lastStamp);
  }

  /** What the receiver has confirmed. The end of the stream counts as a byte: alone it is no missing byte. */
  #confirmedEnd(): number {
    if (this.#end !== undefined) return Math.min(this.#acknowledged, this.#end);
    return this.#acknowledged === this.offset + 1 ? this.offset : this.#acknowledged;
  }

  #place(sequence: number): void {
    if (this.#next === undefined) {
      this.#next = sequence;
      return;
    }
    // Bytes that came before the start was known are counted from it.
    const moved = (sequence - this.#next) | 0;
    for (const held of this.#held) held.start -= moved;
    if (this.#end !== undefined) this.#end -= moved;
    this.#acknowledged -= moved;
    this.#next = sequence;
    this.#held = this.#held.filter((held) => held.start >= 0 || this.#drop(held));
  }

  #drop(held: Held): false {
    this.#count(-held.bytes.length - PIECE_BYTES);
    return false;
  }

  #append(payload: Uint8Array, start: number, stamp: Stamp): void {
    const known = this.offset - start;
    if (known >= payload.length) return;
    const bytes = known === 0 ? payload : payload.subarray(known);
    this.#pass(bytes, stamp);
    if (this.#held.length > 0) this.#deliver(stamp);
  }

  #pass(bytes: Uint8Array, stamp: Stamp): void {
    this.offset += bytes.length;
    this.#next = ((this.#next as number) + bytes.length) >>> 0;
    this.#sink.data(bytes, this.#inOrder(stamp));
  }

  /** A stream is read in its order: nothing becomes readable with an earlier packet than what stands before it. */
  #inOrder(stamp: Stamp): Stamp {
    if (this.#passed === undefined || stamp.number > this.#passed.number) this.#passed = stamp;
    return this.#passed;
  }

  #skipTo(place: number, stamp: Stamp): void {
    const bytes = place - this.offset;
    if (bytes <= 0) return;
    this.offset = place;
    this.#next = ((this.#next as number) + bytes) >>> 0;
    this.#sink.gap(bytes, this.#inOrder(stamp));
  }

  /** Passes on what waits and is next. `filler` is the packet that filled the gap before it. */
  #deliver(filler: Stamp | undefined): void {
    let latest = filler;
    let taken = 0;
    for (const { start, bytes, stamp } of this.#held) {
      if (start > this.offset) break;
      taken += 1;
      this.#count(-bytes.length - PIECE_BYTES);
      if (latest === undefined || stamp.number > latest.number) latest = stamp;
      const known = this.offset - start;
      if (known < bytes.length) this.#pass(known === 0 ? bytes : bytes.subarray(known), latest);
    }
    this.#held.splice(0, taken);
  }

  /** Keeps the bytes that are not there yet. */
  #hold(payload: Uint8Array, start: number, stamp: Stamp): void {
    const held = this.#held;
    let from = start;
    const end = start + payload.length;
    // Most arrive behind all others.
    let index = held.length;
    while (index > 0 && (held[index - 1] as Held).start > start) index -= 1;
    const before = held[index - 1];
    if (before !== undefined) from = Math.max(from, before.start + before.bytes.length);
    while (from < end) {
      const next = held[index];
      const to = next === undefined ? end : Math.min(end, next.start);
      if (to > from) {
        held.splice(index, 0, { start: from, bytes: payload.slice(from - start, to - start), stamp });
        this.#count(to - from + PIECE_BYTES);
        index += 1;
      }
      if (next === undefined) return;
      from = Math.max(from, next.start + next.bytes.length);
      index += 1;
    }
  }

  #count(bytes: number): void {
    this.heldBytes += bytes;
    this.#total.bytes += bytes;
  }
}
