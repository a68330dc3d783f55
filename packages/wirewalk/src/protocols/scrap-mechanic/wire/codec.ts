/**
 * Packets of Scrap Mechanic as carried, both directions: an id byte, then the body as a raw LZ4 block.
 *
 * ```ts
 * import { scrapCodec } from "wirewalk/scrap-mechanic";
 * import { parseHex } from "wirewalk/wire";
 *
 * const codec = scrapCodec("documented");
 * codec.read("client", parseHex("1e80 0000303904400040")).value.tick; // => 12345
 * codec.read("client", parseHex("1e8f 0000303904400040")); // throws bad-value: Cannot read token: low nibble is 15, expected 0 at byte 1
 * scrapCodec("documented", { lenient: true }).read("client", parseHex("1e8f 0000303904400040")).value.tick; // => 12345
 * codec.read("server", parseHex("18 90 00000010 00003039 00")).value.currentTick; // => 12345
 * ```
 */
import { type CompiledDialect, type CompiledLayout, readWhole, writeWhole } from "../../../wire/compiled/index.ts";
import { decodeLz4Block, type Layout, lz4BlockBound, readAt, u8 } from "../../../wire/index.ts";
import type { MessageLayouts, PayloadCodec, Side, WireMessage } from "../../codec.ts";
import { type MessageRow, messageTable } from "../../message-table.ts";
import { checkScrapDialect, type ScrapCodecOptions } from "./dialect.ts";
import * as generated from "./generated/messages.ts";
import * as variants from "./generated/variants.ts";
import { movementPacketLayout, PLAYER_MOVEMENT_ID, type PlayerMovement, type Strictness } from "./player-movement.ts";
import { type Hello, hello, type Left, left, type Playing, playing, type Use, use } from "./session.ts";
import {
  compiledUpdatePacket,
  MAX_UPDATE_BODY_BYTES,
  sharedUpdatePackets,
  UNRELIABLE_UPDATE_ID,
  type UnreliableUpdate,
  updatePacket,
} from "./unreliable-update.ts";

interface Message<N extends string, V> {
  readonly message: N;
  readonly value: V;
}

/** What a client says. */
export type ScrapClientMessage =
  | Message<"playerMovement", PlayerMovement>
  | Message<"hello", Hello>
  | Message<"use", Use>;

/** What a server says. */
export type ScrapServerMessage =
  | Message<"unreliableUpdate", UnreliableUpdate>
  | Message<"playing", Playing>
  | Message<"left", Left>;

/** The largest packet: the largest body, in a block that found nothing to shorten. */
export const MAX_PACKET_BYTES = 1 + lz4BlockBound(MAX_UPDATE_BODY_BYTES);

/** The body in a packet of 0x18. Throws `WireError` with places in the packet. */
export function unpackUpdate(packet: Uint8Array, { lenient = false }: ScrapCodecOptions = {}): Uint8Array {
  const unusedBits = lenient ? "ignore" : "refuse";
  return readAt("block", () => decodeLz4Block(packet, { limit: MAX_UPDATE_BODY_BYTES, start: 1, unusedBits }));
}

function rowsOf(options: ScrapCodecOptions, movement: Layout<PlayerMovement>): readonly MessageRow[] {
  const row = (sender: Side, id: number, message: string, layout: Layout<object>, summary: string): MessageRow => {
    return { sender, id, message, summary, layout };
  };
  return [
    row("client", PLAYER_MOVEMENT_ID, "playerMovement", movement, "keys and view direction of one tick"),
    row(
      "server",
      UNRELIABLE_UPDATE_ID,
      "unreliableUpdate",
      updatePacket(options),
      "positions of all characters, and the recipient's last tick that they include",
    ),
    row("client", 0xf0, "hello", hello, "a request to play (ours)"),
    row("client", 0xf3, "use", use, "the use key: to sit down or stand up (ours)"),
    row("server", 0xf1, "playing", playing, "the client's character, position and first tick (ours)"),
    row("server", 0xf2, "left", left, "a character has left (ours)"),
  ];
}

/** What is generated for one way of reading. */
function compiledFor(options: ScrapCodecOptions): CompiledDialect {
  const { documented } = generated;
  const update = compiledUpdatePacket(options);
  if (update === undefined) return documented;
  const messages = withMessage(documented, "server", "unreliableUpdate", update);
  if (!options.lenient) return messages;
  return withMessage(messages, "client", "playerMovement", variants.lenientMovementPacket);
}

/** A dialect, of which one message is read and written in another way. */
function withMessage(
  messages: CompiledDialect,
  side: Side,
  message: string,
  layout: CompiledLayout<object>,
): CompiledDialect {
  const id = messages.ids[side][message] as number;
  return {
    ...messages,
    read(sender: Side, payload: Uint8Array) {
      if (sender !== side || payload[0] !== id) return messages.read(sender, payload);
      return { message, value: readWhole(layout, layout.after, payload, 1) };
    },
    write(sender: Side, given: WireMessage) {
      if (sender !== side || given.message !== message) return messages.write(sender, given);
      const payload = writeWhole(layout, given.value, 1);
      payload[0] = id;
      return payload;
    },
  };
}

function createCodec(options: ScrapCodecOptions): PayloadCodec<ScrapClientMessage, ScrapServerMessage> {
  const strictness: Strictness = options.lenient === true ? "lenient" : "strict";
  const table = messageTable({
    dialect: "documented",
    idName: "id",
    id: u8,
    idFormat: { base: 16 },
    rows: rowsOf(options, movementPacketLayout(strictness)),
    compiled: compiledFor(options),
  });
  const writeUpdate = sharedUpdatePackets((value) => table.write("server", { message: "unreliableUpdate", value }));
  return {
    ...table,
    write(sender: Side, message: WireMessage): Uint8Array {
      if (sender === "server" && message.message === "unreliableUpdate") {
        return writeUpdate(message.value as UnreliableUpdate);
      }
      return table.write(sender, message);
    },
  };
}

const codecs = new Map<string, PayloadCodec<ScrapClientMessage, ScrapServerMessage>>();

/** The codec of a dialect, made once for each set of options. Throws `RangeError` for an unknown dialect. */
export function scrapCodec(
  dialect: string,
  { lenient = false, countByte = true }: ScrapCodecOptions = {},
): PayloadCodec<ScrapClientMessage, ScrapServerMessage> {
  const key = `${checkScrapDialect(dialect)} ${lenient} ${countByte}`;
  let codec = codecs.get(key);
  if (codec === undefined) {
    codec = createCodec({ lenient, countByte });
    codecs.set(key, codec);
  }
  return codec;
}

/** The bodies of all messages, as the strict codec reads them. */
export const scrapLayouts: Readonly<Record<"documented", MessageLayouts>> = {
  documented: scrapCodec("documented").layouts as MessageLayouts,
};
