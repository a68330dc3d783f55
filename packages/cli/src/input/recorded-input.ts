/** The sessions of a recording as the records of `wirewalk inspect FILE`. */
import type { CaptureTime } from "wirewalk/capture";
import type { Protocol } from "wirewalk/protocol";
import { WireError } from "wirewalk/wire";
import { FailedError, UsageError } from "../context.ts";
import type { RecordInput, RecordSink } from "./record-input.ts";

/** Records between two pieces. */
const PIECE_RECORDS = 1000;

/** A recording of `serve --record`. The file is read into memory: one ends at 128 MiB. */
export class RecordedInput implements RecordInput {
  readonly size = 0;
  bytesRead = 0;
  start: CaptureTime = { seconds: 0, nanoseconds: 0 };
  isIncomplete = false;
  summary = "";
  readonly #file: string;
  readonly #protocols: Readonly<Record<string, Protocol>>;
  readonly #sink: RecordSink;

  constructor(file: string, protocols: Readonly<Record<string, Protocol>>, sink: RecordSink) {
    this.#file = file;
    this.#protocols = protocols;
    this.#sink = sink;
  }

  async *pieces(): AsyncGenerator<void> {
    const [{ sessionRecords }, { readRecordingFile }] = await Promise.all([
      import("@wirewalk/recording"),
      import("@wirewalk/recording/node"),
    ]);
    const recording = await readRecordingFile(this.#file).catch((error: unknown) => {
      if (error instanceof WireError) throw new UsageError(`${this.#file}: ${error.message}`);
      throw new FailedError(`Cannot read ${this.#file}: ${error instanceof Error ? error.message : String(error)}`);
    });
    const counts = { message: 0, refused: 0, gap: 0 };
    const flows = new Set<string>();
    let records = 0;
    try {
      for (const record of sessionRecords(recording, this.#protocols)) {
        if (records === 0) this.start = record.time;
        records += 1;
        counts[record.kind] += 1;
        flows.add(record.flow);
        this.#sink.record(record);
        if (records % PIECE_RECORDS === 0) yield;
      }
    } catch (error) {
      if (error instanceof RangeError) throw new FailedError(`${this.#file}: ${error.message}`);
      throw error;
    }
    for (const { start, end, reason } of recording.damage) {
      this.#sink.fault(start, `${reason}; ${end - start} bytes skipped`);
    }
    if (!recording.isEnded)
      this.#sink.fault(0, "the file was not ended by its writer: its last records may be missing");
    this.isIncomplete = counts.refused > 0;
    this.summary = `${flows.size} sessions, ${counts.message} messages, ${counts.refused} refused\n`;
    yield;
  }
}
