/** Tables of messages by revision, for games whose opcodes and sizes change with every release of the client. */
import type { Side } from "./codec.ts";

/** The size of a message's body: fixed in bytes, or in one or two bytes (high byte first) before it. */
export type MessageSize = number | "varByte" | "varShort";

/** A message of a table. */
export interface TableMessage {
  readonly name: string;
  readonly size: MessageSize;
}

/** All messages of a revision: by sender, then by opcode. */
export interface RevisionTable extends Readonly<Record<Side, ReadonlyMap<number, TableMessage>>> {
  readonly revision: number;
}

/** Capability `revisions` of a `Protocol`: its tables. `P` is the game with its members. */
export interface Revisions<P> {
  /** Revisions that have a table, ascending. */
  readonly known: readonly number[];
  /** The table of a revision; undefined where none is known. */
  table(revision: number): RevisionTable | undefined;
  /**
   * The same game, with the same settings, with the tables of a document, which replace those of the same revisions. Throws `WireError`
   * (`bad-value`) that names the place in the document.
   */
  withTable(json: unknown): P;
}
