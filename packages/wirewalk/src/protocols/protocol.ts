/**
 * The contract of a game: everything that servers, clients, the command line and the page need to know of it.
 * A new game is one folder that fills this in, and one line in `table.ts`.
 */
import type { PlayerId, Random, Track, Verdict } from "../motion/index.ts";
import type { Carrier, JsonObject, TraceField, WireError } from "../wire/index.ts";

export { type PayloadParts, payloadLines } from "./lines.ts";
export { checkTickMs, MAX_TICK_MS } from "./tick.ts";

/** A decoded message: its name in camel case and its fields. A protocol's messages are a union over `message`. */
export interface WireMessage {
  readonly message: string;
  readonly value: object;
}

/** The two ends of a connection; as a direction it names the sender. */
export type Side = "client" | "server";

/** A way of speaking a protocol: the document read literally, or a shipped client. */
export interface DialectInfo {
  readonly name: string;
  /** One sentence: what sets it apart, and where it was seen. */
  readonly summary: string;
}

/** One kind of message, for help texts and tables. */
export interface MessageInfo {
  readonly message: string;
  readonly sender: Side;
  readonly id: number;
  readonly summary: string;
}

/** The fields of a payload with their places, as far as they could be read. */
export interface PayloadTrace {
  readonly message?: WireMessage;
  readonly fields: readonly TraceField[];
  /** Why and where reading stopped, when it did. */
  readonly error?: WireError;
  /** What the payload holds in another form, such as the bytes that came out of a compressed block, with their fields. */
  readonly inner?: TracedBytes;
}

/** Reads and writes the payloads of one dialect: without frame, without cipher, without memory. */
export interface PayloadCodec<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage> {
  /** Every message of the dialect, both directions. */
  readonly messages: readonly MessageInfo[];
  /** Throws `WireError` for anything that is not exactly one message. */
  read(sender: "client", payload: Uint8Array): C;
  read(sender: "server", payload: Uint8Array): S;
  read(sender: Side, payload: Uint8Array): C | S;
  /** Throws `TypeError` or `RangeError` for a message that cannot be written. */
  write(sender: "client", message: C): Uint8Array;
  write(sender: "server", message: S): Uint8Array;
  write(sender: Side, message: C | S): Uint8Array;
  /** Never throws for bytes: what cannot be read is the trace's `error`. */
  trace(sender: Side, payload: Uint8Array): PayloadTrace;
  /**
   * A message out of the JSON that stands for it (a `u64` is a decimal string there, bytes are hex).
   * Throws `WireError` that names the field.
   */
  fromJson(sender: Side, json: JsonObject): C | S;
  /** The reverse of `fromJson`. */
  toJson(sender: Side, message: C | S): JsonObject;
}

/** A payload that came whole out of its frame: a message, or the reason why it is none. The stream goes on either way. */
export type Received<M extends WireMessage = WireMessage> =
  | { readonly payload: Uint8Array; readonly message: M; readonly error?: undefined }
  | { readonly payload: Uint8Array; readonly message?: undefined; readonly error: WireError };

/** One end of one connection: frames, ciphers and whatever else has memory. */
export interface Channel<In extends WireMessage = WireMessage, Out extends WireMessage = WireMessage> {
  /** What this side says before anything else. */
  readonly greeting: Uint8Array | undefined;
  /**
   * True until the other side's greeting was heard, where that says how it is to be spoken to (an IV, a key): whoever has
   * something to say waits. Channels without it make nobody wait.
   */
  readonly awaitsGreeting?: boolean;
  /** Takes bytes as they were carried, split and glued anywhere. Throws `WireError` when the stream cannot go on. */
  push(bytes: Uint8Array): void;
  /** The next whole payload; undefined when more bytes are needed. Throws `WireError` when the stream cannot go on. */
  next(): Received<In> | undefined;
  /** Bytes held of a frame that is not complete. */
  readonly pendingBytes: number;
  /** A message as it is carried. */
  write(message: Out): Uint8Array;
  /** A payload as it is carried: for payloads that are encoded once and go to many. */
  frame(payload: Uint8Array): Uint8Array;
  /** True when `frame` gives the same bytes on every channel of this dialect and carrier: then it too is done once for many. */
  readonly sharesFrames: boolean;
}

export interface ChannelOptions {
  readonly side: Side;
  readonly dialect: string;
  readonly carrier: Carrier;
}

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

/** How a session becomes a player, in a dialect that has a login message. Without one a session joins at once. */
export interface Admission<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage> {
  /** The name and password in a login message; undefined when the message is not a login. */
  credentials(message: C): { readonly name: string; readonly password: string } | undefined;
  /** What to say before closing; undefined when the protocol has no word for it. */
  refusal(reason: Refusal): S | undefined;
}

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
 * A world: the game's state and rules. Pure: no sockets, no clock, no randomness of its own; equal calls give equal
 * effects on every machine. Times are milliseconds of one clock that never runs backwards.
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
  /** A decoded message with its payload, which verdicts keep as evidence. A message of an unknown player is ignored. */
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
  /**
   * From here on the world observes more of the player, until `unfollow` or until the player leaves: first what somebody
   * who looks on must know to understand the rest. Called again for everybody who begins to look, it says that again.
   * Looking changes nothing of what is looked at. Nothing happens when there is no such player, or no more to observe.
   */
  follow?(player: PlayerId, nowMs: number): void;
  /** Nobody looks at the player any more. Nothing happens when nobody did. */
  unfollow?(player: PlayerId): void;
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

/** An option that only this protocol's lines have, as the command line shows it. */
export interface LineFlag {
  /** As commander writes it: `--strict`, `--revision <file>`. */
  readonly flag: string;
  readonly summary: string;
  /** The value is one of these names, or else a file: the protocol is given the file's text in its place. */
  readonly fileUnless?: readonly string[];
}

export interface LineOptions {
  readonly dialect: string;
  /** The sender of the lines. */
  readonly direction: Side;
  /** Lines are carried bytes of one stream: frames, split and glued anywhere, and cipher. */
  readonly framed: boolean;
  /** Values of the protocol's own flags, by their camel-case name. */
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
}

/** Turns lines of text into others, one after the other, with memory where the protocol has some. */
export interface LineConverter {
  /** The answers to one line: usually one, with `--framed` as many as there are payloads. Throws `WireError`. */
  line(text: string): readonly LineResult[];
  /** What is left to say at the end of the input, such as a frame that never was completed. */
  end(): readonly LineResult[];
}

/** A line of output: an object to print as JSON, bare text to print as it is, or a refusal. */
export type LineResult = { readonly json: JsonObject } | { readonly text: string } | { readonly error: WireError };

/** A stretch of bytes with the fields in it. */
export interface TracedBytes extends PayloadTrace {
  /** What the places of the fields count from: the input itself, or a payload that was taken out of its frame. */
  readonly bytes: Uint8Array;
  /** Says which part of the input this is, where it is not the whole. */
  readonly title?: string;
}

/** What `wirewalk decode`, `encode` and `inspect` call for one kind of input of a game. */
export interface LineTools {
  readonly summary: string;
  /** Who may have sent what the lines hold, the usual one first. Another `--direction` is refused. */
  readonly senders: readonly [Side, ...Side[]];
  readonly flags: readonly LineFlag[];
  /** Command lines for the commands' help, where the usual ones do not fit. */
  readonly examples?: Readonly<Record<"decode" | "encode" | "inspect", readonly string[]>>;
  decoder(options: LineOptions): LineConverter;
  encoder(options: LineOptions): LineConverter;
  /** Never throws for bytes. With `framed` there is a part for each frame; otherwise there is one part. */
  trace(bytes: Uint8Array, options: LineOptions): readonly TracedBytes[];
}

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
  /** By part: the empty name is the game itself, `mouse` is `osrs/mouse` on the command line. */
  readonly lines: Readonly<Record<string, LineTools>>;
}
