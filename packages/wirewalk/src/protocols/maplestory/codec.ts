/**
 * MapleStory's messages alone: read and written, nothing else. No traces, no JSON, no world, bots or carrier: 17 kB of code for four dialects,
 * compressed. `wirewalk/maplestory` has the codec with all of these.
 *
 * ```ts
 * import { mapleMessages } from "wirewalk/maplestory/codec";
 * import { parseHex } from "wirewalk/wire";
 *
 * const codec = mapleMessages("v62");
 * codec.read("server", parseHex("B3 00 89 13 00 00 2A 00 01 2C 01 0A 03")).value.mobId; // => 5001
 * codec.opcodeOf("client", "movePlayer"); // => 38
 * ```
 *
 * @module
 */
import { type CompiledCodec, compiledCodecs } from "../compiled-codec.ts";
import type { MapleMessages } from "./wire/codec.ts";
import type { MapleDialect } from "./wire/dialect.ts";
import { documented, v62, v83, v95 } from "./wire/generated/messages.ts";

const codecs = compiledCodecs<MapleDialect>("maplestory", { v62, v83, v95, documented });

/** The codec of a dialect. Throws `RangeError` for an unknown one. */
export function mapleMessages<D extends MapleDialect>(
  dialect: D,
): CompiledCodec<MapleMessages[D]["client"], MapleMessages[D]["server"]> {
  return codecs(dialect) as unknown as CompiledCodec<MapleMessages[D]["client"], MapleMessages[D]["server"]>;
}
