/** Where the records of `wirewalk inspect FILE` come from: a capture or a recording. */
import {
  CaptureInspector,
  type CaptureRecord,
  type CaptureTime,
  type FlowReport,
  type InspectorOptions,
} from "wirewalk/capture";
import { WireError } from "wirewalk/wire";
import { CaptureInput } from "../capture/capture-input.ts";
import { summaryLine } from "../capture/capture-text.ts";
import { UsageError } from "../context.ts";
import { growYoungGeneration } from "../process/heap-growth.ts";

/** Receives what a file holds. */
export interface RecordSink {
  record(record: CaptureRecord): void;
  flow(flow: FlowReport): void;
  /** A part of the file that cannot be read. */
  fault(byteOffset: number, text: string): void;
}

/** A file that is being read. */
export interface RecordInput {
  /** Of the file, in bytes. */
  readonly size: number;
  readonly bytesRead: number;
  /** The time of the first packet. */
  readonly start: CaptureTime;
  /** Reads the next piece, and gives the sink what is in it, at each step. Throws {@link UsageError} for another kind of file. */
  pieces(): AsyncGenerator<void>;
  /** True when something was refused or is missing. Known after the last piece. */
  readonly isIncomplete: boolean;
  /** One line about the whole file. */
  readonly summary: string;
}

/** A capture file. */
export class CaptureRecords implements RecordInput {
  readonly #file: string;
  readonly #input: CaptureInput;
  readonly #inspector: CaptureInspector;
  readonly #sink: RecordSink;

  constructor(file: string, options: Omit<InspectorOptions, "sink">, sink: RecordSink) {
    this.#file = file;
    this.#sink = sink;
    this.#input = new CaptureInput(file);
    this.#inspector = new CaptureInspector({
      ...options,
      sink: {
        record: (record) => sink.record(record),
        flow: (flow) => sink.flow(flow),
        fault: ({ byteOffset, text }) => sink.fault(byteOffset, text),
      },
    });
  }

  get size(): number {
    return this.#input.size;
  }

  get bytesRead(): number {
    return this.#input.bytesRead;
  }

  get start(): CaptureTime {
    return this.#inspector.start;
  }

  get isIncomplete(): boolean {
    const { refused, gaps } = this.#inspector.counts;
    return refused + gaps > 0 || this.#inspector.lostDatagrams > 0;
  }

  get summary(): string {
    return summaryLine(this.#inspector.counts, this.#inspector.lostDatagrams);
  }

  async *pieces(): AsyncGenerator<void> {
    let isGrown = false;
    const damaged = (why: string): void => this.#sink.fault(this.#inspector.offset, why);
    for await (const chunk of this.#input.chunks(damaged)) {
      this.#guard(() => this.#inspector.push(chunk));
      yield;
      if (!isGrown) isGrown = growYoungGeneration();
    }
    this.#guard(() => this.#inspector.end());
    yield;
  }

  /** A file that is no capture is a mistake of the command line. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof WireError) throw new UsageError(`${this.#file}: ${error.message}`);
      throw error;
    }
  }
}
