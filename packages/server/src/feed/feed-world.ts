/** A world as the page's feed sees it: one that this server hosts, or the shadow world of a relay. */
import type { PlayerId, Track } from "wirewalk/motion";
import type { Effect, PlayerBudget, Protocol } from "wirewalk/protocol";
import type { FeedRates } from "./feed.ts";

/** What `FeedRates` has per second, counted since the start; sessions as of now. */
export type FeedCounts = FeedRates;

export type Observation = Extract<Effect, { effect: "observe" }>;

export interface FeedWorld {
  /** No other world of the feed has it. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly feedCounts: FeedCounts;
  /** The name that other players see. */
  nameOf(player: PlayerId): string | undefined;
  /** The room whose broadcasts the player receives. */
  roomOf(player: PlayerId): string | undefined;
  /** Players that receive the room's broadcasts or are shown in it. */
  playersIn(room: string): readonly PlayerId[];
  isIn(player: PlayerId, room: string): boolean;
  /** Names of the rooms with players, and how many. */
  rooms(): ReadonlyMap<string, number>;
  /** One point per player of the room. */
  tracks(nowMs: number, room: string): readonly Track[];
  /** While this number stays, the room's tracks stay. Undefined: they may change at any time. */
  tracksVersion(room: string): number | undefined;
  /**
   * The time of the room's tracks, where they come from another process: then this world's times are of that process. Undefined before
   * the first.
   */
  tracksMs?(room: string): number | undefined;
  /** The rooms that pages watch, where they come from another process. Called for every turn of tracks. */
  watch?(rooms: ReadonlySet<string>): void;
  /** How much of what adds up a player has used; undefined where nothing does. */
  budgets?(player: PlayerId): readonly PlayerBudget[] | undefined;
  follow(player: PlayerId): void;
  unfollow(player: PlayerId): void;
}
