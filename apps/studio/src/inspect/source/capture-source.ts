/** A capture that a worker reads, as a source of packets. Rows are asked for a page at a time, when they are drawn. */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { NamedBlob } from "../../files/file-kind.ts";
import type { Inspectable } from "../model/inspectable.ts";
import type { PacketSource, Row, SourceStatus, StatisticsTable } from "./packet-source.ts";
import type { FromWorker, Port, ToWorker } from "./worker-messages.ts";

/** A worker that runs `serveCapture`. */
export interface CaptureWorker extends Port<ToWorker, FromWorker> {
  terminate(): void;
}

/** Rows that are asked for at once. */
const PAGE_ROWS = 128;
/** Pages that are kept: scrolling back is at once, and a million rows take no memory here. */
const KEPT_PAGES = 64;

export class CaptureSource implements PacketSource {
  readonly title: string;
  readonly play: (() => void) | undefined;
  readonly #worker: CaptureWorker;
  readonly #status = signal<SourceStatus>({ rows: 0, all: 0, text: "", progress: 0, failed: undefined });
  readonly #revision = signal(0);
  /** In the order in which they were used. */
  readonly #pages = new Map<number, readonly Row[] | "asked">();
  readonly #packets = new Map<number, (packet: Inspectable | undefined) => void>();
  readonly #tables = new Map<number, (tables: readonly StatisticsTable[]) => void>();
  #shown = 0;
  #lastId = 0;

  constructor(file: NamedBlob, worker: CaptureWorker, play?: () => void) {
    this.play = play;
    this.title = file.name ?? "capture";
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#take(data);
    worker.postMessage({ type: "open", file });
  }

  get status(): ReadonlySignal<SourceStatus> {
    return this.#status;
  }

  get revision(): ReadonlySignal<number> {
    return this.#revision;
  }

  row(index: number): Row | undefined {
    const number = Math.floor(index / PAGE_ROWS);
    const page = this.#pages.get(number);
    if (page === undefined) this.#ask(number);
    if (page === undefined || page === "asked") return undefined;
    this.#pages.delete(number);
    this.#pages.set(number, page);
    return page[index % PAGE_ROWS];
  }

  show(filter: string, columns: readonly string[]): void {
    this.#shown += 1;
    this.#pages.clear();
    this.#worker.postMessage({ type: "show", revision: this.#shown, filter, columns });
    this.#revision.value += 1;
  }

  packet(index: number): Promise<Inspectable | undefined> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#packets.set(id, resolve);
      this.#worker.postMessage({ type: "packet", id, row: index });
    });
  }

  statistics(): Promise<readonly StatisticsTable[]> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#tables.set(id, resolve);
      this.#worker.postMessage({ type: "statistics", id });
    });
  }

  close(): void {
    this.#worker.terminate();
    for (const resolve of this.#packets.values()) resolve(undefined);
    for (const resolve of this.#tables.values()) resolve([]);
  }

  #ask(page: number): void {
    this.#pages.set(page, "asked");
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= KEPT_PAGES) break;
      this.#pages.delete(oldest);
    }
    const from = page * PAGE_ROWS;
    this.#worker.postMessage({ type: "rows", revision: this.#shown, from, to: from + PAGE_ROWS });
  }

  #take(message: FromWorker): void {
    switch (message.type) {
      case "status": {
        if (message.revision !== this.#shown) return;
        const { rows, all, text, progress } = message;
        this.#dropShortPage(this.#status.peek().rows, rows);
        this.#status.value = { rows, all, text, progress, failed: undefined };
        return;
      }
      case "failed":
        this.#status.value = { ...this.#status.peek(), progress: undefined, failed: message.text };
        return;
      case "rows":
        if (message.revision !== this.#shown) return;
        this.#pages.set(message.from / PAGE_ROWS, message.rows);
        this.#revision.value += 1;
        return;
      case "packet":
        this.#packets.get(message.id)?.(message.packet);
        this.#packets.delete(message.id);
        return;
      case "statistics":
        this.#tables.get(message.id)?.(message.tables);
        this.#tables.delete(message.id);
        return;
    }
  }

  /** The last page was not full when it was asked for, and more rows belong to it now. */
  #dropShortPage(before: number, now: number): void {
    if (now === before) return;
    this.#pages.delete(Math.floor(before / PAGE_ROWS));
    this.#revision.value += 1;
  }
}
