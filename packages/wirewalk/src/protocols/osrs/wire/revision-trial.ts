/**
 * What is wrong with a stream that broke: the bytes from its start are framed by the tables of other revisions, with the same cipher.
 * A wrong table breaks within a few messages, for opcodes are enciphered one by one; wrong seeds break with every table.
 */
import type { OsrsDeframer } from "./framing.ts";

/** Bytes of the start that are kept. The first message of a server has up to 5 kB. */
const KEPT_BYTES = 16_384;
/** After so many messages the table is right: a wrong one gets through the next by chance in about half of all cases. */
const TRUSTED_MESSAGES = 64;

/** A deframer of another revision, as at the start of the stream. */
export interface OtherRevision {
  readonly revision: number;
  open(): OsrsDeframer;
}

export class RevisionTrial {
  readonly #others: () => readonly OtherRevision[];
  /** Undefined once the table is trusted. */
  #kept: Uint8Array[] | undefined = [];
  #keptBytes = 0;

  constructor(others: () => readonly OtherRevision[]) {
    this.#others = others;
  }

  push(bytes: Uint8Array): void {
    const room = KEPT_BYTES - this.#keptBytes;
    if (this.#kept === undefined || room === 0) return;
    const piece = bytes.slice(0, room);
    this.#kept.push(piece);
    this.#keptBytes += piece.length;
  }

  /** So many messages were read. */
  read(count: number): void {
    if (count >= TRUSTED_MESSAGES) this.end();
  }

  /** The table is not tried any more. */
  end(): void {
    this.#kept = undefined;
  }

  /** What would read the bytes that are kept; nothing when that is not known any more. */
  get advice(): string {
    const kept = this.#kept;
    if (kept === undefined) return "";
    const fits = this.#others().filter((other) => {
      const deframer = other.open();
      try {
        for (const piece of kept) deframer.push(piece);
        while (deframer.next() !== undefined);
        return true;
      } catch {
        return false;
      }
    });
    if (fits.length === 0)
      return "; no other revision fits these bytes, so the seeds or the start of the stream may be wrong";
    return `; revision ${fits.map(({ revision }) => revision).join(", ")} would fit these bytes`;
  }
}
