/**
 * Slime Online 2: keys on the wire, physics at both ends. Codec, channel, physics, rules, world and bots.
 *
 * ```ts
 * import { slimeOnline2 } from "wirewalk/slime-online-2";
 * import { parseHex } from "wirewalk/wire";
 *
 * const codec = slimeOnline2.codec("documented");
 * const press = codec.read("client", parseHex("00 08 02 C0 01 A0 00"));
 * press.value; // => { code: 2, direction: "rightPress", x: 448, y: 160 }
 * ```
 *
 * Source: docs/protocols/slime-online-2.md.
 */
export { SlimeBot, type SlimeBotOptions } from "./bots/bot.ts";
export { slimeOnline2 } from "./slime-online-2.ts";
export { openSlimeChannel } from "./wire/channel.ts";
export { type SlimeClientMessage, type SlimeServerMessage, slimeCodec, slimeLayouts } from "./wire/codec.ts";
export {
  type DialectRules as SlimeDialectRules,
  dialectRules as slimeDialectRules,
  type SlimeDialect,
  slimeDialects,
} from "./wire/dialect.ts";
export { type Direction, directions, type Key } from "./wire/direction.ts";
export { type MovePlayer, moveMessage, movePlayer } from "./wire/move-player.ts";
export { applyPositionDelta, encodePositionDelta, type PositionDelta } from "./wire/position-delta.ts";
export { type SlimeRule, slimeRules } from "./world/rules.ts";
export { SlimeWorld, type SlimeWorldOptions } from "./world/world.ts";
