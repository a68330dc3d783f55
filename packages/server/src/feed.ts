/**
 * The **feed** at `/ws/studio`: the messages to the page, and its requests. One JSON object per text message; `type` names
 * its kind. Binary messages are the watched room's tracks, as `TrackReader` of `wirewalk/motion` reads them: a full snapshot
 * after `watch`, then what has changed, up to twenty times a second. `docs/feed.md` describes all of it. Types only: the page
 * imports them, nothing else of the server.
 */
import type { VerdictKind } from "wirewalk/motion";
import type { JsonObject } from "wirewalk/wire";

/** A protocol that this server speaks. */
export interface FeedProtocol {
  readonly name: string;
  readonly title: string;
  readonly dialect: string;
  /** Path of the game's own WebSocket. */
  readonly path: string;
  /** `host:port` of the TCP listener, if there is one. */
  readonly listen: string | null;
  /** The seed of the protocol's demo places, when the world has them. Without them the shape of rooms is unknown. */
  readonly demo: { readonly seed: number } | null;
  /** The protocol's settings as this server has them, such as opcodes. */
  readonly settings: Readonly<Record<string, number>>;
  /** `host:port` of the server that a relay connects to; absent for a world of this server. A relay cannot be joined. */
  readonly relayTo?: string;
}

/** A message that passed through a relay. */
export interface FeedWireRecord {
  readonly sender: "client" | "server";
  /** The number of the connection, which is that of its player in the relay's own world. */
  readonly player: number;
  /** Without frame and cipher, as hex. */
  readonly payload: string;
}

export interface FeedRoom {
  readonly room: string;
  readonly players: number;
}

export interface FeedPlayer {
  readonly player: number;
  readonly name: string;
  readonly room: string;
}

/** A verdict as JSON: the message as hex. */
export interface FeedVerdict {
  readonly kind: VerdictKind;
  readonly rule: string;
  readonly reason: string;
  readonly player: number;
  readonly room: string;
  readonly atMs: number;
  readonly measured: number | null;
  readonly allowed: number | null;
  readonly unit: string | null;
  readonly message: string;
  readonly stateBefore: JsonObject;
}

/** A ban in force, without the address that it may apply to. */
export interface FeedBan {
  readonly holdsOn: "login" | "address" | "session";
  /** The name that other players saw. Unverified unless the ban applies to a login. */
  readonly name: string;
  readonly rule: string;
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Per second, over the last second. */
export interface FeedRates {
  readonly sessions: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly messagesIn: number;
  readonly messagesOut: number;
  /** Verdicts other than accept. */
  readonly verdicts: number;
}

export type FeedMessage =
  /**
   * The first message. `version` counts the changes of the feed that older pages cannot read. Open the game's WebSocket with
   * `?viewer=<token>` to receive the id of your player here.
   */
  | {
      readonly type: "hello";
      readonly version: 2;
      readonly token: string;
      readonly protocols: readonly FeedProtocol[];
    }
  /** Once a second, and at once after a change of rooms. */
  | { readonly type: "rooms"; readonly protocol: string; readonly rooms: readonly FeedRoom[] }
  /** The players of the watched room: once after `watch`, then `join` and `leave`. */
  | {
      readonly type: "players";
      readonly protocol: string;
      readonly room: string;
      readonly players: readonly FeedPlayer[];
    }
  | { readonly type: "join"; readonly protocol: string; readonly player: FeedPlayer }
  | { readonly type: "leave"; readonly protocol: string; readonly player: number; readonly room: string }
  /** Every verdict above accept of every room of the watched protocol; the last hundred come first after `watch`. */
  | { readonly type: "verdict"; readonly protocol: string; readonly verdict: FeedVerdict }
  /**
   * Something that the game shows to spectators, for the watched room; `what` names its kind. Some kinds are sent only
   * for the player that is followed.
   */
  | {
      readonly type: "observation";
      readonly protocol: string;
      readonly room: string;
      readonly player: number;
      readonly atMs: number;
      readonly what: string;
      readonly data: JsonObject;
    }
  /** Of a relay: messages that passed, of all its connections. At most 25 every 50 ms, the last ones. */
  | { readonly type: "wire"; readonly protocol: string; readonly records: readonly FeedWireRecord[] }
  /** The bans in force, the newest first, 50 at most: after `watch` for its protocol, and after every change. */
  | { readonly type: "bans"; readonly protocol: string; readonly bans: readonly FeedBan[] }
  /** Once a second. */
  | { readonly type: "rates"; readonly protocol: string; readonly rates: FeedRates }
  /** The player id of a session that was opened with this feed's token, and its room: sent again when it enters another. */
  | { readonly type: "self"; readonly protocol: string; readonly player: number; readonly room: string };

/** The requests of a page. Anything else ends the feed with close code 1008 and a reason. */
export type FeedRequest =
  /**
   * Watch one room of a protocol; null: its rooms and rates only. Replaces the last `watch`. `player` is a player of the room
   * to follow: the game may show more of it. A player that is not in the room is ignored.
   */
  {
    readonly type: "watch";
    readonly protocol: string;
    readonly room: string | null;
    readonly player?: number | null;
  };
