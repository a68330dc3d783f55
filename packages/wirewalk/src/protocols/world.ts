/** Worlds: the state and rules of a game, and what they want done. */
import type { PlayerId, Track, Verdict } from "../motion/index.ts";
import type { JsonObject } from "../wire/index.ts";
import type { WireMessage } from "./codec.ts";
import type { Following } from "./following.ts";

/** Who wants to join a world, as far as the carrier or a login told. */
export interface Joining {
  /** What bans hold on to: a login name, or else an address. */
  readonly account: string;
  /** Shown to people. */
  readonly name: string;
  /** The place asked for, if any: the world decides. */
  readonly room?: string;
}

/** Why somebody may not come in. */
export type Refusal =
  | "no-account"
  | "wrong-password"
  | "already-online"
  | "wrong-version"
  | "banned"
  | "full"
  | "bad-room";

/** What a world wants done. Data, so that a server, a simulator and a test can all do it their way. */
export type Effect<S extends WireMessage = WireMessage> =
  /**
   * One message to one player. A `lossy` one is not sent to who reads too slowly: what `refresh` sends makes up for it.
   * An `unreliable` one tells what a newer one will soon tell better: it is not sent while anything that was sent before
   * still waits for the player to read, so that nobody hears old news late.
   */
  | {
      readonly effect: "send";
      readonly to: PlayerId;
      readonly message: S;
      readonly lossy?: true;
      readonly unreliable?: true;
    }
  /** One message to all who have entered the room, less one. */
  | { readonly effect: "broadcast"; readonly room: string; readonly except: PlayerId | undefined; readonly message: S }
  /** From here on the player hears the room's broadcasts. A player hears one room at a time. */
  | { readonly effect: "enter"; readonly player: PlayerId; readonly room: string }
  /** From here on the player hears none. */
  | { readonly effect: "exit"; readonly player: PlayerId; readonly room: string }
  /** From here on the player is also among those of a room that it does not hear, for whoever looks on. */
  | { readonly effect: "show"; readonly player: PlayerId; readonly room: string }
  /** From here on it is not. */
  | { readonly effect: "hide"; readonly player: PlayerId; readonly room: string }
  | { readonly effect: "verdict"; readonly verdict: Verdict }
  /**
   * Something for those who look on, such as a page; no client of the game is told. `what` names its kind. With
   * `toFollowers` only for those who follow the player.
   */
  | {
      readonly effect: "observe";
      readonly player: PlayerId;
      readonly room: string;
      readonly what: string;
      readonly data: JsonObject;
      readonly toFollowers?: true;
    }
  /** Keep the player's account out until then; `evidence` is what led to it. */
  | {
      readonly effect: "ban";
      readonly player: PlayerId;
      readonly account: string;
      readonly reason: string;
      readonly durationMs: number;
      readonly evidence: readonly Verdict[];
    }
  /** End the player's session. */
  | { readonly effect: "close"; readonly player: PlayerId; readonly reason: string };

/**
 * The state of a world at one moment. Plain data, which `structuredClone` copies: numbers, bigints, strings, booleans,
 * null and undefined; arrays, plain objects, maps, sets and typed arrays of them. It shares nothing mutable with its world.
 */
export interface SavedWorld {
  /** Counts the changes of the shape of `state`, from 1. A world refuses every schema but its own. */
  readonly schema: number;
  /** Protocol and dialect: `slime-online-2/v0106`. */
  readonly world: string;
  readonly state: object;
}

/**
 * A world: the game's state and rules. Pure: no sockets, no clock, no randomness of its own; equal calls give equal
 * effects on every machine. Times are milliseconds of one clock that never runs backwards.
 *
 * **Who owns bytes**: the caller owns the payload that it passes to `receive` and may overwrite it as soon as `receive`
 * returns; a world copies the bytes that it keeps, those of verdicts among them. Effects are plain data without getters,
 * and belong to whoever took them.
 */
export interface World<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage> {
  /** Milliseconds between two ticks that suit this world. */
  readonly tickMs: number;
  /** Players at most. */
  readonly capacity: number;
  /** Undefined when somebody like this may come in. */
  refuses(joining: Joining): Refusal | undefined;
  /** `player` is free and within 1..65535. Throws `RangeError` when it is in use or the joining would be refused. */
  join(player: PlayerId, joining: Joining, nowMs: number): void;
  /** Forgets the player; nothing happens when there is none. */
  leave(player: PlayerId, nowMs: number): void;
  /** A decoded message with its payload, which verdicts copy as evidence. A message of an unknown player is ignored. */
  receive(player: PlayerId, message: C, payload: Uint8Array, nowMs: number): void;
  tick(nowMs: number): void;
  /** Sends the player what somebody who just joined would get: used after a slow reader lost messages. */
  refresh(player: PlayerId, nowMs: number): void;
  /** What has been put out since the last call, in order. */
  takeEffects(): readonly Effect<S>[];
  /** One point per player of the room, or of every room. Changes nothing that a verdict could depend on. */
  tracks(nowMs: number, room?: string): readonly Track[];
  /** Names of the rooms that somebody is in, with the number of players. Who is shown in two rooms counts in both. */
  rooms(): ReadonlyMap<string, number>;
  /** For worlds that can observe a player more closely. */
  readonly following?: Following;
  /**
   * Everything that decides later effects and tracks, effects that wait to be taken included, and nothing else: no caches,
   * no tables that follow from the options.
   */
  save?(): SavedWorld;
  /**
   * Replaces the whole state by that of a world with the same options: from here on equal calls give equal effects and
   * tracks in both, byte for byte. Throws `RangeError` for the saved world of another protocol, dialect or schema, and
   * `TypeError` or `RangeError` for malformed data; then nothing has changed.
   */
  restore?(saved: SavedWorld): void;
  /** 64 bits of what `save` returns, equal on every machine: worlds with equal digests are in the same state. */
  digest?(): bigint;
}

export interface WorldOptions {
  readonly dialect: string;
  readonly seed: number;
  /**
   * `log` is for watching before enforcing: what a rule against cheating finds is flagged and relayed, nobody is
   * corrected or banned. What is no valid message, or too many of them, is still refused. Default `enforce`.
   */
  readonly enforcement?: "enforce" | "log";
  /** Whether the protocol's made-up places (rooms, maps) stand in for the game's own. Default false: no places. */
  readonly demo?: boolean;
  /**
   * Milliseconds between two ticks instead of the game's own, for protocols that have a `tickMs`; others take no notice.
   * The world throws `RangeError` unless `checkTickMs` takes it.
   */
  readonly tickMs?: number;
}
