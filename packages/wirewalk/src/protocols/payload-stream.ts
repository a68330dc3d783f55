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
import { hasMembers, MissingMemberError } from "./members.ts";
import type { PacketStream, PacketWriter, StreamOption, StreamSetup } from "./packet-stream.ts";
import type { Protocol } from "./protocol.ts";

/** What {@link payloadStream} needs of a game. */
export interface PayloadStreamParts {
  /** One sentence: what a packet holds. */
  readonly summary: string;
  /** Default: none. */
  readonly options?: readonly StreamOption[];
  /** Throws `WireError` for options that it refuses, and `RangeError` for an unknown dialect. */
  codec(setup: StreamSetup): MessageCodec;
  /** One end of a connection over a stream carrier. Throws like `codec`. Absent where frames are not known. */
  openChannel?(side: Side, setup: StreamSetup): Channel;
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
    ...(parts.openChannel === undefined ? {} : { openChannel: parts.openChannel }),
  };
}

/** The packet streams of a game, by part. A game that has none of its own has the payloads of its codec. */
export function packetStreams(protocol: Protocol): Readonly<Record<string, PacketStream>> {
  return protocol.streams ?? { "": codecStream(protocol) };
}

/** One end of a connection that carries the packets of a stream in frames. Throws {@link MissingMemberError} where they are not known. */
export function openStreamChannel(
  stream: Pick<PacketStream, "openChannel">,
  side: Side,
  setup: StreamSetup,
  name = "the stream",
): Channel {
  if (stream.openChannel === undefined)
    throw new MissingMemberError(name, ["openChannel"], "be read or written in frames");
  return stream.openChannel(side, setup);
}

/** The payloads of a game's codec as a packet stream; in frames where the game has channels. */
export function codecStream(protocol: Protocol): PacketStream {
  const parts: PayloadStreamParts = {
    summary: "Payloads in hex: the number of the message, then its body.",
    codec: ({ dialect }) => protocol.codec(dialect),
  };
  if (!hasMembers(protocol, ["openChannel"])) return payloadStream(parts);
  return payloadStream({
    ...parts,
    openChannel: (side, { dialect }) =>
      side === "server"
        ? protocol.openChannel({ side, dialect, carrier: "stream" })
        : protocol.openChannel({ side, dialect, carrier: "stream" }),
  });
}

function payloadWriter(parts: PayloadStreamParts, setup: StreamSetup): PacketWriter {
  const { sender, framed } = setup;
  const codec = parts.codec(setup);
  const channel = framed ? openStreamChannel(parts, sender, setup) : undefined;
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
