/**
 * Packets of Scrap Mechanic as a packet stream. A packet's id says who sent it; with `body` a packet is only what its
 * block holds.
 *
 * ```ts
 * import { scrapMechanic } from "wirewalk/scrap-mechanic";
 * import { parseHex } from "wirewalk/wire";
 *
 * const setup = { dialect: "documented", sender: "client", framed: false, options: { body: true } };
 * const object = scrapMechanic.streams[""].openReader(setup).read(parseHex("0000303904400040"));
 * object.value.direction; // => 64
 * scrapMechanic.streams[""].openWriter(setup).write(object); // => parseHex("0000303904400040")
 * ```
 */
import { type CompiledLayout, decodeCompiled, encodeCompiled } from "../../wire/compiled/index.ts";
import { type JsonObject, type Layout, lz4EndFault, toJson, traceLayout } from "../../wire/index.ts";
import type { MessageCodec, Side, WireMessage } from "../codec.ts";
import { messageFromJson } from "../message-table.ts";
import type { PacketStream, StreamSetup } from "../packet-stream.ts";
import { payloadStream } from "../payload-stream.ts";
import { openScrapChannel } from "./wire/channel.ts";
import { type ScrapClientMessage, type ScrapServerMessage, scrapCodec } from "./wire/codec.ts";
import { checkScrapDialect, type ScrapCodecOptions } from "./wire/dialect.ts";
import { compiledMovementBody, movementBody } from "./wire/player-movement.ts";
import { compiledUpdateBody, UNRELIABLE_UPDATE_ID, updateBody } from "./wire/unreliable-update.ts";

type Codec = MessageCodec<ScrapClientMessage, ScrapServerMessage>;

const packets = payloadStream({
  summary: "Packets in hex: id byte and LZ4 block.",
  options: [
    {
      name: "body",
      kind: "switch",
      default: false,
      summary: "bare bodies, without id and block: 0x1E of a client, 0x18 of a server",
    },
    {
      name: "lenient",
      kind: "switch",
      default: false,
      summary: "read set bits without meaning, and any block with the right bytes in it",
    },
    { name: "countByte", kind: "switch", default: true, summary: "the count before the updates of 0x18" },
  ],
  codec: (setup) => codecOf(setup)(setup.dialect, codecOptions(setup)),
  openChannel: (side, setup) =>
    openScrapChannel({ side, dialect: setup.dialect, carrier: "stream" }, codecOptions(setup)),
});

/** The game's packets. A block that breaks the end conditions of its format has a note beside its message. */
export const scrapStream: PacketStream = {
  ...packets,
  openReader(setup) {
    const reader = packets.openReader(setup);
    const noted = (packet: Uint8Array, object: JsonObject): JsonObject => {
      const why = isBare(setup) || packet[0] !== UNRELIABLE_UPDATE_ID ? undefined : lz4EndFault(packet, ID_BYTES);
      return why === undefined ? object : { ...object, note: `block: ${why}` };
    };
    return {
      ...reader,
      read: (packet) => noted(packet, reader.read(packet)),
      receive: (received) => noted(received.payload, reader.receive(received)),
    };
  },
};

const ID_BYTES = 1;

/** With a sender that was named, packets are those of that sender. */
function codecOf(setup: StreamSetup): (dialect: string, options: ScrapCodecOptions) => Codec {
  if (isBare(setup)) return bodyCodec;
  return setup.isSenderGiven === true ? scrapCodec : codecById;
}

function codecOptions({ options }: StreamSetup): ScrapCodecOptions {
  return { lenient: options.lenient === true, countByte: options.countByte !== false };
}

/** Frames hold packets: bare bodies have none. */
function isBare({ options, framed }: StreamSetup): boolean {
  return options.body === true && !framed;
}

/** The codec, for which a packet's id and a message's name say enough: each has one sender. */
function codecById(dialect: string, options: ScrapCodecOptions): Codec {
  const codec = scrapCodec(dialect, options);
  const { messages } = codec;
  const idSender = (id: number | undefined, otherwise: Side): Side =>
    messages.find((row) => row.id === id)?.sender ?? otherwise;
  const nameSender = (name: unknown, otherwise: Side): Side =>
    messages.find((row) => row.message === name)?.sender ?? otherwise;
  return {
    ...codec,
    read: (sender: Side, packet: Uint8Array) => codec.read(idSender(packet[0], sender), packet) as never,
    write: (sender: Side, message: WireMessage) =>
      codec.write(nameSender(message.message, sender), message as ScrapClientMessage | ScrapServerMessage),
    fromJson: (sender, json) => codec.fromJson(nameSender(json.message, sender), json),
    toJson: (sender, message) => codec.toJson(nameSender(message.message, sender), message),
  };
}

/** The body of the one message of a side that has one. */
interface Body {
  readonly name: string;
  readonly layout: Layout<object>;
  readonly compiled: CompiledLayout<object>;
}

/** Bare bodies: of each side there is one that has a body. */
function bodyCodec(dialect: string, options: ScrapCodecOptions): Codec {
  const { messages } = scrapCodec(checkScrapDialect(dialect), options);
  const strictness = options.lenient === true ? "lenient" : "strict";
  const bodies = {
    client: {
      name: "playerMovement",
      layout: movementBody(strictness),
      compiled: compiledMovementBody(strictness),
    },
    server: { name: "unreliableUpdate", layout: updateBody(options), compiled: compiledUpdateBody(options) },
  } as unknown as Readonly<Record<Side, Body>>;
  const checked = (sender: Side, message: unknown): Body => {
    const { name } = bodies[sender];
    if (message === name) return bodies[sender];
    throw new RangeError(`Cannot write message: the body of a ${sender} is ${name}, not ${String(message)}`);
  };
  return {
    messages: messages.filter(({ sender, message }) => message === bodies[sender].name),
    read(sender: Side, body: Uint8Array): never {
      const { name, compiled } = bodies[sender];
      return { message: name, value: decodeCompiled(compiled, body) } as never;
    },
    write: (sender: Side, { message, value }: WireMessage) => encodeCompiled(checked(sender, message).compiled, value),
    trace(sender, body) {
      const { name, layout } = bodies[sender];
      const { value, fields, error } = traceLayout(layout, body);
      if (value === undefined) return { fields, ...(error === undefined ? {} : { error }) };
      return { message: { message: name, value }, fields };
    },
    fromJson: (sender, json) =>
      messageFromJson(json, (message) => checked(sender, message).layout) as ScrapClientMessage | ScrapServerMessage,
    toJson: (sender, { message, value }) => ({ message, value: toJson(checked(sender, message).layout, value) }),
  };
}
