/** The protocol of Slime Online 2. */
import type { Infer } from "../../wire/index.ts";
import type { PayloadCodec } from "../codec.ts";
import type { Admission } from "../login.ts";
import { payloadStream } from "../payload-stream.ts";
import type { PlayableProtocol } from "../protocol.ts";
import { limitInfos } from "../settings.ts";
import type { Refusal } from "../world.ts";
import { SlimeBot, slimeCheats } from "./bots/bot.ts";
import { slimeClaims } from "./claims.ts";
import { demoRooms } from "./maps/demo-rooms.ts";
import { slimeMapReading } from "./maps/slime-maps.ts";
import { slimePrivacy } from "./privacy.ts";
import { openShadowWorld } from "./shadow.ts";
import { openSlimeChannel, slimeFraming } from "./wire/channel.ts";
import { type SlimeClientMessage, type SlimeCodec, type SlimeServerMessage, slimeCodec } from "./wire/codec.ts";
import { dialectRules, type SlimeDialect, slimeDialects } from "./wire/dialect.ts";
import { type loginResult, MAX_TEXT_LENGTH } from "./wire/messages.ts";
import { slimeGlossary } from "./world/glossary.ts";
import { type SlimeLimits, slimeLimitTable, slimeRuleLimits } from "./world/limits.ts";
import { wireText } from "./world/player.ts";
import { slimeRenamed, slimeResponses, slimeRules } from "./world/rules.ts";
import { SlimeWorld } from "./world/world.ts";

type LoginRefusal = Exclude<Infer<typeof loginResult>["result"], "success">;

/**
 * The results of LOGIN. The game has none for a server that is full or cannot check accounts: each of its results says something of the
 * account, the password or the version that is not true then. So nothing is sent, and the connection ends.
 */
const refusals: Readonly<Record<Refusal, LoginRefusal | undefined>> = {
  "no-account": "noAccount",
  "wrong-password": "wrongPassword",
  "already-online": "alreadyOnline",
  "wrong-version": "wrongVersion",
  banned: "banned",
  full: undefined,
  "bad-room": "noAccount",
  unavailable: undefined,
};

const admission: Admission<SlimeClientMessage, SlimeServerMessage> = {
  credentials(message) {
    if (message.message !== "login") return undefined;
    // The original keeps both in lower case: a player who types capitals is the same player.
    const { user, password } = message.value;
    return { name: user.toLowerCase(), password: password.toLowerCase() };
  },
  refusal(reason) {
    const result = refusals[reason];
    return result === undefined ? undefined : { message: "login", value: { result } };
  },
};

/** Slime Online 2: the codec of a dialect that the compiler knows has that dialect's messages. */
export interface SlimeOnline2 extends Required<PlayableProtocol<SlimeClientMessage, SlimeServerMessage>> {
  codec<D extends SlimeDialect>(dialect: D): SlimeCodec<D>;
  codec(dialect: string): PayloadCodec<SlimeClientMessage, SlimeServerMessage>;
}

/** The game with other limits of its rules. Throws `RangeError` for an unknown setting or an invalid value. */
function createSlime(limits: Partial<SlimeLimits>): SlimeOnline2 {
  const values = slimeRuleLimits(limits);
  return {
    name: "slime-online-2",
    title: "Slime Online 2",
    summary: "Key presses with positions, both directions; the client predicts, the server checks and relays.",
    dialects: slimeDialects.map(({ name, source, summary }) => ({ name, source, summary })),
    defaultPort: 5555,
    codec: slimeCodec,
    openChannel: openSlimeChannel,
    createWorld: (options) =>
      options.shadow === true ? openShadowWorld({ limits, ...options }) : new SlimeWorld({ limits, ...options }),
    bots: {
      cheats: slimeCheats,
      rooms: demoRooms.map(({ room }) => room),
      create: (options) => new SlimeBot(options),
    },
    streams: {
      "": payloadStream({
        summary: "Payloads in hex: message type and body, without length prefix and cipher.",
        codec: ({ dialect }) => slimeCodec(dialect),
        openChannel: (side, { dialect }) =>
          side === "server"
            ? openSlimeChannel({ side, dialect, carrier: "stream" })
            : openSlimeChannel({ side, dialect, carrier: "stream" }),
      }),
    },
    capabilities: {
      maps: slimeMapReading,
      framing: () => slimeFraming,
      settings: { values: limitInfos(slimeLimitTable, values), configure: createSlime },
      claims: slimeClaims,
      privacy: slimePrivacy,
      rules: slimeRules,
      renamed: slimeRenamed,
      glossary: slimeGlossary,
      responses: slimeResponses,
      // A line of chat that appears above the player itself, and that nobody else is sent.
      warnings: {
        message: (dialect, player, text) =>
          dialectRules(dialect).movementOnly
            ? undefined
            : { message: "chat", value: { playerId: player, text: wireText(`[server] ${text}`, MAX_TEXT_LENGTH) } },
      },
      login: { admission: (dialect) => (dialectRules(dialect).movementOnly ? undefined : admission) },
    },
  };
}

/** The protocol of Slime Online 2. */
export const slimeOnline2: SlimeOnline2 = createSlime({});
