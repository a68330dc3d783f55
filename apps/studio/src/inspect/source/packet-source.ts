/** Where the packets of the inspector's list come from: pasted bytes, a capture or a recording, the live wire. */
import type { ReadonlySignal } from "@preact/signals";
import type { Inspectable } from "../model/inspectable.ts";

/** A line of the list. */
export interface Row {
  readonly kind: "message" | "refused" | "gap";
  readonly sender: "client" | "server";
  /** One text for each column. */
  readonly cells: readonly string[];
}

/** What a list shows above its rows. */
export interface SourceStatus {
  /** Rows that the filter lets through. */
  readonly rows: number;
  /** Rows without the filter. */
  readonly all: number;
  /** In a sentence: what was read, what is missing. */
  readonly text: string;
  /** Share of the file that was read, 0 to 1; undefined when nothing is being read. */
  readonly progress: number | undefined;
  /** Why it cannot be read at all. */
  readonly failed: string | undefined;
}

/** A table of a source's statistics. */
export interface StatisticsTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface PacketSource {
  /** What it is: a file's name. */
  readonly title: string;
  readonly status: ReadonlySignal<SourceStatus>;
  /** Changes whenever rows that were given before are others now. */
  readonly revision: ReadonlySignal<number>;
  /** A row, or undefined while it is on its way: `revision` changes when it has come. */
  row(index: number): Row | undefined;
  /** Sets what is shown. The filter was parsed before. */
  show(filter: string, columns: readonly string[]): void;
  /** The packet of a row; undefined for a gap. */
  packet(index: number): Promise<Inspectable | undefined>;
  statistics?(): Promise<readonly StatisticsTable[]>;
  /** Holds the rows still, or lets them follow again. Only of a live source. */
  readonly pause?: { readonly paused: ReadonlySignal<boolean>; toggle(): void };
  /** Plays it. Only of a recording, where the page can. */
  readonly play?: (() => void) | undefined;
  close(): void;
}
