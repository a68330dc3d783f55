/**
 * Player info as messages of the game. The first says which index the client has: in the game it comes with the login.
 *
 * ```ts
 * const message = { message: "playerIndex", value: { index: 499 } };
 * encode(playerInfoLayouts.playerIndex, message.value); // => new Uint8Array([0x01, 0xf3])
 * const json = { message: "playerInfo", value: { bytes: "af7ff4" } };
 * playerInfoMessageFromJson(json).value.bytes; // => new Uint8Array([0xaf, 0x7f, 0xf4])
 * playerInfoMessageToJson(playerInfoMessageFromJson(json)); // => json
 * ```
 */
import {
  BitReader,
  decode,
  encode,
  fixedBytes,
  handWritten,
  type JsonObject,
  joinPath,
  type Layout,
  mapped,
  parseHex,
  restBytes,
  struct,
  u16be,
  WireError,
  withPath,
} from "../../../../wire/index.ts";
import { messageFromJson, messageToJson } from "../../../message-json.ts";
import { checkIndex, INIT_BYTES, MAX_PACKET_BYTES, MAX_PLAYER_INDEX, PLAYER_SLOTS } from "./constants.ts";

/** Which index the client has. It comes before the initialisation, which does not say it. */
export interface PlayerIndexMessage {
  readonly message: "playerIndex";
  readonly value: { readonly index: number };
}

/** The initialisation of player info: 4,608 bytes. */
export interface PlayerInfoInitMessage {
  readonly message: "playerInfoInit";
  readonly value: { readonly bytes: Uint8Array };
}

/** One packet of player info. Only who has read all the packets before it can read it. */
export interface PlayerInfoMessage {
  readonly message: "playerInfo";
  readonly value: { readonly bytes: Uint8Array };
}

/** What a server says of players. */
export type PlayerInfoServerMessage = PlayerIndexMessage | PlayerInfoInitMessage | PlayerInfoMessage;

const playerIndex: Layout<{ index: number }> = struct({
  index: mapped<number, number>(u16be, {
    read: (index, bitOffset) => {
      if (index >= 1 && index <= MAX_PLAYER_INDEX) return index;
      const why = `${index} is no index in 1..${MAX_PLAYER_INDEX} at byte ${bitOffset / 8}`;
      throw new WireError("bad-value", `Cannot read value: ${why}`, bitOffset);
    },
    write: (index) => {
      checkIndex(index);
      return index;
    },
  }),
});

const QUARTER_BITS = 18;
const initBytes = struct({ bytes: fixedBytes(INIT_BYTES) });

/** What can be told of an initialisation without the observer's index: where that is. The others' order follows from it. */
const playerInfoInit: Layout<{ bytes: Uint8Array }> = handWritten({
  read: (reader) => initBytes.read(reader),
  write: (writer, value) => initBytes.write(writer, value),
  trace(reader, tracer, path) {
    const start = reader.offset * 8;
    const value = initBytes.read(reader);
    const bits = new BitReader(value.bytes);
    for (const [name, width] of [
      ["level", 2],
      ["x", 14],
      ["z", 14],
    ] as const) {
      const at = start + bits.bitOffset;
      tracer.field(joinPath(path, name), at, width, bits.read(width));
    }
    const from = bits.bitOffset;
    let elsewhere = 0;
    for (let slot = 2; slot < PLAYER_SLOTS; slot++) if (bits.read(QUARTER_BITS) !== 0) elsewhere++;
    const shown = `${PLAYER_SLOTS - 2} map quarters of ${QUARTER_BITS} bits, ${elsewhere} of them not 0`;
    tracer.field(joinPath(path, "quarters"), start + from, bits.bitOffset - from, PLAYER_SLOTS - 2, shown);
    const end = bits.bitOffset;
    const padding = bits.align();
    tracer.field(joinPath(path, "padding"), start + end, bits.bitOffset - end, padding, "ignored");
    return value;
  },
});

/** The bodies of the messages, after their opcodes. */
export const playerInfoLayouts = {
  playerIndex,
  playerInfoInit,
  playerInfo: struct({ bytes: restBytes({ limit: MAX_PACKET_BYTES }) }) as Layout<{ bytes: Uint8Array }>,
} as const;

/** A message as plain JSON: bytes are hex. */
export function playerInfoMessageToJson(message: PlayerInfoServerMessage): JsonObject {
  return messageToJson(message);
}

/** The reverse. Throws `WireError` that names the field. */
export function playerInfoMessageFromJson(json: JsonObject): PlayerInfoServerMessage {
  return messageFromJson(json, {
    checkName,
    roundTrip({ message, value }) {
      const layout = playerInfoLayouts[message as keyof typeof playerInfoLayouts] as Layout<object>;
      const given = message === "playerIndex" ? value : { bytes: bytesFromJson(value) };
      return { message, value: decode(layout, encode(layout, given)) } as PlayerInfoServerMessage;
    },
  });
}

function checkName(message: string): void {
  if (Object.hasOwn(playerInfoLayouts, message)) return;
  const known = Object.keys(playerInfoLayouts).join(", ");
  throw new RangeError(`Cannot write message: it must be one of ${known}, not ${message}`);
}

function bytesFromJson({ bytes }: { readonly bytes?: unknown }): Uint8Array {
  if (typeof bytes !== "string") throw new TypeError("Cannot write bytes: it must be hex");
  try {
    return parseHex(bytes);
  } catch (error) {
    throw withPath(error, "bytes");
  }
}
