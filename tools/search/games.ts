/** What the searcher has to know of each game: what its messages can be changed to, and what a player can gain. */

import type { Position, Random } from "../../packages/wirewalk/src/motion/index.ts";
import type { Bot, BotOptions } from "../../packages/wirewalk/src/protocols/bot.ts";
import type { WireMessage } from "../../packages/wirewalk/src/protocols/codec.ts";
import type { WorldMaps } from "../../packages/wirewalk/src/protocols/maps.ts";
import type { PlayableProtocol } from "../../packages/wirewalk/src/protocols/protocol.ts";
import type { ChangeKinds } from "./changes.ts";
import { mapleGame } from "./games/maplestory.ts";
import { scrapGame } from "./games/scrap-mechanic.ts";
import { slimeGame } from "./games/slime-online-2.ts";
import type { Gauge } from "./gauges.ts";
import type { Scene } from "./play.ts";

/** What a client adds to changed messages so that they agree with each other, as any cheating client would. */
export interface ChangedClient {
  /** A message of the server has come. */
  hear(message: WireMessage): void;
  send(message: WireMessage): WireMessage;
}

/** A measure of a gain: its unit, and the gain from which on it is a find. */
export interface Measure {
  readonly unit: string;
  readonly bound: number;
}

export interface SearchGame {
  /** Messages that a client sends by itself when the server asks: a changed stream has its own. */
  readonly answers: ReadonlySet<string>;
  /** Messages that begin a session. */
  readonly session: ReadonlySet<string>;
  /** The other messages of its clients. */
  messages(dialect: string): readonly string[];
  changes(dialect: string): ChangeKinds;
  readonly measures: Readonly<Record<string, Measure>>;
  gauges(scene: Scene, maps: WorldMaps | undefined): Readonly<Record<string, Gauge>>;
  client(dialect: string): ChangedClient;
  createBot(protocol: PlayableProtocol, options: BotOptions): Bot;
  /**
   * The place in a message that others receive of the player. Where it is there, gains are measured by such places alone, and not by
   * ghosts, which play on without the walls of an unknown room.
   */
  claimIn?(message: WireMessage, last: Position | undefined): { readonly x?: number; readonly y?: number } | undefined;
  /** Whether a player is wherever its first message says. */
  startsAnywhere(scene: Scene): boolean;
  /** The room that the client asks for. */
  roomName(scene: Scene): string | undefined;
  /** Rooms that honest players begin in. */
  rooms(protocol: PlayableProtocol, maps: WorldMaps | undefined, random: Random): readonly number[];
}

export const searchGames: Readonly<Record<string, SearchGame>> = {
  maplestory: mapleGame,
  "scrap-mechanic": scrapGame,
  "slime-online-2": slimeGame,
};
