/**
 * Player info, server to client: who is around an observer and how they moved, in up to 40,000 bytes each tick. Engine,
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

export * from "./movement/demo-map.ts";
export * from "./movement/playback.ts";
export * from "./wire/client.ts";
export type { PlayerInfoState } from "./wire/client-state.ts";
export {
  MAX_PACKET_BYTES,
  MAX_PLAYER_INDEX,
  middleOf,
  PLAYER_SLOTS,
  SCENE_TILES,
  TICK_MS,
  UNITS_PER_TILE,
  WORLD_TILES,
  type WorldTile,
} from "./wire/constants.ts";
export * from "./wire/decoder.ts";
export * from "./wire/dialect.ts";
export {
  PlayerInfoEngine,
  type PlayerInfoEngineOptions,
  PREFERRED_LOCALS,
  VIEW_DISTANCE,
} from "./wire/engine/engine.ts";
export type { Standing } from "./wire/engine/observer-views.ts";
export type { SavedEngine } from "./wire/engine/saved-engine.ts";
export { INIT_BYTES } from "./wire/initial-packet.ts";
export { blockLayout, maxBlockBytes } from "./wire/masks/block-layout.ts";
export * from "./wire/masks/mask-revision.ts";
export * from "./wire/masks/named-revisions.ts";
export * from "./wire/masks/parse-mask-revision.ts";
export * from "./wire/masks/revision-206.ts";
export * from "./wire/message.ts";
export * from "./wire/player-info-error.ts";
export { PLAYER_INFO_ROOM } from "./world/observations.ts";
export * from "./world/world.ts";
