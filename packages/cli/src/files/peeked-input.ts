/** What is known of bytes that a command reads. */
import type { Readable } from "node:stream";
import type { FileKind } from "./file-kind.ts";

export interface InputBytes {
  /** For messages: a path, or `standard input`. */
  readonly name: string;
  /** As it lies on the disk; undefined where nobody knows. */
  readonly size: number | undefined;
  /** Of the input, before it is unpacked. */
  readonly bytesRead: number;
  /**
   * The bytes in pieces. Throws `FailedError` when they cannot be read any further. `damaged` is called when the compression is
   * damaged or cut: nothing follows.
   */
  chunks(damaged: (why: string) => void): AsyncGenerator<Uint8Array>;
  /** All bytes, not unpacked. Throws `FailedError`. */
  whole(): Promise<Uint8Array>;
}

/** The standard input whose first bytes were looked at. */
export interface PeekedInput {
  readonly kind: FileKind | undefined;
  readonly bytes: InputBytes;
  /** All of it, with what was looked at. */
  readonly stdin: Readable;
}
