/**
 * Slime Online 2: keys on the wire, physics at both ends. Codec, channel, physics, rules, world and bots.
 *
 * ```ts
 * import { slimeOnline2 } from "wirewalk/slime-online-2";
 * import { parseHex } from "wirewalk/wire";
 *
 * const codec = slimeOnline2.codec("documented");
 * const press = codec.read("client", parseHex("00 08 02 C0 01 A0 00"));
 * press.value; // => { code: 2, direction: "rightPress", x: 448, y: 160 }
 * ```
 *
 * Source: the document "Movement Protocol" and its sheet.
 */

import type { Infer } from "../../wire/index.ts";
import { payloadLines } from "../lines.ts";
import type { Admission, Protocol, Refusal } from "../protocol.ts";
import { SlimeBot, slimeCheats } from "./bot.ts";
import { openSlimeChannel } from "./channel.ts";
import { type SlimeClientMessage, type SlimeServerMessage, slimeCodec } from "./codec.ts";
import { demoRooms } from "./demo-rooms.ts";
import { dialectRules, slimeDialects } from "./dialect.ts";
import type { loginResult } from "./messages.ts";
import { SlimeWorld } from "./world.ts";

export * from "./anti-cheat.ts";
export * from "./bot.ts";
export * from "./channel.ts";
export * from "./codec.ts";
export * from "./debouncer.ts";
export * from "./demo-rooms.ts";
export * from "./dialect.ts";
export * from "./direction.ts";
export * from "./geometry.ts";
export * from "./keys.ts";
export * from "./landing.ts";
export * from "./messages.ts";
export * from "./move-player.ts";
export * from "./movement-state.ts";
export * from "./physics.ts";
export * from "./position-delta.ts";
export * from "./rate-limit.ts";
export * from "./validation.ts";
export * from "./world.ts";

type LoginRefusal = Exclude<Infer<typeof loginResult>["result"], "success">;

/** The game has no word for a full server or a bad room: the nearest that its client shows. */
const refusals: Readonly<Record<Refusal, LoginRefusal>> = {
  "no-account": "noAccount",
  "wrong-password": "wrongPassword",
  "already-online": "alreadyOnline",
  "wrong-version": "wrongVersion",
  banned: "banned",
  full: "alreadyOnline",
  "bad-room": "noAccount",
};

const admission: Admission<SlimeClientMessage, SlimeServerMessage> = {
  credentials(message) {
    if (message.message !== "login") return undefined;
    // The original keeps both in lower case: a player who types capitals is the same player.
    const { user, password } = message.value;
    return { name: user.toLowerCase(), password: password.toLowerCase() };
  },
  refusal: (reason) => ({ message: "login", value: { result: refusals[reason] } }),
};

/** The game as everything else knows it. */
export const slimeOnline2: Protocol<SlimeClientMessage, SlimeServerMessage> = {
  name: "slime-online-2",
  title: "Slime Online 2",
  summary: "Key presses with positions, both directions; the client predicts, the server checks and relays.",
  dialects: slimeDialects.map(({ name, summary }) => ({ name, summary })),
  defaultDialect: "documented",
  defaultPort: 5555,
  codec: slimeCodec,
  openChannel: openSlimeChannel,
  admission: (dialect) => (dialectRules(dialect).neighbours ? admission : undefined),
  createWorld: (options) => new SlimeWorld(options),
  cheats: slimeCheats,
  botRooms: demoRooms.map(({ room }) => room),
  createBot: (options) => new SlimeBot(options),
  lines: {
    "": payloadLines({
      summary: "Payloads in hex: message type and body, without length prefix and cipher.",
      codec: slimeCodec,
      openChannel: openSlimeChannel,
    }),
  },
};
