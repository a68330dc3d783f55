/**
 * Payloads of Slime Online 2, both directions, in every dialect: the message table and what reads and writes by it.
 *
 * ```ts
 * import { slimeCodec } from "wirewalk/slime-online-2";
 * import { parseHex } from "wirewalk/wire";
 *
 * const codec = slimeCodec("documented");
 * const press = codec.read("client", parseHex("00 08 02 C0 01 A0 00"));
 * press.value; // => { code: 2, direction: "rightPress", x: 448, y: 160 }
 * codec.read("client", parseHex("00 08 0A 00")); // throws trailing: Cannot read end of message: 1 byte left at byte 3
 * ```
 */
import type { Infer, Layout } from "../../../wire/index.ts";
import type { MessageLayouts, PayloadCodec, Reads, Side } from "../../codec.ts";
import { type MessageRow, messageTable } from "../../message-table.ts";
import { type DialectRules, dialectRules, type SlimeDialect, slimeDialects } from "./dialect.ts";
import * as generated from "./generated/messages.ts";
import * as layouts from "./messages.ts";
import { type MovePlayer, type MovePlayerNotice, movePlayerLayout, movePlayerNoticeLayout } from "./move-player.ts";

interface Message<N extends string, V> {
  readonly message: N;
  readonly value: V;
}

type Value<K extends keyof typeof layouts> = Infer<(typeof layouts)[K]>;

/** Messages of a client. All but `movePlayer` exist in `v0106` alone. */
export type SlimeClientMessage =
  | Message<"movePlayer", MovePlayer>
  | Message<"login", Value<"login">>
  | Message<"newPlayer", Value<"newPlayerAnswer">>
  | Message<"logout", Value<"empty">>
  | Message<"ping", Value<"empty">>
  | Message<"warp", Value<"warp">>
  | Message<"playerStop", Value<"playerStop">>
  | Message<"chat", Value<"chat">>;

/** Messages of a server. All but `movePlayer` exist in `v0106` alone. */
export type SlimeServerMessage =
  | Message<"movePlayer", MovePlayerNotice>
  | Message<"login", Value<"loginResult">>
  | Message<"newPlayer", Value<"newPlayer">>
  | Message<"logout", Value<"logoutNotice">>
  | Message<"ping", Value<"empty">>
  | Message<"warp", Value<"warpNotice">>
  | Message<"position", Value<"position">>
  | Message<"playerStop", Value<"playerStopNotice">>
  | Message<"chat", Value<"chatNotice">>;

/** The messages of each dialect. */
export interface SlimeMessages {
  readonly v0106: { readonly client: SlimeClientMessage; readonly server: SlimeServerMessage };
  readonly documented: {
    readonly client: Message<"movePlayer", MovePlayer>;
    readonly server: Message<"movePlayer", MovePlayerNotice>;
  };
  readonly documentedLittleEndian: SlimeMessages["documented"];
}

/** The codec of a dialect: what it reads are messages of that dialect. */
export type SlimeCodec<D extends SlimeDialect> = Reads<SlimeMessages[D]> &
  PayloadCodec<SlimeClientMessage, SlimeServerMessage>;

function rowsOf(rules: DialectRules): readonly MessageRow[] {
  const { movePlayerId, signedJumpX } = rules;
  const row = (sender: Side, id: number, message: string, layout: Layout<object>, summary: string): MessageRow => ({
    sender,
    id,
    message,
    summary,
    layout,
  });
  const rows = [
    row(
      "client",
      movePlayerId,
      "movePlayer",
      movePlayerLayout(signedJumpX),
      "a key was pressed or released, or the player landed",
    ),
    row(
      "server",
      movePlayerId,
      "movePlayer",
      movePlayerNoticeLayout(signedJumpX),
      "a key press, a release or the landing of another player",
    ),
  ];
  if (rules.movementOnly) return rows;
  return [
    ...rows,
    row(
      "client",
      1,
      "newPlayer",
      layouts.newPlayerAnswer,
      "the answer to the announcement of a newcomer: the sender's position",
    ),
    row("server", 1, "newPlayer", layouts.newPlayer, "a player has come online, or was online before the recipient"),
    row("client", 6, "logout", layouts.empty, "the player leaves the game"),
    row("server", 6, "logout", layouts.logoutNotice, "a player has left the game"),
    row("client", 9, "ping", layouts.empty, "a keep-alive request, or the answer to one"),
    row("server", 9, "ping", layouts.empty, "a keep-alive request, or the answer to one"),
    row("client", 10, "login", layouts.login, "the account's name and password"),
    row("server", 10, "login", layouts.loginResult, "the account's state, or why the login is refused"),
    row("client", 14, "warp", layouts.warp, "the player went through a door"),
    row(
      "server",
      14,
      "warp",
      layouts.warpNotice,
      "a player has entered or left the room, or the recipient must go to another one",
    ),
    row("server", 15, "position", layouts.position, "a player's position and held keys"),
    row("client", 17, "chat", layouts.chat, "a line of chat"),
    row("server", 17, "chat", layouts.chatNotice, "a line of chat, sent to its sender too"),
    row("client", 43, "playerStop", layouts.playerStop, "the player stands at a position with all keys up"),
    row("server", 43, "playerStop", layouts.playerStopNotice, "a player stands at a position with all keys up"),
  ];
}

interface DialectCodec extends PayloadCodec<SlimeClientMessage, SlimeServerMessage> {
  readonly layouts: MessageLayouts;
}

const compiled = {
  documented: generated.documented,
  documentedLittleEndian: generated.documentedLittleEndian,
  v0106: generated.v0106,
};

function createCodec(rules: DialectRules): DialectCodec {
  return messageTable({
    dialect: rules.name,
    idName: "type",
    id: rules.type,
    rows: rowsOf(rules),
    compiled: compiled[rules.name],
  });
}

const codecs = Object.fromEntries(slimeDialects.map((rules) => [rules.name, createCodec(rules)])) as Readonly<
  Record<SlimeDialect, DialectCodec>
>;

/** The description of every message's body, by dialect, sender and name. */
export const slimeLayouts: Readonly<Record<SlimeDialect, MessageLayouts>> = {
  documented: codecs.documented.layouts,
  documentedLittleEndian: codecs.documentedLittleEndian.layouts,
  v0106: codecs.v0106.layouts,
};

export function slimeCodec<D extends SlimeDialect>(dialect: D): SlimeCodec<D>;
export function slimeCodec(dialect: string): PayloadCodec<SlimeClientMessage, SlimeServerMessage>;
/** The codec of a dialect, with its messages where the dialect is known to the compiler. Throws `RangeError` for an unknown one. */
export function slimeCodec(dialect: string): PayloadCodec<SlimeClientMessage, SlimeServerMessage> {
  return codecs[dialectRules(dialect).name];
}
