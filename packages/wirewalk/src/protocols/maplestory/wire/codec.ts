/**
 * Payloads of MapleStory, both directions, in all dialects: every message with its description, and the codec that
 * follows from it. Paths and keys are read and written by hand (`fragment-io.ts`, `messages.ts`).
 *
 * ```ts
 * mapleCodec("v62").read("server", parseHex("B3 00 89 13 00 00 2A 00 01 2C 01 0A 03"));
 * // { message: "moveMonsterResponse", value: { mobId: 5001, moveId: 42, nextAttack: 1, mp: 300, skillId: 10, skillLevel: 3 } }
 * ```
 */
import {
  ByteWriter,
  decode,
  encode,
  type Infer,
  type Layout,
  type LayoutNode,
  sizeOf,
  struct,
  withMeaning,
} from "../../../wire/index.ts";
import type { MessageLayouts, PayloadCodec, Reads, Side, WireMessage } from "../../codec.ts";
import { type MessageRow, messageTable } from "../../message-table.ts";
import { type DialectRules, dialectRules, type MapleDialect, mapleDialects } from "./dialect.ts";
import type { FragmentFields } from "./fragment.ts";
import { fragmentList, sizeOfFragments } from "./fragment-io.ts";
import type { Path, PathBytes, Tail } from "./messages.ts";
import * as messages from "./messages.ts";
import * as messagesV83 from "./messages-v83.ts";
import { opcodes } from "./opcodes.ts";
import { encodeOwnMove, ownMoveBody } from "./own-move.ts";
import { takeBytes } from "./slab.ts";

interface Message<N extends string, V> {
  readonly message: N;
  readonly value: V;
}

type Value<K extends keyof typeof messages> = Infer<(typeof messages)[K]>;
type ValueV83<K extends keyof typeof messagesV83> = Infer<(typeof messagesV83)[K]>;
type FieldsOf<F> = { readonly [K in keyof F]: Infer<F[K]> };

/** What surrounds the fragments in `documented`, in packets whose layout the document does not print. */
export interface DocumentedPath {
  readonly opaque: Uint8Array;
  readonly fragments: readonly FragmentFields[];
  readonly rest: Uint8Array;
}

/** The player's own move in `documented`: bytes of "genuine client verification" before and after the fragments. */
export interface DocumentedMovePlayer {
  readonly head: Uint8Array;
  readonly fragments: readonly FragmentFields[];
  readonly tail: Uint8Array;
}

export type V62MovePlayer = FieldsOf<typeof messages.movePlayerFields> & Path & Tail;
export type V83MovePlayer = FieldsOf<typeof messagesV83.movePlayerFields> & Path & Tail;
type V62Life = FieldsOf<typeof messages.moveLifeFields>;
type V83Life = FieldsOf<typeof messagesV83.moveLifeFields>;
type ClientPath = (Path & Tail) | DocumentedPath;
type ServerPath = Path | DocumentedPath | PathBytes;

/** A client's messages. Those that are not a movement, and the dragon of `v83`, are not in `documented`. */
export type MapleClientMessage =
  | Message<"movePlayer", V62MovePlayer | V83MovePlayer | DocumentedMovePlayer>
  | Message<"moveLife", (V62Life & ClientPath) | (V83Life & Path & Tail)>
  | Message<"movePet", FieldsOf<typeof messages.movePetFields> & ClientPath>
  | Message<"moveSummon", FieldsOf<typeof messages.moveSummonFields> & ClientPath>
  | Message<"moveDragon", Path & Tail>
  | Message<"playerLoggedIn", Value<"playerLoggedIn"> | ValueV83<"playerLoggedIn">>
  | Message<"aggro", Value<"aggro"> | ValueV83<"aggro">>
  | Message<"pong", Value<"empty">>;

/** A server's messages. `pathBytes` stands for a path in what is written; what is read has the path itself. */
export type MapleServerMessage =
  | Message<"movePlayer", FieldsOf<typeof messages.movePlayerNoticeFields> & ServerPath>
  | Message<
      "moveMonster",
      | (FieldsOf<typeof messages.moveMonsterFields> & ServerPath)
      | (FieldsOf<typeof messagesV83.moveMonsterFields> & (Path | PathBytes))
    >
  | Message<"movePet", FieldsOf<typeof messages.movePetNoticeFields> & ServerPath>
  | Message<"moveSummon", FieldsOf<typeof messages.moveSummonNoticeFields> & ServerPath>
  | Message<"moveDragon", FieldsOf<typeof messagesV83.moveDragonNoticeFields> & (Path | PathBytes)>
  | Message<"moveMonsterResponse", Value<"moveMonsterResponse">>
  | Message<"changeMap", Value<"changeMap"> | ValueV83<"changeMap">>
  | Message<"showPlayer", Value<"showPlayer"> | ValueV83<"showPlayer">>
  | Message<"removePlayer", Value<"removePlayer">>
  | Message<"showMonster", Value<"showMonster"> | ValueV83<"showMonster">>
  | Message<"removeMonster", Value<"removeMonster"> | ValueV83<"removeMonster">>
  | Message<"controlMonster", Value<"controlMonster"> | ValueV83<"controlMonster">>
  | Message<"ping", Value<"empty">>;

type ClientMoves<M, L, T> =
  | Message<"movePlayer", M>
  | Message<"moveLife", L & T>
  | Message<"movePet", FieldsOf<typeof messages.movePetFields> & T>
  | Message<"moveSummon", FieldsOf<typeof messages.moveSummonFields> & T>;
type ServerMoves<L, T> =
  | Message<"movePlayer", FieldsOf<typeof messages.movePlayerNoticeFields> & T>
  | Message<"moveMonster", L & T>
  | Message<"movePet", FieldsOf<typeof messages.movePetNoticeFields> & T>
  | Message<"moveSummon", FieldsOf<typeof messages.moveSummonNoticeFields> & T>
  | Message<"moveMonsterResponse", Value<"moveMonsterResponse">>;

/** The messages of each dialect, as they are read. */
export interface MapleMessages {
  readonly v62: {
    readonly client:
      | ClientMoves<V62MovePlayer, V62Life, Path & Tail>
      | Message<"playerLoggedIn", Value<"playerLoggedIn">>
      | Message<"aggro", Value<"aggro">>
      | Message<"pong", Value<"empty">>;
    readonly server:
      | ServerMoves<FieldsOf<typeof messages.moveMonsterFields>, Path>
      | Message<"changeMap", Value<"changeMap">>
      | Message<"showPlayer", Value<"showPlayer">>
      | Message<"removePlayer", Value<"removePlayer">>
      | Message<"showMonster", Value<"showMonster">>
      | Message<"removeMonster", Value<"removeMonster">>
      | Message<"controlMonster", Value<"controlMonster">>
      | Message<"ping", Value<"empty">>;
  };
  readonly v83: {
    readonly client:
      | ClientMoves<V83MovePlayer, V83Life, Path & Tail>
      | Message<"moveDragon", Path & Tail>
      | Message<"playerLoggedIn", ValueV83<"playerLoggedIn">>
      | Message<"aggro", ValueV83<"aggro">>
      | Message<"pong", Value<"empty">>;
    readonly server:
      | ServerMoves<FieldsOf<typeof messagesV83.moveMonsterFields>, Path>
      | Message<"moveDragon", FieldsOf<typeof messagesV83.moveDragonNoticeFields> & Path>
      | Message<"changeMap", ValueV83<"changeMap">>
      | Message<"showPlayer", ValueV83<"showPlayer">>
      | Message<"removePlayer", Value<"removePlayer">>
      | Message<"showMonster", ValueV83<"showMonster">>
      | Message<"removeMonster", ValueV83<"removeMonster">>
      | Message<"controlMonster", ValueV83<"controlMonster">>
      | Message<"ping", Value<"empty">>;
  };
  readonly documented: {
    readonly client: ClientMoves<DocumentedMovePlayer, V62Life, DocumentedPath>;
    readonly server: ServerMoves<FieldsOf<typeof messages.moveMonsterFields>, DocumentedPath>;
  };
}

/** The codec of a dialect: what it reads are messages of that dialect. */
export type MapleCodec<D extends MapleDialect> = Reads<MapleMessages[D]> &
  PayloadCodec<MapleClientMessage, MapleServerMessage>;

/** A client's message with a path in it. */
export type MoveMessage = Extract<
  MapleClientMessage,
  { readonly message: "movePlayer" | "moveLife" | "movePet" | "moveSummon" | "moveDragon" }
>;

/** A client's message with the path of a monster. */
export type MoveLife = Extract<MoveMessage, { readonly message: "moveLife" }>;

type AnyFields = Readonly<Record<string, Layout<unknown>>>;

/** What stands around the fragments of a movement packet. */
interface Around {
  readonly place: AnyFields;
  readonly clientTail: AnyFields;
  readonly serverTail: AnyFields;
  /** The player's own move: before the fragments, and after them. */
  readonly own: readonly [AnyFields, AnyFields];
  /** Where the standard describes it. */
  readonly section: string;
}

const around: Readonly<Record<MapleDialect, Around>> = {
  v62: {
    place: messages.v62Place,
    clientTail: messages.v62Tail,
    serverTail: {},
    own: [{ ...messages.movePlayerFields, ...messages.v62Place }, messages.v62Tail],
    section: "3.2",
  },
  v83: {
    place: messages.v62Place,
    clientTail: messages.v62Tail,
    serverTail: {},
    own: [{ ...messagesV83.movePlayerFields, ...messages.v62Place }, messages.v62Tail],
    section: "3.5",
  },
  documented: {
    place: messages.documentedPlace,
    clientTail: messages.documentedRest,
    serverTail: messages.documentedRest,
    own: [messages.documentedHead, messages.documentedTail],
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

function rowsOf({ fragments: table, name, movementOnly }: DialectRules): readonly MessageRow[] {
  const { place, clientTail, serverTail, own, section } = around[name];
  const forms: typeof v83Forms = name === "v83" ? v83Forms : v62Forms;
  const fragments = fragmentList(table);
  const moved = (before: AnyFields, after: AnyFields): Layout<object> =>
    withMeaning(struct({ ...before, fragments, ...after }), { section });
  const fromClient = (head: AnyFields): Layout<object> => moved({ ...head, ...place }, clientTail);
  const fromServer = (head: AnyFields): Layout<object> =>
    relayable(struct(head), moved({ ...head, ...place }, serverTail));
  const row = (sender: Side, message: string, layout: Layout<object>, summary: string): MessageRow => {
    return { sender, id: opcodes[name][sender][message] as number, message, summary, layout };
  };
  const ownMove = moved(...own);
  const isClients = name !== "documented";
  const moves = [
    row(
      "client",
      "movePlayer",
      isClients ? ownMoveBody(ownMove, table, name === "v83") : ownMove,
      "the path of the sender's player since its last message",
    ),
    row("client", "moveLife", fromClient(forms.moveLife), "the path of a monster that the sender controls"),
    row("client", "movePet", fromClient(messages.movePetFields), "the path of one of the sender's pets"),
    row("client", "moveSummon", fromClient(messages.moveSummonFields), "the path of one of the sender's summons"),
    row("server", "movePlayer", fromServer(messages.movePlayerNoticeFields), "the path of another player"),
    row("server", "moveMonster", fromServer(forms.moveMonster), "the path of a monster"),
    row("server", "movePet", fromServer(messages.movePetNoticeFields), "the path of a player's pet"),
    row("server", "moveSummon", fromServer(messages.moveSummonNoticeFields), "the path of a player's summon"),
    row(
      "server",
      "moveMonsterResponse",
      messages.moveMonsterResponse,
      "the answer to every moveLife: continue to control the monster, and the attack or skill that it may use next",
    ),
  ];
  if (movementOnly) return moves;
  const dragons = [
    row("client", "moveDragon", fromClient(messagesV83.moveDragonFields), "the path of the sender's dragon"),
    row("server", "moveDragon", fromServer(messagesV83.moveDragonNoticeFields), "the path of a player's dragon"),
  ];
  return [
    ...moves,
    ...(name === "v83" ? dragons : []),
    row(
      "client",
      "playerLoggedIn",
      forms.playerLoggedIn,
      "the character enters the world; its login was on another server",
    ),
    row("client", "pong", messages.empty, "the answer to ping"),
    row("client", "aggro", forms.aggro, "a monster has noticed the sender's player"),
    row("server", "ping", messages.empty, "a keep-alive request, to be answered with pong"),
    row("server", "changeMap", forms.changeMap, "a command to enter a map; from here on moves carry its fieldKey"),
    row("server", "showPlayer", forms.showPlayer, "a player is on the map"),
    row("server", "removePlayer", messages.removePlayer, "a player has left the map"),
    row("server", "showMonster", forms.showMonster, "a monster is on the map"),
    row("server", "removeMonster", forms.removeMonster, "a monster has left the map or died"),
    row("server", "controlMonster", forms.controlMonster, "a command to control a monster, or to stop"),
  ];
}

/**
 * The same message, written also from the bytes of a path as they came: they stand for all that follows the head. JSON
 * has the path that they hold.
 */
function relayable(head: Layout<object>, layout: Layout<object>): Layout<object> {
  const write: Layout<object>["write"] = (writer, value) => {
    if (!hasPathBytes(value)) return layout.write(writer, value);
    head.write(writer, value);
    writer.bytes(value.pathBytes);
  };
  return {
    ...layout,
    write,
    toJson: (value) => layout.toJson(hasPathBytes(value) ? decode(layout, encode({ ...layout, write }, value)) : value),
  };
}

function hasPathBytes(value: unknown): value is PathBytes {
  return typeof value === "object" && value !== null && "pathBytes" in value;
}

interface DialectCodec extends PayloadCodec<MapleClientMessage, MapleServerMessage> {
  readonly layouts: MessageLayouts;
  /** Where the path begins in a client's movement packet, by message, in bytes. */
  readonly pathStarts: ReadonlyMap<string, number>;
}

function createCodec(rules: DialectRules): DialectCodec {
  const table = messageTable({
    dialect: rules.name,
    idName: "opcode",
    id: rules.opcode,
    formatId: (id) => `0x${id.toString(16).toUpperCase().padStart(2, "0")}`,
    rows: rowsOf(rules),
  });
  const ownOpcode = opcodes[rules.name].client.movePlayer as number;
  // Reused: a payload is copied out of the writer when it is whole, and nothing is written meanwhile.
  const writer = new ByteWriter(1024);
  const idBits = sizeOf(rules.opcode.node).most;
  const starts = Object.entries(table.layouts.client).flatMap(([message, { node }]): [string, number][] => {
    const bits = bitsBefore(node, "fragments");
    return bits === undefined ? [] : [[message, (idBits + bits) / 8 - PLACE_BYTES]];
  });

  return {
    ...table,
    pathStarts: new Map(starts),
    write(sender: Side, message: WireMessage) {
      if (message.message === "movePlayer" && sender === "client" && rules.name !== "documented") {
        const payload = encodeOwnMove(ownOpcode, message.value, rules.fragments, rules.name === "v83");
        if (payload !== undefined) return payload;
      }
      const { id, layout } = table.rowOf(sender, message.message);
      writer.reset();
      rules.opcode.write(writer, id);
      layout.write(writer, message.value);
      const payload = takeBytes(writer.length);
      writer.copyTo(payload);
      return payload;
    },
  };
}

/** How many bits a struct has before a field, when it has that field: they are the same for every value. */
function bitsBefore(node: LayoutNode, name: string): number | undefined {
  if (node.kind !== "struct") return undefined;
  const index = node.fields.findIndex((field) => field.name === name);
  if (index < 0) return undefined;
  return node.fields.slice(0, index).reduce((bits, field) => bits + sizeOf(field.node).most, 0);
}

/** The bytes of a path before its count: its start in the clients' dialects, unknown in `documented`. */
const PLACE_BYTES = 4;

const codecs = Object.fromEntries(mapleDialects.map((rules) => [rules.name, createCodec(rules)])) as Readonly<
  Record<MapleDialect, DialectCodec>
>;

/** The description of every message's body, by dialect, sender and name. */
export const layouts: Readonly<Record<MapleDialect, MessageLayouts>> = {
  v62: codecs.v62.layouts,
  v83: codecs.v83.layouts,
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
 * `documented` player move that is the last four of the five bytes before the count, where `v62` has the start.
 */
export function pathBytesOf(message: MoveMessage, payload: Uint8Array, dialect: string): Uint8Array {
  const { name, fragments: table } = dialectRules(dialect);
  const start = codecs[name].pathStarts.get(message.message) as number;
  const length = PLACE_BYTES + 1 + sizeOfFragments(message.value.fragments, table);
  return payload.subarray(start, start + length);
}
