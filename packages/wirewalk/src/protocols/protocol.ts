/**
 * The contract of a game: everything that servers, clients, the command line and the page need to know of it.
 * A new game is one folder that fills this in, and one line in `table.ts`.
 */
import type { Bots } from "./bot.ts";
import type { Channels } from "./channels.ts";
import type { Claims } from "./claims.ts";
import type { Channel, ChannelOptions, DialectInfo, PayloadCodec, WireMessage } from "./codec.ts";
import type { LineEngineKind } from "./line-engine.ts";
import type { Login } from "./login.ts";
import type { MapReading } from "./maps.ts";
import type { PacketStream } from "./packet-stream.ts";
import type { ThreadChoice } from "./packet-threads.ts";
import type { Privacy } from "./privacy.ts";
import type { Redirecting } from "./redirect.ts";
import type { Renamed } from "./renamed.ts";
import type { PossibleResponses } from "./responses.ts";
import type { Revisions } from "./revisions.ts";
import type { RuleGlossary } from "./rule-info.ts";
import type { Settings } from "./settings.ts";
import type { StreamFramings } from "./stream-framing.ts";
import type { Tapping } from "./tap.ts";
import type { TickChoice } from "./tick.ts";
import type { Warnings } from "./warnings.ts";
import type { World, WorldOptions } from "./world.ts";

/**
 * What some games have and others have not. A caller asks for a capability by its name, and an absent one is undefined.
 * They stand in one object so that the members of {@link Protocol} stay few, and a new capability changes none of them.
 * Capabilities of one connection or one world are members of these: `Channel.handshake`, `World.following`.
 */
export interface Capabilities<
  C extends WireMessage = WireMessage,
  S extends WireMessage = WireMessage,
  P extends Protocol<C, S> = Protocol<C, S>,
> {
  readonly login?: Login<C, S>;
  /** The configured game has the members that this one has. */
  readonly settings?: Settings<P>;
  /** Tables of messages by revision. The game with another table has the members that this one has. */
  readonly revisions?: Revisions<P>;
  /** Reads the places that a user has, for `WorldOptions.maps`. */
  readonly maps?: MapReading;
  /** How payloads lie in a stream. */
  readonly framing?: StreamFramings;
  readonly tap?: Tapping;
  readonly redirects?: Redirecting;
  readonly claims?: Claims;
  /** Names of the rules that verdicts may have. */
  readonly rules?: readonly string[];
  /** What each of them finds, in words. */
  readonly glossary?: RuleGlossary;
  /** Names that they and settings had before. */
  readonly renamed?: Renamed;
  /** The rules whose answer an installation may choose: `WorldOptions.responses`. */
  readonly responses?: PossibleResponses;
  /** True where a message is judged when it is played, which may be after its call: a relay has passed it on by then. Default false. */
  readonly judgesWhenPlayed?: boolean;
  /** Where names, chat and looks stand in messages, so that they can be replaced. */
  readonly privacy?: Privacy;
  readonly tick?: TickChoice;
  readonly threads?: ThreadChoice;
  readonly channels?: Channels<C>;
  /** How an operator's sentence reaches a player. */
  readonly warnings?: Warnings<S>;
  /** Engines beside the world, by part of the game. */
  readonly engines?: Readonly<Record<string, LineEngineKind>>;
}

/**
 * One game. Its names, its dialects and a codec are enough: packets of such a game of bytes are read, written, inspected and
 * exported. What needs one of the other members refuses a game without it by `requireMembers`, which says which is missing.
 */
export interface Protocol<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage> {
  /** In addresses and on the command line: `slime-online-2`. */
  readonly name: string;
  /** For people: `Slime Online 2`. */
  readonly title: string;
  readonly summary: string;
  /** At least one. `defaultDialect` chooses among them. */
  readonly dialects: readonly DialectInfo[];
  /** Throws `RangeError` for an unknown dialect. */
  codec(dialect: string): PayloadCodec<C, S>;
  /** The game's own TCP port. Without one servers and clients are given a port. */
  readonly defaultPort?: number;
  /** For frames: captures, relays, servers and clients. Throws `RangeError` for an unknown dialect. */
  openChannel?(options: ChannelOptions & { readonly side: "server" }): Channel<C, S>;
  openChannel?(options: ChannelOptions & { readonly side: "client" }): Channel<S, C>;
  /** For servers, judging and replaying. Throws `RangeError` for an unknown dialect. */
  createWorld?(options: WorldOptions): World<C, S>;
  readonly bots?: Bots<C, S>;
  /** By part of the game, `mouse` and `player-info`; the empty name is the game itself. Default: see `packetStreams`. */
  readonly streams?: Readonly<Record<string, PacketStream>>;
  /** Default: none. */
  readonly capabilities?: Capabilities<C, S>;
}

/** The members of a game that what plays, serves or reads connections may need, and that a game of bytes does not have. */
export type PlayMember = "defaultPort" | "openChannel" | "createWorld" | "bots";

/** A game that has these members. `hasMembers` and `requireMembers` give it. */
export type ProtocolWith<
  M extends PlayMember,
  C extends WireMessage = WireMessage,
  S extends WireMessage = WireMessage,
> = Protocol<C, S> & Required<Pick<Protocol<C, S>, M>>;

/** A game that can be served. */
export type ServedProtocol<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage> = ProtocolWith<
  "openChannel" | "createWorld",
  C,
  S
>;

/** A game that can be served and played, as all games of the table can. */
export interface PlayableProtocol<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage>
  extends Protocol<C, S> {
  readonly defaultPort: number;
  readonly openChannel: Required<Protocol<C, S>>["openChannel"];
  readonly createWorld: Required<Protocol<C, S>>["createWorld"];
  readonly bots: Bots<C, S>;
  readonly capabilities?: Capabilities<C, S, PlayableProtocol<C, S>>;
}
