/**
 * Reads a capture, a recording or a session of another tool beside the page: keeps its records, filters them, gives rows and packets. The page stays smooth, whatever
 * the size of the file. Requests are answered between two pieces of the file.
 */
import {
  type CaptureRecord,
  CaptureStatistics,
  type CaptureTime,
  type Filter,
  parseFilter,
  recordFields,
  streamOf,
} from "wirewalk/capture";
import { type Protocol, Pseudonyms, type TracedBytes } from "wirewalk/protocol";
import { type JsonObject, WireError } from "wirewalk/wire";
import type { NamedBlob } from "../../files/file-kind.ts";
import { privatePacket } from "../../files/private-payload.ts";
import { type ExportedPacket, type Inspectable, inspectable } from "../model/inspectable.ts";
import type { Protocols } from "../model/reading.ts";
import { asksForValue, cellsOf } from "./columns.ts";
import { type FileReading, openReading } from "./file-readings.ts";
import type { Row } from "./packet-source.ts";
import { RecordStore } from "./record-store.ts";
import { statisticsTables } from "./statistics-tables.ts";
import type { FromWorker, Port, ToWorker } from "./worker-messages.ts";

/** Records that are filtered between two answers. */
const FILTERED_AT_ONCE = 20_000;
/** The page is sent counts this often. */
const STATUS_EVERY_MS = 100;
/** Packets before a packet that is traced with their memory. Before that a packet is traced by itself. */
const MAX_BEFORE = 5_000;

export function serveCapture(port: Port<FromWorker, ToWorker>, protocols: Protocols): void {
  const reader = new CaptureService(port, protocols);
  port.onmessage = ({ data }) => reader.take(data);
}

class CaptureService {
  readonly #port: Port<FromWorker, ToWorker>;
  /** By name, with the settings of the file. */
  readonly #protocols: Map<string, Protocol>;
  readonly #games: Protocols;
  readonly #store: RecordStore;
  readonly #statistics: CaptureStatistics;
  /** Of the players of the file, in the order in which their packets are looked at. */
  readonly #pseudonyms = new Pseudonyms();
  /** Undefined until the kind of the file is known. */
  #reading: FileReading | undefined;
  #done = false;
  #revision = 0;
  #filter: Filter | undefined;
  #needsValue = false;
  #columns: readonly string[] = [];
  #columnsNeedValue = false;
  /** Rows that the filter lets through; undefined without a filter: all of them. */
  #matches: Uint32Array | undefined;
  #matched = 0;
  /** Records that the filter has seen. */
  #filtered = 0;
  #isFiltering = false;
  #statusAtMs = 0;

  constructor(port: Port<FromWorker, ToWorker>, games: Protocols) {
    const protocols = Object.values(games);
    this.#port = port;
    this.#games = games;
    this.#protocols = new Map(protocols.map((protocol) => [protocol.name, protocol]));
    this.#store = new RecordStore(this.#protocols);
    this.#statistics = new CaptureStatistics(protocols);
  }

  take(message: ToWorker): void {
    switch (message.type) {
      case "open":
        void this.#read(message.file);
        return;
      case "show":
        this.#show(message.revision, message.filter, message.columns);
        return;
      case "rows":
        this.#rows(message.revision, message.from, message.to);
        return;
      case "packet":
        this.#port.postMessage({ type: "packet", id: message.id, packet: this.#packet(message.row) });
        return;
      case "statistics":
        this.#port.postMessage({ type: "statistics", id: message.id, tables: statisticsTables(this.#statistics) });
        return;
    }
  }

  async #read(file: NamedBlob): Promise<void> {
    try {
      this.#reading = await openReading(file, {
        protocols: this.#games,
        record: (record) => this.#add(record),
        use: (protocol) => this.#protocols.set(protocol.name, protocol),
      });
      for await (const _ of this.#reading.pieces()) {
        this.#catchUp(Number.POSITIVE_INFINITY);
        this.#status(false);
        // Messages that wait are taken in between.
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
    } catch (error) {
      const isKnown = error instanceof WireError || error instanceof RangeError;
      const text = isKnown ? error.message : `Cannot read the file: ${String(error)}`;
      this.#port.postMessage({ type: "failed", text });
      return;
    }
    this.#done = true;
    this.#catchUp(Number.POSITIVE_INFINITY);
    this.#status(true);
  }

  #add(record: CaptureRecord): void {
    this.#statistics.add(record);
    this.#store.add(record);
  }

  get #start(): CaptureTime {
    return this.#reading?.start ?? { seconds: 0, nanoseconds: 0 };
  }

  #show(revision: number, filter: string, columns: readonly string[]): void {
    this.#revision = revision;
    this.#filter = filter === "" ? undefined : parseFilter(filter);
    this.#needsValue = asksForValue(filter);
    this.#columns = columns;
    this.#columnsNeedValue = asksForValue(columns.join());
    this.#matches = this.#filter === undefined ? undefined : new Uint32Array(1024);
    this.#matched = 0;
    this.#filtered = 0;
    if (this.#filter === undefined) this.#status(true);
    else if (!this.#isFiltering) void this.#filterAll();
  }

  /** Filters what is there, a piece at a time; another filter begins again. */
  async #filterAll(): Promise<void> {
    this.#isFiltering = true;
    while (this.#filter !== undefined && this.#filtered < this.#store.count) {
      this.#catchUp(FILTERED_AT_ONCE);
      this.#status(false);
      // Messages that wait are taken in between.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    this.#isFiltering = false;
    this.#status(true);
  }

  #catchUp(most: number): void {
    const filter = this.#filter;
    // A filter of all that is there goes on by itself.
    if (filter === undefined || (this.#isFiltering && most === Number.POSITIVE_INFINITY)) return;
    const end = Math.min(this.#store.count, this.#filtered + most);
    for (; this.#filtered < end; this.#filtered++) {
      const record = this.#store.get(this.#filtered, this.#needsValue);
      if (filter(recordFields(record, this.#start))) this.#match(this.#filtered);
    }
  }

  #match(index: number): void {
    let matches = this.#matches;
    if (matches === undefined) return;
    if (this.#matched === matches.length) {
      const bigger = new Uint32Array(matches.length * 2);
      bigger.set(matches);
      matches = bigger;
      this.#matches = bigger;
    }
    matches[this.#matched] = index;
    this.#matched += 1;
  }

  #status(always: boolean): void {
    const nowMs = performance.now();
    if (!always && nowMs - this.#statusAtMs < STATUS_EVERY_MS) return;
    this.#statusAtMs = nowMs;
    const isFiltered = this.#filter !== undefined;
    const read = this.#done ? undefined : (this.#reading?.share ?? 0);
    const filtering = isFiltered && this.#filtered < this.#store.count ? this.#filtered / this.#store.count : undefined;
    this.#port.postMessage({
      type: "status",
      revision: this.#revision,
      rows: isFiltered ? this.#matched : this.#store.count,
      all: this.#store.count,
      text: this.#summary(),
      progress: read ?? filtering,
    });
  }

  #summary(): string {
    const words = [...(this.#reading?.words ?? [])];
    if (this.#store.left > 0) words.push(`${this.#store.left.toLocaleString("en")} more records than the list holds`);
    return words.join(", ");
  }

  #indexOf(row: number): number {
    return this.#matches === undefined ? row : (this.#matches[row] ?? -1);
  }

  #rows(revision: number, from: number, to: number): void {
    if (revision !== this.#revision) return;
    const count = this.#filter === undefined ? this.#store.count : this.#matched;
    const rows: Row[] = [];
    for (let row = from; row < Math.min(to, count); row++) {
      const record = this.#store.get(this.#indexOf(row), this.#columnsNeedValue);
      rows.push({ kind: record.kind, sender: record.direction, cells: cellsOf(record, this.#columns, this.#start) });
    }
    this.#port.postMessage({ type: "rows", revision, from, rows });
  }

  #packet(row: number): Inspectable | undefined {
    const index = this.#indexOf(row);
    if (index < 0 || index >= this.#store.count) return undefined;
    const record = this.#store.get(index, true);
    if (record.kind === "gap") return undefined;
    const { direction, protocol, dialect, flow, packet, payload } = record;
    const [time = ""] = cellsOf(record, ["time"], this.#start);
    const origin = `${time} s, packet ${packet}, ${flow}`;
    const known = this.#protocols.get(protocol ?? "");
    const base = { key: `record ${index}`, origin, sender: direction };
    if (known === undefined || dialect === null) {
      const error = record.kind === "refused" ? record.error : undefined;
      const trace = { fields: [], ...(error === undefined ? {} : { error }) };
      return inspectable({ ...base, reading: undefined, bytes: payload, trace, json: undefined, exported: "none" });
    }
    const reading = { protocol: known.name, part: "", dialect, sender: direction, framed: false };
    const memory = this.#memoryOf(known, index);
    const traced = this.#traceWithMemory(known, index, memory);
    const trace = traced ?? known.codec(dialect).trace(direction, payload);
    const json =
      record.kind === "message" ? ({ message: record.message, value: record.value } as JsonObject) : undefined;
    // A payload that the memory of its stream refused is refused here too, whatever it says by itself.
    const refused = record.kind === "refused" && trace.error === undefined ? { ...trace, error: record.error } : trace;
    const bytes = traced?.bytes ?? payload;
    const before = traced === undefined ? undefined : this.#jsonBefore(index);
    const exported = this.#exported(known, memory ?? [index], payload.length - bytes.length);
    return inspectable({ ...base, reading, bytes, trace: refused, json, notes: traced?.notes ?? [], before, exported });
  }

  /** The last of some records for copies and links, from byte `skipped` on, without the names, looks and chat of players. */
  #exported(protocol: Protocol, indexes: readonly number[], skipped: number): ExportedPacket | "none" {
    if (indexes.length > MAX_BEFORE) return "none";
    const records = indexes.map((at) => this.#store.get(at, false));
    const found = privatePacket(records, protocol, this.#pseudonyms);
    return found === undefined ? "none" : { bytes: found.payload.subarray(skipped), json: found.json };
  }

  /** The message before one of the same direction of the same connection. */
  #jsonBefore(index: number): JsonObject | undefined {
    const [before = index] = this.#store.streamBefore(index, 2);
    const record = before === index ? undefined : this.#store.get(before, true);
    return record?.kind === "message" ? ({ message: record.message, value: record.value } as JsonObject) : undefined;
  }

  /** The records of its direction up to a packet that needs those before it; undefined for one that needs none. */
  #memoryOf(protocol: Protocol, index: number): readonly number[] | undefined {
    const { direction } = this.#store.get(index, false);
    if (streamOf(protocol, direction)?.stream.lineSchemas === undefined) return undefined;
    return this.#store.streamBefore(index, MAX_BEFORE + 1);
  }

  /** The fields of a packet that needs those before it; undefined where it needs none, or where too many are before it. */
  #traceWithMemory(protocol: Protocol, index: number, memory: readonly number[] | undefined): TracedBytes | undefined {
    const { direction, dialect } = this.#store.get(index, false);
    const found = streamOf(protocol, direction);
    if (found === undefined || memory === undefined || memory.length > MAX_BEFORE || dialect === null) return undefined;
    const options = { ...protocol.capabilities?.tap?.streamOptions };
    const reader = found.stream.openReader({ dialect, sender: direction, framed: true, options });
    let traced: TracedBytes | undefined;
    for (const at of memory) {
      const record = this.#store.get(at, false);
      if (record.kind !== "gap") traced = reader.trace(record.payload);
    }
    return traced;
  }
}
