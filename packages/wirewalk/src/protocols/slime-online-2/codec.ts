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
import {
  ByteReader,
  ByteWriter,
  type Infer,
  type JsonObject,
  type Layout,
  Tracer,
  WireError,
} from "../../wire/index.ts";
import { messageFromJson, messageToJson } from "../message-json.ts";
import type { MessageInfo, PayloadCodec, PayloadTrace, Side } from "../protocol.ts";
import { type DialectRules, dialectRules } from "./dialect.ts";
import * as layouts from "./messages.ts";
import { type MovePlayer, type MovePlayerNotice, movePlayerLayout, movePlayerNoticeLayout } from "./move-player.ts";

interface Message<N extends string, V> {
  readonly message: N;
  readonly value: V;
}

type Value<K extends keyof typeof layouts> = Infer<(typeof layouts)[K]>;

/** What a client says. All but `movePlayer` only in `v0106`. */
export type SlimeClientMessage =
  | Message<"movePlayer", MovePlayer>
  | Message<"login", Value<"login">>
  | Message<"newPlayer", Value<"newPlayerAnswer">>
  | Message<"logout", Value<"empty">>
  | Message<"ping", Value<"empty">>
  | Message<"warp", Value<"warp">>
  | Message<"playerStop", Value<"playerStop">>
  | Message<"chat", Value<"chat">>;

/** What a server says. All but `movePlayer` only in `v0106`. */
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

interface Row extends MessageInfo {
  readonly layout: Layout<object>;
}

function rowsOf(rules: DialectRules): readonly Row[] {
  const { movePlayerId, signedJumpX } = rules;
  const row = (sender: Side, id: number, message: string, layout: Layout<object>, summary: string): Row => ({
    sender,
    id,
    message,
    summary,
    layout,
  });
  const rows = [
    row("client", movePlayerId, "movePlayer", movePlayerLayout(signedJumpX), "a key pressed, released, or a landing"),
    row("server", movePlayerId, "movePlayer", movePlayerNoticeLayout(signedJumpX), "the same of another player"),
  ];
  if (!rules.neighbours) return rows;
  return [
    ...rows,
    row("client", 1, "newPlayer", layouts.newPlayerAnswer, "the answer to an announced player: where I am"),
    row("server", 1, "newPlayer", layouts.newPlayer, "somebody came online, or was there already"),
    row("client", 6, "logout", layouts.empty, "I leave"),
    row("server", 6, "logout", layouts.logoutNotice, "somebody left the game"),
    row("client", 9, "ping", layouts.empty, "I am still here"),
    row("server", 9, "ping", layouts.empty, "are you still there"),
    row("client", 10, "login", layouts.login, "name and password"),
    row("server", 10, "login", layouts.loginResult, "the account's state, or why there is none"),
    row("client", 14, "warp", layouts.warp, "I went through a door"),
    row("server", 14, "warp", layouts.warpNotice, "somebody arrived or left, or a command to go elsewhere"),
    row("server", 15, "position", layouts.position, "where a player is and which keys it holds"),
    row("client", 17, "chat", layouts.chat, "a line of chat"),
    row("server", 17, "chat", layouts.chatNotice, "a line of chat, to the sender too"),
    row("client", 43, "playerStop", layouts.playerStop, "I stopped here, all keys up"),
    row("server", 43, "playerStop", layouts.playerStopNotice, "somebody stopped, all keys up"),
  ];
}

function createCodec(rules: DialectRules): PayloadCodec<SlimeClientMessage, SlimeServerMessage> {
  const rows = rowsOf(rules);
  const byId: Record<Side, Map<number, Row>> = { client: new Map(), server: new Map() };
  const byName: Record<Side, Map<string, Row>> = { client: new Map(), server: new Map() };
  for (const row of rows) {
    byId[row.sender].set(row.id, row);
    byName[row.sender].set(row.message, row);
  }

  const rowOfId = (sender: Side, id: number): Row => {
    const row = byId[sender].get(id);
    if (row !== undefined) return row;
    const known = [...byId[sender].keys()].sort((a, b) => a - b).join(", ");
    throw new WireError(
      "unknown-message",
      `Cannot read type: a ${sender} of dialect ${rules.name} sends ${known}, not ${id}, at byte 0`,
      0,
      "type",
    );
  };
  const readType = (reader: ByteReader): number => {
    try {
      return rules.type.read(reader);
    } catch (error) {
      throw error instanceof WireError ? error.within("type") : error;
    }
  };

  function read(sender: Side, payload: Uint8Array): never {
    const reader = new ByteReader(payload);
    const row = rowOfId(sender, readType(reader));
    const value = row.layout.read(reader);
    reader.expectEnd();
    // The table pairs each name with its layout; the types cannot follow it there.
    return { message: row.message, value } as never;
  }

  function write(sender: Side, message: { readonly message: string; readonly value: object }): Uint8Array {
    const row = byName[sender].get(message.message);
    if (row === undefined) {
      const known = [...byName[sender].keys()].join(", ");
      throw new RangeError(
        `Cannot write message: a ${sender} of dialect ${rules.name} sends ${known}, not ${message.message}`,
      );
    }
    const writer = new ByteWriter();
    rules.type.write(writer, row.id);
    row.layout.write(writer, message.value);
    return writer.toBytes();
  }

  return {
    messages: rows.map(({ layout: _, ...info }) => info),
    read,
    write,
    trace(sender, payload): PayloadTrace {
      const reader = new ByteReader(payload);
      const tracer = new Tracer();
      try {
        const id = readType(reader);
        const row = byId[sender].get(id);
        tracer.field("type", 0, 16, id, row?.message ?? "no such message");
        if (row === undefined) rowOfId(sender, id);
        else {
          const value = row.layout.trace(reader, tracer, "");
          reader.expectEnd();
          return { message: { message: row.message, value }, fields: tracer.fields };
        }
        return { fields: tracer.fields };
      } catch (error) {
        if (error instanceof WireError) return { fields: tracer.fields, error };
        throw error;
      }
    },
    fromJson: (sender: Side, json: JsonObject) =>
      messageFromJson(json, (message) => read(sender, write(sender, message))),
    toJson: (_sender, message) => messageToJson(message),
  };
}

const codecs = new Map<string, PayloadCodec<SlimeClientMessage, SlimeServerMessage>>();

/** The codec of a dialect. Throws `RangeError` for an unknown one. */
export function slimeCodec(dialect: string): PayloadCodec<SlimeClientMessage, SlimeServerMessage> {
  const rules = dialectRules(dialect);
  let codec = codecs.get(rules.name);
  if (codec === undefined) {
    codec = createCodec(rules);
    codecs.set(rules.name, codec);
  }
  return codec;
}
