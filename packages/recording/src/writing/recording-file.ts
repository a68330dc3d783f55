/**
 * One MCAP file: header and metadata, chunks, and a summary with index and statistics when it ends well. A file that does not
 * end well is read without them.
 */
import { McapRecordBuilder, Opcode } from "@mcap/core";
import { LIBRARY_VERSION, PROFILE, type RecordingSchema } from "../profile.ts";
import { type ChunkBuilder, type FileChannel, writeChannel, writeSchema } from "./chunk-builder.ts";
import type { FileMeans } from "./file-means.ts";

/** Where the bytes of a file go. */
export interface RecordingOutput {
  /** Of the file, for logs. */
  readonly name: string;
  /** Resolves when all bytes are written; rejects when they cannot be. The bytes are not changed until then. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when the file is closed. */
  close(): Promise<void>;
  /** Closes a file that holds nothing of use, and removes it. Default: `close`. */
  discard?(): Promise<void>;
}

/** Each call has to be awaited before the next one. */
export class RecordingFile {
  /** Bytes in the file. */
  byteLength = 0;
  readonly #output: RecordingOutput;
  readonly #means: FileMeans;
  readonly #builder = new McapRecordBuilder();
  readonly #channels = new Map<number, FileChannel>();
  readonly #schemas = new Map<number, RecordingSchema>();
  readonly #counts = new Map<number, bigint>();
  /** Records of the index, as they will be written: an index of maps takes ten times the memory. */
  readonly #chunkIndexes: Uint8Array[] = [];
  #metadataIndex: { readonly offset: bigint; readonly length: bigint; readonly name: string } | undefined;
  #chunks = 0;
  #messages = 0n;
  #startTime = 0n;
  #endTime = 0n;
  #crc = 0;

  constructor(output: RecordingOutput, means: FileMeans) {
    this.#output = output;
    this.#means = means;
  }

  get name(): string {
    return this.#output.name;
  }

  /** Call it first. */
  async start(metadata: ReadonlyMap<string, string>): Promise<void> {
    this.#builder.writeMagic();
    this.#builder.writeHeader({ profile: PROFILE, library: `wirewalk ${LIBRARY_VERSION}` });
    const offset = BigInt(this.#builder.length);
    const length = this.#builder.writeMetadata({ name: PROFILE, metadata: new Map(metadata) });
    this.#metadataIndex = { offset, length, name: PROFILE };
    await this.#flush();
  }

  async chunk(chunk: ChunkBuilder): Promise<void> {
    const { records, startTime, endTime } = chunk;
    for (const channel of chunk.channels) {
      this.#channels.set(channel.id, channel);
      if (channel.schema !== undefined) this.#schemas.set(channel.schema.id, channel.schema);
    }
    const compressed = await this.#means.compress(records);
    const chunkStartOffset = BigInt(this.byteLength);
    const chunkLength = this.#builder.writeChunk({
      messageStartTime: startTime,
      messageEndTime: endTime,
      uncompressedSize: BigInt(records.length),
      uncompressedCrc: this.#means.crc32(records),
      compression: this.#means.compression,
      records: compressed,
    });
    await this.#flush();
    const index = chunk.index();
    const indexStart = this.byteLength;
    const messageIndexOffsets = new Map<number, bigint>();
    for (const [id, offset] of index.offsets) messageIndexOffsets.set(id, BigInt(indexStart + offset));
    const messageIndexLength = BigInt(index.bytes.length);
    await this.#writeData(index.bytes);
    this.#startTime = this.#chunks === 0 || startTime < this.#startTime ? startTime : this.#startTime;
    this.#endTime = endTime > this.#endTime ? endTime : this.#endTime;
    this.#chunks += 1;
    this.#messages += BigInt(chunk.messages);
    for (const [slot, { id }] of chunk.channels.entries()) {
      this.#counts.set(id, (this.#counts.get(id) ?? 0n) + BigInt(chunk.counts[slot] ?? 0));
    }
    this.#builder.writeChunkIndex({
      messageStartTime: startTime,
      messageEndTime: endTime,
      chunkStartOffset,
      chunkLength,
      messageIndexOffsets,
      messageIndexLength,
      compression: this.#means.compression,
      compressedSize: BigInt(compressed.length),
      uncompressedSize: BigInt(records.length),
    });
    this.#chunkIndexes.push(this.#builder.buffer);
    this.#builder.reset();
  }

  /** Writes the summary and closes. */
  async end(): Promise<void> {
    try {
      this.#builder.writeDataEnd({ dataSectionCrc: this.#crc });
      await this.#flush();
      await this.#writeSummary();
    } finally {
      await this.#output.close();
    }
  }

  /** Closes without a summary. */
  async abandon(): Promise<void> {
    const output = this.#output;
    if (this.#chunks === 0 && output.discard !== undefined) await output.discard();
    else await output.close();
  }

  async #writeSummary(): Promise<void> {
    const builder = this.#builder;
    const summaryStart = this.byteLength;
    const groups: { readonly opcode: Opcode; readonly start: number; readonly length: number }[] = [];
    const group = (opcode: Opcode, write: () => void): void => {
      const start = builder.length;
      write();
      if (builder.length > start) groups.push({ opcode, start: summaryStart + start, length: builder.length - start });
    };
    group(Opcode.SCHEMA, () => {
      for (const schema of this.#schemas.values()) writeSchema(builder, schema);
    });
    group(Opcode.CHANNEL, () => {
      for (const channel of this.#channels.values()) writeChannel(builder, channel);
    });
    group(Opcode.STATISTICS, () => {
      builder.writeStatistics({
        messageCount: this.#messages,
        schemaCount: this.#schemas.size,
        channelCount: this.#channels.size,
        attachmentCount: 0,
        metadataCount: 1,
        chunkCount: this.#chunks,
        messageStartTime: this.#startTime,
        messageEndTime: this.#endTime,
        channelMessageCounts: this.#counts,
      });
    });
    group(Opcode.METADATA_INDEX, () => {
      if (this.#metadataIndex !== undefined) builder.writeMetadataIndex(this.#metadataIndex);
    });
    const before = builder.buffer;
    builder.reset();
    const indexLength = this.#chunkIndexes.reduce((sum, { length }) => sum + length, 0);
    if (indexLength > 0) {
      groups.push({ opcode: Opcode.CHUNK_INDEX, start: summaryStart + before.length, length: indexLength });
    }
    let crc = 0;
    const write = async (bytes: Uint8Array): Promise<void> => {
      crc = this.#means.crc32(bytes, crc);
      await this.#write(bytes);
    };
    await write(before);
    for (const bytes of this.#chunkIndexes) await write(bytes);
    const summaryOffsetStart = this.byteLength;
    for (const { opcode, start, length } of groups) {
      builder.writeSummaryOffset({
        groupOpcode: opcode,
        groupStart: BigInt(start),
        groupLength: BigInt(length),
      });
    }
    // The checksum covers the footer up to itself: it is written twice, the second time with the checksum.
    const footer = {
      summaryStart: BigInt(summaryStart),
      summaryOffsetStart: BigInt(summaryOffsetStart),
      summaryCrc: 0,
    };
    const offsets = builder.length;
    builder.writeFooter(footer);
    const covered = builder.buffer.subarray(0, builder.length - 4);
    crc = this.#means.crc32(covered, crc);
    const offsetsAndNothing = covered.subarray(0, offsets);
    builder.reset();
    builder.writeFooter({ ...footer, summaryCrc: crc });
    builder.writeMagic();
    const end = builder.buffer;
    builder.reset();
    await this.#write(offsetsAndNothing);
    await this.#write(end);
  }

  /** Writes what the builder holds, as part of the data section. */
  async #flush(): Promise<void> {
    const bytes = this.#builder.buffer;
    this.#builder.reset();
    await this.#writeData(bytes);
  }

  async #writeData(bytes: Uint8Array): Promise<void> {
    this.#crc = this.#means.crc32(bytes, this.#crc);
    await this.#write(bytes);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    await this.#output.write(bytes);
    this.byteLength += bytes.length;
  }
}
