/** Bots: players made of code. */
import type { Random } from "../motion/index.ts";
import type { WireMessage } from "./codec.ts";

/** A player made of code: state and clock in, messages out. Its behaviour is its seed's. */
export interface Bot<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage> {
  /** Milliseconds between two steps that suit this bot. */
  readonly stepMs: number;
  /** What to say once connected. */
  start(nowMs: number): readonly C[];
  /**
   * Throws `WireError` for a message that cannot be true after those before it, such as one that does not fit the state
   * which they describe: whoever runs the bot ends its session, with the error's message as the reason.
   */
  receive(message: S, nowMs: number): readonly C[];
  step(nowMs: number): readonly C[];
}

/** The bots of a game. */
export interface Bots<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage> {
  /** Names of ways to cheat, beside `none`. */
  readonly cheats: readonly string[];
  /** Rooms that a server fills with its own bots, where rooms have numbers. */
  readonly rooms?: readonly number[];
  /** Throws `RangeError` for an unknown dialect or cheat. */
  create(options: BotOptions): Bot<C, S>;
}

export interface BotOptions {
  readonly dialect: string;
  readonly random: Random;
  /** 0, 1, 2 …: which of a flock this is; names and colours may follow it. */
  readonly number: number;
  /** One of the protocol's `cheats`, or `none`. */
  readonly cheat: string;
  /** One of the protocol's `parts`: what the bot is to do. Without one it does whatever its game shows best. */
  readonly part?: string;
  /** The room that was asked for when connecting, by number; without one the world decides. */
  readonly room?: number;
}
