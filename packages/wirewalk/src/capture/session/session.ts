/**
 * **Sessions**: recordings of other tools that hold the messages of one connection, deciphered and without frames. Each format has a
 * reader, and most have a writer. Code that works with every format uses only what this file declares.
 */
import type { Protocol, Side } from "../../protocols/index.ts";
import type { JsonObject, WireError } from "../../wire/index.ts";

/** What the head of a file says of its session. */
export interface SessionHeader {
  /** The name of the format: `rsprox`, `mapleshark`. */
  readonly format: string;
  /** The game, by the name of its protocol. */
  readonly protocol: string;
  /** Undefined where the file names a version that the game has no dialect for. */
  readonly dialect: string | undefined;
  /** Settings of the game that the file names: `revision`. */
  readonly settings: Readonly<Record<string, number>>;
  /** Milliseconds since 1970 at which the session began; undefined until its first record says so. */
  readonly startMs: number | undefined;
  /** Old School RuneScape: the index of the player whose client this is, which no message holds. */
  readonly observer?: number;
  /** `client:port-server:port`, as far as the file knows them. */
  readonly flow: string;
  /** All that stands in the head, by the format's own names: for people, and for writing it again. */
  readonly fields: JsonObject;
}

/** One message of a session. */
export interface SessionRecord {
  /** From 1, in the file. */
  readonly number: number;
  /** Where it begins in the file, in bytes. */
  readonly byteOffset: number;
  /** Milliseconds since 1970. */
  readonly timeMs: number;
  readonly sender: Side;
  /** As the codec of the game reads it: the message's number, then its body. */
  readonly payload: Uint8Array;
  /** What else the format has for a record: states of ciphers. */
  readonly fields?: JsonObject;
}

/** Receives what a file holds, in its order. The header comes first, unless nothing behind it can be read: then the
 * fault comes alone. A text log may hold several sessions, each with a header of its own. */
export interface SessionSink {
  header(header: SessionHeader): void;
  record(record: SessionRecord): void;
  /** Reading stops here: `error` says at which record and byte, what was read there and why. At most once. */
  fault(error: WireError, byteOffset: number): void;
}

/** Reads one file in pieces. Memory is bounded by the largest record. */
export interface SessionReader {
  /** The next bytes of the file; they may be reused afterwards. Nothing happens after a fault. */
  push(bytes: Uint8Array): void;
  /** The file ends here: a record that is cut is a fault. */
  end(): void;
}

/** Gives the bytes of a file, in pieces that follow each other. */
export interface SessionWriter {
  header(header: SessionHeader): Uint8Array;
  /** Throws `RangeError` for what the format cannot hold: {@link SessionFormat.losses} names it before. */
  record(record: Omit<SessionRecord, "number" | "byteOffset">): Uint8Array;
}

/** How a session file is read. */
export interface OpenSessionOptions {
  /** The games by name: a format whose framing needs a game's tables of messages takes them from there. */
  readonly protocols: Readonly<Record<string, Protocol>>;
  /** The game's version, in place of what the file says. */
  readonly build?: number | undefined;
  readonly sink: SessionSink;
}

/** How a session file is written. */
export interface WriteSessionOptions extends Pick<OpenSessionOptions, "protocols" | "build"> {
  /** Of the format, where it has several. */
  readonly version?: number | undefined;
}

/** A format of files of another tool. */
export interface SessionFormat {
  readonly name: string;
  /** For people: `RSProx recording`. */
  readonly title: string;
  /** How names of such files end: `.bin`. */
  readonly endings: readonly string[];
  /** Whether a file that begins so is of this format: its first {@link START_BYTES}, or all of a shorter one. */
  recognizes(start: Uint8Array): boolean;
  open(options: OpenSessionOptions): SessionReader;
  /** Absent for a format that is only read. */
  openWriter?(options: WriteSessionOptions): SessionWriter;
}

/** Bytes of a file that are enough to know its format. */
export const START_BYTES = 4096;
