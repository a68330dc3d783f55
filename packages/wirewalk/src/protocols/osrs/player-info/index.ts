/**
 * Player info, server to client: the players around an observer and their movements, in up to 40,000 bytes each tick. Engine,
 * decoder, masks, playback, lines and a world.
 *
 * ```ts
 * const engine = new PlayerInfoEngine({ dialect: "client", revision: revision206 });
 * const decoder = new PlayerInfoDecoder({ dialect: "client", revision: revision206 });
 * engine.add(499, { level: 0, x: 3200, z: 3220 });
 * decoder.init(engine.observe(499), 499);
 * engine.move(499, 3202, 3222);
 * engine.tick();
 * decoder.decode(engine.packet(499)).moves[0].type; // => "run"
 * ```
 *
 * Source: docs/protocols/osrs-player-info.md.
 */
export { DEMO_ORIGIN, DEMO_TILES, DemoMap } from "./movement/demo-map.ts";
export { PlayerInfoPlayback } from "./movement/playback.ts";
export { PlayerInfoClient } from "./wire/client.ts";
export type { PlayerInfoState } from "./wire/client-state.ts";
export {
  MAX_PACKET_BYTES as MAX_PLAYER_INFO_BYTES,
  MAX_PLAYER_INDEX,
  PLAYER_SLOTS,
  UNITS_PER_TILE,
  type WorldTile,
} from "./wire/constants.ts";
export { PlayerInfoDecoder, type PlayerInfoDecoderOptions } from "./wire/decoder.ts";
export { type PlayerInfoDialect, playerInfoDialects } from "./wire/dialect.ts";
export { PlayerInfoEngine, type PlayerInfoEngineOptions, VIEW_DISTANCE } from "./wire/engine/engine.ts";
export { INIT_BYTES } from "./wire/initial-packet.ts";
export { type Appearance, appearanceFormOf, readAppearance } from "./wire/masks/appearance.ts";
export {
  type MaskBlock,
  type MaskFields,
  type MaskRevision,
  noMasks,
} from "./wire/masks/mask-revision.ts";
export { namedRevisions } from "./wire/masks/named-revisions.ts";
export { maskRevisionJson, parseMaskRevision } from "./wire/masks/parse-mask-revision.ts";
export { revision206 } from "./wire/masks/revision-206.ts";
export { type PlayerInfoServerMessage, playerInfoLayouts } from "./wire/message.ts";
export { PlayerInfoError } from "./wire/player-info-error.ts";
export type { PlayerInfoUpdate, PlayerMove } from "./wire/player-info-update.ts";
export { PlayerInfoWorld, type PlayerInfoWorldOptions } from "./world/world.ts";
