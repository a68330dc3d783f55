/**
 * Reads recordings, whole or damaged. Every chunk that is whole is read, whatever became of the bytes around it; what is gone
 * is named. Nothing is repaired in place, and the index of a file is not needed: it is made again from its chunks.
 *
 * ```ts
 * const recording = openRecording(bytes, { decompress: { zstd } });
 * for (const message of recording.messages()) console.log(message.topic, message.timeNs);
 * for (const { reason } of recording.damage) console.log(reason);
 * ```
 */
import { hasMcapPrefix, McapStreamReader } from "@mcap/core";
import { WireError } from "wirewalk/wire";
import { type FoundChunk, findRecords } from "./chunk-records.ts";

/** Gives the bytes of a compressed chunk. Throws for bytes that it cannot decompress. */
export type Decompress = (bytes: Uint8Array, size: number) => Uint8Array;

export interface OpenRecordingOptions {
  /** By name of the compression: `zstd`. */
  readonly decompress?: Readonly<Record<string, Decompress>>;
}

/** A message of a recording. */
export interface RecordedMessage {
  readonly topic: string;
  readonly encoding: string;
  /** Name of the schema, if it has one. */
  readonly schema: string | undefined;
  readonly metadata: ReadonlyMap<string, string>;
  readonly sequence: number;
  /** Nanoseconds since 1970. */
  readonly timeNs: bigint;
  readonly data: Uint8Array;
}

/** A part of the file that cannot be read. */
export interface Damage {
  /** In bytes of the file. */
  readonly start: number;
  readonly end: number;
  readonly reason: string;
  /** Nanoseconds since 1970, as the chunk itself has them. */
  readonly startNs?: bigint;
  readonly endNs?: bigint;
}

export interface MessageFilter {
  /** Only chunks with messages in this time are read. Nanoseconds since 1970, both included. */
  readonly fromNs?: bigint;
  readonly toNs?: bigint;
  /** Default: all. */
  readonly topic?: (topic: string) => boolean;
}

/** Bytes of a decompressed chunk at most: a hostile file names any size. */
const MAX_CHUNK_BYTES = 256 << 20;

/** Throws `WireError` for bytes that do not begin as an MCAP file and hold no chunk. */
export function openRecording(bytes: Uint8Array, options: OpenRecordingOptions = {}): Recording {
  return new Recording(bytes, options);
}

export class Recording {
  /** In the order of the file. */
  readonly chunks: readonly FoundChunk[];
  /** False when the writer has not ended the file, as after a crash: then its end may be missing. */
  readonly isEnded: boolean;
  readonly #bytes: Uint8Array;
  readonly #decompress: Readonly<Record<string, (bytes: Uint8Array, size: bigint) => Uint8Array>>;
  readonly #outside: readonly Damage[];
  /** By the start of the chunk; found when it is read. */
  readonly #inChunks = new Map<number, Damage>();

  constructor(bytes: Uint8Array, { decompress = {} }: OpenRecordingOptions) {
    this.#bytes = bytes;
    const { chunks, damaged, isEnded } = findRecords(bytes);
    const begins = hasMcapPrefix(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    if (!begins && chunks.length === 0) {
      throw new WireError("unknown-variant", "Cannot read a recording: the bytes do not begin as an MCAP file", 0);
    }
    this.chunks = chunks;
    const prefix = { start: 0, end: 8, reason: "the file does not begin as an MCAP file" };
    this.#outside = begins ? damaged : [prefix, ...damaged];
    this.isEnded = isEnded;
    this.#decompress = Object.fromEntries(
      Object.entries(decompress).map(([name, call]) => [
        name,
        (compressed: Uint8Array, size: bigint) => {
          if (size > MAX_CHUNK_BYTES) throw new Error(`a chunk of ${size} bytes, at most ${MAX_CHUNK_BYTES}`);
          return call(compressed, Number(size));
        },
      ]),
    );
  }

  /** What cannot be read, in the order of the file. Damage inside of chunks is known of those that were read. */
  get damage(): readonly Damage[] {
    return [...this.#outside, ...this.#inChunks.values()].sort((a, b) => a.start - b.start);
  }

  /** Messages in the order in which they were written. A damaged chunk gives none. */
  *messages(filter: MessageFilter = {}): Generator<RecordedMessage, void, void> {
    for (const chunk of this.chunks) {
      if (filter.fromNs !== undefined && chunk.endTime < filter.fromNs) continue;
      if (filter.toNs !== undefined && chunk.startTime > filter.toNs) continue;
      yield* this.messagesOf(chunk, filter.topic);
    }
  }

  /** Reads every chunk, so that `damage` is complete. The number of messages. */
  check(): number {
    let count = 0;
    for (const chunk of this.chunks) count += this.messagesOf(chunk).length;
    return count;
  }

  /** The messages of a chunk; none of a damaged one. */
  messagesOf(chunk: FoundChunk, topic?: (topic: string) => boolean): readonly RecordedMessage[] {
    const known = this.#inChunks.get(chunk.start);
    if (known !== undefined) return [];
    try {
      return this.#read(chunk, topic);
    } catch (error) {
      this.#inChunks.set(chunk.start, {
        start: chunk.start,
        end: chunk.end,
        reason: error instanceof Error ? error.message : String(error),
        startNs: chunk.startTime,
        endNs: chunk.endTime,
      });
      return [];
    }
  }

  /** Throws for a damaged chunk. */
  #read({ start, end }: FoundChunk, topic: ((topic: string) => boolean) | undefined): readonly RecordedMessage[] {
    const messages: RecordedMessage[] = [];
    // A reader for each chunk: after an error it is of no more use, and chunks need nothing of each other.
    const reader = new McapStreamReader({ noMagicPrefix: true, decompressHandlers: this.#decompress });
    const schemas = new Map<number, string>();
    const channels = new Map<number, Omit<RecordedMessage, "sequence" | "timeNs" | "data">>();
    reader.append(this.#bytes.subarray(start, end));
    for (let record = reader.nextRecord(); record !== undefined; record = reader.nextRecord()) {
      if (record.type === "Schema") schemas.set(record.id, record.name);
      else if (record.type === "Channel") {
        const { id, topic: name, messageEncoding, schemaId, metadata } = record;
        channels.set(id, { topic: name, encoding: messageEncoding, schema: schemas.get(schemaId), metadata });
      } else if (record.type === "Message") {
        const channel = channels.get(record.channelId);
        if (channel === undefined) throw new Error(`channel ${record.channelId} is not described`);
        if (topic !== undefined && !topic(channel.topic)) continue;
        messages.push({ ...channel, sequence: record.sequence, timeNs: record.logTime, data: record.data });
      }
    }
    return messages;
  }
}
