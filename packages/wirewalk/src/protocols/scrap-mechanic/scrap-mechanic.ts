/** The game as everything else knows it. */
import type { ChannelOptions, PayloadCodec } from "../codec.ts";
import type { PlayableProtocol } from "../protocol.ts";
import { limitInfos, type SettingInfo } from "../settings.ts";
import { ScrapBot, scrapCheats } from "./bots/bot.ts";
import { scrapClaims } from "./claims.ts";
import { gridReading } from "./maps/grid-maps.ts";
import type { MovementModelName } from "./movement/model.ts";
import type { PlaceName } from "./movement/place.ts";
import { scrapPrivacy } from "./privacy.ts";
import { scrapStream } from "./stream.ts";
import { openScrapChannel, scrapFraming } from "./wire/channel.ts";
import { type ScrapClientMessage, type ScrapServerMessage, scrapCodec } from "./wire/codec.ts";
import { type ScrapCodecOptions, scrapDialects } from "./wire/dialect.ts";
import { scrapGlossary } from "./world/glossary.ts";
import { scrapLimits, scrapLimitTable } from "./world/limits.ts";
import { scrapResponses, scrapRules } from "./world/rules.ts";
import { ScrapWorld } from "./world/world.ts";

const COUNT_BYTE = "countByte";
const MODEL = "model";
const PLACE = "place";
/** By the number of the setting. */
const modelNames: readonly MovementModelName[] = ["smServer", "documented"];

const placeNames: readonly PlaceName[] = ["yard", "plain"];

function choice(summary: string, value: number, source: string): SettingInfo {
  return { summary, kind: "game", unit: "", default: value, least: 0, most: 1, isWhole: true, source, rules: [] };
}

/** The game with other settings. Throws `RangeError` for an unknown setting or an invalid value. */
function createScrap(
  given: Readonly<Record<string, number>>,
): Required<PlayableProtocol<ScrapClientMessage, ScrapServerMessage>> {
  const { [COUNT_BYTE]: count = 1, [MODEL]: modelNumber = 0, [PLACE]: placeNumber = 0, ...givenLimits } = given;
  for (const [name, value] of Object.entries({ [COUNT_BYTE]: count, [MODEL]: modelNumber, [PLACE]: placeNumber })) {
    if (value !== 0 && value !== 1) throw new RangeError(`scrap-mechanic.${name} must be 0 or 1, got ${value}`);
  }
  const limits = scrapLimits(givenLimits);
  const model = modelNames[modelNumber] as MovementModelName;
  const place = placeNames[placeNumber] as PlaceName;
  const options: ScrapCodecOptions = { countByte: count === 1 };
  const summary = "0x18 has a count before its updates: 1, or 0 as in the server that moved real clients";
  return {
    name: "scrap-mechanic",
    title: "Scrap Mechanic",
    summary:
      "Keys and view direction 40 times a second, no position: the server moves all characters, the client predicts.",
    dialects: scrapDialects,
    defaultPort: 38_799,
    codec: (dialect) => scrapCodec(dialect, options),
    openChannel: (channel: ChannelOptions) => openScrapChannel(channel, options),
    createWorld: (world) => new ScrapWorld({ model, place, limits, ...world }),
    bots: { cheats: scrapCheats, create: (bot) => new ScrapBot({ model, place, ...bot }) },
    streams: { "": scrapStream },
    // No login: `hello` has no name, and a session plays at once.
    capabilities: {
      maps: gridReading,
      framing: () => scrapFraming,
      claims: scrapClaims,
      privacy: scrapPrivacy((dialect) => scrapCodec(dialect, options) as PayloadCodec),
      rules: scrapRules,
      glossary: scrapGlossary,
      responses: scrapResponses,
      // Ticks wait for their turn.
      judgesWhenPlayed: true,
      settings: {
        values: {
          [COUNT_BYTE]: choice(summary, count, "standard 4.1"),
          [MODEL]: choice(
            "how velocity is blended: 0 smServer, as the server does that moved real clients; 1 documented, in the world",
            modelNumber,
            "standard 7.3",
          ),
          [PLACE]: choice(
            "the place: 0 yard, with a ramp, a cliff, a low tunnel and seats; 1 plain, flat ground",
            placeNumber,
            "ours",
          ),
          ...limitInfos(scrapLimitTable, limits),
        },
        configure: createScrap,
      },
    },
  };
}

/** The game as everything else knows it. */
export const scrapMechanic: Required<PlayableProtocol<ScrapClientMessage, ScrapServerMessage>> = createScrap({});
