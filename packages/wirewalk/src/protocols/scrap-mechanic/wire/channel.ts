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

import type { Channel, ChannelOptions } from "../../codec.ts";
import { carrierFramer, channelName, FramedChannel, framerOptions } from "../../framed-channel.ts";
import type { LengthFraming } from "../../stream-framing.ts";
import { MAX_PACKET_BYTES, type ScrapClientMessage, type ScrapServerMessage, scrapCodec } from "./codec.ts";
import type { ScrapCodecOptions } from "./dialect.ts";

/** The largest packet that a client sends: the codec refuses more of it anyhow, but then it has been held. */
export const MAX_CLIENT_PACKET_BYTES = 1024;

/** The frames of a stream, ours. */
export const scrapFraming: LengthFraming = {
  is: "length",
  order: "be",
  limits: { client: MAX_CLIENT_PACKET_BYTES, server: MAX_PACKET_BYTES },
};

export function openScrapChannel(
  options: ChannelOptions & { readonly side: "server" },
  codecOptions?: ScrapCodecOptions,
): Channel<ScrapClientMessage, ScrapServerMessage>;
export function openScrapChannel(
  options: ChannelOptions & { readonly side: "client" },
  codecOptions?: ScrapCodecOptions,
): Channel<ScrapServerMessage, ScrapClientMessage>;
export function openScrapChannel(options: ChannelOptions, codecOptions?: ScrapCodecOptions): Channel<never, never>;
/** Opens one end of a connection. Throws `RangeError` for an unknown dialect. */
export function openScrapChannel(options: ChannelOptions, codecOptions: ScrapCodecOptions = {}): Channel<never, never> {
  const { side, dialect, carrier } = options;
  const framer = carrierFramer(carrier, { ...framerOptions(scrapFraming, side), sendLimit: MAX_PACKET_BYTES });
  const name = channelName("scrap-mechanic", options);
  return new FramedChannel({ name, side, codec: scrapCodec(dialect, codecOptions), framer }) as Channel<never, never>;
}
