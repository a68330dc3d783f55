/**
 * Old School RuneScape in two parts. Mouse movement, client to server: recorder, tracker, kinematics. Player info, server to
 * client: engine and decoder of the packets that show a client the players around it. And codec, frames, world and bots of
 * both.
 *
 * A payload is `opcode, body`. In a stream the body's size stands between them, unless the opcode has a fixed size. Opcodes and sizes
 * of the game are those of a revision (`revisionTable`); without one they are ours. The login of the real game is not covered: it is
 * not movement. A tap passes over it.
 *
 * ```ts
 * import { osrs } from "wirewalk/osrs";
 *
 * const codec = osrs.codec("client");
 * const packet = codec.read("client", new Uint8Array([34, 0, 0, 0x58, 0x60]));
 * packet.value.records.length; // => 1
 * codec.write("client", packet); // => new Uint8Array([34, 0, 0, 0x58, 0x60])
 * codec.write("server", { message: "playerIndex", value: { index: 499 } }); // => new Uint8Array([1, 1, 0xf3])
 * ```
 *
 * Sources: docs/protocols/osrs-mouse.md and docs/protocols/osrs-player-info.md.
 *
 * @module
 */
export { OsrsBot } from "./bots/bot.ts";
export {
  defaultOpcodes,
  type OsrsDialect,
  openOsrsChannel,
  osrs,
  osrsCodec,
  osrsDialects,
  osrsLayouts,
} from "./osrs.ts";
export { type BodySize, type BodySizes, frameOsrs, OsrsDeframer } from "./wire/framing.ts";
export type { OsrsOpcodes } from "./wire/game-messages.ts";
export type { OsrsClientMessage, OsrsServerMessage, UndescribedMessage } from "./wire/message.ts";
export { parseRevisionTable } from "./wire/tables/parse-table.ts";
export { revisionTable, tableRevisions } from "./wire/tables/revision-table.ts";
export { type OsrsRule, osrsRules } from "./world/rules.ts";
export { OsrsWorld } from "./world/world.ts";
