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
export { MapleBot } from "./bots/bot.ts";
export { mapleStory } from "./maplestory.ts";
export { stateOf } from "./movement/walker.ts";
export { defaultHello as defaultMapleHello, hello as mapleHello, openMapleChannel } from "./wire/channel.ts";
export {
  layouts as mapleLayouts,
  type MapleClientMessage,
  type MapleServerMessage,
  mapleCodec,
  pathBytesOf,
  type V62MovePlayer,
} from "./wire/codec.ts";
export {
  type DialectRules as MapleDialectRules,
  dialectRules as mapleDialectRules,
  type MapleDialect,
  mapleDialects,
} from "./wire/dialect.ts";
export { Fragment, type FragmentFields, type FragmentKind, stances } from "./wire/fragment.ts";
export { encodePath, readFragments, writeFragments } from "./wire/fragment-io.ts";
export { FragmentRows } from "./wire/fragment-rows.ts";
export { v62Fragments } from "./wire/fragment-table.ts";
export { type Path, type Point, plainPlayer } from "./wire/messages.ts";
export { PacketCipher } from "./wire/packet-cipher.ts";
export { keyBits } from "./wire/path-blocks.ts";
export { DurationBudget } from "./world/duration-budget.ts";
export type { ShownMonster, ShownPath } from "./world/observations.ts";
export { parseRoom } from "./world/room.ts";
export { type MapleRule, mapleRules } from "./world/rules.ts";
export { verifyPath, verifyPattern } from "./world/verification.ts";
export { MapleWorld } from "./world/world.ts";
export type { MapleWorldOptions } from "./world/world-options.ts";
