/**
 * MapleStory: paths of fragments in both directions, played back as ghosts half a second late. Codec, carrier,
 * recorder, verification, world, monster control, playback and bots.
 *
 * ```ts
 * const codec = mapleStory.codec("v62");
 * codec.read("client", parseHex(captured)).value; // { fieldKey: 1, start: { x: 108, y: 31 }, fragments: [...], ... }
 * ```
 *
 * Source: the document "Movement packets" of the MapleStory reference wiki and its sheet.
 */

import type { Protocol } from "../protocol.ts";
import { MapleBot, mapleCheats } from "./bot.ts";
import { openMapleChannel } from "./channel.ts";
import { type MapleClientMessage, type MapleServerMessage, mapleCodec } from "./codec.ts";
import { demoMaps } from "./demo-maps.ts";
import { mapleDialects } from "./dialect.ts";
import { mapleLines } from "./lines.ts";
import { MapleWorld } from "./world.ts";

export * from "./aes.ts";
export * from "./bot.ts";
export * from "./channel.ts";
export * from "./character.ts";
export * from "./cipher.ts";
export * from "./codec.ts";
export * from "./demo-maps.ts";
export * from "./dialect.ts";
export * from "./document-recorder.ts";
export * from "./fragment.ts";
export * from "./fragment-io.ts";
export * from "./fragment-rows.ts";
export * from "./map.ts";
export * from "./messages.ts";
export * from "./monster-driver.ts";
export * from "./monsters.ts";
export * from "./native-playback.ts";
export * from "./nodes.ts";
export * from "./recorder.ts";
export * from "./rules.ts";
export * from "./verification.ts";
export * from "./walker.ts";
export * from "./world.ts";

/** The game as everything else knows it. */
export const mapleStory: Protocol<MapleClientMessage, MapleServerMessage> = {
  name: "maplestory",
  title: "MapleStory",
  summary:
    "Half seconds of movement fragments; the server checks, relays byte for byte, and lets clients drive monsters.",
  dialects: mapleDialects.map(({ name, summary }) => ({ name, summary })),
  defaultDialect: "v62",
  defaultPort: 7575,
  codec: mapleCodec,
  openChannel: openMapleChannel,
  // The login is done elsewhere: PLAYER_LOGGEDIN names a character and has no password.
  admission: () => undefined,
  createWorld: (options) => new MapleWorld(options),
  cheats: mapleCheats,
  botRooms: demoMaps.map(({ mapId }) => mapId),
  createBot: (options) => new MapleBot(options),
  lines: { "": mapleLines },
};
