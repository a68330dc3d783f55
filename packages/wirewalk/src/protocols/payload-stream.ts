/**
 * The packet stream of a codec: each packet is one payload, and none needs those before it.
 *
 * ```ts
 * const stream = payloadStream({ summary: "Payloads", codec: ({ dialect }) => slimeCodec(dialect), openChannel });
 * const setup = { dialect: "documented", sender: "client", framed: false, options: {} };
 * const reader = stream.openReader(setup);
 * const object = reader.read(parseHex("00 08 0A")); // { message: "movePlayer", value: { code: 10, direction: "leftPressAir" } }
 * stream.openWriter(setup).write(object); // 00 08 0a
 * ```
 */
import { type JsonObject, WireError } from "../wire/index.ts";
import type { Channel, MessageCodec, Side } from "./codec.ts";
import type { PacketStream, PacketWriter, StreamOption, StreamSetup } from "./packet-stream.ts";

/** What {@link payloadStream} needs of a game. */
export interface PayloadStreamParts {
  /** One sentence: what a packet holds. */
  readonly summary: string;
  /** Default: none. */
  readonly options?: readonly StreamOption[];
  /** Throws `WireError` for options that it refuses, and `RangeError` for an unknown dialect. */
  codec(setup: StreamSetup): MessageCodec;
  /** One end of a connection over a stream carrier. Throws like `codec`. */
  openChannel(side: Side, setup: StreamSetup): Channel;
}

/** Makes the stream. A packet is read as `{ message, value }`, as the codec's `toJson` gives it. */
export function payloadStream(parts: PayloadStreamParts): PacketStream {
  return {
    summary: parts.summary,
    senders: ["client", "server"],
    options: parts.options ?? [],
    reversible: true,
    openReader(setup) {
      const { sender } = setup;
      const codec = parts.codec(setup);
      return {
        read: (packet) => codec.toJson(sender, codec.read(sender, packet)),
        receive(received) {
          if (received.error !== undefined) throw received.error;
          return codec.toJson(sender, received.message);
        },
        trace: (bytes) => ({ ...codec.trace(sender, bytes), bytes }),
      };
    },
    openWriter: (setup) => payloadWriter(parts, setup),
    openChannel: parts.openChannel,
  };
}

function payloadWriter(parts: PayloadStreamParts, setup: StreamSetup): PacketWriter {
  const { sender, framed } = setup;
  const codec = parts.codec(setup);
  const channel = framed ? parts.openChannel(sender, setup) : undefined;
  let greeting = channel?.handshake?.greeting;
  return {
    write(object) {
      const payload = writeJson(codec, sender, object);
      if (channel === undefined) return payload;
      const frame = channel.frame(payload);
      if (greeting === undefined) return frame;
      // A stream begins with its greeting: it is carried together with the first packet.
      const start = new Uint8Array(greeting.length + frame.length);
      start.set(greeting);
      start.set(frame, greeting.length);
      greeting = undefined;
      return start;
    },
  };
}

function writeJson(codec: MessageCodec, sender: Side, json: JsonObject): Uint8Array {
  const message = codec.fromJson(sender, json);
  try {
    return codec.write(sender, message);
  } catch (error) {
    // The values come from the JSON: one that cannot be written is an error in it.
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    const path = /^Cannot write ([^\s:]+): /.exec(error.message)?.[1] ?? "";
    throw new WireError("bad-value", error.message, 0, path);
  }
}
