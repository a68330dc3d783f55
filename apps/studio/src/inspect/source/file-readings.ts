/** How the worker reads the kinds of files: each gives records, and says how far it is and what it has read. */
import { openRecording, sessionRecords, zstdDecompress } from "@wirewalk/recording";
import {
  CaptureInspector,
  type CaptureRecord,
  type CaptureTime,
  type SessionFormat,
  SessionRecords,
} from "wirewalk/capture";
import type { Protocol } from "wirewalk/protocol";
import { countBytes } from "wirewalk/wire";
import type { NamedBlob } from "../../files/file-kind.ts";
import { openDropped } from "../../files/open-dropped.ts";
import { readSession } from "../../files/read-session.ts";
import type { Protocols } from "../model/reading.ts";

/** What a reading gives its records to. */
export interface ReadingSink {
  readonly protocols: Protocols;
  readonly record: (record: CaptureRecord) => void;
  /** The game of the records that follow, with the settings of the file. */
  readonly use: (protocol: Protocol) => void;
}

export interface FileReading {
  /** The time of the first record. */
  readonly start: CaptureTime;
  /** The share of the file that was read, 0 to 1. */
  readonly share: number;
  /** What was read and what cannot be, in words. */
  readonly words: readonly string[];
  /** Reads the file; between two pieces others have their turn. */
  pieces(): AsyncGenerator<void>;
}

/** Bytes of a capture that are read at once: 20 ms of work, so that requests do not wait for longer. */
const PIECE_BYTES = 256 * 1024;
/** Records of a recording between two answers. */
const RECORDS_AT_ONCE = 5_000;

/** Throws `RangeError` for a file of an unknown kind. */
export async function openReading(file: NamedBlob, sink: ReadingSink): Promise<FileReading> {
  const dropped = await openDropped(file);
  if (dropped.kind === "recording") return new RecordingReading(dropped.bytes, sink);
  return dropped.kind === "session" ? new SessionReading(file, dropped.format, sink) : new CaptureReading(file, sink);
}

class CaptureReading implements FileReading {
  readonly #file: Blob;
  #faults = 0;
  readonly #inspector: CaptureInspector;

  constructor(file: Blob, { protocols, record }: ReadingSink) {
    this.#file = file;
    this.#inspector = new CaptureInspector({
      protocols: Object.values(protocols),
      sink: {
        record,
        fault: () => {
          this.#faults += 1;
        },
        flow: () => {},
      },
    });
  }

  get start(): CaptureTime {
    return this.#inspector.start;
  }

  get share(): number {
    return this.#inspector.offset / Math.max(1, this.#file.size);
  }

  get words(): readonly string[] {
    const { packets, connections, messages, refused, gaps, gapBytes, otherPackets } = this.#inspector.counts;
    return [
      `${number(packets)} packets`,
      `${number(connections)} connections`,
      `${number(messages)} messages`,
      `${number(refused)} refused`,
      gaps === 0 ? "no gaps" : `${number(gaps)} gaps of ${countBytes(gapBytes)}`,
      ...(otherPackets > 0 ? [`${number(otherPackets)} packets without TCP`] : []),
      ...damaged(this.#faults),
    ];
  }

  async *pieces(): AsyncGenerator<void> {
    for (let at = 0; at < this.#file.size; at += PIECE_BYTES) {
      const piece = await this.#file.slice(at, at + PIECE_BYTES).arrayBuffer();
      this.#inspector.push(new Uint8Array(piece));
      yield;
    }
    this.#inspector.end();
  }
}

/** Counts of what was read. */
class Counts {
  message = 0;
  undescribed = 0;
  refused = 0;
  gap = 0;
  start: CaptureTime = { seconds: 0, nanoseconds: 0 };

  get all(): number {
    return this.message + this.refused + this.gap;
  }

  add(record: CaptureRecord): void {
    if (this.all === 0) this.start = record.time;
    this[record.kind] += 1;
    if (record.kind === "message" && record.isUndescribed) this.undescribed += 1;
  }
}

class RecordingReading implements FileReading {
  share = 0;
  #faults = 0;
  readonly #bytes: Uint8Array;
  readonly #sink: ReadingSink;
  readonly #counts = new Counts();

  constructor(bytes: Uint8Array, sink: ReadingSink) {
    this.#bytes = bytes;
    this.#sink = sink;
  }

  get start(): CaptureTime {
    return this.#counts.start;
  }

  get words(): readonly string[] {
    const { message, refused } = this.#counts;
    return [`recording: ${number(message)} messages`, `${number(refused)} refused`, ...damaged(this.#faults)];
  }

  async *pieces(): AsyncGenerator<void> {
    const recording = openRecording(this.#bytes, { decompress: { zstd: zstdDecompress } });
    const [first, last] = [recording.chunks[0]?.startTime ?? 0n, recording.chunks.at(-1)?.endTime ?? 0n];
    const seconds = Number(last - first) / 1e9;
    for (const record of sessionRecords(recording, this.#sink.protocols)) {
      this.#counts.add(record);
      this.#sink.record(record);
      if (this.#counts.all % RECORDS_AT_ONCE !== 0) continue;
      this.share = seconds === 0 ? 0 : Math.min(1, secondsSince(this.start, record.time) / seconds);
      yield;
    }
    this.#faults = recording.damage.length;
  }
}

class SessionReading implements FileReading {
  share = 0;
  readonly #file: Blob;
  readonly #format: SessionFormat;
  readonly #sink: ReadingSink;
  readonly #counts = new Counts();
  #fault: string | undefined;

  constructor(file: Blob, format: SessionFormat, sink: ReadingSink) {
    this.#file = file;
    this.#format = format;
    this.#sink = sink;
  }

  get start(): CaptureTime {
    return this.#counts.start;
  }

  get words(): readonly string[] {
    const { message, undescribed, refused } = this.#counts;
    return [
      `${this.#format.title}: ${number(message)} messages`,
      ...(undescribed > 0 ? [`${number(undescribed)} of them not described`] : []),
      `${number(refused)} refused`,
      ...(this.#fault === undefined ? [] : [this.#fault]),
    ];
  }

  async *pieces(): AsyncGenerator<void> {
    const { protocols, record, use } = this.#sink;
    const sink = new SessionRecords({
      protocols,
      begin: (_header, protocol) => use(protocol),
      record: (read) => {
        this.#counts.add(read);
        record(read);
      },
      fault: ({ message }) => {
        this.#fault = message;
      },
    });
    for await (const bytes of readSession(this.#file, { format: this.#format, protocols, sink })) {
      this.share = bytes / this.#file.size;
      yield;
    }
  }
}

function number(value: number): string {
  return value.toLocaleString("en");
}

function damaged(places: number): string[] {
  return places > 0 ? [`${number(places)} damaged places of the file`] : [];
}

function secondsSince(start: CaptureTime, time: CaptureTime): number {
  return time.seconds - start.seconds + (time.nanoseconds - start.nanoseconds) / 1e9;
}
