/** Where an XML text comes from, and why one is refused. */

/** Bytes that are read in parts. */
export interface XmlSource {
  /** In bytes. */
  readonly size: number;
  /** The bytes from `offset` on, fewer only at the end or where the source has them in pieces. They are the caller's until the next call. */
  read(offset: number, length: number): Uint8Array;
}

/** A text that is no XML, or more than the reader takes. */
export class XmlError extends Error {
  override readonly name = "XmlError";
  /** From 1. */
  readonly line: number;

  constructor(reason: string, line: number) {
    super(reason);
    this.line = line;
  }
}
