/**
 * The **feed** at `/ws/studio`: what the page is told, and what it may ask. One JSON object per text message, told
 * apart by `type`. Types only: the page imports them, nothing else of the server.
 */
import type { Track, VerdictKind } from "wirewalk/motion";
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
  /** What the protocol's made-up places follow from, if the game is played there: without, nothing is known of their shape. */
  readonly demo: { readonly seed: number } | null;
  /** The protocol's settings as this server has them, such as opcodes. */
  readonly settings: Readonly<Record<string, number>>;
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
  /** First of all. Open the game's WebSocket with `?viewer=<token>` to be told your own player id here. */
  | { readonly type: "hello"; readonly token: string; readonly protocols: readonly FeedProtocol[] }
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
  /** Twenty times a second, for the watched room. */
  | {
      readonly type: "tracks";
      readonly protocol: string;
      readonly room: string;
      readonly atMs: number;
      readonly tracks: readonly Track[];
    }
  /** Every verdict above accept of every room of the watched protocol; the last hundred come first after `watch`. */
  | { readonly type: "verdict"; readonly protocol: string; readonly verdict: FeedVerdict }
  /**
   * Something that the game shows to those who look on, for the watched room; `what` names its kind. Some kinds are only
   * told of the player that is looked at.
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
  /** An account was banned. */
  | {
      readonly type: "ban";
      readonly protocol: string;
      readonly account: string;
      readonly player: number;
      readonly reason: string;
      readonly untilMs: number;
    }
  /** Once a second. */
  | { readonly type: "rates"; readonly protocol: string; readonly rates: FeedRates }
  /** The player id of a session that was opened with this feed's token, and its room: again whenever it enters one. */
  | { readonly type: "self"; readonly protocol: string; readonly player: number; readonly room: string };

/** What the page may say. Anything else ends the feed with close code 1008 and a reason. */
export type FeedRequest =
  /**
   * Follow one room of a protocol; null: its rooms and rates only. Replaces what was watched before. `player` is somebody
   * of the room to look at closely, of whom the game may show more; who is not there is nobody.
   */
  {
    readonly type: "watch";
    readonly protocol: string;
    readonly room: string | null;
    readonly player?: number | null;
  };
