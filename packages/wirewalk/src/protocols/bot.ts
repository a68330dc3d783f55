/** Bots: programmed players. */
import type { Position, Random } from "../motion/index.ts";
import type { WireMessage } from "./codec.ts";
import type { WorldMaps } from "./maps.ts";

/** A programmed player: messages and time in, messages out. Its behaviour is determined by its seed. */
export interface Bot<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage> {
  /** Milliseconds between two steps that suit this bot. */
  readonly stepMs: number;
  /** Where its character is as far as this bot knows; undefined before it is placed, and for bots without a character. */
  readonly place?: Position | undefined;
  /**
   * True after a step when this bot wants its connection closed and opened again, as some cheats do: `start` is called anew.
   * A runner that cannot open another connection goes on.
   */
  readonly wantsReconnect?: boolean;
  /** The messages to send once connected. */
  start(nowMs: number): readonly C[];
  /**
   * The messages to send in answer. Throws `WireError` for a message that is impossible after those before it: the caller
   * then ends the bot's session, with the error's message as the reason.
   */
  receive(message: S, nowMs: number): readonly C[];
  step(nowMs: number): readonly C[];
}

/** The bots of a game. */
export interface Bots<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage> {
  /** Names of ways to cheat, beside `none`. */
  readonly cheats: readonly string[];
  /** More of them, which need places with what they abuse: with `BotOptions.maps`, on which they play where they can. */
  readonly mapCheats?: readonly string[];
  /** More of them, which take minutes to find or which no rule finds: they imitate or replay a player. */
  readonly hardCheats?: readonly string[];
  /** Rooms that a server fills with its own bots, where rooms have numbers. */
  readonly rooms?: readonly number[];
  /** Throws `RangeError` for an unknown dialect or cheat. */
  create(options: BotOptions): Bot<C, S>;
}

export interface BotOptions {
  readonly dialect: string;
  readonly random: Random;
  /** 0, 1, 2 …: the number of the bot among many; names and colours may depend on it. */
  readonly number: number;
  /** One of the protocol's `cheats`, `mapCheats` or `hardCheats`, or `none`. */
  readonly cheat: string;
  /** A part of the game to which the bot is limited, as in `Protocol.streams`. Default: all of the game. */
  readonly part?: string;
  /** The number of the room that was requested when connecting; without one the world decides. */
  readonly room?: number;
  /**
   * The places in which the server plays, for bots that move by them; others ignore it. Default: the demo places. Throws `TypeError`
   * for those of another game where the bots use them.
   */
  readonly maps?: WorldMaps;
  /**
   * The text of a recording of a person, for cheats that replay or imitate one; others ignore it. Default: a made-up one. Throws
   * `TypeError` for a text that cannot be read.
   */
  readonly recording?: string;
}
