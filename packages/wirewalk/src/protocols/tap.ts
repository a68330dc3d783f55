/**
 * A **tap**: both directions of a connection over a stream, read from beside it, as a relay needs it. A tap takes the bytes as they
 * were carried and gives what is in them. It holds both ends of the connection, so it can also frame and encipher payloads in
 * place of those that it read.
 *
 * @module
 */
import { WireError } from "../wire/index.ts";
import type { Channel, Received, SavedChannel, Side } from "./codec.ts";
import type { StreamOption, StreamOptionValues } from "./packet-stream.ts";

/** Bytes before the first frame of a direction: a greeting, a login. */
export interface Unframed {
  readonly unframed: Uint8Array;
  /** `greeting`, `login`. */
  readonly what: string;
}

/** What a tap reads, in the order of the stream. */
export type Tapped = Received | (Unframed & { readonly payload?: undefined });

/** The dialect of a connection, and what its bytes do not say. */
export interface TapSetup {
  readonly dialect: string;
  readonly options: StreamOptionValues;
  /**
   * Gives {@link Tap.session} of the connection before, when this one resumes its session. Called when a login says so. Default: nothing
   * is known of the connection before.
   */
  readonly resumed?: (() => unknown) | undefined;
}

/** A game whose connections need more than a channel for each side, such as keys from the greeting. Capability `tap`. */
export interface Tapping {
  /** As data: a command makes flags of them. */
  readonly options: readonly StreamOption[];
  /** Options of the game's packet streams that follow from its settings. Default: none. */
  readonly streamOptions?: StreamOptionValues;
  /** Throws `WireError` for options that it refuses, and `RangeError` for an unknown dialect. */
  open(setup: TapSetup): Tap;
  /**
   * Finds a frame in bytes of a direction before which some are missing, for games whose frames depend on those before. The place of
   * the frame, and the channel that reads from there on; undefined when more bytes are needed or none is found.
   */
  resume?(search: ResumeSearch): { readonly offset: number; readonly channel: Channel } | undefined;
}

/** Bytes of a direction before which some are missing. */
export interface ResumeSearch {
  readonly dialect: string;
  readonly sender: Side;
  readonly bytes: Uint8Array;
  /** Places that are no frame's, as indices of the bytes. A search adds those that it has tried in vain, so that the next one does not. */
  readonly refused: Set<number>;
  /** The channel before the missing bytes, and how many they are; undefined when the start of the direction is missing. */
  readonly before?: { readonly saved: SavedChannel; readonly lostBytes: number } | undefined;
}

/** What a {@link Tap} needs to know of one direction. */
export interface TapEnd {
  /** Default: frames from the first byte on. */
  readonly lead?: {
    readonly what: string;
    /**
     * The length of the bytes before the first frame; undefined when more bytes are needed to know it. Throws `WireError` for bytes
     * that cannot begin a connection.
     */
    length(held: Uint8Array): number | undefined;
  };
  /**
   * The channel that receives this direction: that of the other side. Called after the lead has arrived, again while it
   * returns undefined because the other direction has not said enough yet.
   */
  open(lead: Uint8Array): Channel | undefined;
}

/** Bytes held of a direction before its first frame can be read. */
const MAX_HELD_BYTES = 16_384;

class TapReader {
  readonly #end: TapEnd;
  #channel: Channel | undefined;
  #isLeadDone: boolean;
  #lead = new Uint8Array(0);
  #held = new Uint8Array(0);
  #unframed: Unframed | undefined;

  constructor(end: TapEnd) {
    this.#end = end;
    this.#isLeadDone = end.lead === undefined;
    if (this.#isLeadDone) this.#channel = end.open(this.#lead);
  }

  get pendingBytes(): number {
    return this.#held.length + (this.#channel?.pendingBytes ?? 0);
  }

  push(bytes: Uint8Array): void {
    // What ends a lead may have come in the other direction since: these bytes are behind it.
    if (this.#channel === undefined) this.#advance();
    if (this.#channel !== undefined && this.#held.length === 0) {
      this.#channel.push(bytes);
      return;
    }
    const held = new Uint8Array(this.#held.length + bytes.length);
    held.set(this.#held);
    held.set(bytes, this.#held.length);
    this.#held = held;
    this.#advance();
    if (this.#held.length > MAX_HELD_BYTES) {
      const what = this.#end.lead?.what ?? "stream";
      throw new WireError(
        "limit",
        `Cannot read ${what}: ${this.#held.length} bytes without an end are over the limit of ${MAX_HELD_BYTES}`,
        0,
      );
    }
  }

  next(): Tapped | undefined {
    // The other direction may have shown meanwhile where the lead ends. The lead then comes first.
    this.#advance();
    const unframed = this.#unframed;
    if (unframed !== undefined) {
      this.#unframed = undefined;
      return unframed;
    }
    return this.#channel?.next();
  }

  /** The state of the channel; undefined before the first frame can be read. */
  save(): SavedChannel | undefined {
    return this.#channel?.save();
  }

  frame(payload: Uint8Array): Uint8Array {
    // The other side may write first, before any byte of this direction.
    if (this.#channel === undefined) this.#advance();
    if (this.#channel === undefined) throw new RangeError("A payload cannot be framed before the connection has begun");
    return this.#channel.frame(payload);
  }

  #advance(): void {
    const { lead } = this.#end;
    if (!this.#isLeadDone && lead !== undefined) {
      const length = lead.length(this.#held);
      if (length === undefined || length > this.#held.length) return;
      this.#isLeadDone = true;
      this.#lead = this.#held.slice(0, length);
      this.#held = this.#held.slice(length);
      if (length > 0) this.#unframed = { unframed: this.#lead, what: lead.what };
    }
    this.#channel ??= this.#end.open(this.#lead);
    if (this.#channel === undefined || this.#held.length === 0) return;
    const held = this.#held;
    this.#held = new Uint8Array(0);
    this.#channel.push(held);
  }
}

/** Reads both directions of one connection. */
export class Tap {
  readonly #readers: Readonly<Record<Side, TapReader>>;
  readonly #session: () => unknown;

  /** By the side that sends. */
  constructor(ends: Readonly<Record<Side, TapEnd>>, session: () => unknown = () => undefined) {
    this.#session = session;
    this.#readers = { client: new TapReader(ends.client), server: new TapReader(ends.server) };
  }

  /** What a later connection needs to resume this session; undefined when none can. */
  get session(): unknown {
    return this.#session();
  }

  /** Takes bytes of a sender, split and joined anywhere. Throws `WireError` when that direction cannot be read any further. */
  push(sender: Side, bytes: Uint8Array): void {
    this.#readers[sender].push(bytes);
  }

  /** What the sender sent next; undefined when more bytes are needed. Throws like `push`. */
  next(sender: Side): Tapped | undefined {
    return this.#readers[sender].next();
  }

  /** A payload as the sender carries it, with its ciphers: for each payload in turn, changed or not. */
  frame(sender: Side, payload: Uint8Array): Uint8Array {
    return this.#readers[sender === "client" ? "server" : "client"].frame(payload);
  }

  /** The state of the channel that reads a direction; undefined before its first frame can be read. */
  save(sender: Side): SavedChannel | undefined {
    return this.#readers[sender].save();
  }

  /** Bytes held of what is not complete. */
  pendingBytes(sender: Side): number {
    return this.#readers[sender].pendingBytes;
  }
}
