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
  type Layout,
  oneOf,
  struct,
  u8,
  u16le,
  u32le,
  variant,
  withMeaning,
} from "../../../wire/index.ts";

/** The longest payload that is believed; the original server's limit (standard 2.1). */
export const MAX_PAYLOAD_BYTES = 8192;
/** Characters of a name, password, version or address: the original stops at 10, its rename tool at 24. */
export const MAX_NAME_LENGTH = 64;
/** Characters of a line of chat or a message of the day; the client's box holds 100. */
export const MAX_TEXT_LENGTH = 1024;

const name = withMeaning(cstring({ limit: MAX_NAME_LENGTH }), { doc: "the name that others see" });
const text = withMeaning(cstring({ limit: MAX_TEXT_LENGTH }), { doc: "what is said" });
const credential = (doc: string): Layout<string> => withMeaning(cstring({ limit: MAX_NAME_LENGTH }), { doc });

/** A byte that is 0 or 1; any other is refused. */
const held = (doc: string): Layout<boolean> => withMeaning(boolean(u8), { doc });

const playerId = withMeaning(u16le, { doc: "the player that it is about: the server's number of the session" });
/** A place in a room. */
const x = withMeaning(u16le, { doc: "from the left edge of the room", unit: "px" });
const y = withMeaning(u16le, { doc: "from the top edge of the room, downwards", unit: "px" });
const room = withMeaning(u16le, { doc: "the number of the room" });

const body = withMeaning(u16le, { doc: "the outfit that is worn" });
const accessory1 = withMeaning(u16le, { doc: "the first accessory that is worn" });
const accessory2 = withMeaning(u16le, { doc: "the second accessory that is worn" });
/** What others see of a player. */
const appearance = { name, body, accessory1, accessory2 };

/** The five key flags: the only way for a newcomer to learn which keys are held. */
const keyFlags = {
  left: held("whether the left key is down"),
  right: held("whether the right key is down"),
  up: held("whether the up key is down"),
  down: held("whether the down key is down"),
  upPress: held("whether the player is in a jump that the up key began"),
};

/** LOGIN (10), client: the account's name and password. Both are compared without case. */
export const login = struct({
  version: credential("the version of the client"),
  user: credential("the name of the account"),
  password: credential("its password"),
  mac: credential("the address of the client's network card, by which servers ban"),
});

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
      playerId,
      time: withMeaning(u32le, { doc: "the server's time" }),
      motd: withMeaning(cstring({ limit: MAX_TEXT_LENGTH }), { doc: "the message of the day" }),
      day: withMeaning(u8, { doc: "the day of the week in the game" }),
      hour: withMeaning(u8, { doc: "the hour in the game" }),
      minute: withMeaning(u8, { doc: "the minute in the game" }),
      name,
      x,
      y,
      room,
      body,
      accessory1,
      accessory2,
      points: withMeaning(u32le, { doc: "the player's points, the game's money" }),
      signature: withMeaning(u8, { doc: "whether the player may sign messages on boards" }),
      quest: withMeaning(u16le, { doc: "the quest that the player is on" }),
      questStep: withMeaning(u8, { doc: "how far it has come" }),
      trees: withMeaning(u16le, { doc: "how many trees the player has planted" }),
      built: withMeaning(u16le, { doc: "how many objects the player has built" }),
      emotes: withMeaning(array(u8, { count: 5 }), { doc: "the emotes on the quick keys" }),
      outfits: withMeaning(array(u16le, { count: 9 }), { doc: "outfits in the bag, 0 for a free place" }),
      accessories: withMeaning(array(u16le, { count: 9 }), { doc: "accessories in the bag, 0 for a free place" }),
      items: withMeaning(array(u16le, { count: 9 }), { doc: "items in the bag, 0 for a free place" }),
      tools: withMeaning(array(u8, { count: 9 }), { doc: "tools in the bag, 0 for a free place" }),
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
  announce: struct({ x, y, playerId, room, ...appearance }),
  present: struct({ x, y, playerId, ...keyFlags, room, ...appearance }),
});

/** NEW_PLAYER (1), client: the answer to an `announce`: the sender's position, for the player of that id. */
export const newPlayerAnswer = struct({ playerId, x, y });

/** WARP (14), client: the player went through a door. */
export const warp = struct({ room, x, y });

/**
 * WARP (14), server: a player `arrived` in the room or `left` it, or a `command` to go elsewhere. QUIRK: only their
 * lengths distinguish them: a command has 6 bytes, the others have 3 and 7.
 */
export const warpNotice = byLength([
  { bytes: 3, layout: struct({ playerId, kind: oneOf(u8, { left: 2 }) }), when: { kind: ["left"] } },
  {
    bytes: 6,
    layout: struct({ kind: constant("command"), x, y, room }),
    when: { kind: ["command"] },
  },
  {
    layout: struct({ playerId, kind: oneOf(u8, { arrived: 1 }), x, y }),
    when: { kind: ["arrived"] },
  },
]);

/** POSITION (15), server: a player's position and held keys, which replace what the client knew. */
export const position = struct({
  kind: oneOf(u8, { correction: 2 }),
  playerId,
  x,
  y,
  ...keyFlags,
});

/** PLAYER_STOP (43), client: the player stands here with all keys up. */
export const playerStop = struct({ x, y });
/** PLAYER_STOP (43), server. */
export const playerStopNotice = struct({ playerId, x, y });

/** CHAT (17), client. */
export const chat = struct({ text });
/** CHAT (17), server: to the sender too. */
export const chatNotice = struct({ playerId, text });

/** LOGOUT (6), server: sent to all players. */
export const logoutNotice = struct({ playerId });

/** A message without fields: PING (9) both ways, LOGOUT (6) of a client. */
export const empty = struct({});
