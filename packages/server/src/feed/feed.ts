/**
 * The **feed** at `/ws/studio`: the messages to the page, and its requests. One JSON object per text message; `type` names
 * its kind. Binary messages are the watched room's tracks, as `TrackReader` of `wirewalk/motion` reads them: a full snapshot
 * after `watch`, then what has changed, up to twenty times a second. `docs/feed.md` describes all of it. Types only: the page
 * imports them, nothing else of the server.
 */
import type { VerdictKind } from "wirewalk/motion";
import type { Envelope, KnownFact } from "wirewalk/protocol";
import type { JsonObject } from "wirewalk/wire";

/** A world of this server. */
export interface ServedWorld {
  /** Its key in all messages: `maplestory`, `maplestory-2`. */
  readonly name: string;
  /** The name of its game. */
  readonly protocol: string;
  /** For people: the title of the game, with the name of the world where the game has several. */
  readonly title: string;
  readonly dialect: string;
  /** Path of the world's own WebSocket. */
  readonly path: string;
  /** `host:port` of the TCP listener, if there is one. */
  readonly listen: string | null;
  /** The seed of the demo places, when the world has them. Without them the shape of rooms is unknown. */
  readonly demo: { readonly seed: number } | null;
  /** The game's settings as this server has them, such as opcodes. */
  readonly settings: Readonly<Record<string, number>>;
  /** `host:port` of the server that a relay connects to; absent for a world of this server. A relay cannot be joined. */
  readonly relayTo?: string;
  /** The recording that is played, for all pages together; absent for a live world. A recording cannot be joined. */
  readonly playback?: FeedRecording;
}

/** A recording that is played. Positions are milliseconds from its first key frame. */
export interface FeedRecording {
  /** Name of the file, without its folder. */
  readonly file: string;
  /** Time of the world's clock at position 0: times of verdicts and tracks are of this clock. */
  readonly startMs: number;
  /** Milliseconds since 1970 at position 0. */
  readonly epochMs: number;
  /** The part that is played. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/** How a playback stands, which is the same for all its pages. */
export interface FeedPlayback {
  /** Everything up to this position is shown. While it plays, positions between two of these messages follow from `speed`. */
  readonly atMs: number;
  readonly isPlaying: boolean;
  /** Seconds of the recording in a second. */
  readonly speed: number;
  /** It plays, and stands at the message of a moment for a while. */
  readonly isHeld: boolean;
  /** A jump is on its way: `atMs` is where it leads. */
  readonly isSeeking: boolean;
  /** Counts jumps. After another number, tracks and verdicts from before are of another time: send `watch` again. */
  readonly jump: number;
  /** Records are missing in the recording here: the world goes on at the next key frame. */
  readonly isMissing: boolean;
  /** Where the replay differs from the recording first, since the last jump; null while it does not. */
  readonly difference: string | null;
  /** `atMs` by the ticks that the game has ended, where the clock of the file is known to run slow; null elsewhere, and until they are counted. */
  readonly gameMs: number | null;
  /** What of the file cannot be read, in a sentence, as far as the file was read; null while there is nothing. */
  readonly damage: string | null;
}

/** Verdicts of the recording within a part of its length. */
export interface FeedMark {
  readonly atMs: number;
  /** The gravest of them. */
  readonly kind: VerdictKind;
  readonly count: number;
}

/** A place of a drawing, in the unit of its game. */
export interface FeedPlace {
  readonly x: number;
  readonly y: number;
  readonly z?: number;
}

/** A question that sentences of a story answer. */
export type FeedStoryPart = "did" | "done" | "next" | "sum" | "certainty" | "causes" | "limits" | "proof";

/** What an owner is advised to do about a verdict; `doubt`: the verdict itself is to be looked at. */
export type FeedAdvice = "nothing" | "watch" | "warn" | "kick" | "ban" | "doubt";

/** The answer to one question: sentences, those that most readers do not need, and of `next` the advice. */
export interface FeedStoryAnswer {
  readonly part: FeedStoryPart;
  /** For a heading; empty where none is needed. */
  readonly question: string;
  readonly lines: readonly string[];
  readonly more?: readonly string[];
  readonly advice?: FeedAdvice;
}

/** A verdict of a recording with the seconds around it, which are played again and again. Times `ms` count from the verdict. */
export interface FeedMoment {
  readonly id: string;
  readonly verdict: FeedVerdict;
  /** Positions in the recording: of the verdict, and of the part that is played. */
  readonly atMs: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** What happened and what can be done, in sentences. */
  readonly story: readonly FeedStoryAnswer[];
  /** Of places; null of a game whose messages name none. */
  readonly unit: "px" | "m" | "tiles" | null;
  readonly isYDown: boolean;
  /** What the rule measured from: the place before the message, as the rule had it, or what the verdict names. */
  readonly from: FeedPlace | null;
  /** Where the message says that who moved was; null where it names no place of this room. */
  readonly at: FeedPlace | null;
  /** What the server knew of the player before the message, for people who run a server. */
  readonly known: readonly KnownFact[];
  /** Where the rule would have let the player be. */
  readonly envelope: Envelope | null;
  /** What was compared in the room that the message leads to. */
  readonly elsewhere: { readonly room: string; readonly from: FeedPlace; readonly at: FeedPlace } | null;
  /**
   * What a drawing is about: the way and where the rule would have let it end, the same in another room, the client's time against the server's,
   * messages in a second, the way of a pointer, a figure and its limit, or nothing that was measured.
   */
  readonly picture: "places" | "elsewhere" | "clock" | "rate" | "strokes" | "amount" | "state";
  /**
   * The messages of the client with the places that they name; `mover` is whom they are of where that is not the player, `room` the one that a
   * message leads to, `kind` the worst verdict on the message.
   */
  readonly claimed: readonly {
    readonly ms: number;
    readonly message: string;
    readonly places: readonly FeedPlace[];
    readonly mover: string | null;
    readonly room: string | null;
    /** The client's own time after it, where it takes some. */
    readonly clockMs: number | null;
    readonly kind: VerdictKind | null;
    readonly isJudged: boolean;
  }[];
  /** Where the server had the player. */
  readonly server: readonly (FeedPlace & { readonly ms: number })[];
  /** Other verdicts about the player. */
  readonly near: readonly { readonly ms: number; readonly kind: VerdictKind; readonly rule: string }[];
  /** Whether the same seconds, replayed, give the verdict again. */
  readonly isReproduced: boolean;
  /** What the player sent, and what it alone was sent. */
  readonly messages: readonly FeedWireRecord[];
}

/** A message of the followed player, one that passed through a relay, or one that a recording has. */
export interface FeedWireRecord {
  readonly sender: "client" | "server";
  /** Its player, which is the number of a relay's connection; 0 for a broadcast of a recording to a room. */
  readonly player: number;
  /** Of a recording, whose messages are those of all rooms: a page is sent the players of one room. */
  readonly name?: string;
  /** Of the server's clock. */
  readonly atMs: number;
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
  /** The name that other players saw; null of a player that had left. */
  readonly name: string | null;
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

/** How much of a limit that adds up a player has used: above the limit `rule` finds it, below 0 is credit for late messages. */
export interface FeedBudget {
  readonly name: string;
  readonly rule: string;
  readonly used: number;
  readonly limit: number;
  readonly unit: string;
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
      readonly version: 3;
      readonly token: string;
      readonly worlds: readonly ServedWorld[];
    }
  /** Once a second, and at once after a change of rooms. */
  | { readonly type: "rooms"; readonly world: string; readonly rooms: readonly FeedRoom[] }
  /** The players of the watched room: once after `watch`, then `join` and `leave`. */
  | {
      readonly type: "players";
      readonly world: string;
      readonly room: string;
      readonly players: readonly FeedPlayer[];
    }
  | { readonly type: "join"; readonly world: string; readonly player: FeedPlayer }
  | { readonly type: "leave"; readonly world: string; readonly player: number; readonly room: string }
  /** Once a second, for the player that is followed, where its world has limits that add up. */
  | {
      readonly type: "budgets";
      readonly world: string;
      readonly player: number;
      readonly budgets: readonly FeedBudget[];
    }
  /** Every verdict above accept of every room of the watched world; the last hundred come first after `watch`. */
  | { readonly type: "verdict"; readonly world: string; readonly verdict: FeedVerdict }
  /**
   * Something that the game shows to spectators, for the watched room; `what` names its kind. Some kinds are sent only
   * for the player that is followed.
   */
  | {
      readonly type: "observation";
      readonly world: string;
      readonly room: string;
      readonly player: number;
      readonly atMs: number;
      readonly what: string;
      readonly data: JsonObject;
    }
  /**
   * The messages of the followed player in both directions, to the pages that follow it. Of a relay or a playback: those of all
   * connections or players, to every page. At most 25 and 64 KiB every 50 ms, the last ones.
   */
  | { readonly type: "wire"; readonly world: string; readonly records: readonly FeedWireRecord[] }
  /** The bans of the world's game in force, the newest first, 50 at most: after `watch`, and after every change. */
  | { readonly type: "bans"; readonly world: string; readonly bans: readonly FeedBan[] }
  /** Once a second. */
  | { readonly type: "rates"; readonly world: string; readonly rates: FeedRates }
  /** The player id of a session that was opened with this feed's token, and its room: sent again when it enters another. */
  | { readonly type: "self"; readonly world: string; readonly player: number; readonly room: string }
  /** Of a playback: once a second, and at once after a change. */
  | { readonly type: "playback"; readonly world: string; readonly playback: FeedPlayback }
  /** Of a playback: the verdict whose seconds are played again and again; null when that ends, with the reason where it could not begin. */
  | {
      readonly type: "moment";
      readonly world: string;
      readonly moment: FeedMoment | null;
      readonly problem: string | null;
    }
  /** Of a playback: the verdicts of the whole recording in at most 400 parts, again until all of it is read. */
  | { readonly type: "marks"; readonly world: string; readonly marks: readonly FeedMark[]; readonly isAll: boolean };

/** The requests of a page. Anything else ends the feed with close code 1008 and a reason. */
export type FeedRequest = WatchRequest | PlaybackRequest;

export type WatchRequest =
  /**
   * Watch one room of a world; null: its rooms and rates only. Replaces the last `watch`. `player` is a player of the room
   * to follow: the game may show more of it. A player that is not in the room is ignored.
   */
  {
    readonly type: "watch";
    readonly world: string;
    readonly room: string | null;
    readonly player?: number | null;
  };

/** Controls the playback, for all pages: any of them may. */
export type PlaybackRequest =
  | { readonly type: "play" }
  | { readonly type: "pause" }
  /** Pauses after the next tick, or after the next message of a client or to one. */
  | { readonly type: "step"; readonly to: "tick" | "packet" }
  /** 0.1 to 16. */
  | { readonly type: "speed"; readonly speed: number }
  /** Goes to a position; a newer `seek` replaces one that is on its way. */
  | { readonly type: "seek"; readonly atMs: number }
  /** Pauses at the next verdict of the recording, or at the one before. */
  | { readonly type: "verdict"; readonly which: "next" | "previous" }
  | MomentRequest
  /** Plays on from where it is. */
  | { readonly type: "leave-moment" };

/** Plays the seconds around a verdict again and again, until the playback is sent elsewhere. */
export interface MomentRequest {
  readonly type: "moment";
  readonly player: number;
  /** Of the world's clock, in whole milliseconds. */
  readonly atMs: number;
  /** Where several rules found something in it. Default: the gravest. */
  readonly rule?: string;
}
