/** Worlds: the state and rules of a game, and their effects. */
import type { PlayerId, Track, Verdict } from "../motion/index.ts";
import type { JsonObject } from "../wire/index.ts";
import type { WireMessage } from "./codec.ts";
import type { Following } from "./following.ts";
import type { WorldMaps } from "./maps.ts";
import type { PacketThreads } from "./packet-threads.ts";
import type { PlayerBudget } from "./player-budget.ts";
import type { Responses } from "./responses.ts";
import type { Shadowed } from "./shadow.ts";

/** A request to join a world, from the carrier or a login. */
export interface Joining {
  /**
   * The player across its sessions: a login name that was proved, or an address with the name that the player claims. A
   * carrier writes them so that nobody can take the account of another by claiming a name. An address without a name may be
   * several people, also at the same time.
   */
  readonly account: string;
  /** Shown to people. */
  readonly name: string;
  /** The requested room, if any; the world decides. */
  readonly room?: string;
}

/** Why a world refuses a player. `unavailable` comes from its server: what the player needs does not work now, such as the store of accounts. */
export type Refusal =
  | "no-account"
  | "wrong-password"
  | "already-online"
  | "wrong-version"
  | "banned"
  | "full"
  | "bad-room"
  | "unavailable";

/** What a world asks its host to do. Plain data: a server, a simulator and a test each carry it out in their way. */
export type Effect<S extends WireMessage = WireMessage> =
  /**
   * One message to one player. A `lossy` one is dropped when the player reads too slowly: `refresh` replaces it. An
   * `unreliable` one is dropped while the player has unsent data: a newer message replaces it.
   */
  | {
      readonly effect: "send";
      readonly to: PlayerId;
      readonly message: S;
      readonly lossy?: true;
      readonly unreliable?: true;
    }
  /** One message to all players who have entered the room, except one. */
  | { readonly effect: "broadcast"; readonly room: string; readonly except: PlayerId | undefined; readonly message: S }
  /** From here on the player receives the room's broadcasts. A player receives those of one room at a time. */
  | { readonly effect: "enter"; readonly player: PlayerId; readonly room: string }
  /** From here on the player receives no broadcasts. */
  | { readonly effect: "exit"; readonly player: PlayerId; readonly room: string }
  /** From here on spectators see the player in a room whose broadcasts it does not receive. */
  | { readonly effect: "show"; readonly player: PlayerId; readonly room: string }
  /** Ends `show`. */
  | { readonly effect: "hide"; readonly player: PlayerId; readonly room: string }
  | { readonly effect: "verdict"; readonly verdict: Verdict }
  /**
   * Data for spectators, such as a page; no client of the game receives it. `what` names its kind. With `toFollowers` only
   * for spectators that follow the player.
   */
  | {
      readonly effect: "observe";
      readonly player: PlayerId;
      readonly room: string;
      readonly what: string;
      readonly data: JsonObject;
      readonly toFollowers?: true;
    }
  /** Ban the player's account; `evidence` holds the verdicts that led to it. */
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
  /** The world's options that decide effects, defaults included. A world with other options refuses. */
  readonly options: SavedOptions;
  readonly state: object;
}

/**
 * Options by name. Objects, such as constants of physics, are the digest of their data. A function, such as one that
 * says who may teleport, is the word `function`: what it answers is not compared, and who restores has to give the same one.
 */
export type SavedOptions = Readonly<Record<string, string | number | boolean>>;

/**
 * A world: the game's state and rules. Pure: no sockets, no clock, no randomness of its own; equal calls give equal
 * effects on every machine. Times are milliseconds of one clock that never decreases.
 *
 * **Who owns bytes**: the caller owns the payload that it passes to `receive` and may overwrite it as soon as `receive`
 * returns; a world copies the bytes that it keeps, those of verdicts among them. Effects are plain data without getters,
 * and belong to the caller of `takeEffects`.
 */
export interface World<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage> {
  /** Milliseconds between two ticks that suit this world. */
  readonly tickMs: number;
  /** The most players at the same time. */
  readonly capacity: number;
  /** Why this player may not join; undefined when it may. */
  refuses(joining: Joining): Refusal | undefined;
  /** `player` is free and within 1..65535. Throws `RangeError` when it is in use or the joining would be refused. */
  join(player: PlayerId, joining: Joining, nowMs: number): void;
  /** Removes the player. Nothing happens for an unknown player. */
  leave(player: PlayerId, nowMs: number): void;
  /** A decoded message with its payload, which verdicts copy as evidence. A message of an unknown player is ignored. */
  receive(player: PlayerId, message: C, payload: Uint8Array, nowMs: number): void;
  tick(nowMs: number): void;
  /** Sends the player what a player that joins now receives: for a slow reader that missed messages. */
  refresh(player: PlayerId, nowMs: number): void;
  /** The effects since the last call, in order. */
  takeEffects(): readonly Effect<S>[];
  /**
   * One point per player of the room, or of every room. Beside another server that server's players may be among them, by numbers
   * that no player of this world has: `rooms` and effects do not know them. Changes nothing that a verdict could depend on.
   */
  tracks(nowMs: number, room?: string): readonly Track[];
  /**
   * For worlds whose tracks change at few moments: a number that another one follows when the room's tracks may have changed
   * in anything but `atMs`. While it stays, spectators keep the tracks that they have. Undefined for a room whose tracks
   * may change with the time alone.
   */
  tracksVersion?(room: string): number | undefined;
  /** For worlds whose limits add up: how much of each a player has used. Empty for an unknown player. Changes nothing. */
  budgets?(player: PlayerId, nowMs: number): readonly PlayerBudget[];
  /** Names of the rooms with players, and how many. A player that is shown in two rooms counts in both. */
  rooms(): ReadonlyMap<string, number>;
  /**
   * Places of `WorldOptions.maps` that this world has used so far, with their digests: a recording names them, and a replay must have the
   * same. Those of a restored world are among them.
   */
  usedMaps?(): ReadonlyMap<string, string>;
  /** For worlds that can observe a player more closely. */
  readonly following?: Following | undefined;
  /** Of a world that stands beside another server. */
  readonly shadow?: Shadowed;
  /**
   * Everything that decides later effects and tracks, effects that wait to be taken included, and nothing else: no caches,
   * no tables that follow from the options.
   */
  save(): SavedWorld;
  /**
   * Replaces the whole state by that of a world with the same options: from here on equal calls give equal effects and
   * tracks in both, byte for byte. Throws `RangeError` for the saved world of another protocol, dialect or schema and for
   * one with other options, which the error names, and `TypeError` or `RangeError` for malformed data; then nothing has changed.
   */
  restore(saved: SavedWorld): void;
  /** 64 bits of what `save` returns, equal on every machine: worlds with equal digests are in the same state. */
  digest(): bigint;
  /** Ends the threads of a world that has some. */
  close?(): void;
}

export interface WorldOptions {
  readonly dialect: string;
  readonly seed: number;
  /**
   * `log` is for a trial before enforcing: cheats are flagged and relayed, nobody is corrected or banned. Invalid messages
   * and too many messages are still refused. Default `enforce`.
   */
  readonly enforcement?: "enforce" | "log";
  /**
   * What follows from a rule's finding, instead of what the rule says, for rules of the capability `responses`. With
   * `log` none of them, but for `drop` in a world beside another server, whose relay holds such messages back. The world throws `RangeError` for other rules and impossible responses.
   */
  readonly responses?: Responses;
  /** Whether the protocol's demo places (rooms, maps) replace the game's own. Default false: no places. */
  readonly demo?: boolean;
  /**
   * The places of the game, read by capability `maps`; instead of the demo places. The world throws `TypeError` for those of another
   * game. Default: none.
   */
  readonly maps?: WorldMaps;
  /**
   * The world stands beside another server and has member `shadow`, which takes what that server sends. Only players whom that server
   * has shown are in it. It is an option because a world that waited for that server's first message would show and record players of
   * its own until then. Saved states have it too. Default false. Worlds without players of their own ignore it.
   */
  readonly shadow?: boolean;
  /**
   * Milliseconds between two ticks instead of the game's own, for protocols with capability `tick`; others ignore it. The
   * world throws `RangeError` for a value that `checkTickMs` refuses.
   */
  readonly tickMs?: number;
  /** Threads that make packets together, for protocols with capability `threads`; others ignore it. The effects are the same. */
  readonly threads?: PacketThreads;
}
