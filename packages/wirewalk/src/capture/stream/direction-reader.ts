/**
 * One direction of a connection: carried bytes in, messages out. After a gap it searches for the next frame and goes on there. Every
 * byte is accounted for: as a message, as part of a refused payload, in a gap, or as skipped with the reason.
 */
import type { Received, ResumeSearch, Side } from "../../protocols/index.ts";
import { countBytes, WireError } from "../../wire/index.ts";
import type { Stamp } from "../net/stream-assembler.ts";
import type { Carried } from "./carried.ts";
import { FrameSearch, type SearchMeans } from "./frame-search.ts";
import type { PayloadReaders, ShownMessage } from "./payload-readers.ts";

/** Receives what is in a direction, in its order. */
export interface DirectionSink {
  message(sender: Side, message: ShownMessage, payload: Uint8Array, stamp: Stamp): void;
  /** A refused payload. */
  refused(sender: Side, error: WireError, payload: Uint8Array, stamp: Stamp): void;
  /** Bytes that are in no whole frame. */
  unread(sender: Side, error: WireError, bytes: Uint8Array, stamp: Stamp): void;
  gap(sender: Side, bytes: number, stamp: Stamp): void;
  /** Bytes before the first frame, such as a greeting, were read. */
  unframed?(sender: Side, what: string, bytes: Uint8Array, stamp: Stamp): void;
}

/** How a direction is read, and read again after a gap. */
export interface DirectionMeans {
  readonly sender: Side;
  readonly readers: PayloadReaders;
  /** From the first byte on. */
  readonly start: Carried;
  /** True to read no further after bytes that are no frame. */
  readonly endsWhenBroken: boolean;
  /** How the next frame is found, given what was before it; undefined when nothing is known. */
  search(before: ResumeSearch["before"]): SearchMeans;
}

/** How often a direction may break and be searched again in the bytes that broke it. */
const MAX_BROKEN = 100;

/** Bytes of an error that are kept as its example. */
const SHOWN_BYTES = 4096;

export class DirectionReader {
  readonly #means: DirectionMeans;
  readonly #sink: DirectionSink;
  /** Undefined while a frame is searched. */
  #carried: Carried | undefined;
  #search: FrameSearch | undefined;
  /** What is known of the stream before the bytes that are searched. */
  #before: ResumeSearch["before"];
  /** Bytes that the channel was given, and bytes before its first frame: its errors count from there. */
  #given = 0;
  #unframed = 0;
  /** Why frames are searched. */
  #cause = "";
  /** Bytes of the stream that were taken, with those of gaps. */
  #offset = 0;
  /** Bytes that no frame was found in since the search began. */
  #skipped = 0;
  #skippedStart: Uint8Array = new Uint8Array(0);
  #tried = 0;

  constructor(means: DirectionMeans, sink: DirectionSink) {
    this.#means = means;
    this.#sink = sink;
    this.#carried = means.start;
  }

  /** True while a frame is searched. */
  get isSearching(): boolean {
    return this.#carried === undefined;
  }

  /** True while the direction is read from its first byte on, and no frame was searched. */
  get isFromStart(): boolean {
    return this.#carried === this.#means.start;
  }

  data(bytes: Uint8Array, stamp: Stamp): void {
    this.#offset += bytes.length;
    if (this.#carried === undefined) this.#continueSearch(bytes, stamp);
    else this.#read(this.#carried, bytes, stamp);
  }

  gap(bytes: number, stamp: Stamp): void {
    const carried = this.#carried;
    const pending = carried?.pendingBytes ?? 0;
    if (pending > 0) {
      const why = `${countBytes(pending)} of it came before a gap`;
      this.#sink.unread(this.#means.sender, truncated(why, this.#offset), new Uint8Array(0), stamp);
    }
    const searched = carried === undefined ? this.#endSearch(stamp) : 0;
    this.#sink.gap(this.#means.sender, bytes, stamp);
    const saved = carried === undefined ? this.#before?.saved : carried.save?.();
    const lostBytes = bytes + pending + (carried === undefined ? searched + (this.#before?.lostBytes ?? 0) : 0);
    this.#beginSearch(saved === undefined ? undefined : { saved, lostBytes }, `after a gap of ${countBytes(bytes)}`);
    this.#offset += bytes;
  }

  /** Goes on searching for a frame, whatever was read before: the start of the direction is missing. `held` are bytes not yet read. */
  lose(cause: string, held: Uint8Array, stamp: Stamp): void {
    this.#beginSearch(undefined, cause);
    if (held.length > 0) this.#continueSearch(held, stamp);
  }

  /** The direction is over. What follows from that has the stamp of the end: records come in the order of the capture. */
  close(stamp: Stamp): void {
    const search = this.#search;
    // With nothing to follow, one message is enough to believe a place. Reading from there may fail, and search again.
    if (search !== undefined && search.bytes.length > 0) this.#take(search, stamp, true);
    if (this.#carried === undefined) {
      this.#endSearch(stamp);
      return;
    }
    const pending = this.#carried.pendingBytes;
    if (pending === 0) return;
    const why = `the connection ends ${countBytes(pending)} into it`;
    this.#sink.unread(this.#means.sender, truncated(why, this.#offset), new Uint8Array(0), stamp);
  }

  #read(carried: Carried, bytes: Uint8Array, stamp: Stamp): void {
    const pending = carried.pendingBytes;
    let messages = 0;
    let broken: WireError | undefined;
    try {
      carried.push(bytes);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      broken = error;
    }
    try {
      for (let next = carried.next(); next !== undefined; next = carried.next()) {
        messages += 1;
        if (next.payload !== undefined) this.#show(next, stamp);
        else {
          this.#unframed += next.unframed.length;
          this.#sink.unframed?.(this.#means.sender, next.what, next.unframed, stamp);
        }
      }
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      broken ??= error;
    }
    const given = this.#given;
    this.#given += bytes.length;
    if (broken === undefined) return;
    this.#sink.unread(this.#means.sender, broken, new Uint8Array(0), stamp);
    this.#beginSearch(undefined, "after bytes that are no frame");
    if (this.#means.endsWhenBroken) {
      this.#search = new FrameSearch({ fresh: undefined, resume: undefined });
      return;
    }
    // The search begins where reading broke, if that is in these bytes, and at a byte that was not tried.
    const brokenAt = Math.floor(broken.bitOffset / 8) + this.#unframed - given;
    const from = brokenAt >= 0 && brokenAt <= bytes.length ? brokenAt : messages + pending === 0 ? 0 : bytes.length;
    const isTried = this.#tried >= MAX_BROKEN;
    this.#tried += 1;
    if (!isTried && from < bytes.length) this.#continueSearch(bytes.subarray(from), stamp);
  }

  #show(received: Received, stamp: Stamp): void {
    let shown: ShownMessage;
    try {
      shown = this.#means.readers.read(received);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#sink.refused(this.#means.sender, error, received.payload, stamp);
      return;
    }
    this.#sink.message(this.#means.sender, shown, received.payload, stamp);
  }

  #beginSearch(before: ResumeSearch["before"], cause: string): void {
    this.#search = new FrameSearch(this.#means.search(before));
    this.#before = before;
    this.#carried = undefined;
    this.#cause = cause;
    this.#skipped = 0;
    this.#skippedStart = new Uint8Array(0);
    this.#means.readers.forget();
  }

  #continueSearch(bytes: Uint8Array, stamp: Stamp): void {
    const search = this.#search as FrameSearch;
    if (!search.isPossible) {
      this.#skip(bytes);
      return;
    }
    search.add(bytes);
    this.#take(search, stamp, false);
  }

  /** Goes on at a frame, if there is one. */
  #take(search: FrameSearch, stamp: Stamp, isEnd: boolean): void {
    const dropped = search.dropped;
    const found = search.find(isEnd);
    if (found === undefined) {
      this.#skipped += search.dropped - dropped;
      if (!search.isPossible) {
        this.#skip(search.bytes);
        this.#search = new FrameSearch({ fresh: undefined, resume: undefined });
      }
      return;
    }
    const { bytes } = search;
    this.#skip(bytes.subarray(0, found.offset));
    this.#reportSkipped(stamp);
    this.#search = undefined;
    this.#carried = found.carried;
    this.#given = 0;
    this.#unframed = 0;
    this.#read(found.carried, bytes.subarray(found.offset), stamp);
  }

  /** Gives up the search. The bytes in which nothing was found. */
  #endSearch(stamp: Stamp): number {
    this.#skip((this.#search as FrameSearch).bytes);
    const skipped = this.#skipped;
    this.#reportSkipped(stamp);
    return skipped;
  }

  #skip(bytes: Uint8Array): void {
    this.#skipped += bytes.length;
    const room = SHOWN_BYTES - this.#skippedStart.length;
    if (room <= 0 || bytes.length === 0) return;
    const more = bytes.subarray(0, room);
    const shown = new Uint8Array(this.#skippedStart.length + more.length);
    shown.set(this.#skippedStart);
    shown.set(more, this.#skippedStart.length);
    this.#skippedStart = shown;
  }

  #reportSkipped(stamp: Stamp): void {
    if (this.#skipped === 0) return;
    const text = `Cannot read stream: ${countBytes(this.#skipped)} ${this.#cause} belong to no whole frame that was found`;
    this.#sink.unread(this.#means.sender, new WireError("bad-state", text, 0), this.#skippedStart, stamp);
    this.#skipped = 0;
    this.#skippedStart = new Uint8Array(0);
  }
}

function truncated(why: string, streamOffset: number): WireError {
  return new WireError("truncated", `Cannot read frame: ${why}, at byte ${streamOffset} of the stream`, 0);
}
