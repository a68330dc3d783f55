/**
 * Scrap Mechanic's messages alone: read and written, nothing else. No traces, no JSON, no world, bots or carrier: 6 to 10 kB of code,
 * compressed. `wirewalk/scrap-mechanic` has the codec with all of these.
 *
 * ```ts
 * import { scrapMessages } from "wirewalk/scrap-mechanic/codec";
 * import { parseHex } from "wirewalk/wire";
 *
 * const codec = scrapMessages("documented");
 * codec.read("client", parseHex("1e80 0000303904400040")).value.tick; // => 12345
 * ```
 *
 * @module
 */
import { type CompiledCodec, compiledCodecs } from "../compiled-codec.ts";
import type { ScrapClientMessage, ScrapServerMessage } from "./wire/codec.ts";
import type { ScrapDialect } from "./wire/dialect.ts";
import { documented } from "./wire/generated/messages.ts";

const codecs = compiledCodecs<ScrapDialect>("scrap-mechanic", { documented });

/** The codec of a dialect. Throws `RangeError` for an unknown one. */
export function scrapMessages(dialect: ScrapDialect): CompiledCodec<ScrapClientMessage, ScrapServerMessage> {
  return codecs(dialect) as unknown as CompiledCodec<ScrapClientMessage, ScrapServerMessage>;
}
