/** Messages, codecs and channels: the bytes of a game, as everything above the games sees them. */
import type { Carrier, IdFormat, JsonObject, Layout, LayoutNode, TraceField, WireError } from "../wire/index.ts";
import type { Handshake } from "./handshake.ts";

/** A decoded message: its name in camel case and its fields. A protocol's messages are a union over `message`. */
export interface WireMessage {
  readonly message: string;
  readonly value: object;
}

/** The two ends of a connection; as a direction it names the sender. */
export type Side = "client" | "server";

/** A variant of a protocol: its document read literally, or a shipped client. */
export interface DialectInfo {
  readonly name: string;
  /** What it was taken from: a shipped client, or a document. It decides which dialect is the default one. */
  readonly source: "client" | "document";
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

/** The number that payloads begin with. */
export interface MessageId {
  /** What the protocol calls it: `type`, `opcode`. */
  readonly name: string;
  readonly layout: Layout<number>;
  readonly node: LayoutNode;
  /** How it reads in errors. Default: in decimal. */
  readonly format?: IdFormat;
}

/** The bodies of a dialect's messages. */
export type MessageLayouts = Readonly<Record<Side, Readonly<Record<string, Layout<object>>>>>;

/** The fields of a payload with their places, as far as they could be read. */
export interface PayloadTrace {
  readonly message?: WireMessage;
  readonly fields: readonly TraceField[];
  /** Why and where reading stopped, when it did. */
  readonly error?: WireError;
  /** What the payload holds in another form, such as the bytes that came out of a compressed block, with their fields. */
  readonly inner?: TracedBytes;
}

/** Reads and writes bytes that are one message: without frame, without cipher, without memory. */
export interface MessageCodec<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage> {
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
   * A message from JSON (there a `u64` is a decimal string, bytes are hex).
   * Throws `WireError` that names the field.
   */
  fromJson(sender: Side, json: JsonObject): C | S;
  /** The reverse of `fromJson`. */
  toJson(sender: Side, message: C | S): JsonObject;
}

/** What a codec reads that knows its dialect: the messages of that dialect alone. Written is any message of the game. */
export interface Reads<M extends { readonly client: WireMessage; readonly server: WireMessage }> {
  read(sender: "client", payload: Uint8Array): M["client"];
  read(sender: "server", payload: Uint8Array): M["server"];
  read(sender: Side, payload: Uint8Array): M["client"] | M["server"];
}

/** Reads and writes the payloads of one dialect. */
export interface PayloadCodec<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage>
  extends MessageCodec<C, S> {
  /** What payloads begin with: the number of the message. */
  readonly id: MessageId;
  /** What follows it: a layout for each message. Their descriptions are plain data. */
  readonly layouts: MessageLayouts;
  /**
   * The name of a message of the game that is not described here, by the number at the start of the payload. Its value is bytes. Worlds
   * do not receive such messages. Undefined for a message that is described, and for a number that the game is known not to have. Absent
   * where every message is described.
   */
  undescribed?(sender: Side, payload: Uint8Array): string | undefined;
}

/** A payload out of its frame: a message, or the error that refused it. The stream goes on in both cases. */
export type Received<M extends WireMessage = WireMessage> =
  | { readonly payload: Uint8Array; readonly message: M; readonly error?: undefined }
  | { readonly payload: Uint8Array; readonly message?: undefined; readonly error: WireError };

/**
 * The state of a channel at one moment: half a frame, payloads that wait to be taken, positions of ciphers. Plain data, which
 * `structuredClone` copies; it shares nothing with its channel.
 */
export interface SavedChannel {
  /** Counts the changes of the shape of `state`, from 1. A channel refuses every schema but its own. */
  readonly schema: number;
  /** Protocol, dialect, side and carrier: `slime-online-2/v0106/server/stream`. */
  readonly channel: string;
  readonly state: object;
}

/**
 * `frame` in two steps, for channels whose frames are for one peer alone: what is the same for every peer is made once for a
 * message to many. A prepared frame is as long as the frame that it becomes.
 */
export interface Sealing {
  /** The first step. Gives the same bytes on every channel of this dialect and carrier, and changes no channel. */
  prepare(payload: Uint8Array): Uint8Array;
  /**
   * The second step, for any number of prepared frames in one piece: writes to `into`, which is as long, what `frame` would
   * give for their payloads in that order. Leaves `prepared` as it is.
   */
  seal(prepared: Uint8Array, into: Uint8Array): void;
}

/** One end of one connection: frames, ciphers and whatever else has memory. */
export interface Channel<In extends WireMessage = WireMessage, Out extends WireMessage = WireMessage> {
  /** For channels whose ends greet before anything else. */
  readonly handshake?: Handshake;
  /** Takes carried bytes, split and joined anywhere. Throws `WireError` when the stream cannot go on. */
  push(bytes: Uint8Array): void;
  /** The next whole payload; undefined when more bytes are needed. Throws `WireError` when the stream cannot go on. */
  next(): Received<In> | undefined;
  /** Bytes held of a frame that is not complete. */
  readonly pendingBytes: number;
  /** A message as it is carried. */
  write(message: Out): Uint8Array;
  /** A payload as it is carried: for payloads that are encoded once for many recipients. */
  frame(payload: Uint8Array): Uint8Array;
  /** True when `frame` gives the same bytes on every channel of this dialect and carrier: then frames are made once for many. */
  readonly sharesFrames: boolean;
  /** For channels that do not share frames, and can still share most of the work on them. */
  readonly sealing?: Sealing;
  save(): SavedChannel;
  /**
   * Replaces the state by that of a channel with the same options: from here on it reads and writes what the other would.
   * Do not send the greeting again: the other channel has sent it. Throws `RangeError` for the saved channel of another protocol,
   * dialect, side, carrier or schema, before anything changes; and `TypeError`, `RangeError` or `WireError` for malformed
   * data, after which the channel must not be used.
   */
  restore(saved: SavedChannel): void;
}

export interface ChannelOptions {
  readonly side: Side;
  readonly dialect: string;
  readonly carrier: Carrier;
}

/** A stretch of bytes with the fields in it. */
export interface TracedBytes extends PayloadTrace {
  /** What the places of the fields count from: the input itself, or a payload that was taken out of its frame. */
  readonly bytes: Uint8Array;
  /** Which part of the input this is, unless it is all of it. */
  readonly title?: string;
  /** What else is known of the bytes: lines to print under the fields. */
  readonly notes?: readonly string[];
}
