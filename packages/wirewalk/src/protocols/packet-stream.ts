/**
 * A **packet stream**: the packets of one sender, in the order in which they were sent. Its reader has the memory that
 * they need (tracked positions, a decoder's state), so that each packet comes out with its whole meaning; its writer makes
 * packets. A game implements it in its folder; what shows streams to people (lines of text, tables of fields) is in
 * `inspect` and needs nothing else.
 *
 * Streams whose packets need no memory come from `payloadStream`.
 */
import type { JsonObject, LayoutNode } from "../wire/index.ts";
import type { Channel, Received, Side, TracedBytes } from "./codec.ts";

interface StreamOptionBase {
  /** In camel case: `countByte`. */
  readonly name: string;
  /** For help texts. */
  readonly summary: string;
  /** It has a meaning for carried bytes alone: without frames it is refused. */
  readonly framedOnly?: true;
  /** It says what was before the first packet that is read. It does not hold after packets that are missing. */
  readonly startOnly?: true;
}

/** On or off. Its value is a boolean. The summary of one that is on by default names what is on: `the count byte`. */
export interface SwitchOption extends StreamOptionBase {
  readonly kind: "switch";
  readonly default: boolean;
}

/** An integer within limits. A command refuses others as wrong usage; the stream checks them too. */
export interface NumberOption extends StreamOptionBase {
  readonly kind: "number";
  /** What it counts or names: `index`. */
  readonly unit: string;
  readonly min: number;
  readonly max: number;
}

/** Bytes, as many as `bytes` says. Its value is a text of hex digits, which the stream parses. */
export interface HexOption extends StreamOptionBase {
  readonly kind: "hex";
  readonly bytes?: number;
}

/** A JSON document, or the name of one that the stream knows. Its value is the document's text, or the name. */
export interface DocumentOption extends StreamOptionBase {
  readonly kind: "document";
  readonly names: readonly string[];
}

/** An option of a stream, as data: a command makes a flag of it, a page a control. */
export type StreamOption = SwitchOption | NumberOption | HexOption | DocumentOption;

/** Values of a stream's options by name; one that is absent has its default. */
export type StreamOptionValues = Readonly<Record<string, boolean | number | string | undefined>>;

/** Which packets a reader or a writer is for. */
export interface StreamSetup {
  readonly dialect: string;
  readonly sender: Side;
  /** True when the sender was named. Otherwise a stream whose packets say who sent them may go by that. */
  readonly isSenderGiven?: boolean;
  /** True for carried bytes: packets in frames, ciphered where the dialect ciphers. False for bare packets. */
  readonly framed: boolean;
  readonly options: StreamOptionValues;
}

/**
 * Reads packets in order. Each method throws `WireError` for a packet that it refuses; the memory is then as it was before
 * the packet.
 */
export interface PacketReader {
  /** A bare packet. */
  read(packet: Uint8Array): JsonObject;
  /** A packet that the stream's channel took out of its frame. */
  receive(received: Received): JsonObject;
  /**
   * For streams with the memory of players: takes a packet like `receive`, and gives their numbers alone. Whoever sums up a file
   * needs no more, and making JSON of players takes most of the time.
   */
  glance?(received: Received): Glance;
  /** For streams in which a bare packet needs more than its bytes: an object that stands for a packet. */
  readObject?(object: JsonObject): JsonObject;
  /** The fields of a packet: a bare one, or with `framed` one that came out of its frame. Never throws for bytes. */
  trace(packet: Uint8Array): TracedBytes;
}

/** What {@link PacketReader.glance} sees of a packet. */
export interface Glance {
  readonly message: string;
  /** Players that are shown after it. Valid until the next packet. Undefined for a packet that is not about them. */
  readonly players?: ArrayLike<number>;
}

/** Makes packets in order. */
export interface PacketWriter {
  /**
   * The packet that an object stands for, in its frame with `framed`; or, where an object stands for several packets, an
   * object with their hex. Throws `WireError` that names the field of the object that is wrong.
   */
  write(object: JsonObject): Uint8Array | JsonObject;
}

/** One kind of packets of a game. */
export interface PacketStream {
  /** One sentence: what a packet holds. */
  readonly summary: string;
  /** Who may have sent the packets, the usual one first. */
  readonly senders: readonly [Side, ...Side[]];
  readonly options: readonly StreamOption[];
  /** True when the writer takes what the reader gives. */
  readonly reversible: boolean;
  /**
   * What the reader gives in a dialect, as JSON Schemas (2020-12) of objects, one for each form of a line. Absent where it
   * gives messages as their codec's `toJson` does. `schemaOf` gives the schema of the JSON of a layout.
   */
  lineSchemas?(dialect: string, schemaOf: (node: LayoutNode) => JsonObject): Readonly<Record<string, JsonObject>>;
  /** Memory of a reader in bytes, where it is much: readers of many connections have a limit. Absent: a few kilobytes. */
  readonly readerBytes?: number;
  /** Throws `WireError` for options that it refuses, and `RangeError` for an unknown dialect. */
  openReader(setup: StreamSetup): PacketReader;
  /** Throws like `openReader`. */
  openWriter(setup: StreamSetup): PacketWriter;
  /** One end of a connection that carries the packets in frames. Throws like `openReader`. Absent where frames are not known. */
  openChannel?(side: Side, setup: StreamSetup): Channel;
}
