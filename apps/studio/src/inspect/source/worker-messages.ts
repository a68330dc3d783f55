/** What the page and the worker that reads a capture send each other. */
import type { Inspectable } from "../model/inspectable.ts";
import type { Row, StatisticsTable } from "./packet-source.ts";

export type ToWorker =
  | { readonly type: "open"; readonly file: Blob }
  /** What is shown from now on. Rows of an earlier `revision` are dropped. */
  | { readonly type: "show"; readonly revision: number; readonly filter: string; readonly columns: readonly string[] }
  | { readonly type: "rows"; readonly revision: number; readonly from: number; readonly to: number }
  | { readonly type: "packet"; readonly id: number; readonly row: number }
  | { readonly type: "statistics"; readonly id: number };

export type FromWorker =
  | {
      readonly type: "status";
      readonly revision: number;
      /** Rows that the filter lets through so far. */
      readonly rows: number;
      readonly all: number;
      readonly text: string;
      readonly progress: number | undefined;
    }
  | { readonly type: "failed"; readonly text: string }
  | { readonly type: "rows"; readonly revision: number; readonly from: number; readonly rows: readonly Row[] }
  | { readonly type: "packet"; readonly id: number; readonly packet: Inspectable | undefined }
  | { readonly type: "statistics"; readonly id: number; readonly tables: readonly StatisticsTable[] };

/** One end between page and worker: a `Worker` in the page, the global scope in the worker. */
export interface Port<Out, In> {
  postMessage(message: Out): void;
  onmessage: ((event: { readonly data: In }) => void) | null;
}
