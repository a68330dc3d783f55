/**
 * One end of a connection of Slime Online 2. Over a stream every payload travels as `u16 length (low byte first, in
 * clear), payload`, in `v0106` the payload under RC4, keyed afresh for every message. Over a carrier that keeps
 * messages whole there is neither length nor cipher: one message is one payload.
 *
 * ```ts
 * import { moveMessage, openSlimeChannel } from "wirewalk/slime-online-2";
 * import { formatHex } from "wirewalk/wire";
 *
 * const client = openSlimeChannel({ side: "client", dialect: "v0106", carrier: "stream" });
 * const bytes = client.write(moveMessage("leftPressAir"));
 * formatHex(bytes); // => "03 00 60 a2 0f"
 * const server = openSlimeChannel({ side: "server", dialect: "v0106", carrier: "stream" });
 * server.push(bytes.subarray(0, 3));
 * server.next(); // => undefined
 * server.push(bytes.subarray(3));
 * server.next().message; // => moveMessage("leftPressAir")
 * ```
 */
import { LengthPrefixDeframer, WireError } from "../../wire/index.ts";
import type { Channel, ChannelOptions, Received, Side } from "../protocol.ts";
import { type SlimeClientMessage, type SlimeServerMessage, slimeCodec } from "./codec.ts";
import { dialectRules } from "./dialect.ts";
import { MAX_PAYLOAD_BYTES } from "./messages.ts";

type SlimeMessage = SlimeClientMessage | SlimeServerMessage;

const LENGTH_BYTES = 2;

/** A channel whose messages are those of both sides; `openSlimeChannel` gives it the types of its own. */
class SlimeChannel implements Channel<SlimeMessage, SlimeMessage> {
  readonly greeting = undefined;
  readonly sharesFrames = true;
  readonly #side: Side;
  readonly #peer: Side;
  readonly #codec: ReturnType<typeof slimeCodec>;
  readonly #keys: ReturnType<typeof dialectRules>["keys"];
  /** Undefined over a carrier that keeps messages whole. */
  readonly #deframer: LengthPrefixDeframer | undefined;
  readonly #whole: Uint8Array[] = [];

  constructor(options: ChannelOptions) {
    const stream = options.carrier === "stream";
    this.#side = options.side;
    this.#peer = options.side === "server" ? "client" : "server";
    this.#codec = slimeCodec(options.dialect);
    this.#keys = stream ? dialectRules(options.dialect).keys : undefined;
    if (stream) {
      // An empty payload is no message, but the stream keeps its place: the codec refuses it and the next one is read.
      this.#deframer = new LengthPrefixDeframer({ limit: MAX_PAYLOAD_BYTES, lengthLayout: "u16le", allowEmpty: true });
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
    if (bytes.length > MAX_PAYLOAD_BYTES) {
      throw new WireError(
        "limit",
        `Cannot read payload: ${bytes.length} bytes are over the limit of ${MAX_PAYLOAD_BYTES}`,
        0,
      );
    }
    this.#whole.push(bytes);
  }

  next(): Received<SlimeMessage> | undefined {
    const carried = this.#deframer === undefined ? this.#whole.shift() : this.#deframer.next();
    if (carried === undefined) return undefined;
    const payload = this.#keys === undefined ? carried : this.#keys[this.#peer].apply(carried);
    try {
      return { payload, message: this.#codec.read(this.#peer, payload) };
    } catch (error) {
      if (error instanceof WireError) return { payload, error };
      throw error;
    }
  }

  write(message: SlimeMessage): Uint8Array {
    return this.frame(this.#codec.write(this.#side, message as never));
  }

  frame(payload: Uint8Array): Uint8Array {
    if (payload.length > MAX_PAYLOAD_BYTES) {
      throw new RangeError(`A payload has at most ${MAX_PAYLOAD_BYTES} bytes, got ${payload.length}`);
    }
    if (this.#deframer === undefined) return payload;
    // Length and payload leave together: the game's client misreads a frame whose length arrives alone.
    const frame = new Uint8Array(LENGTH_BYTES + payload.length);
    frame[0] = payload.length & 0xff;
    frame[1] = payload.length >>> 8;
    frame.set(this.#keys === undefined ? payload : this.#keys[this.#side].apply(payload), LENGTH_BYTES);
    return frame;
  }
}

export function openSlimeChannel(
  options: ChannelOptions & { readonly side: "server" },
): Channel<SlimeClientMessage, SlimeServerMessage>;
export function openSlimeChannel(
  options: ChannelOptions & { readonly side: "client" },
): Channel<SlimeServerMessage, SlimeClientMessage>;
/** Opens one end of a connection. Throws `RangeError` for an unknown dialect. */
export function openSlimeChannel(options: ChannelOptions): Channel<never, never> {
  return new SlimeChannel(options) as Channel<SlimeMessage, SlimeMessage> as Channel<never, never>;
}
