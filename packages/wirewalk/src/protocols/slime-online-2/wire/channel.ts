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

import type { Channel, ChannelOptions } from "../../codec.ts";
import { carrierFramer, channelName, FramedChannel, type Framer, framerOptions } from "../../framed-channel.ts";
import type { LengthFraming } from "../../stream-framing.ts";
import { type SlimeClientMessage, type SlimeServerMessage, slimeCodec } from "./codec.ts";
import { dialectRules } from "./dialect.ts";
import { MAX_PAYLOAD_BYTES } from "./messages.ts";

/** The frames of a stream with ciphered payloads; each message is ciphered afresh. */
function cipheredFramer(
  framer: Framer,
  open: (payload: Uint8Array) => Uint8Array,
  seal: (payload: Uint8Array) => Uint8Array,
): Framer {
  return {
    get pending() {
      return framer.pending;
    },
    push: (bytes) => framer.push(bytes),
    next() {
      const payload = framer.next();
      return payload === undefined ? undefined : open(payload);
    },
    frame: (payload) => framer.frame(seal(payload)),
    // Every message is ciphered from the start of the key stream: only the frames have a state.
    save: () => framer.save(),
    restore: (state) => framer.restore(state),
  };
}

/** The frames of a stream. In `v0106` the payload in them is under its cipher. */
export const slimeFraming: LengthFraming = {
  is: "length",
  order: "le",
  limits: { client: MAX_PAYLOAD_BYTES, server: MAX_PAYLOAD_BYTES },
};

function slimeFramer({ side, dialect, carrier }: ChannelOptions): Framer {
  const framer = carrierFramer(carrier, framerOptions(slimeFraming, side));
  const { keys } = dialectRules(dialect);
  if (keys === undefined || carrier !== "stream") return framer;
  const peer = side === "server" ? "client" : "server";
  return cipheredFramer(
    framer,
    (payload) => keys[peer].apply(payload),
    (payload) => keys[side].apply(payload),
  );
}

export function openSlimeChannel(
  options: ChannelOptions & { readonly side: "server" },
): Channel<SlimeClientMessage, SlimeServerMessage>;
export function openSlimeChannel(
  options: ChannelOptions & { readonly side: "client" },
): Channel<SlimeServerMessage, SlimeClientMessage>;
/** Opens one end of a connection. Throws `RangeError` for an unknown dialect. */
export function openSlimeChannel(options: ChannelOptions): Channel<never, never> {
  const { side, dialect } = options;
  const codec = slimeCodec(dialect);
  const name = channelName("slime-online-2", options);
  return new FramedChannel({ name, side, codec, framer: slimeFramer(options) }) as Channel<never, never>;
}
