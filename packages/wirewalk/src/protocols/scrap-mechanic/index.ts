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
 * Source: the document "Player Movement" and its sheet.
 */
import type { Protocol } from "../protocol.ts";
import { ScrapBot, scrapCheats } from "./bot.ts";
import { openScrapChannel } from "./channel.ts";
import { type ScrapClientMessage, type ScrapServerMessage, scrapCodec } from "./codec.ts";
import { checkScrapDialect, scrapDialects } from "./dialect.ts";
import { scrapLines } from "./lines.ts";
import { ScrapWorld } from "./world.ts";

export * from "./angle.ts";
export * from "./bot.ts";
export * from "./channel.ts";
export * from "./codec.ts";
export * from "./consistency.ts";
export * from "./dialect.ts";
export * from "./input-buffer.ts";
export * from "./lines.ts";
export * from "./model.ts";
export * from "./player-movement.ts";
export * from "./predictor.ts";
export * from "./sampler.ts";
export * from "./session.ts";
export * from "./unreliable-update.ts";
export * from "./world.ts";

/** The game as everything else knows it. */
export const scrapMechanic: Protocol<ScrapClientMessage, ScrapServerMessage> = {
  name: "scrap-mechanic",
  title: "Scrap Mechanic",
  summary: "Keys and look 40 times a second, no position: the server moves everybody, the client predicts.",
  dialects: scrapDialects,
  defaultDialect: "documented",
  defaultPort: 38_799,
  codec: (dialect) => scrapCodec(dialect),
  openChannel: openScrapChannel,
  // `hello` names nobody: whoever says it plays.
  admission(dialect) {
    checkScrapDialect(dialect);
    return undefined;
  },
  createWorld: (options) => new ScrapWorld(options),
  cheats: scrapCheats,
  createBot: (options) => new ScrapBot(options),
  lines: { "": scrapLines },
};
