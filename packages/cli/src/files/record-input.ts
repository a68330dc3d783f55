/** Where the records of `wirewalk inspect FILE` come from: a capture, a recording, or a session of another tool. */
import {
  CaptureInspector,
  type CaptureRecord,
  type CaptureTime,
  type FlowReport,
  type InspectorOptions,
  PrivateRecords,
  type StreamOptions,
} from "wirewalk/capture";
import type { Protocol, PseudonymScope } from "wirewalk/protocol";
import { WireError } from "wirewalk/wire";
import { summaryLine } from "../capture/capture-text.ts";
import { UsageError } from "../context.ts";
import { growYoungGeneration } from "../process/heap-growth.ts";
import type { InputBytes } from "./peeked-input.ts";

/** Receives what a file holds. */
export interface RecordSink {
  record(record: CaptureRecord): void;
  flow(flow: FlowReport): void;
  /** A part of the file that cannot be read. */
  fault(byteOffset: number, text: string): void;
}

/** What is known of a file beside its bytes. */
export interface RecordInputOptions {
  readonly protocols: Readonly<Record<string, Protocol>>;
  readonly streamOptions: StreamOptions;
  /** Of sessions of other tools: in place of what the file says. */
  readonly dialect?: string | undefined;
  readonly build?: number | undefined;
  /** Values of messages are not needed. */
  readonly glances?: boolean;
  /** Whose names, chat and looks are replaced. Default: nobody's. */
  readonly pseudonyms?: PseudonymScope | undefined;
}

/** A file that is being read. */
export interface RecordInput {
  /** Of the file, in bytes; undefined where nobody knows. */
  readonly size: number | undefined;
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

/** A capture. */
export class CaptureRecords implements RecordInput {
  readonly #input: InputBytes;
  readonly #inspector: CaptureInspector;
  readonly #sink: RecordSink;

  constructor(
    input: InputBytes,
    options: Omit<InspectorOptions, "sink">,
    sink: RecordSink,
    pseudonyms?: PseudonymScope,
  ) {
    this.#sink = sink;
    this.#input = input;
    const protocols = Object.fromEntries(options.protocols.map((protocol) => [protocol.name, protocol]));
    const records =
      pseudonyms === undefined ? undefined : new PrivateRecords({ ...options, protocols, whose: pseudonyms });
    this.#inspector = new CaptureInspector({
      ...options,
      sink: {
        record: (record) => sink.record(records?.record(record) ?? record),
        flow: (report) => sink.flow(records === undefined ? report : { ...report, flow: records.flow(report.flow) }),
        fault: ({ byteOffset, text }) => sink.fault(byteOffset, text),
      },
    });
  }

  get size(): number | undefined {
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
      refusedFile(this.#input.name, () => this.#inspector.push(chunk));
      yield;
      if (!isGrown) isGrown = growYoungGeneration();
    }
    refusedFile(this.#input.name, () => this.#inspector.end());
    yield;
  }
}

/** A file of another kind, or of a game or version that is not known, is a mistake of the command line. */
export function refusedFile<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof WireError || error instanceof RangeError) throw new UsageError(`${name}: ${error.message}`);
    throw error;
  }
}
