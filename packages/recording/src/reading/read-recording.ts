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
import { crc32 } from "@foxglove/crc";
import { hasMcapPrefix, McapStreamReader } from "@mcap/core";
import { WireError } from "wirewalk/wire";
import { checkFile, hexOfCrc } from "./check-file.ts";
import { chunkHeader, type FoundChunk, findRecords } from "./chunk-records.ts";

/** Gives the bytes of a compressed chunk. Throws for bytes that it cannot decompress. */
export type Decompress = (bytes: Uint8Array, size: number) => Uint8Array;

export interface OpenRecordingOptions {
  /** By name of the compression: `zstd`. */
  readonly decompress?: Readonly<Record<string, Decompress>>;
  /** Bytes of a decompressed chunk at most: a hostile file names any size. Default 256 MiB. */
  readonly mostChunkBytes?: number;
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

const MAX_CHUNK_BYTES = 256 << 20;

/** Throws `WireError` for bytes that do not begin as an MCAP file and hold no chunk. */
export function openRecording(bytes: Uint8Array, options: OpenRecordingOptions = {}): Recording {
  return new Recording(bytes, options);
}

export class Recording {
  /** In the order of the file. */
  readonly chunks: readonly FoundChunk[];
  readonly #bytes: Uint8Array;
  readonly #decompress: Readonly<Record<string, Decompress>>;
  readonly #mostChunkBytes: number;
  readonly #dataEnd: number | undefined;
  readonly #outside: readonly Damage[];
  /** By the start of the chunk; found when it is read. */
  readonly #inChunks = new Map<number, Damage>();
  /** Found by `check`. */
  #checked: readonly Damage[] = [];

  constructor(bytes: Uint8Array, { decompress = {}, mostChunkBytes = MAX_CHUNK_BYTES }: OpenRecordingOptions) {
    this.#bytes = bytes;
    const { chunks, damaged, dataEnd } = findRecords(bytes);
    const begins = hasMcapPrefix(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    if (!begins && chunks.length === 0) {
      throw new WireError("unknown-variant", "Cannot read a recording: the bytes do not begin as an MCAP file", 0);
    }
    this.chunks = chunks;
    const prefix = { start: 0, end: 8, reason: "the file does not begin as an MCAP file" };
    this.#outside = begins ? damaged : [prefix, ...damaged];
    this.#dataEnd = dataEnd;
    this.#decompress = decompress;
    this.#mostChunkBytes = mostChunkBytes;
  }

  /** False when the writer has not ended the file, as after a crash: then its end may be missing. */
  get isEnded(): boolean {
    return this.#dataEnd !== undefined;
  }

  /** What cannot be read, in the order of the file. Damage inside of chunks is known of those that were read; after `check` it is complete. */
  get damage(): readonly Damage[] {
    return [...this.#outside, ...this.#inChunks.values(), ...this.#checked].sort((a, b) => a.start - b.start);
  }

  /** Messages in the order in which they were written. A damaged chunk gives none. */
  *messages(filter: MessageFilter = {}): Generator<RecordedMessage, void, void> {
    for (const chunk of this.chunks) {
      if (filter.fromNs !== undefined && chunk.endTime < filter.fromNs) continue;
      if (filter.toNs !== undefined && chunk.startTime > filter.toNs) continue;
      yield* this.messagesOf(chunk, filter.topic);
    }
  }

  /**
   * Reads every chunk and compares every checksum, so that `damage` names each place whose bytes are not as they were written, of no use to replay
   * though they may be. Of a file that was not ended its header and metadata have no checksum.
   */
  check(): void {
    this.#checked = checkFile({
      bytes: this.#bytes,
      chunks: this.chunks,
      damaged: this.#outside,
      dataEnd: this.#dataEnd,
      recordsOf: (chunk) => this.#whole(chunk, () => this.#records(chunk)),
    });
  }

  /** The messages of a chunk; none of a damaged one. */
  messagesOf(chunk: FoundChunk, topic?: (topic: string) => boolean): readonly RecordedMessage[] {
    return this.#whole(chunk, () => this.#read(chunk, topic)) ?? [];
  }

  /** Undefined for a damaged chunk, which is remembered. */
  #whole<T>(chunk: FoundChunk, read: () => T): T | undefined {
    const { start, end, startTime: startNs, endTime: endNs } = chunk;
    if (this.#inChunks.has(start)) return undefined;
    try {
      return read();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#inChunks.set(start, { start, end, reason, startNs, endNs });
      return undefined;
    }
  }

  /** Throws for a damaged chunk. */
  #records(chunk: FoundChunk): Uint8Array {
    const { compression, size, crc, records: start } = chunkHeader(this.#bytes, chunk);
    if (size > this.#mostChunkBytes) throw new Error(`a chunk of ${size} bytes, at most ${this.#mostChunkBytes}`);
    const packed = this.#bytes.subarray(start, chunk.end);
    const records = compression === "" ? packed : this.#decompressed(compression, packed, Number(size));
    if (records.length !== Number(size))
      throw new Error(`a chunk has ${records.length} bytes, and its header says ${size}`);
    const found = crc === 0 ? 0 : crc32(records);
    if (found !== crc)
      throw new Error(`the checksum of a chunk is ${hexOfCrc(found)}, and its header says ${hexOfCrc(crc)}`);
    return records;
  }

  #decompressed(compression: string, bytes: Uint8Array, size: number): Uint8Array {
    const decompress = this.#decompress[compression];
    if (decompress === undefined) throw new Error(`a chunk is compressed by "${compression}", which is not known`);
    return decompress(bytes, size);
  }

  /** Throws for a damaged chunk. */
  #read(chunk: FoundChunk, topic: ((topic: string) => boolean) | undefined): readonly RecordedMessage[] {
    const messages: RecordedMessage[] = [];
    // A reader for each chunk: after an error it is of no more use, and chunks need nothing of each other.
    const reader = new McapStreamReader({ noMagicPrefix: true });
    const schemas = new Map<number, string>();
    const channels = new Map<number, Omit<RecordedMessage, "sequence" | "timeNs" | "data">>();
    reader.append(this.#records(chunk));
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
