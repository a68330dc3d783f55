/** All targets. Each loads what it fuzzes itself, so that only that is instrumented. */
import type { Target } from "./target.ts";
import { appearances } from "./targets/appearances.ts";
import { captureFiles, tcpSegments } from "./targets/captures.ts";
import { channelTarget } from "./targets/channels.ts";
import { codecTarget } from "./targets/codecs.ts";
import { addresses, proxyHeader, websocketFrames } from "./targets/connections.ts";
import { delivery } from "./targets/delivery.ts";
import { descriptions } from "./targets/descriptions.ts";
import { feedRequests, trackSnapshots } from "./targets/feed.ts";
import { handWritten } from "./targets/hand-written.ts";
import { lines } from "./targets/inspect-lines.ts";
import { lz4 } from "./targets/lz4.ts";
import { nxFiles, wzFiles } from "./targets/map-archives.ts";
import { mapleCharacters } from "./targets/maple-characters.ts";
import { mapleMapsXml } from "./targets/maple-maps-xml.ts";
import { mapleRedirects } from "./targets/maple-redirects.ts";
import { revisions } from "./targets/mask-revisions.ts";
import { messages } from "./targets/messages.ts";
import { osrsCiphers } from "./targets/osrs-ciphers.ts";
import { osrsCollisionMaps } from "./targets/osrs-collision-maps.ts";
import { osrsLogins, osrsTaps } from "./targets/osrs-logins.ts";
import { osrsTableDocuments, osrsTableFrames, osrsTableMessages } from "./targets/osrs-tables.ts";
import { playerInfo, playerInfoEngines, playerInfoStates } from "./targets/player-info.ts";
import { readers } from "./targets/readers.ts";
import { resuming } from "./targets/resuming.ts";
import { rsproxFiles } from "./targets/rsprox.ts";
import { scrapGrids } from "./targets/scrap-grids.ts";
import { mapleSharkFiles, textLogs } from "./targets/sessions.ts";
import { shadowedWorlds } from "./targets/shadowed-worlds.ts";
import { slimeRooms } from "./targets/slime-rooms.ts";
import { databaseFiles, storeRecords } from "./targets/stores.ts";
import { webRequests } from "./targets/web-requests.ts";
import { worldTarget } from "./targets/worlds.ts";
import { zipArchives } from "./targets/zip-files.ts";

const codecs: readonly [protocol: string, dialect: string][] = [
  ["slime-online-2", "v0106"],
  ["slime-online-2", "documented"],
  ["slime-online-2", "documentedLittleEndian"],
  ["maplestory", "v62"],
  ["maplestory", "v83"],
  ["maplestory", "v95"],
  ["maplestory", "documented"],
  ["scrap-mechanic", "documented"],
  ["osrs", "client"],
  ["osrs", "native"],
  ["osrs", "documented"],
];

const streams: readonly [protocol: string, dialect: string][] = [
  ["slime-online-2", "v0106"],
  ["maplestory", "v62"],
  ["scrap-mechanic", "documented"],
  ["osrs", "client"],
];

const worlds: readonly [protocol: string, dialect: string][] = [
  ["slime-online-2", "v0106"],
  ["slime-online-2", "documented"],
  ["maplestory", "v62"],
  ["scrap-mechanic", "documented"],
];

export const targets: readonly Target[] = [
  ...codecs.map(([protocol, dialect]) => codecTarget(protocol, dialect)),
  playerInfo,
  playerInfoEngines,
  playerInfoStates,
  ...streams.map(([protocol, dialect]) => channelTarget(protocol, dialect)),
  osrsCiphers,
  osrsTableFrames,
  osrsTableMessages,
  osrsTableDocuments,
  osrsLogins,
  osrsTaps,
  osrsCollisionMaps,
  scrapGrids,
  appearances,
  resuming,
  ...worlds.map(([protocol, dialect]) => worldTarget(protocol, dialect)),
  mapleCharacters,
  mapleRedirects,
  nxFiles,
  wzFiles,
  mapleMapsXml,
  zipArchives,
  shadowedWorlds,
  slimeRooms,
  messages,
  descriptions,
  handWritten,
  readers,
  lz4,
  lines,
  revisions,
  websocketFrames,
  proxyHeader,
  addresses,
  webRequests,
  delivery,
  trackSnapshots,
  feedRequests,
  storeRecords,
  databaseFiles,
  captureFiles,
  mapleSharkFiles,
  textLogs,
  tcpSegments,
  rsproxFiles,
];
