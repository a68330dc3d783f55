/**
 * Old School RuneScape's messages alone: read and written, nothing else. No traces, no JSON, no world, bots or carrier: 10 kB of code,
 * compressed. `wirewalk/osrs` has the codec with all of these.
 *
 * ```ts
 * import { osrsMessages } from "wirewalk/osrs/codec";
 * import { parseHex } from "wirewalk/wire";
 *
 * const codec = osrsMessages("client");
 * codec.read("client", parseHex("22 0000 5860")).value.records.length; // => 1
 * codec.write("server", { message: "playerIndex", value: { index: 499 } }); // => parseHex("01 01 f3")
 * ```
 *
 * @module
 */
import { type SmallCodec, smallCodecs } from "../../wire/described/codec.ts";
import type { MouseMoveMessage } from "./mouse/wire/message.ts";
import type { OsrsDialect } from "./osrs.ts";
import type { PlayerInfoServerMessage } from "./player-info/wire/message.ts";
import { describedMessages } from "./wire/described-messages.ts";

const codecs = smallCodecs<OsrsDialect>("osrs", describedMessages);

/** The codec of a dialect. Throws `RangeError` for an unknown one. */
export function osrsMessages(dialect: OsrsDialect): SmallCodec<MouseMoveMessage, PlayerInfoServerMessage> {
  return codecs(dialect) as unknown as SmallCodec<MouseMoveMessage, PlayerInfoServerMessage>;
}
