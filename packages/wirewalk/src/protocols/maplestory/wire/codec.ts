/**
 * Payloads of MapleStory, both directions, in all dialects: every message with its description, and the codec that
 * follows from it.
 *
 * ```ts
 * mapleCodec("v62").read("server", parseHex("B3 00 89 13 00 00 2A 00 01 2C 01 0A 03"));
 * // { message: "moveMonsterResponse", value: { mobId: 5001, moveId: 42, nextAttack: 1, mp: 300, skillId: 10, skillLevel: 3 } }
 * ```
 */
import { type KeptNode, type Layout, sizeOf, struct, withMeaning } from "../../../wire/index.ts";
import type { MessageLayouts, PayloadCodec, Side } from "../../codec.ts";
import { type MessageRow, messageTable } from "../../message-table.ts";
import { type DialectRules, dialectRules, type MapleDialect, mapleDialects } from "./dialect.ts";
import { fragmentList } from "./fragment-io.ts";
import * as generated from "./generated/messages.ts";
import type { MapleClientMessage, MapleCodec, MapleServerMessage, MoveMessage } from "./message-types.ts";
import * as messages from "./messages.ts";
import * as messagesV83 from "./messages-v83.ts";
import * as messagesV95 from "./messages-v95.ts";
import { opcodes } from "./opcodes.ts";

export type * from "./message-types.ts";

const compiled = { v62: generated.v62, v83: generated.v83, v95: generated.v95, documented: generated.documented };

type AnyFields = Readonly<Record<string, Layout<unknown>>>;

/** What stands around the fragments of a movement packet. */
interface Around {
  readonly place: AnyFields;
  readonly clientTail: AnyFields;
  readonly serverTail: AnyFields;
  /** The player's own move: before the fragments, and after them. */
  readonly own: readonly [AnyFields, AnyFields];
  /** A monster's path from a client: after the keys and the box. */
  readonly lifeTail: AnyFields;
  /** Where the standard describes it. */
  readonly section: string;
}

const around: Readonly<Record<MapleDialect, Around>> = {
  v62: {
    place: messages.v62Place,
    clientTail: messages.v62Tail,
    serverTail: {},
    own: [{ ...messages.movePlayerFields, ...messages.v62Place }, messages.v62Tail],
    lifeTail: {},
    section: "3.2",
  },
  v83: {
    place: messages.v62Place,
    clientTail: messages.v62Tail,
    serverTail: {},
    own: [{ ...messagesV83.movePlayerFields, ...messages.v62Place }, messages.v62Tail],
    lifeTail: {},
    section: "3.5",
  },
  v95: {
    place: messagesV95.placeFields,
    clientTail: messages.v62Tail,
    serverTail: {},
    own: [{ ...messagesV95.movePlayerFields, ...messagesV95.placeFields }, messages.v62Tail],
    lifeTail: messagesV95.moveLifeTail,
    section: "3.6",
  },
  documented: {
    place: messages.documentedPlace,
    clientTail: messages.documentedRest,
    serverTail: messages.documentedRest,
    own: [messages.documentedHead, messages.documentedTail],
    lifeTail: {},
    section: "3.3",
  },
};

/** What stands before a path, and the messages without one, where the clients differ. */
const v62Forms = {
  moveLife: messages.moveLifeFields,
  moveMonster: messages.moveMonsterFields,
  playerLoggedIn: messages.playerLoggedIn,
  aggro: messages.aggro,
  changeMap: messages.changeMap,
  showPlayer: messages.showPlayer,
  showMonster: messages.showMonster,
  removeMonster: messages.removeMonster,
  controlMonster: messages.controlMonster,
};
const v83Forms: {
  readonly [K in keyof typeof v62Forms]: K extends "moveLife" | "moveMonster" ? AnyFields : Layout<object>;
} = {
  moveLife: messagesV83.moveLifeFields,
  moveMonster: messagesV83.moveMonsterFields,
  playerLoggedIn: messagesV83.playerLoggedIn,
  aggro: messagesV83.aggro,
  changeMap: messagesV83.changeMap,
  showPlayer: messagesV83.showPlayer,
  showMonster: messagesV83.showMonster,
  removeMonster: messagesV83.removeMonster,
  controlMonster: messagesV83.controlMonster,
};
const forms: Readonly<Record<MapleDialect, typeof v83Forms>> = {
  v62: v62Forms,
  v83: v83Forms,
  v95: {
    ...v83Forms,
    moveLife: messagesV95.moveLifeFields,
    moveMonster: messagesV95.moveMonsterFields,
    changeMap: messagesV95.changeMap,
    showMonster: messagesV95.showMonster,
    controlMonster: messagesV95.controlMonster,
  },
  documented: v62Forms,
};

function rowsOf({ fragments: table, name, movementOnly, hasDragons }: DialectRules): readonly MessageRow[] {
  const { place, clientTail, serverTail, own, lifeTail, section } = around[name];
  const form = forms[name];
  const fragments = fragmentList(table);
  const [[firstOfPlace, placed]] = Object.entries(place) as [[string, Layout<unknown>]];
  const moved = (before: AnyFields, after: AnyFields, kept: Omit<KeptNode, "name">): Layout<object> => {
    const fields: AnyFields = { ...before, fragments, ...after };
    return withMeaning(struct(fields, { kept: { name: "pathBytes", ...kept } }), { section });
  };
  /** The bytes of a path are those of its place, its count and its fragments. */
  const path = { from: firstOfPlace, to: "fragments", only: "reading" } as const;
  const fromClient = (head: AnyFields, last: AnyFields = {}): Layout<object> =>
    moved({ ...head, ...place }, { ...clientTail, ...last }, path);
  /** A server writes the bytes of a path as they came: they stand for all that follows the head. */
  const fromServer = (head: AnyFields): Layout<object> => {
    const [last = "fragments"] = Object.keys(serverTail).toReversed();
    return moved({ ...head, ...place }, serverTail, { from: firstOfPlace, to: last, only: "writing" });
  };
  const row = (sender: Side, message: string, layout: Layout<object>, summary: string): MessageRow => {
    return { sender, id: opcodes[name][sender][message] as number, message, summary, layout };
  };
  // The own move of `documented` has other fields before the count: the place is the last bytes of them.
  const isPlaced = Object.hasOwn(own[0], firstOfPlace);
  const ownPath = isPlaced ? path : { from: "fragments", to: "fragments", before: sizeOf(placed.node).most / 8 };
  const moves = [
    row("client", "movePlayer", moved(...own, ownPath), "the path of the sender's player since its last message"),
    row("client", "moveLife", fromClient(form.moveLife, lifeTail), "the path of a monster that the sender controls"),
    row("client", "movePet", fromClient(messages.movePetFields), "the path of one of the sender's pets"),
    row("client", "moveSummon", fromClient(messages.moveSummonFields), "the path of one of the sender's summons"),
    row("server", "movePlayer", fromServer(messages.movePlayerNoticeFields), "the path of another player"),
    row("server", "moveMonster", fromServer(form.moveMonster), "the path of a monster"),
    row("server", "movePet", fromServer(messages.movePetNoticeFields), "the path of a player's pet"),
    row("server", "moveSummon", fromServer(messages.moveSummonNoticeFields), "the path of a player's summon"),
    row(
      "server",
      "moveMonsterResponse",
      messages.moveMonsterResponse,
      "the answer to every moveLife: continue to control the monster, and the attack or skill that it may use next",
    ),
  ];
  const shown = "a monster is on the map";
  if (movementOnly) return [...moves, row("server", "showMonster", messages.documentedShowMonster, shown)];
  const dragons = [
    row("client", "moveDragon", fromClient(messagesV83.moveDragonFields), "the path of the sender's dragon"),
    row("server", "moveDragon", fromServer(messagesV83.moveDragonNoticeFields), "the path of a player's dragon"),
  ];
  return [
    ...moves,
    ...(hasDragons ? dragons : []),
    row(
      "client",
      "playerLoggedIn",
      form.playerLoggedIn,
      "the character enters the world; its login was on another server",
    ),
    row("client", "pong", messages.empty, "the answer to ping"),
    row("client", "aggro", form.aggro, "a monster has noticed the sender's player"),
    row("server", "serverIp", messages.serverIp, "the address of the channel that the character goes to"),
    row(
      "server",
      "serverIpOfAll",
      messages.serverIp,
      "the same for a character that was selected in the list of all worlds",
    ),
    row("server", "changeChannel", messages.changeChannel, "a command to go to another channel, with its address"),
    row("server", "ping", messages.empty, "a keep-alive request, to be answered with pong"),
    row("server", "changeMap", form.changeMap, "a command to enter a map; from here on moves carry its fieldKey"),
    row("server", "showPlayer", form.showPlayer, "a player is on the map"),
    row("server", "removePlayer", messages.removePlayer, "a player has left the map"),
    row("server", "showMonster", form.showMonster, shown),
    row("server", "removeMonster", form.removeMonster, "a monster has left the map or died"),
    row("server", "controlMonster", form.controlMonster, "a command to control a monster, or to stop"),
  ];
}

type DialectCodec = PayloadCodec<MapleClientMessage, MapleServerMessage> & { readonly layouts: MessageLayouts };

interface LastRead {
  dialect: string;
  value: object | undefined;
  payload: Uint8Array | undefined;
  from: number;
  to: number;
}

/** The message that was read last, and where its path lies in its payload. */
const last: LastRead = { dialect: "", value: undefined, payload: undefined, from: 0, to: 0 };

function createCodec(rules: DialectRules): DialectCodec {
  const table = messageTable({
    dialect: rules.name,
    idName: "opcode",
    id: rules.opcode,
    idFormat: { base: 16, digits: 2, upperCase: true },
    rows: rowsOf(rules),
    compiled: compiled[rules.name],
  });
  const known = {
    client: new Set(table.messages.filter(({ sender }) => sender === "client").map(({ id }) => id)),
    server: new Set(table.messages.filter(({ sender }) => sender === "server").map(({ id }) => id)),
  };
  return {
    ...table,
    ...(rules.name === "documented" ? {} : { undescribed: (sender, payload) => undescribed(known[sender], payload) }),
    read(sender, payload): never {
      const message = table.read(sender, payload) as MapleClientMessage;
      last.dialect = rules.name;
      last.value = message.value;
      last.payload = payload;
      last.from = generated.keptStart();
      last.to = generated.keptEnd();
      return message as never;
    },
  };
}

/** The real game has hundreds of messages beside those of movement. No public source names them all: their opcode does. */
function undescribed(known: ReadonlySet<number>, payload: Uint8Array): string | undefined {
  const [low, high] = payload;
  if (low === undefined || high === undefined) return undefined;
  const opcode = low | (high << 8);
  return known.has(opcode) ? undefined : `0x${opcode.toString(16).padStart(4, "0")}`;
}

const codecs = Object.fromEntries(mapleDialects.map((rules) => [rules.name, createCodec(rules)])) as Readonly<
  Record<MapleDialect, DialectCodec>
>;

/** The description of every message's body, by dialect, sender and name. */
export const layouts: Readonly<Record<MapleDialect, MessageLayouts>> = {
  v62: codecs.v62.layouts,
  v83: codecs.v83.layouts,
  v95: codecs.v95.layouts,
  documented: codecs.documented.layouts,
};

export function mapleCodec<D extends MapleDialect>(dialect: D): MapleCodec<D>;
export function mapleCodec(dialect: string): PayloadCodec<MapleClientMessage, MapleServerMessage>;
/** The codec of a dialect, with its messages where the dialect is known to the compiler. Throws `RangeError` for an unknown one. */
export function mapleCodec(dialect: string): PayloadCodec<MapleClientMessage, MapleServerMessage> {
  return codecs[dialectRules(dialect).name];
}

/**
 * The path of a client's move as it came, out of the payload it was read from: what a server relays byte for byte. Of a
 * `documented` player move that is the last four of the five bytes before the count, where `v62` has the start. For the message that
 * was read last this costs nothing.
 */
export function pathBytesOf(message: MoveMessage, payload: Uint8Array, dialect: string): Uint8Array {
  const isLast = message.value === last.value && payload === last.payload && dialect === last.dialect;
  // Any other is written anew: its path lies where it lies there, and nothing depends on what else is in the payload.
  if (!isLast) {
    const codec = mapleCodec(dialect);
    codec.read("client", codec.write("client", message));
  }
  return payload.subarray(last.from, last.to);
}
