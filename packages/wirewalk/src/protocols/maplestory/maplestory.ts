/** The protocol. */
import type { PayloadCodec } from "../codec.ts";
import type { PlayableProtocol } from "../protocol.ts";
import { limitInfos, type SettingInfo } from "../settings.ts";
import { MapleBot } from "./bots/bot.ts";
import { mapleCheats } from "./bots/cheats.ts";
import { mapleMapCheats } from "./bots/map-cheats.ts";
import { mapleClaims } from "./claims.ts";
import { demoMapIds } from "./maps/demo-maps.ts";
import { mapReading } from "./maps/map-reading.ts";
import { maplePrivacy } from "./privacy.ts";
import { mapleRedirects } from "./redirects.ts";
import { openShadowWorld } from "./shadow.ts";
import { mapleStream } from "./stream.ts";
import { mapleTap } from "./tap.ts";
import { openMapleChannel, plainFraming } from "./wire/channel.ts";
import { type MapleClientMessage, type MapleCodec, type MapleServerMessage, mapleCodec } from "./wire/codec.ts";
import { dialectRules, type MapleDialect, mapleDialects } from "./wire/dialect.ts";
import { mapleGlossary } from "./world/glossary.ts";
import { mapleLimitTable } from "./world/limit-table.ts";
import { type MapleLimits, mapleRuleLimits } from "./world/limits.ts";
import { channelName, roomOnChannel } from "./world/room.ts";
import { mapleRenamed, mapleResponses, mapleRules } from "./world/rules.ts";
import { MapleWorld } from "./world/world.ts";

/** MapleStory: the codec of a dialect that the compiler knows has that dialect's messages. */
export interface MapleStory extends Required<PlayableProtocol<MapleClientMessage, MapleServerMessage>> {
  codec<D extends MapleDialect>(dialect: D): MapleCodec<D>;
  codec(dialect: string): PayloadCodec<MapleClientMessage, MapleServerMessage>;
}

/** Maps have at most nine digits. */
const MAX_MAP = 999_999_999;

/** The setting with its value: 0 leaves it to the world. */
function startMapInfo(value: number): SettingInfo {
  const summary = "map of players who ask for no room (0: 1 in the demo, 100000000 with --maps)";
  const bounds = { least: 0, most: MAX_MAP, isWhole: true } as const;
  return { summary, kind: "game", unit: "", default: value, ...bounds, source: "ours", rules: [] };
}

/** The game with other limits of its rules, and another starting map. Throws `RangeError` for an unknown setting or an invalid value. */
function createMaple({ startMap = 0, ...limits }: Partial<MapleLimits> & { readonly startMap?: number }): MapleStory {
  const values = mapleRuleLimits(limits);
  if (!Number.isInteger(startMap) || startMap < 0 || startMap > MAX_MAP) {
    throw new RangeError(`maplestory.startMap must be a whole number from 0 to ${MAX_MAP}, got ${startMap}`);
  }
  const own = { limits, ...(startMap === 0 ? {} : { startMap }) };
  return {
    name: "maplestory",
    title: "MapleStory",
    summary:
      "Half seconds of movement fragments; the server checks, relays byte for byte, and lets clients drive monsters.",
    dialects: mapleDialects.map(({ name, source, summary }) => ({ name, source, summary })),
    defaultPort: 7575,
    codec: mapleCodec,
    openChannel: openMapleChannel,
    createWorld: (options) =>
      options.shadow === true ? openShadowWorld({ ...own, ...options }) : new MapleWorld({ ...own, ...options }),
    bots: {
      cheats: mapleCheats,
      mapCheats: mapleMapCheats,
      rooms: demoMapIds,
      create: (options) => new MapleBot(options),
    },
    streams: { "": mapleStream },
    // No login: it is done on another server, PLAYER_LOGGEDIN names a character and has no password.
    capabilities: {
      settings: {
        values: { startMap: startMapInfo(startMap), ...limitInfos(mapleLimitTable, values) },
        configure: createMaple,
      },
      // Frames of a ciphered dialect have their length within the header that the cipher makes.
      framing: (dialect) => (dialectRules(dialect).ciphered === undefined ? plainFraming : undefined),
      tap: mapleTap,
      redirects: mapleRedirects,
      claims: mapleClaims,
      privacy: maplePrivacy,
      rules: mapleRules,
      glossary: mapleGlossary,
      responses: mapleResponses,
      renamed: mapleRenamed,
      maps: mapReading,
      channels: {
        roomOf: channelName,
        sameRoom: roomOnChannel,
        isEntry: ({ message }) => message === "playerLoggedIn",
      },
    },
  };
}

/** The protocol. */
export const mapleStory: MapleStory = createMaple({});
