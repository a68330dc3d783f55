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
import type { ChannelOptions, Protocol } from "../protocol.ts";
import { ScrapBot, scrapCheats } from "./bot.ts";
import { openScrapChannel } from "./channel.ts";
import { type ScrapClientMessage, type ScrapServerMessage, scrapCodec } from "./codec.ts";
import { checkScrapDialect, type ScrapCodecOptions, scrapDialects } from "./dialect.ts";
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

const COUNT_BYTE = "countByte";

/** The game with other settings. Throws `RangeError` for one that there is none of, or a value that is none. */
function createScrap(given: Readonly<Record<string, number>>): Protocol<ScrapClientMessage, ScrapServerMessage> {
  for (const [name, value] of Object.entries(given)) {
    if (name !== COUNT_BYTE) throw new RangeError(`scrap-mechanic has no setting ${name}`);
    if (value !== 0 && value !== 1) throw new RangeError(`scrap-mechanic.${name} must be 0 or 1, got ${value}`);
  }
  const { [COUNT_BYTE]: count = 1 } = given;
  const options: ScrapCodecOptions = { countByte: count === 1 };
  const summary = "0x18 has a count before its updates: 1, or 0 as in the server that moved real clients";
  return {
    name: "scrap-mechanic",
    title: "Scrap Mechanic",
    summary: "Keys and look 40 times a second, no position: the server moves everybody, the client predicts.",
    dialects: scrapDialects,
    defaultDialect: "documented",
    defaultPort: 38_799,
    codec: (dialect) => scrapCodec(dialect, options),
    openChannel: (channel: ChannelOptions) => openScrapChannel(channel, options),
    // `hello` names nobody: whoever says it plays.
    admission(dialect) {
      checkScrapDialect(dialect);
      return undefined;
    },
    createWorld: (world) => new ScrapWorld(world),
    settings: { [COUNT_BYTE]: { summary, default: count } },
    configure: createScrap,
    cheats: scrapCheats,
    createBot: (bot) => new ScrapBot(bot),
    lines: { "": scrapLines },
  };
}

/** The game as everything else knows it. */
export const scrapMechanic: Protocol<ScrapClientMessage, ScrapServerMessage> = createScrap({});
