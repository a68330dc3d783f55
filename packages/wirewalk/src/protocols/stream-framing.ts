/** How payloads lie in a stream of bytes, as data: for those who write another reader of it. */
import type { Side } from "./codec.ts";
import type { MessageSize } from "./revisions.ts";

/** A length of 16 bits before each payload, which does not count itself. */
export interface LengthFraming {
  readonly is: "length";
  readonly order: "le" | "be";
  /** The longest payloads of a sender, in bytes. */
  readonly limits: Readonly<Record<Side, number>>;
}

/** An opcode, the size of the body where the opcode does not fix it, and the body. The payload is opcode and body. */
export interface OpcodeFraming {
  readonly is: "opcode";
  /** The sizes of what a side sends, by opcode. */
  readonly sizes: Readonly<Record<Side, ReadonlyMap<number, MessageSize>>>;
  /** No body is longer, in bytes. */
  readonly bodyLimit: number;
  /** Whether opcodes of a sender from 128 on have two bytes. */
  readonly isSmart: Readonly<Record<Side, boolean>>;
}

export type StreamFraming = LengthFraming | OpcodeFraming;

/**
 * Capability `framing` of a `Protocol`: the frames of a dialect's streams, as they are under its ciphers. Undefined where the cipher itself
 * says how long a frame is.
 */
export type StreamFramings = (dialect: string) => StreamFraming | undefined;
