/**
 * MapleStory: paths of fragments in both directions, played back as ghosts half a second late. Codec, carrier,
 * recorder, verification, world, monster control, playback and bots.
 *
 * ```ts
 * const codec = mapleStory.codec("v62");
 * codec.read("client", parseHex(captured)).value; // { fieldKey: 1, start: { x: 108, y: 31 }, fragments: [...], ... }
 * ```
 *
 * Source: docs/protocols/maplestory.md.
 */

export * from "./bots/bot.ts";
export * from "./maplestory.ts";
export * from "./movement/character.ts";
export * from "./movement/demo-maps.ts";
export * from "./movement/document-recorder.ts";
export * from "./movement/map.ts";
export * from "./movement/monster-driver.ts";
export * from "./movement/native-playback.ts";
export * from "./movement/nodes.ts";
export * from "./movement/playback.ts";
export * from "./movement/playback-queue.ts";
export * from "./movement/recorder.ts";
export * from "./movement/verification-pattern.ts";
export * from "./movement/walker.ts";
export * from "./wire/aes.ts";
export * from "./wire/channel.ts";
export * from "./wire/cipher.ts";
export * from "./wire/codec.ts";
export * from "./wire/dialect.ts";
export * from "./wire/fragment.ts";
export * from "./wire/fragment-io.ts";
export * from "./wire/fragment-rows.ts";
export * from "./wire/fragment-table.ts";
export * from "./wire/messages.ts";
export { keyBits } from "./wire/path-blocks.ts";
export * from "./world/duration-budget.ts";
export * from "./world/duration-budget.ts";
export * from "./world/monsters.ts";
export type { ShownMonster, ShownPath } from "./world/observations.ts";
export type { MapleWorldOptions } from "./world/parts.ts";
export { type Finding, judgePath } from "./world/player-judging.ts";
export { parseRoom, roomName } from "./world/room.ts";
export * from "./world/rules.ts";
export * from "./world/verification.ts";
export * from "./world/world.ts";
