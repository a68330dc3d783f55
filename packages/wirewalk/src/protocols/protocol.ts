/**
 * The contract of a game: everything that servers, clients, the command line and the page need to know of it.
 * A new game is one folder that fills this in, and one line in `table.ts`.
 */
import type { Bot, BotOptions } from "./bot.ts";
import type { Channel, ChannelOptions, DialectInfo, PayloadCodec, WireMessage } from "./codec.ts";
import type { PacketStream } from "./packet-stream.ts";
import type { Admission, World, WorldOptions } from "./world.ts";

/** A number that an installation may set. */
export interface SettingInfo {
  readonly summary: string;
  /** What it is where nobody says otherwise; of a configured protocol, what was said. */
  readonly default: number;
}

/** One game. */
export interface Protocol<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage> {
  /** In addresses and on the command line: `slime-online-2`. */
  readonly name: string;
  /** For people: `Slime Online 2`. */
  readonly title: string;
  readonly summary: string;
  readonly dialects: readonly DialectInfo[];
  readonly defaultDialect: string;
  /** The game's own TCP port. */
  readonly defaultPort: number;
  /** Throws `RangeError` for an unknown dialect. */
  codec(dialect: string): PayloadCodec<C, S>;
  openChannel(options: ChannelOptions & { readonly side: "server" }): Channel<C, S>;
  openChannel(options: ChannelOptions & { readonly side: "client" }): Channel<S, C>;
  /** Undefined when the dialect has no login: a session is a player at once. */
  admission(dialect: string): Admission<C, S> | undefined;
  createWorld(options: WorldOptions): World<C, S>;
  /** Milliseconds between two ticks of the game, where an installation may choose others by `WorldOptions.tickMs`. */
  readonly tickMs?: number;
  /** Numbers that an installation may set, such as the opcodes of a revision. */
  readonly settings?: Readonly<Record<string, SettingInfo>>;
  /** The same game with other settings. Throws `RangeError` for a setting that there is none of, or a value that is none. */
  configure?(settings: Readonly<Record<string, number>>): Protocol<C, S>;
  /** Names that `--cheat` takes, beside `none`. */
  readonly cheats: readonly string[];
  /** Rooms that a server fills with bots of its own, where rooms have numbers. */
  readonly botRooms?: readonly number[];
  createBot(options: BotOptions): Bot<C, S>;
  /** By part of the game, `mouse` and `player-info`; the empty name is the game itself. */
  readonly streams: Readonly<Record<string, PacketStream>>;
}
