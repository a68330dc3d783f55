/**
 * Slime Online 2's messages alone: read and written, nothing else. No traces, no JSON, no world, bots or carrier: 6 to 10 kB of code,
 * compressed. `wirewalk/slime-online-2` has the codec with all of these.
 *
 * ```ts
 * import { slimeMessages } from "wirewalk/slime-online-2/codec";
 * import { parseHex } from "wirewalk/wire";
 *
 * const codec = slimeMessages("v0106");
 * const body = parseHex("02 C0 01 A0 00");
 * codec.readBody("client", "movePlayer", body).value; // => { code: 2, direction: "rightPress", x: 448, y: 160 }
 * codec.writeBody("client", codec.readBody("client", "movePlayer", body)); // => body
 * ```
 *
 * @module
 */
import { type CompiledCodec, compiledCodecs } from "../compiled-codec.ts";
import type { SlimeMessages } from "./wire/codec.ts";
import type { SlimeDialect } from "./wire/dialect.ts";
import { documented, documentedLittleEndian, v0106 } from "./wire/generated/messages.ts";

const codecs = compiledCodecs<SlimeDialect>("slime-online-2", { documented, documentedLittleEndian, v0106 });

/** The codec of a dialect. Throws `RangeError` for an unknown one. */
export function slimeMessages<D extends SlimeDialect>(
  dialect: D,
): CompiledCodec<SlimeMessages[D]["client"], SlimeMessages[D]["server"]> {
  return codecs(dialect) as unknown as CompiledCodec<SlimeMessages[D]["client"], SlimeMessages[D]["server"]>;
}
