/**
 * Channels of protocols without a greeting and without a cipher that remembers: payloads come out of their frames and are
 * read by the codec, one after the other.
 *
 * ```ts
 * const framer = carrierFramer("stream", { lengthLayout: "u16be", receiveLimit: 1024, sendLimit: 1024 });
 * const channel = new FramedChannel({ name: "echo/plain/server/stream", side: "server", codec: echoCodec, framer });
 * channel.push(Uint8Array.of(0, 2, 9));
 * channel.pendingBytes; // => 3
 * channel.push(Uint8Array.of(5, 0, 1, 7));
 * channel.next().message; // => { message: "echo", value: { byte: 5 } }
 * channel.next().error.code; // => "unknown-message"
 * channel.next(); // => undefined
 * channel.write({ message: "echo", value: { byte: 6 } }); // => Uint8Array.of(0, 2, 9, 6)
 * ```
 *
 * @module
 */
import { type Carrier, LengthPrefixDeframer, type SavedDeframer, WireError } from "../wire/index.ts";
import type { Channel, ChannelOptions, MessageCodec, Received, SavedChannel, Side, WireMessage } from "./codec.ts";
import type { LengthFraming } from "./stream-framing.ts";

/** How carried bytes become payloads, and payloads are carried. */
export interface Framer {
  /** Bytes held of a frame that is not complete. */
  readonly pending: number;
  /** Takes bytes as they were carried. Throws `WireError` when the stream cannot go on. */
  push(bytes: Uint8Array): void;
  /** The next whole payload; undefined when more bytes are needed. Throws `WireError` when the stream cannot go on. */
  next(): Uint8Array | undefined;
  /** A payload as it is carried: the same bytes each time. Throws `RangeError` for one that cannot be. */
  frame(payload: Uint8Array): Uint8Array;
  /** Plain data that shares nothing with the framer. */
  save(): object;
  /** Takes over what a framer with the same options has saved. Throws for malformed data; the framer is then of no use. */
  restore(state: object): void;
}

/** The longest payloads, in bytes. */
export interface FramerLimits {
  /** Of the peer. */
  readonly receiveLimit: number;
  /** Of this side; over a stream no more than 65,535. */
  readonly sendLimit: number;
}

const LENGTH_BYTES = 2;
/** Of what framers save. */
const SCHEMA = 1;

/** Messages that the carrier keeps whole: each is one payload. */
export class WholeFramer implements Framer {
  readonly pending = 0;
  readonly #limits: FramerLimits;
  readonly #waiting: Uint8Array[] = [];

  constructor(limits: FramerLimits) {
    this.#limits = limits;
  }

  push(bytes: Uint8Array): void {
    const { receiveLimit } = this.#limits;
    if (bytes.length > receiveLimit) {
      const why = `${bytes.length} bytes are over the limit of ${receiveLimit}`;
      throw new WireError("limit", `Cannot read payload: ${why}`, 0);
    }
    this.#waiting.push(bytes);
  }

  next(): Uint8Array | undefined {
    return this.#waiting.shift();
  }

  frame(payload: Uint8Array): Uint8Array {
    checkLength(payload, this.#limits.sendLimit);
    return payload;
  }

  save(): object {
    return { waiting: this.#waiting.map((payload) => payload.slice()) };
  }

  restore(state: object): void {
    const { waiting } = state as { readonly waiting: readonly Uint8Array[] };
    this.#waiting.splice(0, this.#waiting.length, ...waiting.map((payload) => payload.slice()));
  }
}

/** A stream in which each payload has its length, 16 bits, before it. */
class LengthFramer implements Framer {
  readonly #littleEndian: boolean;
  readonly #sendLimit: number;
  readonly #deframer: LengthPrefixDeframer;

  constructor({ receiveLimit, sendLimit, lengthLayout }: CarrierFramerOptions) {
    this.#littleEndian = lengthLayout === "u16le";
    this.#sendLimit = sendLimit;
    // An empty payload is not a message, but the stream keeps its place: the codec refuses it and the next one is read.
    this.#deframer = new LengthPrefixDeframer({ limit: receiveLimit, lengthLayout, allowEmpty: true });
  }

  get pending(): number {
    return this.#deframer.pending;
  }

  push(bytes: Uint8Array): void {
    this.#deframer.push(bytes);
  }

  next(): Uint8Array | undefined {
    return this.#deframer.next();
  }

  /** Length and payload in one piece: clients exist that misread a frame whose length arrives alone. */
  frame(payload: Uint8Array): Uint8Array {
    checkLength(payload, this.#sendLimit);
    const { length } = payload;
    const frame = new Uint8Array(LENGTH_BYTES + length);
    frame[0] = this.#littleEndian ? length & 0xff : length >>> 8;
    frame[1] = this.#littleEndian ? length >>> 8 : length & 0xff;
    frame.set(payload, LENGTH_BYTES);
    return frame;
  }

  save(): SavedDeframer {
    return this.#deframer.save();
  }

  restore(state: object): void {
    this.#deframer.restore(state as SavedDeframer);
  }
}

function checkLength({ length }: Uint8Array, limit: number): void {
  if (length > limit) throw new RangeError(`A payload has at most ${limit} bytes, got ${length}`);
}

export interface CarrierFramerOptions extends FramerLimits {
  /** How the length lies before a payload in a stream. */
  readonly lengthLayout: "u16le" | "u16be";
}

/** What one side needs of a game's frames. */
export function framerOptions({ order, limits }: LengthFraming, side: Side): CarrierFramerOptions {
  const peer = side === "server" ? "client" : "server";
  return { lengthLayout: `u16${order}`, receiveLimit: limits[peer], sendLimit: limits[side] };
}

/** Lengths before payloads in a stream, nothing over a carrier that keeps messages whole. */
export function carrierFramer(carrier: Carrier, options: CarrierFramerOptions): Framer {
  return carrier === "stream" ? new LengthFramer(options) : new WholeFramer(options);
}

/** How a saved channel names itself: `slime-online-2/v0106/server/stream`. */
export function channelName(protocol: string, { dialect, side, carrier }: ChannelOptions): string {
  return `${protocol}/${dialect}/${side}/${carrier}`;
}

export interface FramedChannelOptions {
  /** See {@link channelName}. */
  readonly name: string;
  readonly side: Side;
  readonly codec: MessageCodec;
  readonly framer: Framer;
}

/** A channel of a codec and a framer. Its type has the messages of both sides; the function that opens it narrows them. */
export class FramedChannel implements Channel<WireMessage, WireMessage> {
  readonly sharesFrames = true;
  readonly #name: string;
  readonly #side: Side;
  readonly #peer: Side;
  readonly #codec: MessageCodec;
  readonly #framer: Framer;

  constructor({ name, side, codec, framer }: FramedChannelOptions) {
    this.#name = name;
    this.#side = side;
    this.#peer = side === "server" ? "client" : "server";
    this.#codec = codec;
    this.#framer = framer;
  }

  get pendingBytes(): number {
    return this.#framer.pending;
  }

  push(bytes: Uint8Array): void {
    this.#framer.push(bytes);
  }

  next(): Received | undefined {
    const payload = this.#framer.next();
    if (payload === undefined) return undefined;
    try {
      return { payload, message: this.#codec.read(this.#peer, payload) };
    } catch (error) {
      if (error instanceof WireError) return { payload, error };
      throw error;
    }
  }

  write(message: WireMessage): Uint8Array {
    return this.#framer.frame(this.#codec.write(this.#side, message));
  }

  frame(payload: Uint8Array): Uint8Array {
    return this.#framer.frame(payload);
  }

  save(): SavedChannel {
    return { schema: SCHEMA, channel: this.#name, state: this.#framer.save() };
  }

  restore({ schema, channel, state }: SavedChannel): void {
    if (channel !== this.#name) {
      throw new RangeError(`Cannot restore: saved by ${JSON.stringify(channel)}, not by ${this.#name}`);
    }
    if (schema !== SCHEMA) throw new RangeError(`Cannot restore: schema ${schema}, expected ${SCHEMA}`);
    this.#framer.restore(state);
  }
}
