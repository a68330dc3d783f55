/**
 * One end of a connection of Scrap Mechanic. The game's own carrier keeps messages whole, and so does WebSocket: one
 * message is one packet. Over a stream each packet has its length before it, two bytes, the high one first: ours.
 *
 * ```ts
 * import { openScrapChannel } from "wirewalk/scrap-mechanic";
 * import { formatHex } from "wirewalk/wire";
 *
 * const client = openScrapChannel({ side: "client", dialect: "documented", carrier: "stream" });
 * const bytes = client.write({ message: "hello", value: { version: 1 } });
 * formatHex(bytes); // => "00 02 f0 01"
 * const server = openScrapChannel({ side: "server", dialect: "documented", carrier: "stream" });
 * server.push(bytes.subarray(0, 3));
 * server.next(); // => undefined
 * server.push(bytes.subarray(3));
 * server.next().message; // => { message: "hello", value: { version: 1 } }
 * ```
 */
import { LengthPrefixDeframer, WireError } from "../../wire/index.ts";
import type { Channel, ChannelOptions, Received, Side } from "../protocol.ts";
import { MAX_PACKET_BYTES, type ScrapClientMessage, type ScrapServerMessage, scrapCodec } from "./codec.ts";
import type { ScrapCodecOptions } from "./dialect.ts";

type ScrapMessage = ScrapClientMessage | ScrapServerMessage;

const LENGTH_BYTES = 2;

/** The largest packet that a client sends: the codec refuses more of it anyhow, but then it has been held. */
const MAX_CLIENT_PACKET_BYTES = 1024;

/** A channel whose messages are those of both sides; `openScrapChannel` gives it the types of its own. */
class ScrapChannel implements Channel<ScrapMessage, ScrapMessage> {
  readonly greeting = undefined;
  readonly sharesFrames = true;
  readonly #side: Side;
  readonly #peer: Side;
  readonly #codec: ReturnType<typeof scrapCodec>;
  readonly #limit: number;
  /** Undefined over a carrier that keeps messages whole. */
  readonly #deframer: LengthPrefixDeframer | undefined;
  readonly #whole: Uint8Array[] = [];

  constructor({ side, dialect, carrier }: ChannelOptions, options: ScrapCodecOptions) {
    this.#side = side;
    this.#peer = side === "server" ? "client" : "server";
    this.#codec = scrapCodec(dialect, options);
    this.#limit = this.#peer === "client" ? MAX_CLIENT_PACKET_BYTES : MAX_PACKET_BYTES;
    if (carrier === "stream") {
      // An empty packet is no message, but the stream keeps its place: the codec refuses it and the next one is read.
      this.#deframer = new LengthPrefixDeframer({ limit: this.#limit, lengthLayout: "u16be", allowEmpty: true });
    }
  }

  get pendingBytes(): number {
    return this.#deframer?.pending ?? 0;
  }

  push(bytes: Uint8Array): void {
    if (this.#deframer !== undefined) {
      this.#deframer.push(bytes);
      return;
    }
    if (bytes.length > this.#limit) {
      const why = `${bytes.length} bytes are over the limit of ${this.#limit}`;
      throw new WireError("limit", `Cannot read packet: ${why}`, 0);
    }
    this.#whole.push(bytes);
  }

  next(): Received<ScrapMessage> | undefined {
    const payload = this.#deframer === undefined ? this.#whole.shift() : this.#deframer.next();
    if (payload === undefined) return undefined;
    try {
      return { payload, message: this.#codec.read(this.#peer, payload) };
    } catch (error) {
      if (error instanceof WireError) return { payload, error };
      throw error;
    }
  }

  write(message: ScrapMessage): Uint8Array {
    return this.frame(this.#codec.write(this.#side, message as never));
  }

  frame(payload: Uint8Array): Uint8Array {
    if (payload.length > MAX_PACKET_BYTES) {
      throw new RangeError(`A packet has at most ${MAX_PACKET_BYTES} bytes, got ${payload.length}`);
    }
    if (this.#deframer === undefined) return payload;
    const frame = new Uint8Array(LENGTH_BYTES + payload.length);
    frame[0] = payload.length >>> 8;
    frame[1] = payload.length & 0xff;
    frame.set(payload, LENGTH_BYTES);
    return frame;
  }
}

export function openScrapChannel(
  options: ChannelOptions & { readonly side: "server" },
  codecOptions?: ScrapCodecOptions,
): Channel<ScrapClientMessage, ScrapServerMessage>;
export function openScrapChannel(
  options: ChannelOptions & { readonly side: "client" },
  codecOptions?: ScrapCodecOptions,
): Channel<ScrapServerMessage, ScrapClientMessage>;
/** Opens one end of a connection. Throws `RangeError` for an unknown dialect. */
export function openScrapChannel(options: ChannelOptions, codecOptions: ScrapCodecOptions = {}): Channel<never, never> {
  return new ScrapChannel(options, codecOptions) as Channel<ScrapMessage, ScrapMessage> as Channel<never, never>;
}
