/**
 * Old School RuneScape's messages alone: read and written, nothing else. No traces, no JSON, no world, bots or carrier: 6 to 10 kB of code,
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
import { type CompiledCodec, compiledCodecs } from "../compiled-codec.ts";
import type { MouseMoveMessage } from "./mouse/wire/message.ts";
import type { OsrsDialect } from "./osrs.ts";
import type { PlayerInfoServerMessage } from "./player-info/wire/message.ts";
import { client, documented, native } from "./wire/generated/messages.ts";

const codecs = compiledCodecs<OsrsDialect>("osrs", { client, native, documented });

/** The codec of a dialect. Throws `RangeError` for an unknown one. */
export function osrsMessages(dialect: OsrsDialect): CompiledCodec<MouseMoveMessage, PlayerInfoServerMessage> {
  return codecs(dialect) as unknown as CompiledCodec<MouseMoveMessage, PlayerInfoServerMessage>;
}
