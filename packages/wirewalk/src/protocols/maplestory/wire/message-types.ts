/**
 * The types of MapleStory's messages, by dialect: what `codec.ts` reads and writes. They follow from the layouts of `messages.ts`,
 * `messages-v83.ts` and `messages-v95.ts`.
 */
import type { Infer } from "../../../wire/index.ts";
import type { PayloadCodec, Reads } from "../../codec.ts";
import type { MapleDialect } from "./dialect.ts";
import type { FragmentFields } from "./fragment.ts";
import type * as messages from "./messages.ts";
import type { Path, PathBytes, Tail } from "./messages.ts";
import type * as messagesV83 from "./messages-v83.ts";
import type * as messagesV95 from "./messages-v95.ts";
import type { MovingPath } from "./messages-v95.ts";

interface Message<N extends string, V> {
  readonly message: N;
  readonly value: V;
}

type Value<K extends keyof typeof messages> = Infer<(typeof messages)[K]>;
type ValueV83<K extends keyof typeof messagesV83> = Infer<(typeof messagesV83)[K]>;
type ValueV95<K extends keyof typeof messagesV95> = Infer<(typeof messagesV95)[K]>;
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
export type V95MovePlayer = FieldsOf<typeof messagesV95.movePlayerFields> & MovingPath & Tail;
type V62Life = FieldsOf<typeof messages.moveLifeFields>;
type V83Life = FieldsOf<typeof messagesV83.moveLifeFields>;
type V95Life = FieldsOf<typeof messagesV95.moveLifeFields> & FieldsOf<typeof messagesV95.moveLifeTail>;
type ClientPath = (Path & Tail) | DocumentedPath;
type ServerPath = Path | DocumentedPath | PathBytes;

/** A client's messages. Those that are not a movement, and the dragons of `v83` and `v95`, are not in `documented`. */
export type MapleClientMessage =
  | Message<"movePlayer", V62MovePlayer | V83MovePlayer | V95MovePlayer | DocumentedMovePlayer>
  | Message<"moveLife", (V62Life & ClientPath) | ((V83Life | V95Life) & Path & Tail)>
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
      | (FieldsOf<typeof messagesV95.moveMonsterFields> & (Path | PathBytes))
    >
  | Message<"movePet", FieldsOf<typeof messages.movePetNoticeFields> & ServerPath>
  | Message<"moveSummon", FieldsOf<typeof messages.moveSummonNoticeFields> & ServerPath>
  | Message<"moveDragon", FieldsOf<typeof messagesV83.moveDragonNoticeFields> & (Path | PathBytes)>
  | Message<"moveMonsterResponse", Value<"moveMonsterResponse">>
  | Message<"changeMap", Value<"changeMap"> | ValueV83<"changeMap"> | ValueV95<"changeMap">>
  | Message<"showPlayer", Value<"showPlayer"> | ValueV83<"showPlayer">>
  | Message<"removePlayer", Value<"removePlayer">>
  | Message<
      "showMonster",
      Value<"showMonster"> | ValueV83<"showMonster"> | ValueV95<"showMonster"> | Value<"documentedShowMonster">
    >
  | Message<"removeMonster", Value<"removeMonster"> | ValueV83<"removeMonster">>
  | Message<"controlMonster", Value<"controlMonster"> | ValueV83<"controlMonster"> | ValueV95<"controlMonster">>
  | Redirects
  | Message<"ping", Value<"empty">>;

/** A server's messages that send the client to another server. */
type Redirects =
  | Message<"serverIp", Value<"serverIp">>
  | Message<"serverIpOfAll", Value<"serverIp">>
  | Message<"changeChannel", Value<"changeChannel">>;

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
      | Redirects
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
      | Redirects
      | Message<"ping", Value<"empty">>;
  };
  readonly v95: {
    readonly client:
      | ClientMoves<V95MovePlayer, V95Life, MovingPath & Tail>
      | Message<"moveDragon", MovingPath & Tail>
      | Message<"playerLoggedIn", ValueV83<"playerLoggedIn">>
      | Message<"aggro", ValueV83<"aggro">>
      | Message<"pong", Value<"empty">>;
    readonly server:
      | ServerMoves<FieldsOf<typeof messagesV95.moveMonsterFields>, MovingPath>
      | Message<"moveDragon", FieldsOf<typeof messagesV83.moveDragonNoticeFields> & MovingPath>
      | Message<"changeMap", ValueV95<"changeMap">>
      | Message<"showPlayer", ValueV83<"showPlayer">>
      | Message<"removePlayer", Value<"removePlayer">>
      | Message<"showMonster", ValueV95<"showMonster">>
      | Message<"removeMonster", ValueV83<"removeMonster">>
      | Message<"controlMonster", ValueV95<"controlMonster">>
      | Redirects
      | Message<"ping", Value<"empty">>;
  };
  readonly documented: {
    readonly client: ClientMoves<DocumentedMovePlayer, V62Life, DocumentedPath>;
    readonly server:
      | ServerMoves<FieldsOf<typeof messages.moveMonsterFields>, DocumentedPath>
      | Message<"showMonster", Value<"documentedShowMonster">>;
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
