/**
 * The messages of Slime Online 2 as values, in the three dialects.
 *
 * `documented` and `documentedLittleEndian` have one message, MOVE_PLAYER (standard 4.1, 4.2). `v0106`
 * has more (standard 4.3); widths that the server's messages leave open (weekday, hour and minute one byte each,
 * outfits, accessories and items two) are those of the original server's scripts, as its preservers list them.
 *
 * ```ts
 * import { decode, parseHex } from "wirewalk/wire";
 *
 * decode(warpNotice, parseHex("05 00 02")); // => { playerId: 5, kind: "left" }
 * ```
 */
import {
  array,
  boolean,
  byLength,
  constant,
  cstring,
  oneOf,
  struct,
  u8,
  u16le,
  u32le,
  variant,
} from "../../../wire/index.ts";

/** The longest payload that is believed; the original server's limit (standard 2.1). */
export const MAX_PAYLOAD_BYTES = 8192;
/** Characters of a name, password, version or address: the original stops at 10, its rename tool at 24. */
export const MAX_NAME_LENGTH = 64;
/** Characters of a line of chat or a message of the day; the client's box holds 100. */
export const MAX_TEXT_LENGTH = 1024;

const name = cstring({ limit: MAX_NAME_LENGTH });
const text = cstring({ limit: MAX_TEXT_LENGTH });

/** A byte that is 0 or 1; any other is refused. */
const bool = boolean(u8);

/** What others see of a player. */
const appearance = { name, body: u16le, accessory1: u16le, accessory2: u16le };

/** The five key flags: the only way for a newcomer to learn which keys are held. */
const keyFlags = { left: bool, right: bool, up: bool, down: bool, upPress: bool };

/** LOGIN (10), client: the account's name and password. Both are compared without case. */
export const login = struct({ version: name, user: name, password: name, mac: name });

/** LOGIN (10), server: the account's state, or the reason of a refusal. */
export const loginResult = variant(
  "result",
  oneOf(u8, {
    success: 1,
    noAccount: 2,
    wrongPassword: 3,
    alreadyOnline: 4,
    wrongVersion: 5,
    banned: 6,
    addressBanned: 7,
    macBanned: 8,
  }),
  {
    success: struct({
      playerId: u16le,
      time: u32le,
      motd: text,
      day: u8,
      hour: u8,
      minute: u8,
      name,
      x: u16le,
      y: u16le,
      room: u16le,
      body: u16le,
      accessory1: u16le,
      accessory2: u16le,
      points: u32le,
      signature: u8,
      quest: u16le,
      questStep: u8,
      trees: u16le,
      built: u16le,
      emotes: array(u8, { count: 5 }),
      outfits: array(u16le, { count: 9 }),
      accessories: array(u16le, { count: 9 }),
      items: array(u16le, { count: 9 }),
      tools: array(u8, { count: 9 }),
    }),
    noAccount: struct({}),
    wrongPassword: struct({}),
    alreadyOnline: struct({}),
    wrongVersion: struct({}),
    banned: struct({}),
    addressBanned: struct({}),
    macBanned: struct({}),
  },
);

/** NEW_PLAYER (1), server: a player has come online (`announce`, to be answered), or was online before (`present`). */
export const newPlayer = variant("kind", oneOf(u8, { announce: 1, present: 2 }), {
  announce: struct({ x: u16le, y: u16le, playerId: u16le, room: u16le, ...appearance }),
  present: struct({ x: u16le, y: u16le, playerId: u16le, ...keyFlags, room: u16le, ...appearance }),
});

/** NEW_PLAYER (1), client: the answer to an `announce`: the sender's position, for the player of that id. */
export const newPlayerAnswer = struct({ playerId: u16le, x: u16le, y: u16le });

/** WARP (14), client: the player went through a door. */
export const warp = struct({ room: u16le, x: u16le, y: u16le });

/**
 * WARP (14), server: a player `arrived` in the room or `left` it, or a `command` to go elsewhere. QUIRK: only their
 * lengths distinguish them: a command has 6 bytes, the others have 3 and 7.
 */
export const warpNotice = byLength([
  { bytes: 3, layout: struct({ playerId: u16le, kind: oneOf(u8, { left: 2 }) }), when: { kind: ["left"] } },
  {
    bytes: 6,
    layout: struct({ kind: constant("command"), x: u16le, y: u16le, room: u16le }),
    when: { kind: ["command"] },
  },
  {
    layout: struct({ playerId: u16le, kind: oneOf(u8, { arrived: 1 }), x: u16le, y: u16le }),
    when: { kind: ["arrived"] },
  },
]);

/** POSITION (15), server: a player's position and held keys, which replace what the client knew. */
export const position = struct({
  kind: oneOf(u8, { correction: 2 }),
  playerId: u16le,
  x: u16le,
  y: u16le,
  ...keyFlags,
});

/** PLAYER_STOP (43), client: the player stands here with all keys up. */
export const playerStop = struct({ x: u16le, y: u16le });
/** PLAYER_STOP (43), server. */
export const playerStopNotice = struct({ playerId: u16le, x: u16le, y: u16le });

/** CHAT (17), client. */
export const chat = struct({ text });
/** CHAT (17), server: to the sender too. */
export const chatNotice = struct({ playerId: u16le, text });

/** LOGOUT (6), server: sent to all players. */
export const logoutNotice = struct({ playerId: u16le });

/** A message without fields: PING (9) both ways, LOGOUT (6) of a client. */
export const empty = struct({});
