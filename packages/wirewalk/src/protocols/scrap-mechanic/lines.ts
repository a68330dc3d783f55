/**
 * Lines of text for Scrap Mechanic: `wirewalk decode`, `encode` and `inspect`. A line is a packet as carried, and its id
 * says whose it is; with `--body` it is what the block holds.
 *
 * ```ts
 * import { scrapLines } from "wirewalk/scrap-mechanic";
 *
 * const options = { dialect: "documented", direction: "client", framed: false, flags: { body: true } };
 * const [line] = scrapLines.decoder(options).line("0000303904400040");
 * line.json.value.direction; // => 64
 * scrapLines.encoder(options).line(JSON.stringify(line.json)); // => [{ text: "0000303904400040" }]
 * ```
 */
import { decode, traceLayout } from "../../wire/index.ts";
import type { ChannelOptions, PayloadCodec, PayloadTrace, Side, WireMessage } from "../codec.ts";
import type { LineOptions, LineTools } from "../line-tools.ts";
import { payloadLines } from "../lines.ts";
import { messageToJson } from "../message-json.ts";
import { openScrapChannel } from "./wire/channel.ts";
import {
  type ScrapClientMessage,
  type ScrapServerMessage,
  scrapCodec,
  scrapFromJson,
  traceUpdateBody,
} from "./wire/codec.ts";
import { checkScrapDialect, type ScrapCodecOptions } from "./wire/dialect.ts";
import { encodeMovementBody, movementBody, type PlayerMovement, type Strictness } from "./wire/player-movement.ts";
import { decodeUpdateBody, encodeUpdateBody, type UnreliableUpdate } from "./wire/unreliable-update.ts";

type Codec = PayloadCodec<ScrapClientMessage, ScrapServerMessage>;

export const scrapLines: LineTools = {
  summary: "Packets in hex: id byte and LZ4 block.",
  senders: ["client", "server"],
  flags: [
    { flag: "--body", summary: "lines are bare bodies, without id and block: 0x1E of a client, 0x18 of a server" },
    { flag: "--lenient", summary: "read set bits without meaning, and any block with the right bytes in it" },
    { flag: "--no-count-byte", summary: "0x18 has no count before its updates" },
  ],
  decoder: (options) => linesOf(options).decoder(options),
  encoder: (options) => linesOf(options).encoder(options),
  trace: (bytes, options) => linesOf(options).trace(bytes, options),
};

function codecOptions({ flags }: LineOptions): ScrapCodecOptions {
  return { lenient: flags.lenient === true, countByte: flags.countByte !== false };
}

/** Frames hold packets: bare bodies have none. */
function isBare({ flags, framed }: LineOptions): boolean {
  return flags.body === true && !framed;
}

function linesOf(lineOptions: LineOptions): LineTools {
  const options = codecOptions(lineOptions);
  return payloadLines({
    summary: scrapLines.summary,
    codec: (dialect) => (isBare(lineOptions) ? bodyCodec(dialect, options) : codecById(dialect, options)),
    openChannel: (channelOptions: ChannelOptions) => openScrapChannel(channelOptions, options),
  });
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
  };
}

/** Bare bodies: of each side there is one that has a body. */
function bodyCodec(dialect: string, options: ScrapCodecOptions): Codec {
  const { messages } = scrapCodec(checkScrapDialect(dialect), options);
  const strictness: Strictness = options.lenient === true ? "lenient" : "strict";
  const nameOf = (sender: Side): string => (sender === "client" ? "playerMovement" : "unreliableUpdate");
  const layout = movementBody(strictness);

  const read = (sender: Side, body: Uint8Array): never => {
    const value = sender === "client" ? decode(layout, body) : decodeUpdateBody(body, options);
    return { message: nameOf(sender), value } as never;
  };
  const checkName = (sender: Side, message: string): void => {
    if (message === nameOf(sender)) return;
    throw new RangeError(`Cannot write message: the body of a ${sender} is ${nameOf(sender)}, not ${message}`);
  };
  const write = (sender: Side, { message, value }: WireMessage): Uint8Array => {
    checkName(sender, message);
    return sender === "client"
      ? encodeMovementBody(value as PlayerMovement)
      : encodeUpdateBody(value as UnreliableUpdate, options);
  };
  return {
    messages: messages.filter(({ sender, message }) => message === nameOf(sender)),
    read,
    write,
    trace: (sender, body) => traceBody(sender, body, layout, options),
    fromJson: (sender, json) =>
      scrapFromJson(json, {
        checkName: (name) => checkName(sender, name),
        roundTrip: (message) => read(sender, write(sender, message)),
      }),
    toJson: (_sender, message) => messageToJson(message),
  };
}

function traceBody(
  sender: Side,
  body: Uint8Array,
  layout: ReturnType<typeof movementBody>,
  options: ScrapCodecOptions,
): PayloadTrace {
  if (sender === "server") return traceUpdateBody(body, options);
  const { value, fields, error } = traceLayout(layout, body);
  if (value === undefined) return { fields, ...(error === undefined ? {} : { error }) };
  return { message: { message: "playerMovement", value }, fields };
}
