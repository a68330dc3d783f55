/**
 * Scrap Mechanic: keys and look on the wire, no position. The server integrates, the client predicts.
 *
 * ```ts
 * import { scrapMechanic } from "wirewalk/scrap-mechanic";
 * import { parseHex } from "wirewalk/wire";
 *
 * scrapMechanic.codec("documented").read("client", parseHex("1e80 0000303a0d404040")).value.keys.sprint; // => true
 * ```
 *
 * Source: docs/protocols/scrap-mechanic.md.
 */
export { ScrapBot, type ScrapBotOptions } from "./bots/bot.ts";
export type { MovementKey } from "./movement/sampler.ts";
export { scrapMechanic } from "./scrap-mechanic.ts";
export { angleTurns, LEVEL_PITCH, MAX_PITCH } from "./wire/angle.ts";
export { openScrapChannel } from "./wire/channel.ts";
export { type ScrapClientMessage, type ScrapServerMessage, scrapCodec, scrapLayouts } from "./wire/codec.ts";
export { checkScrapDialect, type ScrapCodecOptions, type ScrapDialect, scrapDialects } from "./wire/dialect.ts";
export {
  decodePlayerMovement,
  encodeMovementBody,
  encodePlayerMovement,
  encodePlayerMovementInto,
  keySets,
  keysByte,
  type MovementKeys,
  PLAYER_MOVEMENT_ID,
  type PlayerMovement,
} from "./wire/player-movement.ts";
export { type Playing, SESSION_VERSION } from "./wire/session.ts";
export {
  type CharacterUpdate,
  decodeUpdateBody,
  encodeUpdateBody,
  type ObjectUpdate,
  type TumblingUpdate,
  UNRELIABLE_UPDATE_ID,
  type UnreliableUpdate,
  type Vector3,
} from "./wire/unreliable-update.ts";
export { ConsistencyCheck } from "./world/consistency.ts";
export { type ScrapRule, scrapRules } from "./world/rules.ts";
export { ScrapWorld, type ScrapWorldOptions } from "./world/world.ts";
