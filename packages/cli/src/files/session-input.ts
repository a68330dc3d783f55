/** A session that another tool recorded, as the records of `wirewalk inspect FILE`. */
import {
  type CaptureTime,
  PrivateSession,
  type SessionFormat,
  type SessionHeader,
  SessionRecords,
} from "wirewalk/capture";
import type { Protocol } from "wirewalk/protocol";
import { growYoungGeneration } from "../process/heap-growth.ts";
import type { InputBytes } from "./peeked-input.ts";
import { type RecordInput, type RecordInputOptions, type RecordSink, refusedFile } from "./record-input.ts";

export class SessionInput implements RecordInput {
  start: CaptureTime = { seconds: 0, nanoseconds: 0 };
  isIncomplete = false;
  header: SessionHeader | undefined;
  readonly #bytes: InputBytes;
  readonly #format: SessionFormat;
  readonly #options: RecordInputOptions;
  readonly #sink: RecordSink;
  readonly #counts = { message: 0, refused: 0, undescribed: 0 };
  #hasStart = false;

  constructor(bytes: InputBytes, format: SessionFormat, options: RecordInputOptions, sink: RecordSink) {
    this.#bytes = bytes;
    this.#format = format;
    this.#options = options;
    this.#sink = sink;
  }

  get size(): number | undefined {
    return this.#bytes.size;
  }

  get bytesRead(): number {
    return this.#bytes.bytesRead;
  }

  get summary(): string {
    const { message, undescribed, refused } = this.#counts;
    return `${this.#format.title}: ${message} messages, ${undescribed} of them not described, ${refused} refused\n`;
  }

  async *pieces(): AsyncGenerator<void> {
    const { dialect, build, streamOptions, pseudonyms: whose } = this.#options;
    const protocols: Readonly<Record<string, Protocol>> = this.#options.protocols;
    const sink = new SessionRecords({
      glances: this.#options.glances === true,
      protocols,
      dialect,
      streamOptions,
      begin: (header) => {
        this.header = header;
      },
      record: (record) => {
        if (!this.#hasStart) this.start = { ...record.time };
        this.#hasStart = true;
        if (record.kind === "message") this.#counts.message += 1;
        if (record.kind === "message" && record.isUndescribed) this.#counts.undescribed += 1;
        if (record.kind === "refused") this.#counts.refused += 1;
        this.#sink.record(record);
      },
      fault: (error, byteOffset) => this.#fault(byteOffset, error.message),
    });
    const reader = this.#format.open({
      protocols,
      build,
      sink: whose === undefined ? sink : new PrivateSession({ protocols, dialect, whose }, sink),
    });
    let isGrown = false;
    for await (const chunk of this.#bytes.chunks((why) => this.#fault(this.#bytes.bytesRead, why))) {
      refusedFile(this.#bytes.name, () => reader.push(chunk));
      yield;
      if (!isGrown) isGrown = growYoungGeneration();
    }
    refusedFile(this.#bytes.name, () => reader.end());
    this.isIncomplete ||= this.#counts.refused > 0;
    yield;
  }

  #fault(byteOffset: number, text: string): void {
    this.isIncomplete = true;
    this.#sink.fault(byteOffset, text);
  }
}
