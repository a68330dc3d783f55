/**
 * Explains why a stream broke: reads its first bytes again with the tables of other revisions and the same cipher. A wrong table breaks
 * within a few messages, for opcodes are enciphered one by one; wrong seeds break with every table.
 */
import { WireError } from "../../../wire/index.ts";
import type { OsrsDeframer } from "./framing.ts";

/** Bytes of the start that are kept. The first message of a server has up to 5 kB. */
const KEPT_BYTES = 16_384;
/** After so many messages the table is right: a wrong table reads each message by chance in about half of all cases. */
const TRUSTED_MESSAGES = 64;

/** A deframer of another revision, as at the start of the stream. */
export interface OtherRevision {
  readonly revision: number;
  open(): OsrsDeframer;
}

export interface BrokenStreamOptions {
  /** The name of a message in the table that the stream is read by. */
  readonly nameOf: (opcode: number) => string | undefined;
  readonly others: () => readonly OtherRevision[];
}

/** Follows a stream while it can be read. */
export class BrokenStream {
  readonly #options: BrokenStreamOptions;
  /** Undefined once the table is trusted. */
  #kept: Uint8Array[] | undefined = [];
  #keptBytes = 0;
  /** Messages since the start; undefined when it was not seen. */
  #count: number | undefined = 0;
  #last: number | undefined;

  constructor(options: BrokenStreamOptions) {
    this.#options = options;
  }

  push(bytes: Uint8Array): void {
    const room = KEPT_BYTES - this.#keptBytes;
    if (this.#kept === undefined || room === 0) return;
    const piece = bytes.slice(0, room);
    this.#kept.push(piece);
    this.#keptBytes += piece.length;
  }

  /** A message could be read. */
  read([opcode]: Uint8Array): void {
    this.#last = opcode;
    if (this.#count === undefined) return;
    this.#count += 1;
    if (this.#count >= TRUSTED_MESSAGES) this.#kept = undefined;
  }

  /** The start of the stream is not known any more. */
  forget(): void {
    this.#kept = undefined;
    this.#count = undefined;
    this.#last = undefined;
  }

  /** The error of the stream, with where it broke and the revisions that would have read it. Other errors stay as they are. */
  explained(error: unknown): unknown {
    if (!(error instanceof WireError)) return error;
    return new WireError(error.code, `${error.message}${this.#where()}${this.#advice()}`, error.bitOffset, error.path);
  }

  #where(): string {
    if (this.#count === undefined) return "";
    if (this.#last === undefined) return ", as the first message";
    const name = this.#options.nameOf(this.#last) ?? `opcode ${this.#last}`;
    return `, after ${this.#count} ${this.#count === 1 ? "message" : "messages"}, the last one ${name}`;
  }

  #advice(): string {
    const kept = this.#kept;
    if (kept === undefined) return "";
    const fits = this.#options.others().filter((other) => canRead(other.open(), kept));
    if (fits.length > 0) return `; revision ${fits.map(({ revision }) => revision).join(", ")} would fit these bytes`;
    return "; no other revision fits these bytes, so the seeds or the start of the stream may be wrong";
  }
}

function canRead(deframer: OsrsDeframer, pieces: readonly Uint8Array[]): boolean {
  try {
    for (const piece of pieces) deframer.push(piece);
    while (deframer.next() !== undefined);
    return true;
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
}
